import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { clock, DAY, HOUR, hours, MINUTE, type Answer } from '../../shared/poll/pollModel';
import { idnoOf, listOf, Registry, watchingFields, watchingStatus } from './registryModel';

const broken = { status: 500, body: { success: false, message: 'broken' } };
const odd = { status: 422, body: { success: false, message: 'no data' } };
const ofAll = () => true;
const of =
	(...indexes: number[]) =>
	(path: string) =>
		indexes.some((index) => path.endsWith(idnoOf(index)));

it('emits a change a minute after the first publication, which uses a quarter of the budget', async () => {
	const registry = new Registry(3);
	const trigger = registry.watch(registry.idnos, {}, 100);
	await trigger.publish();
	registry.set(idnoOf(1), { status: 'dissolved' });
	clock.now += MINUTE;
	expect(await trigger.tick()).toMatchObject([{ idno: idnoOf(1), status: 'dissolved' }]);
	for (let minute = 0; minute < 60; minute++) {
		clock.now += MINUTE;
		await trigger.tick();
	}
	// A quarter of the budget of 80 requests, and the few checks that came due within the hour.
	expect(registry.requests.length).toBeLessThanOrEqual(20 + 5);
});

// A company that can be read changes after a day. Polls go on for two more.
it.each<[string, (path: string) => boolean, Answer, events: number, errors: number, log: number]>([
	['HTTP 500 for one company', of(4), broken, 1, 0, 1],
	['HTTP 422 for one company', of(4), odd, 1, 0, 1],
	['a page of a proxy for one company', of(4), { body: '<html>' }, 1, 0, 1],
	['HTTP 500 for three companies in a row', of(3, 4, 5), broken, 1, 0, 3],
	['HTTP 500 for all', ofAll, broken, 0, 72, 0],
	['a page of a proxy for all', ofAll, { status: 404, body: '<html>' }, 0, 72, 0],
])('%s: the right events, failed polls and warnings', async (...row) => {
	const [, fails, answer, events, errors, warnings] = row;
	const { registry, trigger } = await watchingStatus(12, 120);
	registry.fault = (path) => (fails(path) ? answer : undefined);
	await hours(24, trigger);
	registry.set(idnoOf(9), { status: 'insolvent' });
	await hours(48, trigger);
	expect(trigger.events).toHaveLength(events);
	expect(trigger.errors).toHaveLength(errors);
	expect(trigger.warnings).toHaveLength(warnings);
	for (const idno of errors === 0 ? registry.idnos : []) {
		if (!fails(idno)) expect(registry.checks.get(idno)).toBeGreaterThanOrEqual(8);
	}
});

it('whichever companies fail for good, all others are checked', async () => {
	const indexes = [...Array(8).keys()];
	const failing = fc.subarray(indexes, { minLength: 1, maxLength: 6 });
	const property = async (failed: number[]) => {
		const { registry, trigger } = await watchingStatus(8);
		registry.fault = (path) => (of(...failed)(path) ? broken : undefined);
		registry.checks.clear();
		await hours(48, trigger);
		const readable = indexes.filter((index) => !failed.includes(index)).map(idnoOf);
		expect([...registry.checks.keys()].sort()).toEqual(readable);
	};
	await fc.assert(fc.asyncProperty(failing, property), { numRuns: 30 });
});

it('a trigger can be published right after an attempt that found none of the companies', async () => {
	const registry = new Registry(12);
	const unknown = Array.from({ length: 14 }, (_, index) => idnoOf(index + 500));
	const trigger = registry.watch(unknown, {}, 100);
	for (let attempt = 0; attempt < 4; attempt++) {
		await expect(trigger.publish()).rejects.toThrow(
			`The registry doesn't have the company ${unknown[0]} or any other company checked so far`,
		);
	}
	Object.assign(trigger.setting.parameters, listOf(registry.idnos));
	await trigger.publish();
	expect(registry.checks.size).toBeGreaterThan(0);
	expect(registry.requests.length).toBeLessThanOrEqual(80);
	registry.companies.clear();
	await expect(trigger.test()).rejects.toMatchObject({
		message: `Company Status Changed: The registry doesn't have the company ${idnoOf(0)}`,
	});
});

it('a trigger can be published if only one of twenty companies can be read, and says what the first response was if none can', async () => {
	const registry = new Registry(20);
	const unreadable = (path: string) => ({ ...odd, body: { ...odd.body, message: `no ${path}` } });
	registry.fault = unreadable;
	const trigger = watchingFields(registry, ['status']);
	await expect(trigger.publish()).rejects.toThrow(idnoOf(0));
	registry.fault = (path) => (of(19)(path) ? undefined : unreadable(path));
	await trigger.publish();
	registry.set(idnoOf(19), { status: 'dissolved' });
	expect(await hours(2, trigger)).toMatchObject([{ idno: idnoOf(19) }]);
});

