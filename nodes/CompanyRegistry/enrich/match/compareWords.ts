import { isPlace, kindOfPlace } from '../read/places';
import { SHORTENED_WORDS } from '../tables/descriptions';
import { ALIKE } from '../tables/spellings';
import { isKnownWord, listOf, LOST_LETTER, roughly, soundsOf } from '../read/words';
import type { Word } from '../read/words';

/** Whether another search result contains the spelling, so it isn't a misspelling. */
export type IsWord = (spelling: string) => boolean;

/** How two words match, from identical to probable. */
export type Agreement = 'same' | 'spelling' | 'abbreviation' | 'misspelling' | 'initial';

/** Shorter words may be initials. */
const SHORTEST_TRANSLITERATED = 3;
/** Too many shorter words differ in a single letter. */
export const SHORTEST_MISSPELLED = 5;
/** Words of more letters may have an extra letter at the end. */
const LONG = 9;
const SHORTEST_ABBREVIATION = 3;
const LONGEST_INITIAL = 3;
/** Spellings of one sound differ in length by no more than this. */
const MOST_OTHER_LETTERS = 3;

/**
 * How a row's word matches a word of a company's name; undefined if it doesn't.
 *
 * Numbers and words of up to four letters have to be the same. A longer word may be misspelled, unless
 * another search result has it as written. In the names of persons, nothing counts as misspelled, since
 * Ion and Ioan are different people, but an initial can stand for a name.
 */
export function compareWords(
	row: Word,
	company: Word,
	isWord: IsWord,
	isPersonal = false,
): Agreement | undefined {
	if (isSame(row, company)) return 'same';
	const kind = kindOfPlace(row);
	// "S." may be an initial, but "s." is a village.
	const hasInitial = [row, company].some(({ original }) => /^\p{Lu}$/u.test(original));
	if (!hasInitial && kind !== undefined && kind === kindOfPlace(company)) return 'same';
	if (row.number !== undefined && row.number === company.number) return 'spelling';
	const [a = '', b = ''] = [row.spellings[0], company.spellings[0]];
	if (hasLostLetters(a) || hasLostLetters(b))
		return isCompleted(row, company) ? 'spelling' : undefined;
	if (isPersonal && (isInitialOf(row, company) || isInitialOf(company, row))) return 'initial';
	const shortest = Math.min(a.length, b.length);
	if (/\d/.test(a + b)) {
		const isMisread = shortest >= SHORTEST_MISSPELLED && asLetters(a) === asLetters(b);
		return isMisread ? 'misspelling' : undefined;
	}
	if (isShortened(row, company) || isShortened(company, row)) return 'abbreviation';
	if (Math.abs(a.length - b.length) > MOST_OTHER_LETTERS) return undefined;
	if (shortest < SHORTEST_TRANSLITERATED) return undefined;
	const isTransliterated = row.written !== a || company.written !== b;
	if (isTransliterated && sameSound(row, company, roughly)) return 'spelling';
	if (isWord(a)) return undefined;
	if (isKnownWord(b) && !isKnownWord(a) && isSwapped(a, b)) return 'misspelling';
	if (shortest < SHORTEST_MISSPELLED) return undefined;
	const isSpelling = sameSound(row, company);
	if (!isSpelling && (isPersonal || !isMisspelling(a, b))) return undefined;
	if (isPlace(row) || isKnownWord(a)) return undefined;
	return isSpelling ? 'spelling' : 'misspelling';
}

/** Letters that digits are mistaken for: "Verm0lina". */
const LETTER_OF_DIGIT = new Map([
	['0', 'o'],
	['1', 'l'],
	['5', 's'],
	['8', 'b'],
]);

function asLetters(spelling: string): string {
	const letters = spelling.replace(/\d/g, (digit) => LETTER_OF_DIGIT.get(digit) ?? digit);
	// 1 also looks like i.
	return letters.replace(/i/g, 'l');
}

const hasLostLetters = (spelling: string) => spelling.includes(LOST_LETTER);

/** Whether a word with lost letters can be the other word. Only ă, â, î, ș and ț get lost. */
function isCompleted(row: Word, company: Word): boolean {
	const [lossy, whole] = hasLostLetters(row.spellings[0] ?? '') ? [row, company] : [company, row];
	const pattern = [...(lossy.spellings[0] ?? '')].map((letter) =>
		letter === LOST_LETTER ? '[aist]' : letter,
	);
	const isKnown = pattern.filter((letter) => letter.length === 1).length > 1;
	return isKnown && whole.spellings.some((each) => new RegExp(`^${pattern.join('')}$`).test(each));
}

/** "V." for "Vasile", "Gh." for "Gheorghe". */
function isInitialOf({ dotted, spellings: [short = ''] }: Word, { spellings }: Word): boolean {
	const [long = ''] = spellings;
	const isInitial = short.length === 1 || (dotted && short.length <= LONGEST_INITIAL);
	return isInitial && long.length > short.length && long.startsWith(short);
}

function sameSound(row: Word, company: Word, rounded = (sound: string) => sound): boolean {
	const sounds = soundsOf(company).map(rounded);
	return soundsOf(row).some((sound) => sounds.includes(rounded(sound)));
}

const shortenedWords = listOf(SHORTENED_WORDS);

/** Whether a word abbreviates another one that company names often shorten: "Constr.". */
function isShortened({ dotted, spellings: [short = ''] }: Word, { spellings }: Word): boolean {
	return (
		dotted &&
		short.length >= SHORTEST_ABBREVIATION &&
		spellings.some((long) => shortenedWords.has(long) && long.startsWith(short))
	);
}

/**
 * Whether two folded words differ in one typo: a doubled letter, two swapped neighbors, a missing or
 * extra letter inside the word, or a similar consonant. A different first letter, vowel or ending makes
 * a different word, such as "Elit" and "Elita".
 */
export function isMisspelling(a: string, b: string): boolean {
	const [short, long] = a.length <= b.length ? [a, b] : [b, a];
	if (a !== b && withM(a) === withM(b)) return true;
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
	if (isSwapped(a, b)) return true;
	if (restOfShort.slice(1) !== restOfLong.slice(1)) return false;
	const isEnding = restOfShort.length === 1;
	if (isEnding && isVowel(x) && isVowel(y)) {
		// With the article, -ie becomes -ia: "panificație", "panificația".
		return short.length >= LONG && short.at(-2) === 'i' && 'aea'.includes(x + y);
	}
	return ALIKE.has(x + y);
}

/** Whether two neighboring letters are swapped: "Nrod", "Nord". */
function isSwapped(a: string, b: string): boolean {
	const at = sharedStart(a, b);
	const [x, y] = [a.slice(at), b.slice(at)];
	return at > 0 && x.length > 1 && x.slice(0, 2) === `${y[1]}${y[0]}` && x.slice(2) === y.slice(2);
}

/** In many fonts, rn looks like m. */
const withM = (word: string) => word.replace(/rn/g, 'm');

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
