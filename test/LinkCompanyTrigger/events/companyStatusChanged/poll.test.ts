import type { IDataObject } from 'n8n-workflow';

import { companyStatusChanged } from '../../../../nodes/LinkCompanyTrigger/events/companyStatusChanged';
import { forgetEverything } from '../../../../nodes/LinkCompanyTrigger/pollCache';
import { ServiceError } from '../../../../nodes/shared/http/errors';
import type { ApiRequest } from '../../../../nodes/shared/http/sendRequest';
import {
	DAY,
	HOUR,
	idnoOf,
	outage,
	RegistryModel,
	restartAll,
	TriggerModel,
} from '../../registryModel';

beforeEach(forgetEverything);
afterEach(() => jest.restoreAllMocks());

function watching(idnos: readonly string[], more: IDataObject = {}, options: IDataObject = {}) {
	const checked = { checkDigit: false, ...options };
	return { watch: 'text', watchListText: idnos, options: checked, ...more } as IDataObject;
}

function triggerFor(registry: RegistryModel, parameters: IDataObject): TriggerModel {
	return new TriggerModel(registry, { event: companyStatusChanged, parameters });
}

describe('edits of a list', () => {
	const five = [0, 1, 2, 3, 4].map(idnoOf);
	const EDITS: Array<[string, (trigger: TriggerModel) => void, number]> = [
		['an IDNO is added', (t) => (t.parameters = watching([...five, idnoOf(5)])), 1],
		['an IDNO is removed', (t) => (t.parameters = watching(five.slice(1))), 0],
		['the order changes', (t) => (t.parameters = watching([...five].reverse())), 0],
		['an IDNO is added in front', (t) => (t.parameters = watching([idnoOf(9), ...five])), 1],
		[
			'other fields are watched',
			(t) => (t.parameters = watching(five, { fieldsToWatch: ['status', 'rating'] })),
			0,
		],
		[
			'disappearance is watched',
			(t) => (t.parameters = watching(five, { fieldsToWatch: ['status', 'disappearance'] })),
			0,
		],
		[
			'the poll times change',
			(t) => (t.parameters = watching(five, { pollTimes: { item: [] } })),
			0,
		],
		['the budget changes', (t) => (t.parameters = watching(five, {}, { dailyRequests: 500 })), 0],
		[
			'existing records are to be emitted',
			(t) => (t.parameters = watching(five, {}, { emitExisting: true })),
			0,
		],
		[
			'the status is read from the dossier',
			(t) => (t.parameters = watching(five, {}, { statusSource: 'dossier' })),
			0,
		],
		['the key changes', (t) => (t.apiKey = 'rotated'), 0],
	];

	it.each(EDITS)(
		'lose nothing, emit nothing false and cost what they must: %s',
		async (_, edit, cost) => {
			const registry = new RegistryModel(20);
			const trigger = triggerFor(registry, watching(five));
			await trigger.publish();
			registry.statuses.set(idnoOf(3), 'suspended');
			registry.requests.length = 0;
			edit(trigger);
			await trigger.publish();
			expect(registry.requests).toHaveLength(cost);
			expect(trigger.events).toEqual([]);
			await trigger.poll();
			await trigger.poll();
			expect(trigger.events).toMatchObject([
				{ idno: idnoOf(3), status: 'suspended', previousStatus: 'active' },
			]);
			expect(trigger.warnings).toEqual([]);
		},
	);

	it('look at an added company first, although the budget was exhausted at the edit', async () => {
		const registry = new RegistryModel(300);
		const idnos = registry.idnos;
		const options = { dailyRequests: 80 };
		const trigger = triggerFor(registry, watching(idnos.slice(0, 200), {}, options));
		await trigger.publish();
		await trigger.poll();
		const added = idnos[250]!;
		trigger.parameters = watching([...idnos.slice(0, 200), added], {}, options);
		await trigger.publish();
		expect(registry.lookedAt.get(added)).toBeUndefined();
		registry.time += HOUR;
		await trigger.poll();
		expect(registry.lookedAt.get(added)).toBe(1);
	});

	it('distinguish a change from another name for the same status when the source changes', async () => {
		const registry = new RegistryModel(2);
		const trigger = triggerFor(registry, watching(registry.idnos));
		await trigger.publish();
		// The dossier has the same statuses in other words.
		registry.hostile = ({ path = '', values = {} }: ApiRequest) => {
			if (!path.includes('/company/')) return undefined;
			return { success: true, status: registry.statuses.get(values.idno!)!.toUpperCase() };
		};
		registry.statuses.set(idnoOf(1), 'suspended');
		trigger.parameters = watching(registry.idnos, {}, { statusSource: 'dossier' });
		await trigger.publish();
		await trigger.poll();
		await trigger.poll();
		expect(trigger.events).toMatchObject([
			{ idno: idnoOf(1), status: 'SUSPENDED', previousStatus: 'active' },
		]);
	});
});

