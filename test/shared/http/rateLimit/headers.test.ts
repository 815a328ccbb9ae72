import fc from 'fast-check';

import { readRateHeaders } from '../../../../nodes/shared/http/rateLimit/headers';
import type { Headers, Rate } from '../../../../nodes/shared/http/rateLimit/headers';
import { RESET_FORMATS } from './rateServers';
import type { ResetFormat } from './rateServers';

/** A Monday, 137 ms past a whole second. */
const NOW = Date.UTC(2026, 4, 4, 12, 0, 0) + 137;

const LINKS: Rate = { limit: 30, windowMs: 60_000 };
const REGISTRY: Rate = { limit: 10, windowMs: 60_000, perDay: 100 };

const read = (headers: Headers, rate = LINKS) => readRateHeaders(headers, rate, NOW);
const resetOf = (value: unknown) => read({ 'x-ratelimit-reset': value }).resetAt;

describe('the reset', () => {
	const formats = Object.keys(RESET_FORMATS) as ResetFormat[];

	it.each(formats)('is never too early, and at most two seconds late: %s', (format) => {
		const inMs = fc.integer({ min: 0, max: 10 * 60_000 - 2_000 });
		fc.assert(
			fc.property(inMs, (inMs) => {
				const resetAt = NOW + inMs;
				const at = resetOf(RESET_FORMATS[format](resetAt, NOW))!;
				expect(at).toBeGreaterThanOrEqual(resetAt);
				expect(at).toBeLessThanOrEqual(resetAt + 2_000);
			}),
		);
	});

	it.each<[string, string | number, number]>([
		['epoch seconds', '1777896060', Date.UTC(2026, 4, 4, 12, 1) + 1_000],
		['epoch seconds as a number', 1777896060, Date.UTC(2026, 4, 4, 12, 1) + 1_000],
		['epoch milliseconds', '1777896060250', Date.UTC(2026, 4, 4, 12, 1) + 250 + 1],
		['seconds from now', '60', NOW + 60_000 + 1_000],
		['a fraction of seconds from now', '0.5', NOW + 500 + 1],
		['no seconds from now', '0', NOW + 1_000],
		['an HTTP date', 'Mon, 04 May 2026 12:01:00 GMT', Date.UTC(2026, 4, 4, 12, 1) + 1_000],
		['an ISO date', '2026-05-04T12:01:00Z', Date.UTC(2026, 4, 4, 12, 1) + 1_000],
		[
			'an ISO date with an offset',
			'2026-05-04T15:01:00+03:00',
			Date.UTC(2026, 4, 4, 12, 1) + 1_000,
		],
		['a date without a zone', '2026-05-04 12:01:00', Date.UTC(2026, 4, 4, 12, 1) + 1_000],
		['white space around it', '  60 ', NOW + 60_000 + 1_000],
	])('may be %s', (_, value, at) => {
		expect(resetOf(value)).toBe(at);
	});

	it.each(['soon', '', '  ', 'NaN', '1777896060000000', '9'.repeat(20), null, undefined, {}])(
		'that names no moment is not there: %p',
		(value) => {
			expect(resetOf(value)).toBeUndefined();
		},
	);

	it('is converted to this clock if the service’s own is wrong', () => {
		const serviceNow = NOW - 3_600_000;
		const headers = {
			date: new Date(serviceNow).toUTCString(),
			'x-ratelimit-reset': String(Math.ceil((serviceNow + 30_000) / 1000)),
		};
		const at = read(headers).resetAt!;
		expect(Math.abs(at - (NOW + 30_000))).toBeLessThanOrEqual(3_000);
	});

	it('in seconds from now does not depend on any clock', () => {
		const headers = { date: 'Thu, 01 Jan 1998 00:00:00 GMT', 'x-ratelimit-reset': '30' };
		expect(read(headers).resetAt).toBe(NOW + 31_000);
	});

	it('is not changed by the rounding of a date', () => {
		const headers = {
			date: new Date(NOW - 2_000).toUTCString(),
			'x-ratelimit-reset': '1777896060',
		};
		expect(read(headers).resetAt).toBe(1777896061_000);
	});
});

