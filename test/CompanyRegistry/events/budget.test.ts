import { openChecks, placesPassed, stepOf } from '../../../nodes/CompanyRegistry/events/budget';
import type { Session } from '../../../nodes/shared/poll/session';
import { clock, DAY, HOUR, hours, MINUTE, type PollModel } from '../../shared/poll/pollModel';
import { idnoOf, listOf, Registry } from './registryModel';

/** A plan of 40 requests a day, of which a trigger uses 32. */
const PLAN = 40;
const BUDGET = 32;

interface Simulation {
	companies: number;
	days: number;
	everyHours?: number;
	restartEveryHours?: number;
	triggers?: number;
	plan?: number;
}

async function simulate({
	companies,
	days,
	everyHours = 1,
	restartEveryHours,
	triggers: count = 1,
	plan = PLAN,
}: Simulation) {
	const registry = new Registry(companies * count);
	const triggers = Array.from({ length: count }, (_, index) => {
		const idnos = registry.idnos.slice(index * companies, (index + 1) * companies);
		return registry.watch(idnos, {}, plan);
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

describe('Check schedule', () => {
	it.each<[string, Partial<Simulation>, share: number, mostInADay: number, spread: number]>([
		['hourly polls', {}, 0.9, BUDGET, 2],
		['a daily restart', { restartEveryHours: 24 }, 0.8, PLAN, 3],
		['a restart every 7 hours', { restartEveryHours: 7 }, 0.8, PLAN, 3],
		['daily polls', { everyHours: 24 }, 0.85, BUDGET, 2],
	])('spreads two weeks of checks evenly over 120 companies with %s', async (...row) => {
		const [, setting, share, mostInADay, spread] = row;
		const result = await simulate({ companies: 120, days: 14, ...setting });
		expect(result.fewest).toBeGreaterThan(0);
		expect(result.most - result.fewest).toBeLessThanOrEqual(spread);
		expect(result.perDay).toBeGreaterThan(share * BUDGET);
		expect(result.mostInADay).toBeLessThanOrEqual(mostInADay);
		expect(result.errors).toBe(0);
	});

	it.each<[string, Partial<Simulation>, fewest: number, mostInADay: number]>([
		['a budget of two requests a day', { days: 14, plan: 3 }, 14, 3],
		['sixteen triggers on one key', { days: 7, triggers: 16 }, 6, PLAN],
	])(
		'checks every company despite %s and a daily restart',
		async (_, setting, fewest, mostInADay) => {
			const daily = { companies: 1, restartEveryHours: 24 };
			const result = await simulate({ days: 14, ...daily, ...setting });
			expect(result.fewest).toBeGreaterThanOrEqual(fewest);
			expect(result.mostInADay).toBeLessThanOrEqual(mostInADay);
		},
	);
});

describe('Daily request budget', () => {
	it('the daily budget defaults to 80% of the plan’s requests, and publishing uses a quarter of it', async () => {
		const registry = new Registry(300);
		// n8n has been running for days, without this trigger.
		clock.now += 3 * DAY;
		await registry.watch(registry.idnos, {}, PLAN).publish();
		expect(registry.requests).toHaveLength(BUDGET / 4);
	});

	it('fails to publish a trigger whose daily budget exceeds the plan', async () => {
		const registry = new Registry(1);
		const trigger = registry.watch(registry.idnos, { dailyRequests: 41 }, PLAN);
		await expect(trigger.publish()).rejects.toThrow('more than the plan allows (40 per day)');
		expect(registry.requests).toEqual([]);
	});

	it('fails to publish a new trigger if the daily budget is used up, and says when to try again', async () => {
		const registry = new Registry(1);
		const trigger = registry.watch(registry.idnos, { dailyRequests: 1 });
		registry.fault = () => ({ status: 403, body: { success: false } });
		await expect(trigger.publish()).rejects.toThrow('denied access');
		await expect(trigger.publish()).rejects.toMatchObject({
			message: expect.stringContaining('The daily budget of 1 request is used up'),
			description: expect.stringMatching(
				/Try again in [\d.]+ (min|h), or raise "Daily Request Budget"\./,
			),
		});
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

	it('a trigger with a large daily budget doesn’t use up the share of one with a small budget', async () => {
		const registry = new Registry(51);
		const [watched = '', ...others] = registry.idnos;
		const large = registry.watch(others, { dailyRequests: 400 });
		const small = registry.watch([watched], { dailyRequests: 4 });
		await large.publish();
		await hours(30, large, small);
		await small.publish();
		await hours(48, large, small);
		expect(registry.checks.get(watched)).toBeGreaterThanOrEqual(4);
	});

	it('keeps checking companies after the clock is set back by a year', async () => {
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

describe('Companies added by an edit', () => {
	it('checks newly added companies first, even if the budget is always used up', async () => {
		const registry = new Registry(400);
		const trigger = registry.watch(registry.idnos.slice(0, 300), {}, PLAN);
		await trigger.publish();
		await hours(100, trigger);
		const added = registry.idnos.slice(300, 303);
		Object.assign(trigger.setting.parameters, listOf([...registry.idnos.slice(0, 300), ...added]));
		await trigger.publish();
		await hours(3, trigger);
		expect(added.map((idno) => registry.checks.get(idno))).toEqual([1, 1, 1]);
	});

	it('checks newly added companies on publication if the budget allows it', async () => {
		const registry = new Registry(10);
		const trigger = registry.watch(registry.idnos.slice(0, 9), {}, 1_000);
		await trigger.publish();
		for (let day = 0; day < 2; day++) {
			clock.now += DAY;
			await trigger.tick();
		}
		Object.assign(trigger.setting.parameters, listOf([...registry.idnos].reverse()));
		await trigger.publish();
		expect(registry.checks.get(idnoOf(9))).toBe(1);
	});
});

describe('Pages of a watched search', () => {
	it('grants search pages for the time since the last poll, even across a restart, but none twice', async () => {
		const pages = (hoursSinceStored: number) => {
			const session = {
				account: { identity: 'pages', settings: { plan: 'custom', requestsPerDay: 100 } },
				trigger: 'pages',
				clock: 10 * DAY,
				polledAt: clock.now - hoursSinceStored * HOUR,
			} as unknown as Session;
			return openChecks(session, (_name, fallback) => fallback).pages(false);
		};
		await new Registry(1).restart();
		expect(pages(24)).toBe(20);
		expect(pages(24)).toBe(0);
		clock.now += 6 * HOUR;
		expect(pages(30)).toBe(20);
		await new Registry(1).restart();
		expect(pages(0)).toBe(0);
	});
});

describe('Check cycle', () => {
	it('goes through the companies of a cycle in order, however far apart the polls are', () => {
		const cycle = 37;
		const step = stepOf(cycle, 20);
		const seen: number[] = [];
		let from = 1_000_000_000;
		for (let poll = 0; poll < 60; poll++) {
			const to = from + ((poll * 7_919) % 5) * HOUR;
			seen.push(...placesPassed({ from, to, trigger: 'a' }, step, cycle));
			from = to;
		}
		for (const [index, place] of seen.entries()) {
			if (index > 0) expect(place).toBe((seen[index - 1]! + 1) % cycle);
		}
	});

	it('never lets a check cycle last about a whole number of days', () => {
		expect((stepOf(80, 80) * 80) / DAY).toBeCloseTo(1.15);
		expect((stepOf(250, 80) * 250) / DAY).toBeCloseTo(3.15);
		expect((stepOf(300, 80) * 300) / DAY).toBeCloseTo(3.75);
		expect((stepOf(1, 2) * 1) / DAY).toBeCloseTo(0.5);
	});
});