describe('failures', () => {
	const refused = () => new ServiceError('Access denied', { httpCode: '403' });

	it('keep the workflow from being published when nothing can be read', async () => {
		const registry = new RegistryModel(5);
		for (const error of [refused(), outage(), new ServiceError('No', { httpCode: '200' })]) {
			registry.hostile = () => {
				throw error;
			};
			const trigger = triggerFor(registry, watching(registry.idnos));
			await expect(trigger.publish()).rejects.toThrow(error.message);
		}
		registry.hostile = () => undefined;
		const unknown = triggerFor(registry, watching([idnoOf(70), idnoOf(71)]));
		await expect(unknown.publish()).rejects.toThrow('finds none of the companies');
	});

	it('fail a later poll in which every look-up failed, and lose nothing', async () => {
		const registry = new RegistryModel(5);
		const trigger = triggerFor(registry, watching(registry.idnos));
		await trigger.publish();
		registry.statuses.set(idnoOf(2), 'suspended');
		for (const error of [refused(), outage()]) {
			registry.hostile = () => {
				throw error;
			};
			await expect(trigger.poll()).rejects.toThrow(error.message);
		}
		registry.hostile = () => undefined;
		await trigger.poll();
		expect(trigger.events).toMatchObject([{ idno: idnoOf(2) }]);
	});

	it('of one company do not keep the others from being checked', async () => {
		const registry = new RegistryModel(6);
		const trigger = triggerFor(registry, watching(registry.idnos));
		await trigger.publish();
		registry.hostile = ({ values }: ApiRequest) => {
			if (values?.idno === idnoOf(0)) throw outage();
			return undefined;
		};
		for (let day = 0; day < 3; day++) {
			registry.statuses.set(idnoOf(4), `day ${day}`);
			await trigger.poll();
		}
		expect(trigger.events).toHaveLength(3);
		expect(trigger.warnings[0]).toContain(idnoOf(0));
	});

	it('of the first companies do not keep the others from being published', async () => {
		const registry = new RegistryModel(8);
		registry.hostile = ({ values }: ApiRequest) => {
			if (Number(values?.idno) < Number(idnoOf(5)))
				throw new ServiceError('No', { httpCode: '200' });
			return undefined;
		};
		const trigger = triggerFor(registry, watching(registry.idnos));
		await trigger.publish();
		expect(trigger.warnings).toHaveLength(5);
		expect(registry.lookedAt.size).toBe(3);
	});

	it('treat a 404 without a message from the API as a wrong URL, unless others are found', async () => {
		const registry = new RegistryModel(2);
		const trigger = triggerFor(registry, watching(registry.idnos));
		await trigger.publish();
		const wrongAddress = new ServiceError('There is no API', {
			httpCode: '404',
			failure: { cause: 'configuration-invalid' },
		});
		registry.hostile = () => {
			throw wrongAddress;
		};
		await expect(trigger.poll()).rejects.toThrow('There is no API');
		registry.hostile = ({ values }: ApiRequest) => {
			if (values?.idno === idnoOf(0)) throw wrongAddress;
			return undefined;
		};
		await trigger.poll();
		expect(trigger.warnings).toEqual([`the registry does not find the company ${idnoOf(0)}`]);
	});
});

