import { single } from '../http/json';
import { readMoment } from '../http/moments';
import { fold, withoutInvisible } from './texts';

// Reads values that a person, a sheet or another program has written. Everything that reads one uses these
// functions, so that a value means the same in every field and column. texts.ts compares texts.

/** What counts as blank in some places only. */
interface Blanks {
	/** `false`, as some programs store an empty field, and an empty object. */
	orFalse?: boolean;
	/** The words that stand for no value in a program: `null` and `undefined`. */
	orNull?: boolean;
}

/** Whether there's no value: nothing, an empty list, or a text in which nothing can be seen. */
export function isBlank(value: unknown, { orFalse, orNull }: Blanks = {}): boolean {
	if (value === undefined || value === null) return true;
	if (orFalse && value === false) return true;
	if (Array.isArray(value)) return value.length === 0;
	if (typeof value === 'object') return orFalse === true && isEmptyObject(value);
	if (typeof value !== 'string') return false;
	const text = withoutInvisible(value).trim().toLowerCase();
	if (text === '' || (orFalse && text === 'false')) return true;
	return orNull === true && (text === 'null' || text === 'undefined');
}

/** A date has no keys, but isn't empty. */
function isEmptyObject(value: object): boolean {
	return Object.keys(value).length === 0 && readMoment(value) === undefined;
}

/** Yes and no in English, Romanian and Russian, as people, sheets and forms write them; folded. */
const YES = new Set(['true', 'yes', 'da', 'adevarat', 'да', 'истина']);
const NO = new Set(['false', 'no', 'nu', 'fals', 'нет', 'ложь']);
/** As databases and CSV files have them. */
const SHORT_YES = new Set(['1', 'y', 't']);
const SHORT_NO = new Set(['0', 'n', 'f']);

/**
 * Whether a value means yes or no; undefined if it means neither.
 *
 * @param onlyWords a number or a single letter means neither, where it could be something else
 */
export function yesOrNo(value: unknown, { onlyWords = false } = {}): boolean | undefined {
	const word = fold(withoutInvisible(asText(value) ?? '').trim());
	if (YES.has(word)) return true;
	if (NO.has(word)) return false;
	const short = onlyWords ? '' : word.replace(/^([01])[.,]0+$/, '$1');
	if (SHORT_YES.has(short)) return true;
	return SHORT_NO.has(short) ? false : undefined;
}

/**
 * The digits of a whole number, which may have a fraction of zeros, as a CSV file has it (5.0), and spaces between
 * thousands, as a sheet shows it. Undefined for anything else: 5.000 could be five thousand.
 */
export function wholeDigitsIn(value: unknown): string | undefined {
	const written = withoutInvisible(asText(value) ?? '').trim();
	const digits = written.replace(/^([+-]?\d{1,3})((?:\s\d{3})+)(?!\d)/u, (all) =>
		all.replace(/\s/gu, ''),
	);
	return /^(?!\+-)\+?(-?\d+)(?:[.,](?:0{1,2}|0{4,}))?$/.exec(digits)?.[1];
}

/** Like {@link wholeDigitsIn}, as a number, unless that's too large for one. */
export function wholeNumberIn(value: unknown): number | undefined {
	const number = Number(wholeDigitsIn(value) ?? NaN);
	return Number.isSafeInteger(number) ? number : undefined;
}

/**
 * A value as text, trimmed. Numbers and booleans are accepted, because a column of names may contain some, and
 * dates in the form of ISO 8601.
 */
export function asText(value: unknown): string | undefined {
	const entry = single(value);
	if (typeof entry === 'number' && !Number.isFinite(entry)) return undefined;
	if (['string', 'number', 'boolean'].includes(typeof entry)) return String(entry).trim();
	return isoText(entry);
}

/** A JavaScript `Date`, or a Luxon `DateTime`, which n8n's `$now` returns, in its own time zone. */
function isoText(value: unknown): string | undefined {
	const { toISO } = Object(value) as { toISO?: () => unknown };
	const written = typeof toISO === 'function' ? toISO.call(value) : undefined;
	if (typeof written === 'string') return written;
	const moment = typeof value === 'object' ? readMoment(value) : undefined;
	return moment === undefined ? undefined : new Date(moment).toISOString();
}