it('goes on if the company that was shown last has left the list and another can’t be read', async () => {
	const { registry, trigger } = await watchingStatus(3);
	const [first = '', second = ''] = registry.idnos;
	Object.assign(trigger.setting.parameters, listOf([first, second]));
	registry.fault = (path) => (path.endsWith(first) ? odd : undefined);
	registry.set(second, { status: 'dissolved' });
	expect(await hours(1, trigger)).toMatchObject([{ idno: second }]);
	expect(trigger.errors).toEqual([]);
});

it('forgets a company that leaves the list, even if it comes back later', async () => {
	const { registry, trigger } = await watchingStatus(3);
	const [first = '', ...others] = registry.idnos;
	Object.assign(trigger.setting.parameters, listOf(others));
	registry.checks.clear();
	await hours(1, trigger);
	expect([...registry.checks.keys()]).toEqual(others);
	registry.set(first, { status: 'dissolved' });
	Object.assign(trigger.setting.parameters, listOf([first, ...others]));
	expect(await hours(2, trigger)).toEqual([]);
});

it('says that the quota is used up if that’s why it can’t tell whether the registry is down', async () => {
	const { registry, trigger } = await watchingStatus(3);
	const used = { status: 429, body: { success: false, message: 'Daily quota exceeded' } };
	registry.fault = (path) => (of(0)(path) ? broken : used);
	await hours(1, trigger);
	expect(trigger.errors).toMatchObject([{ message: expect.stringContaining('quota') }]);
});

it('keeps its state if companies can’t be read when the allowance has room for one request', async () => {
	const { registry, trigger } = await watchingStatus(60, 40);
	await hours(30, trigger);
	registry.fault = (path) => (of(...Array(30).keys())(path) ? broken : undefined);
	await hours(48, trigger);
	expect(trigger.warnings).not.toContainEqual(expect.stringContaining('starts over'));
	expect(trigger.events).toEqual([]);
});

it('ends a poll before n8n’s time for it is over, and the next one checks the rest', async () => {
	const registry = new Registry(60);
	const trigger = registry.watch(registry.idnos);
	trigger.setting.budgetMs = 10_000;
	await trigger.publish();
	// A request takes 0.2 s, and a fifth of the time is for n8n.
	expect(registry.checks.size).toBe(40);
	await trigger.tick();
	expect(registry.checks.size).toBe(60);
});

it('sends no extra request about a company that can’t be read if others could be read before', async () => {
	const { registry, trigger } = await watchingStatus(3);
	registry.fault = (path) => (of(2)(path) ? broken : undefined);
	registry.requests.length = 0;
	await hours(1, trigger);
	expect(registry.requests).toHaveLength(3);
});

it('ends a poll after a few failures in an outage, and checks all companies afterwards', async () => {
	const { registry, trigger } = await watchingStatus(20);
	registry.fault = () => broken;
	registry.requests.length = 0;
	await hours(1, trigger);
	expect(registry.requests.length).toBeLessThanOrEqual(3);
	registry.fault = () => undefined;
	// One company that failed, and one that wasn't checked.
	for (const index of [0, 15]) registry.set(idnoOf(index), { status: 'dissolved' });
	const events = await hours(1, trigger);
	expect(events.map(({ idno }) => idno).sort()).toEqual([idnoOf(0), idnoOf(15)]);
});