describe('a company that is gone', () => {
	it.each(['list', 'search'])('is an event after more than a day, once (%s)', async (watch) => {
		const registry = new RegistryModel(3);
		const fieldsToWatch = ['status', 'disappearance'];
		const parameters =
			watch === 'list'
				? watching(registry.idnos, { fieldsToWatch })
				: { watch, searchFilters: { q: '1003' }, fieldsToWatch };
		const trigger = triggerFor(registry, parameters);
		await trigger.publish();
		registry.statuses.delete(idnoOf(1));
		for (let hour = 0; hour <= 24; hour++) {
			await trigger.poll();
			registry.time += HOUR;
		}
		expect(trigger.events).toEqual([]);
		for (let hour = 0; hour < 48; hour++) {
			await trigger.poll();
			registry.time += HOUR;
		}
		expect(trigger.events).toMatchObject([
			{
				idno: idnoOf(1),
				status: null,
				previousStatus: 'active',
				changedFields: ['disappearance'],
				details: null,
			},
		]);
	});

	it('does not emit a disappearance when it comes back within a day, and emits its change', async () => {
		const registry = new RegistryModel(2);
		const fieldsToWatch = ['status', 'disappearance'];
		const trigger = triggerFor(registry, watching(registry.idnos, { fieldsToWatch }));
		await trigger.publish();
		registry.statuses.delete(idnoOf(1));
		for (let hour = 0; hour < 20; hour++) {
			await trigger.poll();
			registry.time += HOUR;
		}
		registry.statuses.set(idnoOf(1), 'suspended');
		for (let hour = 0; hour < 30; hour++) {
			await trigger.poll();
			registry.time += HOUR;
		}
		expect(trigger.events).toMatchObject([{ previousStatus: 'active', status: 'suspended' }]);
	});

	it('is an event again when it comes back later', async () => {
		const registry = new RegistryModel(2);
		const fieldsToWatch = ['status', 'disappearance'];
		const trigger = triggerFor(registry, watching(registry.idnos, { fieldsToWatch }));
		await trigger.publish();
		registry.statuses.delete(idnoOf(1));
		for (let day = 0; day < 3; day++) {
			await trigger.poll();
			registry.time += 25 * HOUR;
		}
		registry.statuses.set(idnoOf(1), 'active');
		await trigger.poll();
		expect(trigger.events).toMatchObject([
			{ status: null, previousStatus: 'active' },
			{ status: 'active', previousStatus: null },
		]);
	});
});

