import { fold, remembered } from '../../shared/node/texts';
import { ROMANIAN_NAMES } from './tables/places';
import * as CLASSES from './tables/words';
import {
	LETTERS,
	LOOK_ALIKE,
	OTHER_SPELLINGS,
	READABLE,
	RUSSIAN_SPELLINGS,
	SOUNDS,
	TRANSLITERATION,
	USUAL,
} from './tables/spellings';
import type { Rules } from './tables/spellings';

/** A word of a company's name, with everything that comparing and searching needs. */
export interface Word {
	/** As written, e.g. `ООО` or `ÎM`. */
	original: string;
	/** The original, folded but not transliterated, e.g. `ооо`. */
	written: string;
	/** In Latin letters with current diacritics, e.g. `Vălmora`. */
	text: string;
	/** Folded spellings, the usual one first. A word with â or î has two. */
	spellings: string[];
	/** What a search sends: the word in lower case with the signs before it, e.g. `-agro` or `d.a.c.`. */
	source: string;
	/** Whether it's written with dots, as in `S.R.L.` or `Constr.`. */
	dotted: boolean;
	/** Whether it's in quotation marks, not counting those around the whole name. */
	quoted: boolean;
	/** The comma, bracket or spaced dash before the word, if any. */
	separator: string;
}

export { fold };

/** Splits a list from a table into its words, folded. */
export function listOf(...lists: string[]): ReadonlySet<string> {
	return new Set(fold(lists.join(' ')).trim().split(/\s+/));
}

/**
 * Dotted initials, a word with its abbreviation dot, a quotation mark, or a separator. Initials have a
 * space after every dot or after none, so "Ț. S.R.L." is two words. The dot in "panda.md" isn't an
 * abbreviation's.
 */
const TOKEN = new RegExp(
	[
		String.raw`(?<initials>\p{L}(?:(?:\.\p{L})+|(?:\.\s\p{L}(?!\.\p{L}))+)(?![\p{L}\p{N}])\.?)`,
		String.raw`(?<word>[\p{L}\p{N}]+)(?<dot>\.(?=\s|$|[,;)"]))?`,
		String.raw`(?<quote>")`,
		String.raw`(?<separator>[,;()/|[\]]|\s[-–—]\s)`,
	].join('|'),
	'gu',
);

/** Longer than any name with the text around it. Looking for legal forms in more would take seconds. */
export const MOST_LETTERS = 400;

