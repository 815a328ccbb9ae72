import { DAY_MS, HOUR_MS, SECOND_MS } from '../../shared/http/clock';
import { isJson, parseJson } from '../../shared/http/json';
import { readMoment } from '../../shared/http/moments';
import { fold, isSameWithLostLetters, normalText } from '../../shared/node/texts';
import { isBlank, yesOrNo } from '../../shared/node/values';

// What has changed in a company since it was last read. Enrich compares with the cells of a list, which
// other programs have stored in their own way; the trigger compares with what it has stored itself.

const READ =
	'accessed|cached|checked|crawled|exported|fetched|generated|indexed|queried|read|refreshed|requested|retrieved|scraped|synced|updated|verified';
/** Fields that say when a record was read or written, and not what's in it. */
const TIMES = new RegExp(
	`^(?:.*_)?(?:last_?)?(?:${READ})_?(?:at|on|date|time)$|^(?:last_?)?(?:${READ}|modified)$|^(?:timestamp|as_of|omitted_fields)$`,
	'i',
);

/**
 * What has changed in a field, e.g. `status: active → in_liquidation`. Undefined if nothing has, or if one
 * of the values was never read.
 */
export function changeOf(field: string, before: unknown, now: unknown): string | undefined {
	if (before === undefined || now === undefined || TIMES.test(field)) return undefined;
	return isUnchanged(before, now) ? undefined : changeText(field, before, now);
}

/** E.g. `status: active → in_liquidation`. Of a list, it names only the entries that differ. */
export function changeText(field: string, before: unknown, now: unknown): string {
	if (!Array.isArray(before) && !Array.isArray(now)) {
		return `${field}: ${inWords(before)} → ${inWords(now)}`;
	}
	const [gone, added] = [entriesBeside(before, now), entriesBeside(now, before)];
	return `${field}: ${gone.join(', ') || 'none'} → ${added.join(', ') || 'none'}`;
}

/**
 * Whether a user would call two values equal. Programs differ in case, spaces, diacritics and quotation
 * marks, in the order of a list or of an object's keys, in how they store numbers, dates and booleans, and in
 * the letters that they know.
 */
export function isUnchanged(a: unknown, b: unknown): boolean {
	// Most fields of most rows.
	if (a === b) return true;
	if (typeof a === 'number' && typeof b === 'number') return false;
	const [x, y] = [tightText(a), tightText(b)];
	const answers = [yesOrNo(a), yesOrNo(b)];
	// Two letters can be ratings.
	const isWord = (value: unknown) => yesOrNo(value, { onlyWords: true }) !== undefined;
	if (!answers.includes(undefined) && (isWord(a) || isWord(b))) return answers[0] === answers[1];
	const areBlank = [a, b].map((value) => isBlank(value, { orFalse: true }));
	if (areBlank.includes(true)) return areBlank[0] === areBlank[1];
	if (Array.isArray(a) && Array.isArray(b)) {
		return entriesBeside(a, b).length === 0 && entriesBeside(b, a).length === 0;
	}
	const isSame = plain(a) === plain(b) || isSameDate(a, b);
	const isSameSum = isSameNumber(sum(x), y) || isSameNumber(x, sum(y));
	if (isSame || isSameSum || isSameDate(dayFirst(a), dayFirst(b))) return true;
	return isSameWithLostLetters(inWords(a), inWords(b));
}

