import { isPlace, kindOfPlace } from '../read/places';
import { SHORTENED_WORDS } from '../tables/descriptions';
import { ALIKE } from '../tables/spellings';
import { isKnownWord, listOf, roughly, soundsOf } from '../read/words';
import type { Word } from '../read/words';

/** Whether a folded spelling is a known word of a company's name, and so not a misspelling. */
export type IsWord = (spelling: string) => boolean;

/** How two words match, from identical to probable. */
export type Agreement = 'same' | 'spelling' | 'abbreviation' | 'misspelling';

/** Shorter words are initials. */
const SHORTEST_TRANSLITERATED = 3;
/** Too many shorter words differ by one letter. */
export const SHORTEST_MISSPELLED = 5;
/** From this length on, an additional letter at the end does not make another word. */
const LONG = 9;
const SHORTEST_ABBREVIATION = 3;
/** Spellings of one sound differ by no more letters. */
const MOST_OTHER_LETTERS = 3;

/**
 * Whether a word of a row and a word of a company's name are one, and how.
 *
 * Numbers, words with digits and words of up to four letters only match if they are the same. A longer
 * word may be misspelled, unless the registry has a company with the word as written.
 */
export function compareWords(row: Word, company: Word, isWord: IsWord): Agreement | undefined {
	if (isSame(row, company)) return 'same';
	const kind = kindOfPlace(row);
	// A single letter can be an initial.
	const isWritten = Math.min(row.written.length, company.written.length) > 1;
	if (isWritten && kind !== undefined && kind === kindOfPlace(company)) return 'same';
	const [a = '', b = ''] = [row.spellings[0], company.spellings[0]];
	if (/\d/.test(a + b)) return undefined;
	if (isShortened(row, company) || isShortened(company, row)) return 'abbreviation';
	if (Math.abs(a.length - b.length) > MOST_OTHER_LETTERS) return undefined;
	const shortest = Math.min(a.length, b.length);
	if (shortest < SHORTEST_TRANSLITERATED) return undefined;
	const isTransliterated = row.written !== a || company.written !== b;
	if (isTransliterated && sameSound(row, company, roughly)) return 'spelling';
	if (shortest < SHORTEST_MISSPELLED || isWord(a)) return undefined;
	const isSpelling = sameSound(row, company);
	if (!isSpelling && !isMisspelling(a, b)) return undefined;
	if (isPlace(row) || isKnownWord(a)) return undefined;
	return isSpelling ? 'spelling' : 'misspelling';
}

function sameSound(row: Word, company: Word, rounded = (sound: string) => sound): boolean {
	const sounds = soundsOf(company).map(rounded);
	return soundsOf(row).some((sound) => sounds.includes(rounded(sound)));
}

const shortenedWords = listOf(SHORTENED_WORDS);

/** "Constr." is short for "Construct", because company names shorten that word. */
function isShortened({ dotted, spellings: [short = ''] }: Word, { spellings }: Word): boolean {
	return (
		dotted &&
		short.length >= SHORTEST_ABBREVIATION &&
		spellings.some((long) => shortenedWords.has(long) && long.startsWith(short))
	);
}

/**
 * Whether two folded words differ by one typo or phonetic variant: a letter doubled or not, two
 * neighboring letters swapped, a letter missing or added inside, or a letter replaced by a similar one.
 * A different first letter or ending makes another word: "Elit" and "Elita".
 */
export function isMisspelling(a: string, b: string): boolean {
	const [short, long] = a.length <= b.length ? [a, b] : [b, a];
	if (short[0] !== long[0] || long.length - short.length > 1) return false;
	const start = sharedStart(short, long);
	const [restOfShort, restOfLong] = [short.slice(start), long.slice(start)];
	if (short.length < long.length) {
		if (restOfShort !== restOfLong.slice(1)) return false;
		const added = restOfLong[0] ?? '';
		if (added === long[start - 1]) return true;
		if (restOfShort === '') return !isVowel(added) && long.length > LONG;
		return true;
	}
	const [x = '', y = ''] = [restOfShort[0], restOfLong[0]];
	const isExchanged =
		restOfShort[1] === y && restOfLong[1] === x && restOfShort.slice(2) === restOfLong.slice(2);
	if (isExchanged) return true;
	if (restOfShort.slice(1) !== restOfLong.slice(1)) return false;
	const isEnding = restOfShort.length === 1;
	if (isEnding && isVowel(x) && isVowel(y)) {
		// Long nouns in -ie end in -ia with the article: "panificație", "panificația".
		return short.length >= LONG && short.at(-2) === 'i' && 'aea'.includes(x + y);
	}
	return ALIKE.has(x + y) || (!isEnding && short.length >= LONG);
}

const isVowel = (letter: string) => 'aeiou'.includes(letter);

function sharedStart(a: string, b: string): number {
	let length = 0;
	while (length < a.length && a[length] === b[length]) length++;
	return length;
}

/** Whether two words have a spelling in common. */
export function isSame(a: Word, b: Word): boolean {
	return a.spellings.some((each) => b.spellings.includes(each));
}
