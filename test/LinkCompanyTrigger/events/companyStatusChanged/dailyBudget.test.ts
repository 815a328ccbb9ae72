import {
	DailyBudget,
	dayPlanOf,
	type PollTime,
} from '../../../../nodes/LinkCompanyTrigger/events/companyStatusChanged/dailyBudget';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('the parts of a day', () => {
	it.each<[string, PollTime, number]>([
		['every minute', { mode: 'everyMinute' }, 1],
		['every 20 minutes', { mode: 'everyX', unit: 'minutes', value: 20 }, 1],
		['every hour', { mode: 'everyHour', minute: 5 }, 1],
		['every 5 hours', { mode: 'everyX', unit: 'hours', value: 5 }, 6],
		['every day', { mode: 'everyDay', hour: 8, minute: 0 }, 24],
		['every week', { mode: 'everyWeek', hour: 8, minute: 0 }, 24],
		['a cron expression of every hour', { mode: 'custom', cronExpression: '0 * * * *' }, 1],
		['one of every 3 hours', { mode: 'custom', cronExpression: '5 0 */3 * * *' }, 3],
		['one of some hours', { mode: 'custom', cronExpression: '0 8,16 * * *' }, 24],
		['one of some days', { mode: 'custom', cronExpression: '0 * * * 1' }, 24],
	])('have a poll each: %s', (_, time, hours) => {
		expect(dayPlanOf([time], 0).partMs).toBe(hours * HOUR);
	});

	it('are those of the most frequent of several poll times', () => {
		const times = [
			{ mode: 'everyDay', hour: 8, minute: 0 },
			{ mode: 'everyHour', minute: 0 },
		];
		expect(dayPlanOf(times, 0)).toEqual({ partMs: HOUR, beginsAtMs: 0 });
	});

	it('begin shortly before the one poll of a day, in its time zone', () => {
		const daily = { mode: 'everyDay', hour: 8, minute: 30 };
		expect(dayPlanOf([daily], 0).beginsAtMs).toBe(8 * HOUR + 20 * MINUTE);
		expect(dayPlanOf([daily], 120).beginsAtMs).toBe(6 * HOUR + 20 * MINUTE);
		expect(dayPlanOf([{ ...daily, hour: 0, minute: 5 }], 0).beginsAtMs).toBe(
			24 * HOUR - 5 * MINUTE,
		);
	});

	it('begin at midnight where a time is missing', () => {
		expect(dayPlanOf([{ mode: 'everyDay' }], 0)).toEqual({ partMs: DAY, beginsAtMs: 0 });
		expect(dayPlanOf([], 0)).toEqual({ partMs: DAY, beginsAtMs: 0 });
	});
});

describe('the daily budget', () => {
	const hourly = dayPlanOf([{ mode: 'everyHour', minute: 0 }], 0);
	const daily = dayPlanOf([{ mode: 'everyDay', hour: 8, minute: 0 }], 0);
	const fresh = { polledBefore: false };

	it('gives each hour its share, with what earlier hours left over', () => {
		let now = 0;
		const budget = new DailyBudget(48, hourly, fresh, () => now);
		expect(budget.left(false)).toBe(2);
		budget.spend();
		now = 5 * HOUR;
		expect(budget.left(false)).toBe(11);
		now = DAY;
		expect(budget.left(false)).toBe(2);
	});

	it('gives the whole day for a first look', () => {
		const budget = new DailyBudget(48, hourly, fresh, () => 0);
		expect(budget.left(true)).toBe(48);
	});

	it('counts as spent after a restart what polls may have spent that nobody knows of', () => {
		const stored = { day: 0, used: 1, at: 10 * MINUTE };
		const now = () => 5 * HOUR + 20 * MINUTE;
		const budget = new DailyBudget(48, hourly, { stored, polledBefore: true }, now);
		expect(budget.left(false)).toBe(0);
	});

	it('counts no more as spent than the plan lets through in the time', () => {
		const stored = { day: 0, used: 9, at: 5 * HOUR + 10 * MINUTE };
		const ledger = { stored, polledBefore: true, perMinute: 10 };
		const everyMinute = dayPlanOf([{ mode: 'everyMinute' }], 0);
		const leftAt = (now: number) =>
			new DailyBudget(2400, everyMinute, ledger, () => now).left(false);
		expect(leftAt(5 * HOUR + 13 * MINUTE)).toBe(600 - 9 - 4 * 10);
		expect(leftAt(10 * HOUR)).toBe(0);
	});

	it('knows that several polls of every minute leave out none', () => {
		const times = [1, 31].map((second) => ({
			mode: 'custom',
			cronExpression: `${second} * * * * *`,
		}));
		const stored = { day: 0, used: 9, at: 10 * MINUTE };
		const ledger = { stored, polledBefore: true };
		const leftAt = (now: number) =>
			new DailyBudget(2400, dayPlanOf(times, 0), ledger, () => now).left(false);
		expect(leftAt(11 * MINUTE)).toBe(100 - 9);
		expect(leftAt(13 * MINUTE)).toBe(0);
	});

	it('knows what was spent when no poll was due since the state was stored', () => {
		const stored = { day: 0, used: 9, at: 5 * HOUR + 10_000 };
		const now = () => 5 * HOUR + 50 * MINUTE;
		const budget = new DailyBudget(48, hourly, { stored, polledBefore: true }, now);
		expect(budget.left(false)).toBe(12 - 9);
	});

	it('does not lose the poll of a day to a restart in the night', () => {
		const stored = { day: 0, used: 48, at: 8 * HOUR + 20_000 };
		let now = DAY + 3 * HOUR;
		const atRestart = new DailyBudget(48, daily, { stored, polledBefore: true }, () => now);
		expect(atRestart.left(false)).toBe(0);
		now = DAY + 8 * HOUR + 20_000;
		const counted = atRestart.today;
		const atPoll = new DailyBudget(48, daily, { counted, polledBefore: true }, () => now);
		expect(atPoll.left(false)).toBe(48);
		// The durable scheduler does not poll at a restart.
		const later = new DailyBudget(48, daily, { stored, polledBefore: true }, () => now);
		expect(later.left(false)).toBe(48);
	});

	it('counts the larger of what the process and the state say', () => {
		const ledger = {
			counted: { day: 0, used: 3, at: 0 },
			stored: { day: 0, used: 5, at: 0 },
			polledBefore: true,
		};
		expect(new DailyBudget(240, hourly, ledger, () => 0).left(false)).toBe(5);
	});
});
