import { kindOfPlace } from './places';
import { isMisspelling } from './typos';
import { isCommon, isShortened, soundOf, type Word } from './words';

/** How two words match, from identical to probable. */
export type Agreement = 'same' | 'spelling' | 'abbreviation' | 'misspelling' | 'initial';

/** The fewest letters of words that only sound the same, or that may be misspelled. */
const SHORTEST_SPELLING = 3;
const SHORTEST_MISSPELLED = 5;
const SHORTEST_ABBREVIATION = 3;
/** The fewest letters that an abbreviation leaves out. */
const LEFT_OUT = 3;
const LONGEST_INITIAL = 3;

/** Whether two words have a spelling in common. */
function isSame(a: Word, b: Word): boolean {
	return a.spellings.some((each) => b.spellings.includes(each));
}

/** Whether two words are the same, or would be without a typo, however short they are. */
export function isSimilar(a: Word, b: Word): boolean {
	return isSame(a, b) || isMisspelling(a.spellings[0] ?? '', b.spellings[0] ?? '');
}

/**
 * How a row's word matches a word of a company's name; undefined if it doesn't.
 *
 * Numbers and short words have to be the same. A longer word may be misspelled. In the names of persons,
 * nothing counts as misspelled, since Ion and Ioan are different people, but an initial can stand for a
 * name.
 */
export function compareWords(row: Word, company: Word, isPersonal = false): Agreement | undefined {
	if (isSame(row, company) || areSameKind(row, company)) return 'same';
	const [a = '', b = ''] = [row.spellings[0], company.spellings[0]];
	if (/\d/.test(a + b)) return undefined;
	if (isPersonal && (isInitialOf(row, b) || isInitialOf(company, a))) return 'initial';
	if (isAbbreviation(row, company)) return 'abbreviation';
	const shortest = Math.min(a.length, b.length);
	if (soundOf(a) === soundOf(b) && shortest >= SHORTEST_SPELLING) return 'spelling';
	if (isPersonal || shortest < SHORTEST_MISSPELLED || isCommon(a)) return undefined;
	return isMisspelling(a, b) ? 'misspelling' : undefined;
}

/** "or." and "orașului", but not "satului" and "comunei". */
function areSameKind(row: Word, company: Word): boolean {
	const isKind = kindOfPlace(row) !== undefined && kindOfPlace(company) !== undefined;
	return isKind && row.written[0] === company.written[0];
}

/** "V." for "Vasile", "Gh." for "Gheorghe". */
function isInitialOf({ dotted, spellings: [short = ''] }: Word, long: string): boolean {
	const isInitial = short.length === 1 || (dotted && short.length <= LONGEST_INITIAL);
	return isInitial && long.startsWith(short);
}

/** Whether one of two words is a common abbreviation of the other: "Constr.". */
function isAbbreviation({ dotted, spellings: [short = ''] }: Word, { spellings }: Word): boolean {
	if (!dotted || short.length < SHORTEST_ABBREVIATION) return false;
	const isLong = ({ length }: string) => length >= short.length + LEFT_OUT;
	return spellings.some((long) => long.startsWith(short) && isLong(long) && isShortened(long));
}
