import { countReading } from '../../nodes/LinkCompanyTrigger/forgetting';
import type { MemoryPeriod } from '../../nodes/LinkCompanyTrigger/forgetting';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const begin = 1_767_600_000_000;

/** Counts readings with `records` records each, and tells in which of them the period was over. */
function readings(times: readonly number[], records: number): boolean[] {
	let period: MemoryPeriod = { since: begin, passes: 0 };
	return times.map((time) => {
		const counted = countReading(period, records, begin + time);
		period = counted.period;
		return counted.over;
	});
}

describe('the period after which missing records are forgotten', () => {
	it('ends after a day and three readings', () => {
		expect(readings([HOUR, 2 * HOUR, DAY], 5)).toEqual([false, false, true]);
		expect(readings([DAY, DAY + HOUR, DAY + 2 * HOUR], 5)).toEqual([false, false, true]);
	});

	it('never ends while the list is empty', () => {
		expect(readings([DAY, 2 * DAY, 3 * DAY, 30 * DAY], 0)).toEqual([false, false, false, false]);
	});

	it('begins again when the clock is set back', () => {
		expect(readings([HOUR, 2 * HOUR, -HOUR, DAY - 2 * HOUR, DAY - HOUR], 5)).toEqual([
			false,
			false,
			false,
			false,
			true,
		]);
	});
});