describe('a search', () => {
	const search = { watch: 'search', searchFilters: { q: '1003' } };

	/** A service that shows what `rowsOf` gives for a page, and counts all companies. */
	function showing(
		registry: RegistryModel,
		rowsOf: (page: number, all: string[]) => string[],
		total: () => number | undefined = () => registry.statuses.size,
	): void {
		registry.hostile = ({ query = {} }: ApiRequest) => ({
			success: true,
			total: total(),
			data: rowsOf(Number(query.page ?? 1), registry.idnos).map((idno) => ({
				idno,
				name: idno,
				status: registry.statuses.get(idno),
			})),
		});
	}

	it('warns when the service shows only a part of the companies', async () => {
		const registry = new RegistryModel(120);
		showing(registry, (_page, all) => all.slice(0, 50));
		const trigger = triggerFor(registry, search);
		await trigger.publish();
		await trigger.poll();
		expect(trigger.warnings).toEqual([
			'the search finds 120 companies, but the registry shows only 50 of them; changes of the others are not noticed',
		]);
		expect(registry.requests).toHaveLength(3);
	});

	it('warns when 50 companies come without a total and without a second page', async () => {
		const registry = new RegistryModel(120);
		showing(
			registry,
			(_page, all) => all.slice(0, 50),
			() => undefined,
		);
		const trigger = triggerFor(registry, search);
		await trigger.publish();
		expect(trigger.warnings[0]).toContain('finds at least 50 companies');
	});

	it('warns when the order of the results differs each time, and forgets no company', async () => {
		const registry = new RegistryModel(120);
		let turn = 0;
		showing(registry, (_page, all) => {
			turn++;
			return all.map((_, index) => all[(index * 7 + turn * 13) % 120]!).slice(0, 50);
		});
		const fieldsToWatch = ['status', 'disappearance'];
		const trigger = triggerFor(registry, { ...search, fieldsToWatch });
		await trigger.publish();
		for (let hour = 0; hour < 60; hour++) {
			registry.time += HOUR;
			await trigger.poll();
		}
		expect(trigger.warnings[0]).toContain('of 120 companies were shown');
		expect(trigger.events).toEqual([]);
		registry.statuses.set(idnoOf(60), 'suspended');
		for (let hour = 0; hour < 10; hour++) await trigger.poll();
		expect(trigger.events).toMatchObject([{ idno: idnoOf(60), previousStatus: 'active' }]);
	});

	it('is not emptied by results that are empty for some hours', async () => {
		const registry = new RegistryModel(60);
		const fieldsToWatch = ['status', 'disappearance'];
		const trigger = triggerFor(registry, { ...search, fieldsToWatch });
		await trigger.publish();
		showing(
			registry,
			() => [],
			() => 0,
		);
		for (let hour = 0; hour < 20; hour++) {
			registry.time += HOUR;
			await trigger.poll();
		}
		registry.hostile = () => undefined;
		registry.statuses.set(idnoOf(3), 'suspended');
		for (let hour = 0; hour < 48; hour++) {
			registry.time += HOUR;
			await trigger.poll();
		}
		expect(trigger.events).toMatchObject([{ idno: idnoOf(3), previousStatus: 'active' }]);
	});

	it('does not treat companies as missing that move between pages while others are deleted', async () => {
		const registry = new RegistryModel(200);
		const fieldsToWatch = ['status', 'disappearance'];
		const trigger = triggerFor(registry, { ...search, fieldsToWatch });
		await trigger.publish();
		let deleted = 0;
		registry.hostile = ({ query = {} }: ApiRequest) => {
			if (query.page === 2 && deleted < 40) registry.statuses.delete(idnoOf(deleted++));
			return undefined;
		};
		for (let hour = 0; hour < 80; hour++) {
			registry.time += HOUR;
			await trigger.poll();
		}
		const gone = trigger.events.map(({ idno }) => idno);
		expect(gone.sort()).toEqual(Array.from({ length: 40 }, (_, index) => idnoOf(index)));
	});

	it('costs nothing at an edit, unless the search is another one', async () => {
		const registry = new RegistryModel(30);
		const trigger = triggerFor(registry, search);
		await trigger.publish();
		registry.statuses.set(idnoOf(4), 'suspended');
		trigger.parameters = { ...search, fieldsToWatch: ['status', 'disappearance'] };
		await trigger.publish();
		expect(registry.requests).toHaveLength(1);
		trigger.parameters = { watch: 'search', searchFilters: { q: '10036' } };
		await trigger.publish();
		expect(registry.requests).toHaveLength(2);
		expect(trigger.events).toMatchObject([{ idno: idnoOf(4), previousStatus: 'active' }]);
	});

	it('of many pages continues at a place that follows from the clock after every restart', async () => {
		const registry = new RegistryModel(3_000);
		const parameters = { ...search, options: { dailyRequests: 24 } };
		const trigger = triggerFor(registry, parameters);
		const pages = new Set<unknown>();
		registry.hostile = ({ query = {} }: ApiRequest) => void pages.add(query.page ?? 1);
		await trigger.publish();
		for (let hour = 1; hour < 24 * 14; hour++) {
			registry.time += HOUR;
			if (hour % 24 === 0) await restartAll([trigger]);
			await trigger.poll();
		}
		expect(pages.size).toBeGreaterThanOrEqual(60);
		expect(registry.mostInADay).toBeLessThanOrEqual(24);
	});
});

describe('the first poll', () => {
	it('emits existing companies only if the option is on, each once', async () => {
		const registry = new RegistryModel(50);
		const options = { emitExisting: true, dailyRequests: 40 };
		const trigger = triggerFor(registry, watching(registry.idnos, {}, options));
		await trigger.publish();
		for (let hour = 0; hour < 60; hour++) {
			registry.time += HOUR;
			await trigger.poll();
		}
		expect(trigger.events.map(({ idno }) => idno).sort()).toEqual(registry.idnos);
		trigger.parameters = watching([...registry.idnos, idnoOf(49)].slice(1), {}, options);
		await trigger.publish();
		expect(trigger.events).toHaveLength(50);
	});

	it('logs how long a round takes', async () => {
		const registry = new RegistryModel(500);
		const trigger = triggerFor(registry, watching(registry.idnos, {}, { dailyRequests: 80 }));
		await trigger.publish();
		expect(trigger.log).toEqual([
			'500 companies at 80 requests a day (0% of the plan): with hourly polls, each is checked about every 7 days',
		]);
		registry.time += DAY;
		await trigger.poll();
		expect(trigger.log).toHaveLength(1);
	});
});
