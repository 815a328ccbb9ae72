import { DAY_MS, SECOND_MS } from './clock';

/** From this number on, it's a Unix time in milliseconds. In seconds, it would be the year 5138. */
const SMALLEST_EPOCH_MS = 100_000_000_000;
/** Smaller numbers can't be current Unix times in seconds. This is in 1973. */
export const SMALLEST_EPOCH_SECONDS = 100_000_000;
/** Spreadsheets count the days since the end of 1899. This range covers 1954 to 2119. */
const SERIAL_DAYS = { from: 20_000, to: 80_000, ofUnixEpoch: 25_569 };

/**
 * Parses a point in time as services, spreadsheets and n8n write it, and returns ms since the
 * epoch: Unix seconds or milliseconds, a spreadsheet's day number, ISO dates, dates with the day
 * first (as is usual in Moldova), American ones that show it, dates with the month's name, and date
 * objects. A date without a time zone is read as UTC, so the result doesn't depend on the machine.
 * Returns undefined for anything else.
 */
export function readMoment(value: unknown): number | undefined {
	if (typeof value === 'number') return momentOfNumber(value);
	// `instanceof` wouldn't recognize dates from the isolate in which n8n evaluates expressions.
	const isDate = Object.prototype.toString.call(value) === '[object Date]';
	const isLuxon = typeof value === 'object' && value !== null && 'toMillis' in value;
	if (isDate || isLuxon) return validTime(Number(value));
	if (typeof value !== 'string') return undefined;
	// n8n writes a date object as a text in quotation marks.
	const written = value.trim().replace(/^"(.*)"$/, '$1');
	return /^\d+(\.\d+)?$/.test(written) ? momentOfNumber(Number(written)) : momentOfText(written);
}

function momentOfNumber(number: number): number | undefined {
	if (number >= SMALLEST_EPOCH_MS) return validTime(number);
	if (number >= SMALLEST_EPOCH_SECONDS) return number * SECOND_MS;
	const { from, to, ofUnixEpoch } = SERIAL_DAYS;
	if (!(number >= from && number < to)) return undefined;
	// Round, because spreadsheets store the time as an inexact fraction of a day.
	return Math.round(((number - ofUnixEpoch) * DAY_MS) / SECOND_MS) * SECOND_MS;
}

function validTime(ms: number): number | undefined {
	return Number.isNaN(new Date(ms).getTime()) ? undefined : ms;
}

const YEAR_FIRST = /^(?<year>\d{4})([-/.])(?<month>\d{1,2})\2(?<day>\d{1,2})(?!\d)/;
const DAY_FIRST = /^(?<day>\d{1,2})([-/.])(?<month>\d{1,2})\2(?<year>\d{4}|\d{2})(?!\d)/;
const TIME =
	/^[T ,]+(2[0-3]|[01]?\d)(:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*(?:(AM|PM)|Z|UTC|GMT|([+-]\d{2}):?(\d{2})?)?$/i;
/** Only American dates have it, so the month comes first: 11/6/2025, 2:05 PM. */
const HALF_OF_DAY = /[AP]M$/i;

/** By their first letters, in English, Romanian and Russian. */
const MONTHS = [
	...['jan ian янв', 'feb фев', 'mar мар', 'apr апр', 'may mai мая май', 'jun iun июн'],
	...['jul iul июл', 'aug авг', 'sep сен', 'oct окт', 'nov noi ноя', 'dec дек'],
];
const DAY_OF_MONTH = /^(?<day>\d{1,2}) (?<month>\p{L}{3})\p{L}*\.? (?<year>\d{4})(?: г\.)?(?!\d)/iu;
const MONTH_FIRST =
	/^(?:\p{L}{3},? )?(?<month>\p{L}{3})\p{L}*\.? (?<day>\d{1,2}),? (?<year>\d{4})(?!\d)/u;

/** A date with its month in letters, in digits: `Nov 28, 2026, 1:07 AM`, `28 noiembrie 2026`. */
function inDigits(written: string): string {
	const match = DAY_OF_MONTH.exec(written) ?? MONTH_FIRST.exec(written);
	const { day = '', month = '', year = '' } = match?.groups ?? {};
	const number = MONTHS.findIndex((names) => names.split(' ').includes(month.toLowerCase())) + 1;
	if (!match || number === 0) return written;
	// As in "01:07:05 GMT+0000 (Coordinated Universal Time)"
	const time = written.slice(match[0].length).replace(/ GMT(?=[+-])| \(.*\)$/g, '');
	return `${year}-${number}-${day}${time}`;
}

function momentOfText(text: string): number | undefined {
	const written = /\p{L}{3}/u.test(text) ? inDigits(text) : text;
	const dayFirst = DAY_FIRST.exec(written);
	const match = dayFirst ?? YEAR_FIRST.exec(written);
	if (!match) return undefined;
	const { year = '', month = '', day = '' } = match.groups ?? {};
	// A second number above 12 can't be the month, so this is the American order as well: 12/31/2030.
	const isAmerican = dayFirst !== null && (Number(month) > 12 || HALF_OF_DAY.test(written));
	const [inMonth, ofMonth] = isAmerican ? [month, day] : [day, month];
	const numbers = [year.padStart(4, '20'), ofMonth.padStart(2, '0'), inMonth.padStart(2, '0')];
	const date = numbers.join('-');
	// Days that don't exist, such as 30 February, would become days of the next month.
	const isReal = new Date(date).getUTCDate() === Number(inMonth);
	const time = timeIn(written.slice(match[0].length));
	if (!isReal || date < '1950' || date > '2101' || time === undefined) return undefined;
	return validTime(Date.parse(date + time));
}

/** The time of day in the form of ISO 8601. */
function timeIn(written: string): string | undefined {
	if (written === '') return 'T00:00Z';
	const parts = TIME.exec(written);
	if (!parts) return undefined;
	const [, given = '', minutes = '', half, offset = '+00', offsetMinutes = '00'] = parts;
	// 12 AM is midnight, and 12 PM is noon.
	const inHalf = (Number(given) % 12) + (half?.toUpperCase() === 'PM' ? 12 : 0);
	const hour = half === undefined ? given : String(inHalf);
	return `T${hour.padStart(2, '0')}${minutes}${offset}:${offsetMinutes}`;
}

/** The day of a time in ms since the epoch, in UTC, as a number. */
export function dayOf(time: number): number {
	return Math.floor(time / DAY_MS);
}

/** The day of a time in ms since the epoch, in UTC: `2030-12-31`. */
export function isoDayOf(time: number): string {
	return new Date(time).toISOString().slice(0, 10);
}