/** A value without what only makes it easier to read; empty for lists and objects. */
function tightText(value: unknown): string {
	return fold(normalText(value)).replace(/[\s'’]/gu, '');
}

/** A number without the currency beside it. */
const sum = (text: string) =>
	text.replace(/^(?:\p{Sc}|mdl|lei|eur|usd)(?=\d)|(?<=\d)(?:\p{Sc}|mdl|lei|eur|usd)$/u, '');

const NUMBER = /^[+-]?\d[\d.,]*(?:e[+-]?\d+)?$/;
const IN_THOUSANDS = /^[+-]?\d{1,3}([.,])\d{3}(?:\1\d{3})*(?:[.,]\d+)?$/;

function isSameNumber(x: string, y: string): boolean {
	if (!NUMBER.test(x) || !NUMBER.test(y)) return false;
	const others = numbersIn(y);
	return numbersIn(x).some((number) => others.includes(number));
}

/** The numbers that a text can mean: 50,000 is fifty or fifty thousand. */
function numbersIn(text: string): number[] {
	const decimalPoint = /[.,](?=\d+(?:e.*)?$)/;
	const readings = [text.replace(decimalPoint, '_').replace(/[.,]/g, '').replace('_', '.')];
	if (IN_THOUSANDS.test(text)) readings.push(text.replace(/[.,]/g, ''));
	return readings.map(Number).filter((number) => !Number.isNaN(number));
}

/** Time zones move a day's midnight by up to this much. */
const MOST_OFFSET_MS = 14 * HOUR_MS;

/** A date of an American sheet, which has the month first: 5/4/2026. */
function dayFirst(value: unknown): unknown {
	return typeof value === 'string' ? value.replace(/^(\d{1,2}\/)(\d{1,2}\/)/, '$2$1') : value;
}

function isSameDate(a: unknown, b: unknown): boolean {
	// A number alone could be anything, so the other value has to be a date.
	const isDate = (value: unknown) =>
		typeof value !== 'number' && !/^\s*\d+\s*$/.test(String(value));
	const [x, y] = [readMoment(a), readMoment(b)];
	if (x === undefined || y === undefined || !(isDate(a) || isDate(b))) return false;
	const [isDay, isOtherDay] = [a, b].map((each) => typeof each === 'string' && !each.includes(':'));
	if (isDay === isOtherDay) return Math.abs(x - y) <= SECOND_MS;
	const after = isDay ? y - x : x - y;
	return after >= -MOST_OFFSET_MS && after < DAY_MS;
}

/** A value in one spelling. A list in a text may be in another order. */
function plain(value: unknown): string {
	const isJsonText = typeof value === 'string' && /^\s*[[{]/.test(value);
	const read = isJsonText ? parseJson(value)?.value : value;
	if (Array.isArray(read)) return plainText(read.map(entryText).join(', '));
	return plainText(isJson(read) ? entryText(read) : inWords(value));
}

const QUOTATION_MARKS = /["'`´‘’‚‛“”„‟«»‹›]/g;

function plainText(text: string): string {
	const inOneLine = text.split('\n').map(normalText).join(', ');
	const folded = fold(inOneLine).replace(QUOTATION_MARKS, '').replace(/\s+/gu, ' ');
	const parts = folded.split(/[,;]/).map((part) => part.replace(/ ?([():]) ?/g, '$1').trim());
	return parts.filter(Boolean).sort().join(', ');
}

function inWords(value: unknown): string {
	if (isBlank(value)) return 'none';
	return value instanceof Date ? value.toISOString() : entryText(value);
}

/** A list entry as text, e.g. `Ana Rusu (share: 50)`. */
export function entryText(entry: unknown): string {
	if (!isJson(entry)) return typeof entry === 'object' ? JSON.stringify(entry) : String(entry);
	const { name, ...others } = entry;
	const texts = Object.entries(others)
		.filter(([field, value]) => !TIMES.test(field) && !isBlank(value))
		.map(([field, value]) => `${field}: ${entryText(value)}`);
	const details = texts.sort().join(', ');
	return isBlank(name) ? details : [entryText(name), details && `(${details})`].join(' ').trim();
}

/** The entries of a value that another doesn't have. */
function entriesBeside(value: unknown, other: unknown): string[] {
	const entriesOf = (each: unknown) => (isBlank(each) ? [] : [each].flat().map(entryText));
	const others = new Set(entriesOf(other).map(plainText));
	return entriesOf(value).filter((entry) => !others.has(plainText(entry)));
}