describe('Disappearance', () => {
	const missing = async (steps: number[]) => {
		const registry = new Registry(2);
		const trigger = watchingFields(registry, ['status', 'disappearance']);
		await trigger.publish();
		const company = registry.companies.get(idnoOf(0))!;
		registry.companies.delete(idnoOf(0));
		for (const step of steps) {
			clock.now += step;
			await trigger.tick();
		}
		return { registry, trigger, company };
	};

	it.each([
		['once after a day and three checks', [HOUR, 12 * HOUR, 12 * HOUR], 1],
		['never after two checks a month apart', [HOUR, 30 * DAY], 0],
		['never because a clock is corrected', [365 * DAY, -365 * DAY, HOUR, HOUR], 0],
		['once a day after a clock is corrected', [365 * DAY, -365 * DAY, 5 * HOUR, DAY], 1],
		['never within a day', Array<number>(23).fill(HOUR), 0],
	])('emits the disappearance of a company %s', async (_when, steps, count) => {
		const { events } = (await missing(steps)).trigger;
		const none = {
			name: expect.stringMatching(/^Company /) as string,
			status: null,
			details: null,
		};
		const gone = { ...none, previousStatus: 'active', changedFields: ['disappearance'] };
		expect(events).toMatchObject(Array(count).fill(gone));
	});

	it('if Disappearance isn’t watched, only emits what has changed when the company is back', async () => {
		const { registry, trigger } = await watchingStatus(3);
		const company = registry.companies.get(idnoOf(0))!;
		registry.companies.delete(idnoOf(0));
		expect(await hours(48, trigger)).toEqual([]);
		registry.companies.set(idnoOf(0), { ...company, status: 'dissolved' });
		expect(await hours(1, trigger)).toMatchObject([{ changes: 'status: active → dissolved' }]);
	});

	it('emits no disappearance from before it was watched', async () => {
		const { registry, trigger } = await watchingStatus(3);
		registry.companies.delete(idnoOf(0));
		await hours(48, trigger);
		trigger.setting.parameters.fieldsToWatch = ['disappearance'];
		expect(await hours(48, trigger)).toEqual([]);
	});

	it('never emits the disappearance of a company that the registry has never shown', async () => {
		const registry = new Registry(2);
		const trigger = registry.watch([idnoOf(9), ...registry.idnos]);
		trigger.setting.parameters.fieldsToWatch = ['disappearance'];
		await trigger.publish();
		expect(await hours(48, trigger)).toEqual([]);
	});

	const none = { success: false, message: 'No such company' };
	const missed = { status: 404, body: none };
	it.each<[string, Answer, companies: number, fails: (path: string) => boolean, events: number]>([
		['with HTTP 404, if it’s the only one', missed, 1, ofAll, 1],
		['with HTTP 404, like all others', missed, 20, ofAll, 0],
		['with success: false', { body: none }, 2, of(0), 1],
		['with success: false, if it’s the only one', { body: none }, 1, ofAll, 1],
		['with success: false and another reason', { body: odd.body }, 2, of(0), 0],
		['with HTTP 422', odd, 2, of(0), 0],
		['with HTTP 500', broken, 2, of(0), 0],
		['with HTTP 403', { status: 403, body: odd.body }, 2, of(0), 0],
	])('a company whose checks end %s disappears, or doesn’t', async (...row) => {
		const [, answer, companies, fails, count] = row;
		const registry = new Registry(companies);
		const trigger = watchingFields(registry, ['status', 'disappearance']);
		await trigger.publish();
		registry.fault = (path) => (fails(path) ? answer : undefined);
		expect(await hours(48, trigger)).toHaveLength(count);
		registry.fault = () => undefined;
		const back = { previousStatus: null, changes: 'status: none → active' };
		expect(await hours(1, trigger)).toMatchObject(Array(count).fill(back));
	});

	it.each([
		['every hour', 24, HOUR],
		['every 15 minutes', 80, 15 * MINUTE],
	])(
		'emits only what has disappeared if the registry finds nobody for an hour each night, a poll begins %s and most polls check one company',
		async (_, count, step) => {
			const registry = new Registry(count);
			const trigger = watchingFields(registry, ['disappearance'], { dailyRequests: count });
			await trigger.publish();
			const days = async (many: number) => {
				const seen: IDataObject[] = [];
				for (const end = clock.now + many * DAY; clock.now < end;) {
					clock.now += step;
					seen.push(...(await trigger.tick()));
				}
				return seen;
			};
			await days(2);
			registry.fault = () => (new Date(clock.now).getUTCHours() === 0 ? missed : undefined);
			expect(await days(8)).toEqual([]);
			registry.companies.delete(idnoOf(3));
			expect(await days(8)).toMatchObject([{ idno: idnoOf(3) }]);
			expect(trigger.errors).toEqual([]);
		},
	);

	it('emits the disappearance of a list’s last company', async () => {
		const registry = new Registry(2);
		const trigger = watchingFields(registry, ['disappearance']);
		await trigger.publish();
		registry.companies.delete(idnoOf(0));
		expect(await hours(30, trigger)).toMatchObject([{ idno: idnoOf(0) }]);
		registry.companies.delete(idnoOf(1));
		expect(await hours(60, trigger)).toMatchObject([{ idno: idnoOf(1) }]);
	});

	it('starts waiting again if a company that came back disappears again', async () => {
		const { registry, trigger, company } = await missing(Array<number>(20).fill(HOUR));
		registry.companies.set(idnoOf(0), company);
		await hours(1, trigger);
		registry.companies.delete(idnoOf(0));
		expect(await hours(20, trigger)).toEqual([]);
		expect(await hours(6, trigger)).toHaveLength(1);
		expect(trigger.warnings).toHaveLength(1);
	});
});