describe('the numbers', () => {
	it.each<[string, Headers, object]>([
		[
			'X-RateLimit-*',
			{ 'x-ratelimit-limit': '30', 'x-ratelimit-remaining': '29' },
			{ limit: 30, remaining: 29 },
		],
		[
			'X-Rate-Limit-*',
			{ 'x-rate-limit-limit': '30', 'x-rate-limit-remaining': '0' },
			{ limit: 30, remaining: 0 },
		],
		[
			'RateLimit-*',
			{ 'ratelimit-limit': '30', 'ratelimit-remaining': '7' },
			{ limit: 30, remaining: 7 },
		],
		[
			'numbers instead of text',
			{ 'x-ratelimit-limit': 30, 'x-ratelimit-remaining': 5 },
			{ limit: 30, remaining: 5 },
		],
		['a header that came twice', { 'x-ratelimit-remaining': ['4', '9'] }, { remaining: 4 }],
		['a limit with its policy', { 'ratelimit-limit': '30, 30;w=60' }, { limit: 30 }],
		[
			'one combined field',
			{ ratelimit: 'limit=100, remaining=50, reset=30' },
			{ limit: 100, remaining: 50, resetAt: NOW + 31_000 },
		],
		[
			'a structured field with its policy',
			{ ratelimit: '"default";r=12;t=30', 'ratelimit-policy': '"default";q=100;w=60' },
			{
				limit: 100,
				remaining: 12,
				resetAt: NOW + 31_000,
			},
		],
		[
			'a count below zero beside a limit',
			{ 'x-ratelimit-limit': '30', 'x-ratelimit-remaining': '-3' },
			{ limit: 30, remaining: 0 },
		],
		['-1 and -1', { 'x-ratelimit-limit': '-1', 'x-ratelimit-remaining': '-1' }, {}],
		['0 and 0', { 'x-ratelimit-limit': '0', 'x-ratelimit-remaining': '0' }, {}],
		['-1 left', { 'x-ratelimit-remaining': '-1' }, {}],
		['NaN and NaN', { 'x-ratelimit-limit': 'NaN', 'x-ratelimit-remaining': 'NaN' }, {}],
		['1e9 and 12.5', { 'x-ratelimit-limit': '1e9', 'x-ratelimit-remaining': '12.5' }, {}],
		['unlimited', { 'x-ratelimit-limit': 'unlimited', 'x-ratelimit-remaining': '∞' }, {}],
		['no numbers', { 'x-ratelimit-limit': 'none', 'x-ratelimit-remaining': '' }, {}],
		['no headers', {}, {}],
	])('are read from %s', (_, headers, report) => {
		expect(read(headers)).toEqual(report);
	});
});

describe('Retry-After', () => {
	it('in seconds is exact', () => {
		expect(read({ 'retry-after': '7' }).retryAt).toBe(NOW + 7_000);
	});

	it('may be a date', () => {
		const { retryAt } = read({ 'retry-after': 'Mon, 04 May 2026 12:01:00 GMT' });
		expect(retryAt).toBe(Date.UTC(2026, 4, 4, 12, 1, 1));
	});

	it('that lies further ahead than any quota is ignored', () => {
		expect(read({ 'retry-after': '31536000' }).retryAt).toBeUndefined();
	});
});

describe('headers of a daily quota', () => {
	const daily = { 'x-ratelimit-limit': 100, 'x-ratelimit-reset': 9 * 3_600 };

	it.each<[string, Headers, Rate, object]>([
		['say nothing about the minute', { ...daily, 'x-ratelimit-remaining': 57 }, REGISTRY, {}],
		[
			'say that nothing is left',
			{ ...daily, 'x-ratelimit-remaining': 0 },
			REGISTRY,
			{ remaining: 0 },
		],
		[
			'are known by their limit',
			{ 'x-ratelimit-limit': 100, 'x-ratelimit-remaining': 57 },
			REGISTRY,
			{},
		],
		[
			'are those of the minute with its limit and a reset in another time zone',
			{ ...daily, 'x-ratelimit-limit': 10, 'x-ratelimit-remaining': 7 },
			REGISTRY,
			{ limit: 10, remaining: 7 },
		],
		[
			'are those of the minute if the service documents no quota',
			{ ...daily, 'x-ratelimit-remaining': 57 },
			LINKS,
			{ limit: 100, remaining: 57 },
		],
	])('%s', (_, headers, rate, report) => {
		expect(read(headers, rate)).toMatchObject(report);
		expect(read(headers, rate).limit).toBe((report as { limit?: number }).limit);
		expect(read(headers, rate).remaining).toBe((report as { remaining?: number }).remaining);
	});
});

it('reads any headers without failing, into finite numbers', () => {
	const names = [
		'x-ratelimit-limit',
		'x-ratelimit-remaining',
		'x-ratelimit-reset',
		'ratelimit',
		'ratelimit-policy',
		'retry-after',
		'date',
	];
	const value = fc.oneof(fc.string(), fc.integer().map(String), fc.double(), fc.anything());
	fc.assert(
		fc.property(fc.dictionary(fc.constantFrom(...names), value), (headers) => {
			const { limit = 1, remaining = 0, resetAt = 0, retryAt = 0 } = read(headers);
			expect(Math.min(limit - 1, remaining)).toBeGreaterThanOrEqual(0);
			for (const moment of [resetAt, retryAt]) {
				expect(() => new Date(moment).toISOString()).not.toThrow();
			}
		}),
		{ numRuns: 1_000 },
	);
});
