import fc from 'fast-check';

import { readRateHeaders } from '../../../../nodes/shared/http/rateLimit/headers';
import type { Headers } from '../../../../nodes/shared/http/rateLimit/headers';
import { RESET_FORMATS } from './rateServers';
import type { ResetFormat } from './rateServers';

/** A Monday, 137 ms past a whole second. */
const NOW = Date.UTC(2026, 4, 4, 12, 0, 0) + 137;

const read = (headers: Headers) => readRateHeaders(headers, NOW);
const resetOf = (value: unknown) => read({ 'x-ratelimit-reset': value }).reset;

describe('the reset', () => {
	const formats = Object.keys(RESET_FORMATS) as ResetFormat[];

	it.each(formats)('is placed in an interval that contains or follows it: %s', (format) => {
		const inMs = fc.integer({ min: 0, max: 30 * 24 * 3_600_000 });
		fc.assert(
			fc.property(inMs, (inMs) => {
				const resetAt = NOW + inMs;
				const { at, resolutionMs } = resetOf(RESET_FORMATS[format](resetAt, NOW))!;
				expect(at + resolutionMs).toBeGreaterThanOrEqual(resetAt);
				expect(at).toBeLessThanOrEqual(resetAt + 1_000);
				expect(resolutionMs).toBeLessThanOrEqual(1_000);
			}),
		);
	});

	it.each<[string, string | number, number, number]>([
		['epoch seconds', '1777896060', Date.UTC(2026, 4, 4, 12, 1), 1_000],
		['epoch seconds as a number', 1777896060, Date.UTC(2026, 4, 4, 12, 1), 1_000],
		['epoch milliseconds', '1777896060250', Date.UTC(2026, 4, 4, 12, 1) + 250, 1],
		['seconds from now', '60', NOW + 60_000, 1_000],
		['a fraction of seconds from now', '0.5', NOW + 500, 1],
		['no seconds from now', '0', NOW, 1_000],
		['an HTTP date', 'Mon, 04 May 2026 12:01:00 GMT', Date.UTC(2026, 4, 4, 12, 1), 1_000],
		['an ISO date', '2026-05-04T12:01:00Z', Date.UTC(2026, 4, 4, 12, 1), 1_000],
		['an ISO date with an offset', '2026-05-04T15:01:00+03:00', Date.UTC(2026, 4, 4, 12, 1), 1_000],
		['a date without a zone', '2026-05-04 12:01:00', Date.UTC(2026, 4, 4, 12, 1), 1_000],
		['white space around it', '  60 ', NOW + 60_000, 1_000],
	])('may be %s', (_, value, at, resolutionMs) => {
		expect(resetOf(value)).toEqual({ at, resolutionMs });
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
		const { at } = read(headers).reset!;
		expect(Math.abs(at - (NOW + 30_000))).toBeLessThanOrEqual(2_000);
	});

	it('in seconds from now does not depend on any clock', () => {
		const headers = { date: 'Thu, 01 Jan 1998 00:00:00 GMT', 'x-ratelimit-reset': '30' };
		expect(read(headers).reset!.at).toBe(NOW + 30_000);
	});

	it('is not changed by the rounding of a date', () => {
		const headers = {
			date: new Date(NOW - 2_000).toUTCString(),
			'x-ratelimit-reset': '1777896060',
		};
		expect(read(headers).reset!.at).toBe(1777896060_000);
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
			{ limit: 100, remaining: 50, reset: { at: NOW + 30_000, resolutionMs: 1_000 } },
		],
		[
			'a structured field with its policy',
			{ ratelimit: '"default";r=12;t=30', 'ratelimit-policy': '"default";q=100;w=60' },
			{
				limit: 100,
				remaining: 12,
				reset: { at: NOW + 30_000, resolutionMs: 1_000 },
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
		expect(read({ 'retry-after': '7' }).retry).toEqual({ at: NOW + 7_000, resolutionMs: 0 });
	});

	it('may be a date', () => {
		const retry = read({ 'retry-after': 'Mon, 04 May 2026 12:01:00 GMT' }).retry;
		expect(retry).toEqual({ at: Date.UTC(2026, 4, 4, 12, 1), resolutionMs: 1_000 });
	});

	it('that lies further ahead than any quota is ignored', () => {
		expect(read({ 'retry-after': '31536000' }).retry).toBeUndefined();
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
			const { limit = 1, remaining = 0, reset, retry } = read(headers);
			const numbers = [limit, remaining, reset?.at ?? 0, retry?.at ?? 0];
			for (const number of numbers) expect(number).toBeGreaterThanOrEqual(-8.64e15);
			expect(Math.min(limit - 1, remaining)).toBeGreaterThanOrEqual(0);
			for (const moment of [reset, retry]) {
				if (moment) expect(() => new Date(moment.at).toISOString()).not.toThrow();
			}
		}),
		{ numRuns: 1_000 },
	);
});
