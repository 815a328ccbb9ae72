import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { companyRegistry } from '../../../nodes/CompanyRegistry/api';
import { KeyTriggers, triggersOf } from '../../../nodes/CompanyRegistry/triggers';
import { connectionOf } from '../../../nodes/shared/http/connection';
import { node } from '../../shared/http/scriptedHost';
import { clock, DAY, HOUR, hours, MINUTE } from '../../shared/poll/pollModel';
import type { PollModel, Scheduler } from '../../shared/poll/pollModel';
import { idnoOf, listOf, Registry } from './registryModel';

/** A plan of 40 requests a day, of which a trigger uses 32. */
const PLAN = 40;
const BUDGET = 32;

const searching = { event: 'companyFound', searchFilters: { q: 'Company' } };

interface Simulation {
	companies: number;
	days: number;
	everyHours?: number;
	restartEveryHours?: number;
	triggers?: number;
	plan?: number;
	scheduler?: Scheduler;
}

async function simulate({
	companies,
	days,
	everyHours = 1,
	restartEveryHours,
	triggers: count = 1,
	plan = PLAN,
	scheduler = 'durable',
}: Simulation) {
	const registry = new Registry(companies * count);
	const triggers = Array.from({ length: count }, (_, index) => {
		const idnos = registry.idnos.slice(index * companies, (index + 1) * companies);
		return registry.watch(idnos, {}, plan, scheduler);
	});
	for (const trigger of triggers) await trigger.publish().catch(() => {});
	const start = clock.now;
	for (let hour = 1; hour <= days * 24; hour++) {
		// A poll is never exactly on time.
		clock.now = start + hour * HOUR + ((hour * 7_919) % 3_000);
		if (restartEveryHours && hour % restartEveryHours === 5 % restartEveryHours) {
			await registry.restart();
		}
		clock.now += MINUTE;
		if (hour % everyHours === 0) for (const trigger of triggers) await trigger.tick();
	}
	const checks = registry.idnos.map((idno) => registry.checks.get(idno) ?? 0);
	return {
		perDay: registry.requests.length / days,
		fewest: Math.min(...checks),
		most: Math.max(...checks),
		mostInADay: registry.mostInADay,
		errors: triggers.flatMap(({ errors }) => errors).length,
	};
}

describe('Queue of companies', () => {
	it.each<[string, Partial<Simulation>, share: number, mostInADay: number]>([
		['hourly polls', {}, 0.9, BUDGET],
		['a daily restart', { restartEveryHours: 24 }, 0.9, PLAN],
		['daily polls', { everyHours: 24 }, 0.85, BUDGET],
	])('spreads a week of checks evenly over 120 companies with %s', async (...row) => {
		const [, setting, share, mostInADay] = row;
		const result = await simulate({ companies: 120, days: 7, ...setting });
		expect(result.fewest).toBeGreaterThan(0);
		expect(result.most - result.fewest).toBeLessThanOrEqual(1);
		expect(result.perDay).toBeGreaterThan(share * BUDGET);
		expect(result.mostInADay).toBeLessThanOrEqual(mostInADay);
		expect(result.errors).toBe(0);
	});

	it('checks newly added companies first, even if the budget is always used up', async () => {
		const registry = new Registry(400);
		const trigger = registry.watch(registry.idnos.slice(0, 300), {}, PLAN);
		await trigger.publish();
		await hours(30, trigger);
		const added = registry.idnos.slice(300, 303);
		Object.assign(trigger.setting.parameters, listOf([...registry.idnos.slice(0, 300), ...added]));
		await trigger.publish();
		await hours(3, trigger);
		expect(added.map((idno) => registry.checks.get(idno))).toEqual([1, 1, 1]);
	});

	it('checks added companies at once, even if the first poll has used up the allowance and a check takes two requests', async () => {
		const registry = new Registry(300);
		const trigger = registry.watch(registry.idnos.slice(3), {}, 10 * PLAN);
		trigger.setting.parameters.otherFieldsToWatch = 'name';
		await trigger.publish();
		Object.assign(trigger.setting.parameters, listOf(registry.idnos));
		await trigger.publish();
		const added = registry.idnos.slice(0, 3);
		expect(added.map((idno) => registry.checks.get(idno))).toEqual([2, 2, 2]);
	});
});

