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
});

describe('Daily request budget', () => {
	it.each([
		['80% of the plan’s requests by default', {}, BUDGET],
		['no more than the plan’s requests', { dailyRequests: 1_000 }, PLAN],
	])(
		'is %s, a quarter of which is for the first poll, and test events don’t count',
		async (_, options, budget) => {
			const registry = new Registry(300);
			const trigger = registry.watch(registry.idnos, options, PLAN);
			await trigger.test();
			await trigger.publish();
			expect(registry.requests).toHaveLength(1 + budget / 4);
		},
	);

	it('is shared by four triggers and a search on one key, even right after a restart', async () => {
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
		['list of companies', listOf([idnoOf(0)])],
		['search', searching],
	])('fails to publish a new %s if it’s used up, and says when to try again', async (_, event) => {
		const registry = new Registry(1);
		const options = { dailyRequests: 1, checkDigit: false };
		const trigger = registry.trigger({ ...event, options });
		registry.fault = () => ({ status: 500, body: { success: false } });
		await expect(trigger.publish()).rejects.toThrow('server error');
		await expect(trigger.publish()).rejects.toThrow(
			/The daily request budget of 1 is used up\. Try again in [\d.]+ (min|h), or raise "Daily Request Budget"\./,
		);
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

	it('a trigger with a large budget doesn’t use up the share of one with a small budget', async () => {
		const registry = new Registry(51);
		const [watched = '', ...others] = registry.idnos;
		const large = registry.watch(others, { dailyRequests: 400 });
		const small = registry.watch([watched], { dailyRequests: 4 });
		await large.publish();
		await hours(30, large, small);
		await small.publish().catch(() => {});
		await hours(48, large, small);
		expect(registry.checks.get(watched)).toBeGreaterThanOrEqual(4);
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
