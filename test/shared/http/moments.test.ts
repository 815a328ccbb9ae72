import fc from 'fast-check';

import { readMoment } from '../../../nodes/shared/http/moments';

const NOON = Date.UTC(2030, 11, 31, 12);
const DAY = Date.UTC(2030, 11, 31);

/** Far from UTC, which nothing may depend on. */
const { TZ } = process.env;
beforeAll(() => (process.env.TZ = 'Pacific/Kiritimati'));
afterAll(() => {
	if (TZ === undefined) delete process.env.TZ;
	else process.env.TZ = TZ;
});

describe('readMoment', () => {
	it.each<[string, unknown, number]>([
		['Unix seconds as text', ` ${NOON / 1000} `, NOON],
		['a spreadsheet’s day number with a time', '47848.5', NOON],
		['an ISO date', '2030-12-31', DAY],
		['an ISO date with slashes', '2030/12/31', DAY],
		['an ISO date with dots', '2030.12.31', DAY],
		['an ISO date without zeros', '2030-1-5', Date.UTC(2030, 0, 5)],
		['an ISO time with fractions', '2030-12-31T12:00:00.123456Z', NOON + 123],
		['an ISO time with an offset', '2030-12-31T15:00:00+03:00', NOON],
		['a time with an offset behind UTC', '2030-12-31T09:30-0230', NOON],
		['a time with an offset of whole hours', '2030-12-31 15:00:00+03', NOON],
		['a time without a zone', '2030-12-31 12:00:00', NOON],
		['a time in UTC', '2030-12-31 12:00:00 UTC', NOON],
		['a time in GMT', '2030-12-31 12:00 GMT', NOON],
		['a date object as n8n writes it', '"2030-12-31T12:00:00.000Z"', NOON],
		[
			'a date object as JavaScript writes it',
			'Tue Dec 31 2030 12:00:00 GMT+0000 (Coordinated Universal Time)',
			NOON,
		],
		['a date with a day of the week', 'Tue, Dec 31, 2030', DAY],
		['an abbreviated month', 'Dec. 31, 2030', DAY],
		['the earliest year', '01.01.1950', Date.UTC(1950, 0)],
		['a date that starts with the day', '31.12.2030', DAY],
		['a date that starts with the day, with hyphens', '31-12-2030', DAY],
		['a date that starts with the day, without zeros', '5.1.2030', Date.UTC(2030, 0, 5)],
		['a Russian month as a calendar names it', '5 май 2030', Date.UTC(2030, 4, 5)],
		['a date and time that start with the day, with slashes', '31/12/2030 12:00', NOON],
		['a date that starts with the day and has a two-digit year', '31.12.30', DAY],
		['an American date that can’t start with the day', '12/31/2030', DAY],
		['an American date whose time shows it', '12/6/2030, 12:00 PM', Date.UTC(2030, 11, 6, 12)],
		['an American time in the morning', '12/6/2030 12:05:00\u202fam', Date.UTC(2030, 11, 6, 0, 5)],
		['an American time in the afternoon', '12/31/2030 2:05 pm', Date.UTC(2030, 11, 31, 14, 5)],
		['a Date', new Date(NOON), NOON],
		['a Luxon DateTime', { toMillis: () => NOON, valueOf: () => NOON }, NOON],
	])('reads a time from %s', (_, value, moment) => {
		expect(readMoment(value)).toBe(moment);
	});

	it.each([
		...['', 'soon', 'Row 12', '30.02.2030', '31.13.2030', '2030', '12:00', 'NaN', '2030-12-31x'],
		...['2030-13-01', '31.12.2030 24:00', '31.12.2030 12:60', '31.12.2030 12:00 PM'],
		...['31.12.1949', '31.12.2101', null, undefined, true, {}, [], new Date(NaN)],
		...[0, 12, 2030, -1, NaN, Infinity],
	])('reads no time from %p', (value) => {
		expect(readMoment(value)).toBeUndefined();
	});

	it.each(['en-US', 'en-GB', 'ro', 'ru'])('reads the name of each month in %s', (locale) => {
		for (let month = 0; month < 12; month++) {
			const at = Date.UTC(2030, month, 5);
			for (const length of ['long', 'short'] as const) {
				const format = { day: 'numeric', month: length, year: 'numeric', timeZone: 'UTC' } as const;
				const written = new Date(at).toLocaleDateString(locale, format);
				for (const spelled of [written, written.toUpperCase()]) {
					expect([spelled, readMoment(spelled)]).toEqual([spelled, at]);
				}
			}
		}
	});

	it('reads the same time from each of its usual forms', () => {
		const moment = fc.integer({ min: Date.UTC(1975, 0), max: Date.UTC(2100, 0) });
		fc.assert(
			fc.property(moment, (ms) => {
				const at = new Date(ms);
				const seconds = Math.floor(ms / 1000) * 1000;
				expect([ms, at, at.toISOString()].map(readMoment)).toEqual([ms, ms, ms]);
				expect(readMoment(seconds / 1000)).toBe(seconds);
				expect(readMoment(seconds / 86_400_000 + 25_569)).toBe(seconds);
			}),
		);
	});
});
