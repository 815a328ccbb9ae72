import fc from 'fast-check';

import { companyFound } from '../../../../nodes/LinkCompanyTrigger/events/companyFound';
import { forgetEverything } from '../../../../nodes/LinkCompanyTrigger/pollCache';
import type { ApiRequest } from '../../../../nodes/shared/http/sendRequest';
import { HOUR, idnoOf, RegistryModel, restartAll, TriggerModel } from '../../registryModel';

beforeEach(forgetEverything);
afterEach(() => jest.restoreAllMocks());

const search = { searchFilters: { q: '1003' } };

function triggerFor(
	registry: RegistryModel,
	parameters = {},
	scheduler: 'classic' | 'durable' = 'classic',
): TriggerModel {
	return new TriggerModel(registry, {
		event: companyFound,
		parameters: { ...search, ...parameters },
		scheduler,
	});
}

describe('companyFound', () => {
	it('emits a company once, when the search shows it for the first time', async () => {
		const registry = new RegistryModel(30);
		const trigger = triggerFor(registry);
		await trigger.publish();
		registry.statuses.set(idnoOf(30), 'active');
		await trigger.poll();
		await trigger.poll();
		expect(trigger.events).toEqual([{ idno: idnoOf(30), name: idnoOf(30), status: 'active' }]);
		expect(registry.requests).toHaveLength(3);
	});

	it('emits existing companies at the first poll if the option is on', async () => {
		const registry = new RegistryModel(120);
		const trigger = triggerFor(registry, { options: { emitExisting: true } });
		await trigger.publish();
		expect(trigger.events.map(({ idno }) => idno)).toEqual(registry.idnos);
		await trigger.poll();
		expect(trigger.events).toHaveLength(120);
	});

	it('does not emit a company that comes back or that another search shows', async () => {
		const registry = new RegistryModel(30);
		const trigger = triggerFor(registry);
		await trigger.publish();
		registry.statuses.delete(idnoOf(3));
		await trigger.poll();
		registry.statuses.set(idnoOf(3), 'active');
		await trigger.poll();
		for (let i = 30; i < 40; i++) registry.statuses.set(idnoOf(i), 'active');
		trigger.parameters = { searchFilters: { q: '10036' } };
		await trigger.publish();
		await trigger.poll();
		expect(trigger.events).toEqual([]);
	});

	it('costs nothing at an edit that leaves the search as it is', async () => {
		const registry = new RegistryModel(30);
		const trigger = triggerFor(registry);
		await trigger.publish();
		trigger.parameters = { ...search, pollTimes: {} };
		await trigger.publish();
		expect(registry.requests).toHaveLength(1);
	});

	it('is not published for a search that the registry shows only in part', async () => {
		const registry = new RegistryModel(120);
		registry.hostile = () => ({
			total: 120,
			data: registry.idnos.slice(0, 50).map((idno) => ({ idno, status: 'active' })),
		});
		await expect(triggerFor(registry).publish()).rejects.toThrow(
			'The search finds 120 companies, but the registry shows only 50 of them',
		);
	});

	it('emits only new companies, each once, although rows move while pages are read', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(
					fc.record({
						deletes: fc.integer({ min: 0, max: 3 }),
						adds: fc.integer({ min: 0, max: 3 }),
						first: fc.boolean(),
						restart: fc.boolean(),
					}),
					{ minLength: 3, maxLength: 12 },
				),
				fc.constantFrom('classic' as const, 'durable' as const),
				async (polls, scheduler) => {
					forgetEverything();
					jest.restoreAllMocks();
					const registry = new RegistryModel(170);
					const trigger = triggerFor(registry, {}, scheduler);
					const existing = new Set(registry.idnos);
					let next = 1_000;
					let change: (typeof polls)[number] | undefined;
					registry.hostile = ({ query = {} }: ApiRequest) => {
						if (change && (query.page ?? 1) === (change.first ? 2 : 3)) {
							const { deletes, adds } = change;
							change = undefined;
							for (const idno of registry.idnos.slice(10, 10 + deletes)) {
								registry.statuses.delete(idno);
							}
							for (let i = 0; i < adds; i++) registry.statuses.set(idnoOf(next++), 'active');
						}
						return undefined;
					};
					change = { deletes: 2, adds: 2, first: true, restart: false };
					await trigger.publish();
					// What was added during the first readings may count as existing.
					const before = next;
					for (const poll of polls) {
						registry.time += HOUR;
						if (poll.restart) await restartAll([trigger]);
						change = poll;
						await trigger.poll();
					}
					change = undefined;
					for (let hour = 0; hour < 5; hour++) {
						registry.time += HOUR;
						await trigger.poll();
					}
					const emitted = trigger.events.map(({ idno }) => String(idno));
					expect(new Set(emitted).size).toBe(emitted.length);
					expect(emitted.filter((idno) => existing.has(idno))).toEqual([]);
					for (let i = before; i < next; i++) {
						if (registry.statuses.has(idnoOf(i))) expect(emitted).toContain(idnoOf(i));
					}
				},
			),
			{ numRuns: 40 },
		);
	});
});
