import fc from 'fast-check';

import { readRateHeaders } from '../../../nodes/shared/http/headers';
import type { Headers, Rate, RateReport } from '../../../nodes/shared/http/headers';
import { RESET_FORMATS } from './simulation';

/** A Monday, 137 ms past a whole second. */
const NOW = Date.UTC(2026, 4, 4, 12, 0, 0) + 137;

const LINKS: Rate = { limit: 30, windowMs: 60_000 };
const REGISTRY: Rate = { limit: 10, windowMs: 60_000, perDay: 100 };

const read = (headers: Headers, rate = LINKS) => readRateHeaders(headers, rate, NOW);
const resetOf = (value: unknown) => read({ 'x-ratelimit-reset': value }).resetAt;

describe('readRateHeaders: reset', () => {
	it.each(Object.entries(RESET_FORMATS))(
		'reads a reset written as %s never early and at most two seconds late',
		(_, write) => {
			const inMs = fc.integer({ min: 1_000, max: 10 * 60_000 - 2_000 });
			fc.assert(
				fc.property(inMs, (inMs) => {
					const resetAt = NOW + inMs;
					const said = resetOf(write(resetAt, NOW))!;
					expect(said).toBeGreaterThanOrEqual(resetAt);
					expect(said).toBeLessThanOrEqual(resetAt + 2_000);
				}),
			);
		},
	);

	const at = Date.UTC(2026, 4, 4, 12, 1);

	it.each<[string, string | number, number]>([
		['a number', 1777896060, at + 1_000],
		['Unix milliseconds', '1777896060123', at + 124],
		['a fraction of seconds from now', '1.25', NOW + 1_250 + 1_000],
		['an ISO date with an offset', '2026-05-04T15:01:00+03:00', at + 1_000],
		['a time that isn’t whole hours away', '9000', NOW + 9_000_000 + 1_000],
		['a number with spaces around it', '  60 ', NOW + 60_000 + 1_000],
	])('accepts %s as a reset', (_, value, expected) => {
		expect(resetOf(value)).toBe(expected);
	});

	const threeHoursAhead = String(at / 1_000 + 3 * 3_600);

	it.each([
		...['soon', '', '  ', 'NaN', '1777896060000000', '9'.repeat(20), null, undefined, {}],
		// In local time. As the end of a quota, it would stop requests for hours.
		threeHoursAhead,
		// Services that know no time.
		...['0', '0.5', 0],
	])('ignores the invalid reset %p', (value) => {
		expect(resetOf(value)).toBeUndefined();
	});
});

describe('readRateHeaders: numbers', () => {
	const resetAt = NOW + 31_000;
	const date = 'Mon, 04 May 2026 12:01:00 GMT';
	const counts = (limit: unknown, remaining: unknown, family = 'x-ratelimit'): Headers => ({
		[`${family}-limit`]: limit,
		[`${family}-remaining`]: remaining,
	});
	const whole = (family: string) => ({ ...counts('30', '7', family), [`${family}-reset`]: '30' });
	const after = { 'x-ratelimit-reset': '1777896999', 'x-ratelimit-reset-after': '30.0' };

	it.each<[string, Headers, object]>([
		['X-RateLimit-*', whole('x-ratelimit'), { remaining: 7, resetAt }],
		['X-Rate-Limit-*', whole('x-rate-limit'), { remaining: 7, resetAt }],
		['RateLimit-*', whole('ratelimit'), { remaining: 7, resetAt }],
		[
			'the documented headers besides others',
			{ ...counts('100', '55', 'ratelimit'), ...whole('x-ratelimit') },
			{ remaining: 7, resetAt },
		],
		['seconds besides a time', { ...whole('x-ratelimit'), ...after }, { remaining: 7, resetAt }],
		['no requests left', counts('30', '0'), { remaining: 0 }],
		['numbers instead of text', counts(30, 5), { remaining: 5 }],
		['a header sent twice', { 'x-ratelimit-remaining': ['4', '9'] }, { remaining: 4 }],
		['a remaining number with its policy', counts('30', '7, 30;w=60'), { remaining: 7 }],
		['a remaining number with a parameter', counts('30', '7;w=60'), { remaining: 7 }],
		['a negative remaining number with a limit', counts('30', '-3'), { remaining: 0 }],
		['a limit of -1', counts('-1', '-1'), {}],
		['a limit of 0', counts('0', '0'), {}],
		['a remaining number of -1', { 'x-ratelimit-remaining': '-1' }, {}],
		['NaN', counts('NaN', 'NaN'), {}],
		['numbers that aren’t plain integers', counts('1e9', '12.5'), {}],
		['words', counts('unlimited', '∞'), {}],
		['Retry-After in seconds, exactly', { 'retry-after': '7' }, { retryAt: NOW + 7_000 }],
		['Retry-After as a date', { 'retry-after': date }, { retryAt: Date.parse(date) + 1_000 }],
		[
			'Retry-After at the end of a month',
			{ 'retry-after': '2678400' },
			{ retryAt: NOW + 2_678_400_000 },
		],
		['a Retry-After beyond any quota', { 'retry-after': '31536000' }, {}],
		['no headers', {}, {}],
	])('reads %s in %j as %j', (_, headers, report) => {
		expect(read(headers)).toEqual(report);
	});
});

describe('readRateHeaders: daily quota', () => {
	const daily = (remaining: number, limit = 100, reset = 9 * 3_600): Headers => ({
		'x-ratelimit-limit': limit,
		'x-ratelimit-remaining': remaining,
		'x-ratelimit-reset': reset,
	});

	it.each<[string, RateReport, Headers, Rate?]>([
		['of the day', { leftToday: 57 }, daily(57)],
		['of a used-up day', { remaining: 0, leftToday: 0 }, daily(0)],
		['with the day’s limit and no reset', { leftToday: 57 }, daily(57, 100, 0)],
		['of another plan, with as many a minute as the day’s', { remaining: 57 }, daily(57, 100, 60)],
		['with the minute’s limit', { remaining: 7 }, daily(7, 10)],
		['with an unknown limit and a near reset', { remaining: 7 }, daily(7, 20, 30)],
		['with an unknown limit and a far reset', { leftToday: 7 }, daily(7, 20)],
		['of a key without a daily quota', { remaining: 57 }, daily(57), LINKS],
	])('reads headers %s as %j', (_, { remaining, leftToday }, headers, rate = REGISTRY) => {
		const report = read(headers, rate);
		expect([report.remaining, report.leftToday]).toEqual([remaining, leftToday]);
	});

	it('the reset of a daily quota counts, even if it’s whole hours away', () => {
		expect(read(daily(57), REGISTRY).resetAt).toBe(NOW + 9 * 3_600_000 + 1_000);
	});
});

it('reads any headers into finite numbers without throwing', () => {
	const counts = ['limit', 'remaining', 'reset'].map((name) => `x-ratelimit-${name}`);
	const names = [...counts, 'retry-after'];
	const value = fc.oneof(fc.string(), fc.integer().map(String), fc.double());
	fc.assert(
		fc.property(fc.dictionary(fc.constantFrom(...names), value), (headers) => {
			const { remaining = 0, resetAt = 0, retryAt = 0 } = read(headers);
			expect(remaining).toBeGreaterThanOrEqual(0);
			for (const moment of [resetAt, retryAt]) {
				expect(() => new Date(moment).toISOString()).not.toThrow();
			}
		}),
		{ numRuns: 1_000 },
	);
});