describe('Daily request budget', () => {
	it.each([
		['80% of the plan’s requests by default', {}, BUDGET],
		['no more than the plan’s requests', { dailyRequests: 1_000 }, PLAN],
	])(
		'the daily request budget is %s, a quarter of which is for the first poll, and test events don’t count',
		async (_, options, budget) => {
			const registry = new Registry(300);
			const trigger = registry.watch(registry.idnos, options, PLAN);
			await trigger.test();
			await trigger.publish();
			expect(registry.requests).toHaveLength(1 + budget / 4);
		},
	);

	it('a plan of one request a day lets a trigger check one company a day', async () => {
		const registry = new Registry(1);
		const trigger = registry.watch(registry.idnos, {}, 1);
		await trigger.publish();
		await hours(24 * 7, trigger);
		expect(registry.requests.length).toBeGreaterThanOrEqual(6);
		expect(registry.mostInADay).toBe(1);
	});

	it('a small budget holds beside a large one on the same key, however often companies are added', async () => {
		const registry = new Registry(20);
		const large = registry.watch(registry.idnos.slice(19), { dailyRequests: 400 });
		const small = registry.watch(registry.idnos.slice(0, 1), { dailyRequests: 4 });
		for (const trigger of [large, small]) await trigger.publish();
		for (let count = 2; count < 19; count++) {
			Object.assign(small.setting.parameters, listOf(registry.idnos.slice(0, count)));
			await small.publish();
		}
		expect(registry.checks.size).toBeLessThanOrEqual(1 + 4);
	});

	it('two triggers whose checks take two requests take turns with a budget of two', async () => {
		const registry = new Registry(2);
		const triggers = registry.idnos.map((idno) => registry.watch([idno], {}, 3));
		for (const trigger of triggers) {
			trigger.setting.parameters.otherFieldsToWatch = 'name';
			await trigger.publish().catch(() => {});
		}
		registry.checks.clear();
		await hours(24 * 10, ...triggers);
		expect(registry.mostInADay).toBe(2);
		for (const idno of registry.idnos) expect(registry.checks.get(idno)).toBeGreaterThan(4);
	});

	it('four triggers and a search on one key share the daily request budget, even right after a restart', async () => {
		const registry = new Registry(80);
		const triggers = [
			registry.trigger(searching, PLAN, 'durable', 'unversioned'),
			...[0, 1, 2, 3].map((part) =>
				registry.watch(registry.idnos.slice(part * 20, part * 20 + 20), {}, PLAN, 'durable'),
			),
		];
		for (const trigger of triggers) await trigger.publish();
		await hours(48, ...triggers);
		expect(registry.mostInADay).toBeLessThanOrEqual(BUDGET);
		await registry.restart();
		registry.requests.length = 0;
		await hours(1, ...triggers);
		// Each may spend its share of a quarter of the budget, and a check costs a whole request.
		expect(registry.requests.length).toBeLessThanOrEqual(BUDGET / 4 + triggers.length);
		await hours(23, ...triggers);
		expect(registry.requests.length).toBeLessThanOrEqual(BUDGET);
	});

	// Nobody remembers what was sent before a restart, so the budget can be used twice around it.
	it.each<[string, Partial<Simulation>, fewest: number, mostInADay: number]>([
		['a budget of two requests a day', { plan: 3 }, 7, 2 * 2],
		['four triggers on one key', { triggers: 4 }, 7, 2 * BUDGET],
		['sixteen triggers on one key', { triggers: 16 }, 6, 2 * BUDGET],
		['the in-memory scheduler', { companies: 60, scheduler: 'classic' }, 1, 1.5 * BUDGET],
	])('checks every company despite %s and a daily restart', async (_, setting, fewest, most) => {
		const daily = { companies: 1, days: 7, restartEveryHours: 24 };
		const result = await simulate({ ...daily, ...setting });
		expect(result.fewest).toBeGreaterThanOrEqual(fewest);
		expect(result.mostInADay).toBeLessThanOrEqual(most);
	});

	it.each([
		['list of companies', { ...listOf([idnoOf(0)]), fieldsToWatch: ['rating'] }],
		['search', searching],
	])(
		'a new %s fails to publish if the daily request budget is used up, and says when to try again',
		async (_, event) => {
			const registry = new Registry(1);
			const options = { dailyRequests: 1, checkDigit: false };
			const trigger = registry.trigger({ ...event, options });
			registry.fault = () => ({ status: 500, body: { success: false } });
			await expect(trigger.publish()).rejects.toThrow('server error');
			const text =
				/The daily request budget of 1 is used up\. Try again in [\d.]+ (min|h), or raise "Daily Request Budget"\./;
			await expect(trigger.publish()).rejects.toMatchObject({
				message: expect.stringMatching(text),
				failure: { cause: 'quota-exhausted' },
			});
		},
	);

	it('a budget that’s smaller than a check counts as one check', async () => {
		const registry = new Registry(2);
		const options = { dailyRequests: 1, checkDigit: false };
		const others = { otherFieldsToWatch: 'status' };
		const trigger = registry.trigger({ ...listOf(registry.idnos), ...others, options });
		await trigger.publish();
		registry.set(idnoOf(1), { status: 'closed' });
		expect(await hours(72, trigger)).toMatchObject([{ idno: idnoOf(1) }]);
		expect(registry.mostInADay).toBeLessThanOrEqual(3);
	});

	it('a poll whose last retry the daily request budget stops fails with the registry’s error', async () => {
		const registry = new Registry(1);
		const trigger = registry.watch(registry.idnos, { dailyRequests: 3 });
		await trigger.publish();
		registry.fault = () => ({ status: 503, body: { success: false } });
		await hours(12, trigger);
		expect(registry.requests).toHaveLength(3);
		expect(trigger.errors).toMatchObject([{ message: expect.stringContaining('HTTP 503') }]);
	});

	it('only begins a check of two requests if the daily request budget has room for both', async () => {
		const registry = new Registry(6);
		const trigger = registry.watch(registry.idnos, { dailyRequests: 5 });
		trigger.setting.parameters.otherFieldsToWatch = 'name';
		await trigger.publish();
		await hours(6 * 24, trigger);
		expect([...trigger.errors, ...trigger.warnings]).toEqual([]);
		for (const idno of registry.idnos) expect(registry.checks.get(idno)).toBeGreaterThan(2);
	});

	it('no poll fails, and none of the companies waits for long, if a check takes a second request because the company has no recommendation', async () => {
		const registry = new Registry(20);
		const missing = { status: 404, body: { success: false, message: 'No recommendation' } };
		const unrated = registry.idnos.slice(5);
		registry.fault = (path) =>
			unrated.some((idno) => path.endsWith(`/credit/${idno}`)) ? missing : undefined;
		const trigger = registry.watch(registry.idnos, {}, PLAN);
		await trigger.publish();
		await hours(7 * 24, trigger);
		expect([...trigger.errors, ...trigger.warnings]).toEqual([]);
		for (const idno of registry.idnos) expect(registry.checks.get(idno)).toBeGreaterThan(5);
		expect(registry.mostInADay).toBeLessThanOrEqual(BUDGET);
	});

	it('limits the requests of all triggers on a key together, including retries and later triggers', async () => {
		const registry = new Registry(60);
		let requests = 0;
		registry.fault = () => (++requests % 2 ? { status: 503, body: { success: false } } : undefined);
		const triggers: PollModel[] = [];
		for (let hour = 0; hour < 72; hour++) {
			if (hour % 4 === 0 && triggers.length < 6) {
				const idnos = registry.idnos.slice(10 * triggers.length).slice(0, 10);
				const trigger = registry.watch(idnos, { dailyRequests: 13 });
				triggers.push(trigger);
				await trigger.publish().catch(() => {});
			}
			await hours(1, ...triggers);
		}
		expect(registry.mostInADay).toBeLessThanOrEqual(13);
	});

	it.each<[string, budgets: number[], requests: number[]]>([
		['equal budgets are shared equally', [60, 60], [30, 30]],
		[
			'the largest of several is shared equally, and none gets more than its own',
			[20, 60],
			[20, 30],
		],
		['a small one caps its trigger only', [4, 400], [4, 200]],
	])('%s', async (_, budgets, expected) => {
		const registry = new Registry(budgets.length * 100);
		const lists = budgets.map((_each, at) => registry.idnos.slice(at * 100, (at + 1) * 100));
		const triggers = budgets.map((dailyRequests, at) =>
			registry.watch(lists[at]!, { dailyRequests }),
		);
		for (const trigger of triggers) await trigger.publish();
		await hours(48, ...triggers);
		registry.checks.clear();
		await hours(10 * 24, ...triggers);
		const perDay = lists.map((idnos) => {
			const checks = idnos.map((idno) => registry.checks.get(idno) ?? 0);
			return checks.reduce((sum, each) => sum + each) / 10;
		});
		for (const [at, share] of expected.entries()) {
			expect(perDay[at]).toBeGreaterThan(0.9 * share);
			// Part of a request can be left from the days before.
			expect(perDay[at]).toBeLessThanOrEqual(share + 0.1);
		}
		expect(registry.mostInADay).toBeLessThanOrEqual(Math.max(...budgets));
	});

	it('uses the whole budget even if each check takes most of the time between two polls', async () => {
		const registry = new Registry(10);
		const trigger = registry.watch(registry.idnos, {}, PLAN);
		await trigger.publish();
		registry.fault = () => void (clock.now += 14 * MINUTE);
		const start = clock.now;
		registry.requests.length = 0;
		for (let poll = 1; poll <= 7 * 96; poll++) {
			clock.now = Math.max(clock.now, start + poll * 15 * MINUTE);
			await trigger.tick();
		}
		expect(registry.requests.length).toBeGreaterThan(0.95 * 7 * BUDGET);
	});

	it('goes on after the clock is set back by a year', async () => {
		const registry = new Registry(3);
		const trigger = registry.watch(registry.idnos, {}, PLAN);
		await trigger.publish();
		clock.now += 365 * DAY;
		await trigger.tick();
		clock.now -= 365 * DAY;
		registry.requests.length = 0;
		await hours(48, trigger);
		expect(trigger.errors).toEqual([]);
		expect(registry.requests.length).toBeGreaterThan(50);
	});
});

