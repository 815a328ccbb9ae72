import { isSameWithLostLetters, normalText } from '../../shared/node/texts';
import { idnoWithin, isRounded } from '../idno';
import { formsContradict, formsIn } from '../names/forms';
import { parseName, type CompanyName } from '../names/name';
import { isShared, placesIn, type Place } from '../names/places';
import { fold, wordsOf } from '../names/words';
import type { ColumnRole } from './columns';

// What a row was looked up by, as the column `match_input` and the state have it. The next run compares the
// row with it, and so notices corrections.

/** What a row says, by role. Empty text means nothing. */
export type Said = Readonly<Record<ColumnRole, string>>;

const LABELS: Record<ColumnRole, string> = {
	name: 'Name',
	idno: 'IDNO',
	city: 'Place',
	legalForm: 'Form',
};
export const INPUT_ROLES = Object.keys(LABELS) as ColumnRole[];

/** Longer texts are compared, and stored, by their beginning. */
const MOST_LETTERS = 60;

const beginning = (text: string) => normalText(text).slice(0, MOST_LETTERS).trim();

/** E.g. "Name: Agro Nord; Place: Orhei". */
export function inputText(said: Said): string {
	const parts = INPUT_ROLES.map((role) => {
		const value = beginning(said[role]);
		return value && `${LABELS[role]}: ${value}`;
	});
	return parts.filter(Boolean).join('; ');
}

const PARTS = INPUT_ROLES.map((role) => {
	return [role, new RegExp(`(?:^|; )${LABELS[role]}: (.*?)(?=; (?:IDNO|Place|Form): |$)`)] as const;
});

/** Reads {@link inputText}. */
export function readInput(input: unknown): Said {
	const text = normalText(input);
	const parts = PARTS.map(([role, part]) => [role, part.exec(text)?.[1] ?? '']);
	return Object.fromEntries(parts) as Said;
}

/**
 * Whether a cell says what it said before, even if it's rounded, emptied or cut off by now, or written
 * without diacritics, with other quotation marks, or with or without the legal form.
 *
 * @param mayBeCut whether the end of a word may be missing. In a row without a company, somebody may have
 * corrected it.
 */
export function saysSame(role: ColumnRole, before: string, now: string, mayBeCut = true): boolean {
	const [old, said] = [comparable(before), comparable(beginning(now))];
	if (said === '' || said === old || (mayBeCut && isCutOff(old, said, now))) return true;
	if (isSameWithLostLetters(before, beginning(now))) return true;
	if (old === '') return false;
	if (role === 'idno') return isSameNumber(before, now);
	if (role === 'name') return isSameName(parseName(before), parseName(normalText(now)));
	if (role === 'city') return hasPlaces(placesIn(before), placesIn(now));
	return role === 'legalForm' && isSameForm(before, now);
}

const comparable = (text: string) =>
	fold(text)
		.replace(/[^\p{L}\p{N}]+/gu, ' ')
		.trim();

/**
 * Whether a text ends inside a word of the other one, or with an ellipsis. If a whole word or a digit is
 * missing, it's another name.
 */
function isCutOff(whole: string, said: string, now: string): boolean {
	const isMarked = /(?:…|\.\.\.)\s*$/.test(now);
	const next = whole.charAt(said.length);
	const isWithin = next !== ' ' && !(/\d/.test(next) && /\d$/.test(said));
	return whole.startsWith(said) && (isMarked || isWithin);
}

function isSameName(before: CompanyName, now: CompanyName): boolean {
	const [old, said] = [before, now].map(({ words, places }) => {
		const letters = words.map(({ spellings: [usual] }) => usual);
		return [...letters, ...places.map(({ name }) => name)].join(' ');
	});
	return old === said && !formsContradict(before.forms, now.forms);
}

const hasPlaces = (known: readonly Place[], said: readonly Place[]) =>
	said.every((place) => isShared([place], known));

function isSameForm(before: string, now: string): boolean {
	const [old, said] = [before, now].map((text) => formsIn(wordsOf(text)));
	return old!.size > 0 && said!.size > 0 && !formsContradict(old!, said!);
}

/** Whether an IDNO is the same, even if a sheet has rounded it to 1.0036E+12 or to 1003600000000. */
export function isSameNumber(before: string, now: string): boolean {
	const [old = '', number = ''] = [
		idnoWithin(before) ?? before.replace(/\D/g, ''),
		idnoWithin(now),
	];
	if (number !== '' && !isRounded(now) && !number.endsWith('0000')) return number === old;
	const digits = (isRounded(now) ? now.replace(/e.*$/i, '') : now).replace(/\D/g, '');
	const shown = digits.replace(/0+$/, '');
	const first = Number(old) / 10 ** (old.length - shown.length);
	return [Math.floor(first), Math.round(first)].includes(Number(shown));
}
