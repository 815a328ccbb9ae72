import { DAY_MS, SECOND_MS } from './clock';

/** Shortens a text to `longest` UTF-16 units, without leaving half an emoji. */
export function shorten(text: string, longest: number): string {
	if (text.length <= longest) return text;
	return `${text.slice(0, longest - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Unwraps a list with a single entry, as linked-record fields return it. */
export function single(value: unknown): unknown {
	return Array.isArray(value) && value.length === 1 ? value[0] : value;
}

/**
 * An ID as a string. Services send IDs as numbers or strings, sometimes with leading zeros. Returns
 * undefined for values that can't identify a record: nothing, an empty string, 0, or a number too
 * large for JSON to hold exactly.
 */
export function readId(value: unknown): string | undefined {
	const isNumber = typeof value === 'number' && Number.isSafeInteger(value);
	const written = isNumber ? String(value) : typeof value === 'string' ? value.trim() : '';
	const id = /^\d+$/.test(written) ? written.replace(/^0+/, '') : written;
	return id === '' ? undefined : id;
}

/** Encodes a value for one segment of a URL. Half an emoji, which can't be encoded, is replaced. */
export function encodeSegment(value: string): string {
	return encodeURIComponent(value.replace(/\p{Surrogate}/gu, '\uFFFD'));
}

/** Undoes URL encoding. Returns a text unchanged if it isn't encoded, such as a password with a "%". */
export function decodeSegment(value: string): string {
	try {
		return decodeURIComponent(value);
	} catch {
		return value;
	}
}

/** A step of a path: `['CRM status']`, `["CRM status"]`, `[0]` or `name`. */
const STEP = /\[(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)"|(\d+))\]|[^.[]+/gs;

/** Splits a path into names: `['rows', '0', 'at']` for `rows[0].at`. */
export function namesInPath(path: string): string[] {
	const steps = [...path.matchAll(STEP)];
	return steps.map(
		([plain, single, double, index]) =>
			(single ?? double)?.replace(/\\(.)/gs, '$1') ?? index ?? plain,
	);
}

/**
 * Reads a field by its name, or by a path as n8n's editor inserts it: `a.b`, `rows[0].at`, `['CRM
 * status']`. Returns undefined if there's no such field.
 */
export function readPath(record: object, path: string): unknown {
	if (Object.hasOwn(record, path)) return (record as Record<string, unknown>)[path];
	const names = namesInPath(path);
	return names.reduce<unknown>(
		(value, name) =>
			typeof value === 'object' && value !== null && Object.hasOwn(value, name)
				? (value as Record<string, unknown>)[name]
				: undefined,
		names.length > 0 ? record : undefined,
	);
}

/** From this number on, it's a Unix time in milliseconds. In seconds, it would be the year 5138. */
const SMALLEST_EPOCH_MS = 100_000_000_000;
/** Smaller numbers can't be current Unix times in seconds. This is in 1973. */
export const SMALLEST_EPOCH_SECONDS = 100_000_000;
/** Spreadsheets count the days since the end of 1899. This range covers 1954 to 2119. */
const SERIAL_DAYS = { from: 20_000, to: 80_000, ofUnixEpoch: 25_569 };

/**
 * Parses a point in time as services, spreadsheets and n8n write it, and returns ms since the
 * epoch: Unix seconds or milliseconds, a spreadsheet's day number, ISO dates, dates with the day
 * first (as is usual in Moldova), and date objects. A date without a time zone is read as UTC, so
 * the result doesn't depend on the machine. Returns undefined for anything else.
 */
export function readMoment(value: unknown): number | undefined {
	if (typeof value === 'number') return momentOfNumber(value);
	// `instanceof` wouldn't recognize dates from the isolate in which n8n evaluates expressions.
	const isDate = Object.prototype.toString.call(value) === '[object Date]';
	const isLuxon = typeof value === 'object' && value !== null && 'toMillis' in value;
	if (isDate || isLuxon) return validTime(Number(value));
	if (typeof value !== 'string') return undefined;
	const written = value.trim();
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
	/^[T ,]+(2[0-3]|[01]?\d)(:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*(?:Z|UTC|GMT|([+-]\d{2}):?(\d{2})?)?$/i;

function momentOfText(written: string): number | undefined {
	const dayFirst = DAY_FIRST.exec(written);
	const match = dayFirst ?? YEAR_FIRST.exec(written);
	if (!match) return undefined;
	const { year = '', month = '', day = '' } = match.groups ?? {};
	// A second number above 12 can't be the month, so the order is American: 12/31/2030.
	const isAmerican = dayFirst !== null && Number(month) > 12;
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
	const [, hour = '', minutes = '', offset = '+00', offsetMinutes = '00'] = parts;
	return `T${hour.padStart(2, '0')}${minutes}${offset}:${offsetMinutes}`;
}
