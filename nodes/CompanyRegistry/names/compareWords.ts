import { isKindOfPlace, isPlace } from './places';
import { ALIKE } from './tables/spellings';
import { isCommon, isShortened, soundOf } from './words';
import type { Word } from './words';

/** How two words match, from identical to probable. */
export type Agreement = 'same' | 'spelling' | 'abbreviation' | 'misspelling' | 'initial';

/** Too many shorter words differ in a single letter. */
const SHORTEST_MISSPELLED = 5;
const SHORTEST_TRANSLITERATED = 3;
/** Words of more letters may have an extra consonant at the end. */
const LONG = 9;
const SHORTEST_ABBREVIATION = 3;
/** The fewest letters that an abbreviation leaves out. */
const LEFT_OUT = 3;
const LONGEST_INITIAL = 3;

/** Whether two words have a spelling in common. */
export function isSame(a: Word, b: Word): boolean {
	return a.spellings.some((each) => b.spellings.includes(each));
}

/**
 * How a row's word matches a word of a company's name; undefined if it doesn't.
 *
 * Numbers and words of up to four letters have to be the same. A longer word may be misspelled. In the
 * names of persons, nothing counts as misspelled, since Ion and Ioan are different people, but an initial
 * can stand for a name.
 */
export function compareWords(row: Word, company: Word, isPersonal = false): Agreement | undefined {
	if (isSame(row, company) || areSameKind(row, company)) return 'same';
	const [a = '', b = ''] = [row.spellings[0], company.spellings[0]];
	if (/\d/.test(a + b)) {
		return /^\d+$/.test(a) && /^\d+$/.test(b) && Number(a) === Number(b) ? 'spelling' : undefined;
	}
	if (isPersonal && (isInitialOf(row, company) || isInitialOf(company, row))) return 'initial';
	if (isAbbreviation(row, company) || isAbbreviation(company, row)) return 'abbreviation';
	const shortest = Math.min(a.length, b.length);
	const soundsSame = sameSound(row, company);
	const isTransliterated = row.written !== a || company.written !== b;
	if (soundsSame && isTransliterated && shortest >= SHORTEST_TRANSLITERATED) return 'spelling';
	if (shortest < SHORTEST_MISSPELLED || isPlace(row) || isCommon(a)) return undefined;
	if (soundsSame) return 'spelling';
	return !isPersonal && isMisspelling(a, b) ? 'misspelling' : undefined;
}

/** "or." and "orașului". "S." may be an initial, but "s." is a village. */
function areSameKind(...words: [Word, Word]): boolean {
	const isKind = (word: Word) => isKindOfPlace(word) && !/^\p{Lu}$/u.test(word.original);
	return words.every(isKind) && words[0].written[0] === words[1].written[0];
}

/** "V." for "Vasile", "Gh." for "Gheorghe". */
function isInitialOf({ dotted, spellings: [short = ''] }: Word, { spellings }: Word): boolean {
	const [long = ''] = spellings;
	const isInitial = short.length === 1 || (dotted && short.length <= LONGEST_INITIAL);
	return isInitial && long.length > short.length && long.startsWith(short);
}

/** Whether a word abbreviates another one that lists often shorten: "Constr.". */
function isAbbreviation({ dotted, spellings: [short = ''] }: Word, { spellings }: Word): boolean {
	return (
		dotted &&
		short.length >= SHORTEST_ABBREVIATION &&
		spellings.some(
			(long) =>
				long.startsWith(short) && long.length >= short.length + LEFT_OUT && isShortened(long),
		)
	);
}

function sameSound(row: Word, company: Word): boolean {
	const sounds = company.spellings.map(soundOf);
	return row.spellings.some((each) => sounds.includes(soundOf(each)));
}

/**
 * Whether two folded words differ in one typo: a doubled letter, two swapped neighbors, a missing or
 * extra letter inside the word, or a similar consonant. A different first letter, vowel or ending makes
 * a different word, such as "Elit" and "Elita".
 */
function isMisspelling(a: string, b: string): boolean {
	const [short, long] = a.length <= b.length ? [a, b] : [b, a];
	if (short[0] !== long[0] || long.length - short.length > 1) return false;
	if (isSwapped(a, b)) return true;
	const at = sharedStart(short, long);
	const [x = '', y = ''] = [short[at], long[at]];
	if (short.length === long.length) {
		return short.slice(at + 1) === long.slice(at + 1) && ALIKE.has(x + y);
	}
	if (short.slice(at) !== long.slice(at + 1)) return false;
	const isEnding = at === short.length && y !== long[at - 1];
	return !isEnding || (!'aeiou'.includes(y) && long.length > LONG);
}

/** Whether two neighboring letters are swapped: "Nrod", "Nord". */
function isSwapped(a: string, b: string): boolean {
	const at = sharedStart(a, b);
	const [x, y] = [a.slice(at), b.slice(at)];
	return at > 0 && x.length > 1 && x.slice(0, 2) === `${y[1]}${y[0]}` && x.slice(2) === y.slice(2);
}

function sharedStart(a: string, b: string): number {
	let length = 0;
	while (length < a.length && a[length] === b[length]) length++;
	return length;
}
