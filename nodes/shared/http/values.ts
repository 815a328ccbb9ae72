import { DAY_MS, SECOND_MS } from './clock';

/** Shortens a text to `longest` UTF-16 units, including the ellipsis, without splitting a character. */
export function shorten(text: string, longest: number): string {
	if (text.length <= longest) return text;
	let kept = 0;
	for (const { index, segment } of new Intl.Segmenter().segment(text)) {
		if (index + segment.length >= longest) break;
		kept = index + segment.length;
	}
	return `${text.slice(0, kept)}…`;
}

/**
 * Unwraps a list with a single entry, as linked-record fields return it. Other values are returned
 * unchanged.
 */
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

/**
 * Matches the first step of a path (`['CRM status']`, `["CRM status"]`, `[0]` or `name`) and the
 * rest.
 */
const STEP =
	/^\.?(?:\[(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)"|(\d+))\]|([^.[]+))(?:\.(?=.)|(?=\[)|$)(.*)$/s;

/** Splits a path after its first step. */
function firstStep(path: string): { name: string; rest: string } {
	const [, single, double, index, plain, rest = ''] = STEP.exec(path) ?? [];
	const name = (single ?? double)?.replace(/\\(.)/gs, '$1') ?? index ?? plain ?? path;
	return { name, rest };
}

/**
 * Reads a field by its name, or by a path as n8n's editor inserts it: `a.b`, `rows[0].at`, `['CRM
 * status']`. A field whose name happens to look like the path takes precedence. Returns undefined
 * if there's no such field.
 */
export function readPath(record: unknown, path: string): unknown {
	if (typeof record !== 'object' || record === null) return undefined;
	const fields = record as Record<string, unknown>;
	if (Object.hasOwn(fields, path)) return fields[path];
	const { name, rest } = firstStep(path);
	if (!Object.hasOwn(fields, name)) return undefined;
	return rest === '' ? fields[name] : readPath(fields[name], rest);
}

/** Splits a path into names: `['rows', '0', 'at']` for `rows[0].at`. */
export function namesInPath(path: string): string[] {
	const { name, rest } = firstStep(path);
	return rest === '' ? [name] : [name, ...namesInPath(rest)];
}

/** From this number on, it's a Unix time in milliseconds. In seconds, it would be the year 5138. */
const SMALLEST_EPOCH_MS = 100_000_000_000;
/** Smaller numbers can't be current Unix times in seconds. This is in 1973. */
export const SMALLEST_EPOCH_SECONDS = 100_000_000;
/** Spreadsheets count the days since the end of 1899. This range covers 1954 to 2119. */
const SERIAL_DAYS = { from: 20_000, to: 80_000, ofUnixEpoch: 25_569 };

/**
 * Parses a point in time as services, spreadsheets and n8n write it, and returns ms since the
 * epoch: Unix seconds or milliseconds, a spreadsheet's day number, ISO and HTTP dates, dates with
 * the day first (as is usual in Moldova), and date objects. A date without a time zone is read as
 * UTC, so the result doesn't depend on the machine. Returns undefined for anything else.
 */
export function readMoment(value: unknown): number | undefined {
	if (typeof value === 'number') return momentOfNumber(value);
	if (typeof value === 'object' && value !== null) return momentOfObject(value);
	if (typeof value !== 'string') return undefined;
	const written = value.trim();
	if (/^\d+(\.\d+)?$/.test(written)) return momentOfNumber(Number(written));
	return dateWithNumbers(written) ?? dateWithMonthName(written);
}

function momentOfNumber(number: number): number | undefined {
	if (number >= SMALLEST_EPOCH_MS) return validTime(number);
	if (number >= SMALLEST_EPOCH_SECONDS) return number * SECOND_MS;
	const { from, to, ofUnixEpoch } = SERIAL_DAYS;
	// Round, because spreadsheets store the time as an inexact fraction of a day.
	if (number >= from && number < to) {
		return Math.round(((number - ofUnixEpoch) * DAY_MS) / SECOND_MS) * SECOND_MS;
	}
	return undefined;
}

/** A JavaScript `Date` or a Luxon `DateTime`. */
function momentOfObject(value: object): number | undefined {
	return isDate(value) || 'toMillis' in value ? validTime(Number(value)) : undefined;
}

/** `instanceof` wouldn't recognize dates from the isolate in which n8n evaluates expressions. */
export function isDate(value: object): value is Date {
	return Object.prototype.toString.call(value) === '[object Date]';
}

function validTime(ms: number): number | undefined {
	return Number.isNaN(new Date(ms).getTime()) ? undefined : ms;
}

const TIME =
	/^[T ,]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?\s*(?:(am|pm)\b\s*)?(?:(Z|UTC|GMT)|([+-])(\d{2}):?(\d{2})?)?/i;

function dateWithNumbers(written: string): number | undefined {
	const yearFirst = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)(.*)$/s.exec(written);
	const dayFirst = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(?!\d)(.*)$/s.exec(written);
	if (yearFirst) {
		const [, year, , month, day, rest = ''] = yearFirst;
		return timeOn(dayOf(Number(year), Number(month), Number(day)), rest);
	}
	if (!dayFirst) return undefined;
	const [, first = '', , second = '', writtenYear = '', rest = ''] = dayFirst;
	const year = Number(writtenYear) + (writtenYear.length === 2 ? 2000 : 0);
	// The second number is too large for a month, so the order is American: 12/31/2030.
	const [day, month] = Number(second) > 12 ? [second, first] : [first, second];
	return timeOn(dayOf(year, Number(month), Number(day)), rest);
}

/** Midnight UTC, or undefined for a day that doesn't exist, such as 30 February. */
function dayOf(year: number, month: number, day: number): number | undefined {
	const at = new Date(Date.UTC(year, month - 1, day));
	return at.getUTCMonth() === month - 1 && at.getUTCDate() === day ? at.getTime() : undefined;
}

function timeOn(day: number | undefined, written: string): number | undefined {
	const parts = TIME.exec(written);
	if (day === undefined || !parts) return written.trim() === '' ? day : undefined;
	const [, hour, minute, second = 0, fraction = '', amPm, , sign, offHours = 0, offMinutes = 0] =
		parts;
	const hours = amPm ? (Number(hour) % 12) + (/p/i.test(amPm) ? 12 : 0) : Number(hour);
	const offset = (Number(offHours) * 60 + Number(offMinutes)) * (sign === '-' ? -1 : 1);
	const minutes = hours * 60 + Number(minute) - offset;
	const ms = Number(fraction.padEnd(3, '0').slice(0, 3));
	return day + (minutes * 60 + Number(second)) * SECOND_MS + ms;
}

/**
 * `Date.parse` finds a date in almost any text that ends with a number, so require a month and a
 * year.
 */
function dateWithMonthName(written: string): number | undefined {
	const hasMonth = /\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b/i.test(written);
	if (!hasMonth || !/\b\d{4}\b/.test(written)) return undefined;
	const hasZone = /\b(gmt|utc|[ecmp][sd]t)\b|[+-]\d{2}:?\d{2}\b|\dZ\b/i.test(written);
	const time = Date.parse(hasZone ? written : `${written} UTC`);
	return Number.isNaN(time) ? undefined : time;
}
