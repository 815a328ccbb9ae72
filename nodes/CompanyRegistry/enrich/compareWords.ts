import { isKnownWord } from './knownWords';
import { isPlace, kindOfPlace } from './places';
import { soundOf } from './words';
import type { Word } from './words';

/** How two words agree: from the same word to one that is most likely meant. */
export type Agreement = 'same' | 'sound' | 'shortened' | 'misspelled';

/** Words with fewer letters have too many others that differ by one. */
const SHORTEST_MISSPELLED = 5;
/** From this length on, one letter more or less at its end is no longer another word. */
const LONG = 9;
const SHORTEST_ABBREVIATION = 3;

/**
 * Whether a word of a row and a word of a company's name are one, and how.
 *
 * Numbers, words with digits, single letters and short words agree only if they are the same. A
 * longer one may be misspelled, unless what is written is a word of its own.
 *
 * @param isWord whether a folded spelling is a word of some company's name
 */
export function compareWords(
	row: Word,
	company: Word,
	isWord: (spelling: string) => boolean,
): Agreement | undefined {
	if (row.spellings.some((spelling) => company.spellings.includes(spelling))) return 'same';
	const kind = kindOfPlace(row);
	// A single letter can be an initial.
	const isWritten = Math.min(row.written.length, company.written.length) > 1;
	if (isWritten && kind !== undefined && kind === kindOfPlace(company)) return 'same';
	const [a = '', b = ''] = [row.spellings[0], company.spellings[0]];
	if (/\d/.test(a + b)) return undefined;
	if (isShortened(row, b) || isShortened(company, a)) return 'shortened';
	const isTransliterated = row.written !== a || company.written !== b;
	const isLong = Math.min(a.length, b.length) >= SHORTEST_MISSPELLED;
	const sameSound = row.spellings.some((spelling) =>
		company.spellings.some((other) => soundOf(spelling) === soundOf(other)),
	);
	if (sameSound && isTransliterated) return 'sound';
	if (!isLong || isPlace(row) || isKnownWord(a) || isWord(a)) return undefined;
	if (sameSound) return 'sound';
	return isMisspelling(a, b) ? 'misspelled' : undefined;
}

/** "Constr." is short for "Construct"; a single initial fits too many words. */
function isShortened({ dotted, spellings: [short = ''] }: Word, long: string): boolean {
	return dotted && short.length >= SHORTEST_ABBREVIATION && long.startsWith(short);
}

/** Letters that sound alike, look alike or replace each other in Romanian names. */
const ALIKE = new Set(
	'bp dt gk ck cg kq cq sz vf vw fw ij iy jy ai xs dz tz cs'
		.split(' ')
		.flatMap((pair) => [pair, [...pair].reverse().join('')]),
);

/**
 * Whether two folded words differ by one slip of the keyboard or the ear: a letter doubled or not,
 * two neighbours exchanged, a letter missing or added inside, or a letter taken for one like it.
 * A different first letter or a different ending makes another word: "Elit" and "Elita".
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
		// A long noun in -ie has the article as -ia: "panificație", "panificația".
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