const poll = (at: number, perDay = 80, perPoll = 20) => ({ at, perDay, perPoll });

describe('Triggers that share a budget', () => {
	it('a weekly trigger shares the budget with one that has polled since its own last poll, days ago', () => {
		const triggers = new KeyTriggers();
		triggers.notePoll('weekly', poll(0));
		triggers.notePoll('other', poll(3 * DAY));
		expect(triggers.notePoll('weekly', poll(7 * DAY))).toEqual({ previous: 0, all: 80, share: 40 });
		expect(triggers.notePoll('weekly', poll(14 * DAY))).toMatchObject({ share: 80 });
	});

	it('a daily trigger has the budget to itself two days after the other one stopped', () => {
		const triggers = new KeyTriggers();
		for (const day of [0, 1, 2]) triggers.notePoll('daily', poll(day * DAY));
		triggers.notePoll('other', poll(2 * DAY));
		expect(triggers.notePoll('daily', poll(3 * DAY))).toMatchObject({ share: 40 });
		expect(triggers.notePoll('daily', poll(4 * DAY))).toMatchObject({ share: 80 });
	});

	it.each([
		[25, 40],
		[27, 80],
	])(
		'if the other trigger last polled %d hours ago, a trigger may send %d requests',
		(ago, share) => {
			const triggers = new KeyTriggers();
			triggers.notePoll('other', poll(0));
			expect(triggers.notePoll('hourly', poll(ago * HOUR))).toMatchObject({ share });
		},
	);
});