/** Splits a name at punctuation. Dotted initials stay one word. A name is read several times, and towns repeat. */
export const wordsOf = remembered((name): readonly Word[] => {
	const words: Word[] = [];
	const text = usualText(name);
	const isMixed = CYRILLIC.test(text) && MIXED.test(text);
	let quoted = false;
	let quotedFrom = 0;
	let separator = '';
	let end = 0;
	for (const { 0: token, index, groups = {} } of text.matchAll(TOKEN)) {
		const { initials, word = '', dot } = groups;
		if (groups.quote !== undefined) {
			quoted = !quoted;
			quotedFrom = words.length;
		} else if (groups.separator !== undefined) separator = groups.separator;
		else {
			const signs = text.slice(end, index).replace(/["()[\]{},;:|]/g, ' ');
			const original = initials?.replace(/[^\p{L}]/gu, '') ?? word;
			const letters = lettersOf(original, `${signs}${token}`, isMixed);
			const dotted = (initials ?? dot) !== undefined;
			words.push({ ...letters, dotted, quoted, separator });
			separator = '';
			end = index + token.length;
		}
	}
	// A quotation mark without its pair sets nothing apart.
	return quoted
		? words.map((word, index) => (index < quotedFrom ? word : { ...word, quoted: false }))
		: words;
});

function lettersOf(original: string, source: string, isMixed: boolean) {
	const latin = toLatin(original);
	const typed = isMixed ? inLatinLetters(original) : undefined;
	const text = typed ?? translated(original) ?? latin;
	// â and î are the same sound, and spelling rules have changed which one to write. Without diacritics,
	// people type it as a or i.
	const other = text.replace(/[âî]/gi, (letter) => (letter.toLowerCase() === 'â' ? 'i' : 'a'));
	// Most words are in Latin letters, which have no others.
	const rules = CYRILLIC.test(original) ? OTHER_SPELLINGS : [];
	const others = rules.map((rule) => toLatin(withRules(original, [rule])));
	const spellings = [...new Set([text, latin, other, ...others].map(fold))];
	const inLatin = CYRILLIC.test(original) ? source.replace(original, text) : source;
	return { original, written: fold(original), text, spellings, source: inLatin.toLowerCase() };
}

/** With full-width letters and ligatures as usual ones. */
function usualText(text: string): string {
	const plain = withRules(text.slice(0, MOST_LETTERS), READABLE).normalize('NFKD');
	return withRules(plain, USUAL).normalize('NFC');
}

const CYRILLIC = /\p{Script=Cyrillic}/u;
/** A word of three letters or more in both alphabets. Romanian forms are often typed like that: "О.S.". */
const MIXED = /(?=\p{L}{3})\p{L}*(?:[a-z]\p{Script=Cyrillic}|\p{Script=Cyrillic}[a-z])/iu;

function toLatin(word: string): string {
	if (!CYRILLIC.test(word)) return word;
	const typed = /[a-z]/i.test(word) ? inLatinLetters(word) : undefined;
	if (typed !== undefined) return typed;
	const text = withRules(word.toLowerCase(), TRANSLITERATION);
	return [...text].map((letter) => LETTERS.get(letter) ?? letter).join('');
}

/** A word whose Cyrillic letters all look like Latin ones, in those; undefined if it has others. */
export function inLatinLetters(word: string): string | undefined {
	const latin = [...word].map((each) => LOOK_ALIKE.get(each) ?? each).join('');
	return CYRILLIC.test(latin) ? undefined : latin;
}

/** The fewest letters of a translated word that also counts at the end of a longer one: "Агросервис". */
const SHORTEST_END = 5;
const ends = [...RUSSIAN_SPELLINGS.keys()].filter(({ length }) => length >= SHORTEST_END);
const COMPOUND = new RegExp(`^(.+)(${ends.join('|')})$`);

/** What a Cyrillic word is called in Romanian or English, rather than how it's spelled in Latin letters. */
function translated(original: string): string | undefined {
	if (!CYRILLIC.test(original)) return undefined;
	const word = original.toLowerCase();
	const whole = RUSSIAN_SPELLINGS.get(word) ?? ROMANIAN_NAMES.get(word);
	if (whole !== undefined) return whole;
	const [, start, end = ''] = COMPOUND.exec(word) ?? [];
	return start && toLatin(start) + RUSSIAN_SPELLINGS.get(end);
}

function withRules(text: string, rules: Rules): string {
	return rules.reduce((rest, [from, to]) => rest.replace(from, to), text);
}

/** How a folded word sounds: the same for "lukoria" and "lucoria". */
export function soundOf(spelling: string): string {
	return withRules(spelling, SOUNDS);
}

/** Signs of a text that was read in another encoding than it was saved in: "VÄƒlmora", "V?lmora". */
const WRONG_ENCODING = /\ufffd|[ÃÄÅÈ][^\p{L}\s\d.,;:"']|Ä[ƒ]|[РС][ђѓєѕіїјљњќўџ]|[À-ÿ]{4}|\?\p{L}/u;

export function hasWrongEncoding(text: string): boolean {
	return WRONG_ENCODING.test(text);
}

const joining = listOf(CLASSES.JOINING);

/** Whether a word only connects its neighbors. The first word of "No Limit" doesn't. */
export function isJoining({ written }: Word, position: number, words: readonly Word[]): boolean {
	// "nr." in "CCL nr. 135"
	const isNumberSign = written === 'nr' && /^\d/.test(words[position + 1]?.written ?? '');
	return joining.has(written) && (position > 0 || isNumberSign) && position < words.length - 1;
}

const { LEADING, TITLES, TRADES, DESCRIBING, COMPANY, COMMON, SHORTENED } = CLASSES;
const common = listOf(LEADING, TITLES, TRADES, DESCRIBING, COMPANY, COMMON);
const shortened = listOf([...common].join(' '), SHORTENED);

/**
 * Whether a folded word is common in company names. A search for it finds too many companies, and a
 * similar word isn't a misspelling of it.
 */
export function isCommon(spelling: string): boolean {
	return common.has(spelling);
}

/** Whether a folded word is often abbreviated: "Constr." for "construct". */
export function isShortened(spelling: string): boolean {
	return shortened.has(spelling);
}