describe('Requests that triggers need', () => {
	/** What a trigger needs after polling at this pace for two days or longer. */
	const neededBy = async (companies: number, everyMs: number, perDay = 100) => {
		const registry = new Registry(companies);
		const trigger = registry.watch(registry.idnos, {}, perDay);
		await trigger.publish();
		for (const end = clock.now + 2 * DAY; clock.now < end;) {
			clock.now += everyMs;
			await trigger.tick();
		}
		return needed(trigger);
	};

	const needed = ({ setting }: PollModel) => {
		const credentials = setting.credentials as ICredentialDataDecryptedObject;
		const { account } = connectionOf(node, companyRegistry, credentials);
		return triggersOf(account).perDay(clock.now);
	};

	it.each([
		['20 companies once a day', 20, DAY, 20],
		['3 companies every hour', 3, HOUR, 72],
		['3 companies every minute, at most the budget', 3, MINUTE, 80],
		['200 companies once a day, at most the budget', 200, DAY, 80],
		['5 companies once a week', 5, 7 * DAY, 5],
	])('%s', async (_, companies, everyMs, most) => {
		const result = await neededBy(companies, everyMs);
		// A request takes time, so the pace isn't exact.
		expect(result).toBeLessThanOrEqual(most);
		expect(result).toBeGreaterThan(0.9 * most);
	});

	it('the requests that triggers need are added up by key, and are 0 for a key without triggers', async () => {
		const registry = new Registry(30);
		const triggers = [10, 20].map((end) => registry.watch(registry.idnos.slice(end - 10, end)));
		for (const trigger of triggers) await trigger.publish();
		for (let day = 0; day < 2; day++) {
			clock.now += DAY - HOUR;
			await hours(1, ...triggers);
		}
		expect(needed(triggers[0]!)).toBe(20);
		expect(needed(new Registry(1).watch(['1']))).toBe(0);
	});

	it('a search needs a request per page in each poll', async () => {
		const registry = new Registry(1_000);
		const trigger = registry.trigger(searching, 1_000_000, 'classic', 'unversioned');
		await trigger.publish();
		await hours(1, trigger);
		expect(needed(trigger)).toBeGreaterThan(20 * 23);
	});

	it('triggers need no more requests than the largest budget, however many they are', () => {
		const triggers = new KeyTriggers();
		for (const name of ['one', 'other']) {
			for (const at of [0, DAY]) triggers.notePoll(name, poll(at, 30));
		}
		expect(triggers.perDay(DAY)).toBe(30);
	});

	it('an hourly and a weekly trigger need no more requests than their budgets, whatever a third one had', () => {
		const triggers = new KeyTriggers();
		triggers.notePoll('stopped', poll(0, 400));
		for (const at of [7, 14]) triggers.notePoll('weekly', poll(at * DAY, 80, 100));
		for (const at of [16 * DAY - HOUR, 16 * DAY]) triggers.notePoll('hourly', poll(at, 80, 100));
		expect(triggers.perDay(16 * DAY)).toBe(80);
	});

	it('triggers need what their shares let them send: 20 and 30 requests with budgets of 20 and 60', () => {
		const triggers = new KeyTriggers();
		for (const at of [0, DAY]) {
			triggers.notePoll('small', poll(at, 20, 100));
			triggers.notePoll('large', poll(at, 60, 100));
		}
		expect(triggers.perDay(DAY)).toBe(50);
	});

	it('a weekly trigger needs its requests until it has been late for a week', () => {
		const triggers = new KeyTriggers();
		for (const at of [0, 7 * DAY]) triggers.notePoll('weekly', poll(at));
		expect([20, 22].map((day) => triggers.perDay(day * DAY))).toEqual([20, 0]);
	});

	it('a trigger needs the requests of hourly polls after its first poll, and none two days after its last one', async () => {
		const registry = new Registry(3);
		const trigger = registry.watch(registry.idnos, {}, 1_000);
		await trigger.publish();
		expect(needed(trigger)).toBe(72);
		clock.now += 2 * DAY;
		expect(needed(trigger)).toBe(0);
	});
});
