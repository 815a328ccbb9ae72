import { KNOWN_WORDS } from '../tables/knownWords';
import { NUMBER_WORDS } from '../tables/numbers';
import { LONG_NAMES } from '../tables/places';
import {
	JOINING,
	LETTERS,
	LOOK_ALIKES,
	LOST_IN_CYRILLIC,
	RUSSIAN_SPELLINGS,
	SINGLE_LETTERS,
	SOUNDS,
	TRANSLITERATION,
} from '../tables/spellings';
import { repairEncoding } from './encodings';

/** A word of a company's name, with everything that comparing and searching needs. */
export interface Word {
	/** In Latin letters with current diacritics, e.g. `Vălmora`. */
	text: string;
	/** Folded spellings, the usual one first. A word with â or î has two. */
	spellings: string[];
	/** Less certain spellings, for letters of another alphabet that can be read in two ways. */
	otherSpellings: string[];
	/** As written, e.g. `ООО` or `ÎM`. */
	original: string;
	/** The original, folded but not transliterated, e.g. `ооо`. */
	written: string;
	/** What a search sends: the word in lower case with the signs before it, e.g. `-agro` or `d.a.c.`. */
	source: string;
	/** In digits if the word is a number: `3` for `3`, `03`, `III` and `trei`. */
	number: string | undefined;
	/** Whether it is written with dots, as in `S.R.L.` or `Constr.`. */
	dotted: boolean;
	/** How deep the word is in quotation marks, not counting those around the whole name. */
	quotes: number;
	/** The comma, bracket or spaced dash before the word, if any. */
	separator: string;
}

/** Lower case without diacritics, e.g. `tara` for `Țară`. */
export function fold(text: string): string {
	return text
		.normalize('NFD')
		.replace(/\p{M}/gu, '')
		.toLowerCase()
		.replace(SINGLE, (letter) => SINGLE_LETTERS.get(letter) ?? letter);
}

const SINGLE = new RegExp(`[${[...SINGLE_LETTERS.keys()].join('')}]`, 'g');

/** Closing quotation marks by the opening one. */
const CLOSING = new Map([
	['„', '”“"‟'],
	['“', '”'],
	['”', '”'],
	['«', '»'],
	['‹', '›'],
	['"', '"'],
]);

/** A question mark that replaced a letter. At the end of a text, it may be a real one. */
const LOST = String.raw`\?(?=\p{L})|(?<=\p{L})\?(?=\s*\S)`;

/** Stands for a lost letter in a word's spellings. */
export const LOST_LETTER = '?';

/**
 * Dotted initials, a word with its abbreviation dot, a quotation mark, or a separator. The dots in
 * "panda.md" and "Pan.Service" aren't abbreviation dots.
 */
const TOKEN = new RegExp(
	[
		String.raw`(?<initials>(?<![\p{L}\p{N}])\p{L}(?:\.\s?\p{L})+(?![\p{L}\p{N}])\.?)`,
		String.raw`(?<word>(?:${LOST})*[\p{L}\p{N}](?:[\p{L}\p{N}]|${LOST})*)(?<dot>\.(?=\s|$|[,;)]))?`,
		String.raw`(?<quote>[„“”«»‹›"‟])`,
		String.raw`(?<separator>[,;()/|[\]]|\s[-–—]\s)`,
	].join('|'),
	'gu',
);

/** Longer than any name. Looking for legal forms in a longer text would take seconds. */
const MOST_WORDS = 60;
const MOST_LETTERS = 600;

/** Splits a name at punctuation. Dotted initials stay one word. */
export function wordsOf(name: string): Word[] {
	const text = usualText(name)
		.replace(/(?<!\p{L})(?:r-n(?:ul)?|r-l|р-н)(?!\p{L})/giu, 'raionul')
		.replace(/(?<!\p{L})(?:republica|rep\.|r\.)\s*moldova(?!\p{L})/giu, 'Moldova')
		.replace(/(?<!\p{L})республика\s+молдова(?!\p{L})/giu, 'Молдова')
		.replace(RUSSIAN_LONG_NAMES, (russian) => longNames.get(fold(russian)) ?? russian);
	const words: Word[] = [];
	const open: string[] = [];
	let [separator, end] = ['', 0];
	for (const { 0: token, index, groups = {} } of text.matchAll(TOKEN)) {
		if (words.length >= MOST_WORDS) break;
		const { initials, word, dot, quote } = groups;
		if (quote !== undefined) {
			if (CLOSING.get(open.at(-1) ?? '')?.includes(quote)) open.pop();
			else if (CLOSING.has(quote)) open.push(quote);
		} else if (groups.separator !== undefined) {
			// A slash belongs to numbers ("51/123") and to initials ("К/Х").
			separator = groups.separator.replace('/', '').trim();
		} else {
			const between = text.slice(end, index);
			end = index + token.length;
			const parts = initials === undefined ? (word ?? '').split(CAMEL_CASE) : [initials];
			for (const [position, part] of parts.entries()) {
				const isFirst = position === 0;
				const isLast = position === parts.length - 1;
				words.push(
					wordOf(initials === undefined ? part : part.replace(/[^\p{L}]/gu, ''), {
						source: `${isFirst ? signsIn(between) : ''}${part}${isLast ? (dot ?? '') : ''}`,
						dotted: initials !== undefined || (isLast && dot !== undefined),
						quotes: open.length,
						separator: isFirst ? separator : '',
					}),
				);
			}
			separator = '';
		}
	}
	// Quotation marks around the whole name don't set any word apart.
	const around = Math.min(...words.map(({ quotes }) => quotes));
	return words.map((word) => ({ ...word, quotes: word.quotes - around }));
}

const longNames = new Map(
	LONG_NAMES.flatMap((line) => {
		const [name = '', ...russian] = line.split('/');
		return russian.map((each): [string, string] => [fold(each), name]);
	}),
);
const RUSSIAN_LONG_NAMES = new RegExp(
	LONG_NAMES.flatMap((line) => line.split('/').slice(1)).join('|'),
	'giu',
);

const CAMEL_CASE = /(?<=\p{Ll})(?=\p{Lu})/u;

/** The signs between two words, without quotation marks, brackets and commas. */
function signsIn(between: string): string {
	return between.replace(/[„“”«»‹›"‟()[\]{},;:|]/g, ' ').replace(/\s+/g, ' ');
}

function wordOf(
	original: string,
	marks: Pick<Word, 'source' | 'dotted' | 'quotes' | 'separator'>,
): Word {
	const written = fold(original);
	const text = RUSSIAN_SPELLINGS.get(original.toLowerCase()) ?? toLatin(original);
	const spellings = [...new Set([fold(text), ...spellingsOf(original)])];
	const source = CYRILLIC.test(original) ? marks.source.replace(original, text) : marks.source;
	return {
		...{ text, spellings, otherSpellings: otherSpellingsOf(original), original, written },
		...{ ...marks, source: source.toLowerCase(), number: numberOf(original, written) },
	};
}

const numberWords = new Map(
	NUMBER_WORDS.flatMap((line, index) =>
		line.split(' ').map((word): [string, string] => [word, String(index + 1)]),
	),
);

const ROMAN = /^X{0,3}(?:IX|IV|V?I{0,3})$/;

function numberOf(original: string, written: string): string | undefined {
	if (/^\d+$/.test(original)) return original.replace(/^0+(?=\d)/, '');
	// A single letter can be an initial.
	if (original.length < 2 || !ROMAN.test(original)) return numberWords.get(written);
	const values = [...original].map((letter) => ({ I: 1, V: 5, X: 10 })[letter] ?? 0);
	const sum = values.reduce(
		(total, value, index) => total + (value < (values[index + 1] ?? 0) ? -value : value),
		0,
	);
	return String(sum);
}

/**
 * Normalizes what different programs write differently: cedillas instead of commas below ș and ț,
 * invisible marks, full-width letters, the numero sign, „…” as people type it: ,,…" or ,,…''.
 */
function usualText(text: string): string {
	return repairEncoding(text.slice(0, MOST_LETTERS))
		.replace(/[™®©]|\p{Cf}/gu, '')
		.replaceAll('\ufffd', LOST_LETTER)
		.replaceAll('№', ' nr. ')
		.replaceAll("''", '”')
		.replace(/,,(?=[^,„”“"]*[”“"])/g, '„')
		.normalize('NFKD')
		.replace(/([st])\u0327/gi, '$1\u0326')
		.normalize('NFC');
}

/**
 * â and î are the same sound, and spelling rules have changed which one to write. Without diacritics,
 * people type it as a or i.
 */
function spellingsOf(written: string): string[] {
	const usual = toLatin(written);
	const other = usual.replace(/[âî]/gi, (letter) => (letter.toLowerCase() === 'â' ? 'i' : 'a'));
	return [usual, other].map(fold);
}

function otherSpellingsOf(written: string): string[] {
	// Gagauz names keep the Turkish ç, which Romanian spells ci.
	if (/ç/i.test(written)) return [fold(written.replace(/ç(?=[aouı])/gi, 'ci'))];
	if (!CYRILLIC.test(written)) return [];
	// In Romanian words written in Cyrillic, э is ă and a final ь is i.
	const moldovan = written.replace(/э/gi, 'а').replace(/ь$/i, 'и');
	// In international words, юн is un and ц is c: "Юнион", "Центр".
	const international = written.replace(/ю(?=н)/gi, 'у').replace(/ц(?=[еи])/gi, 'ч');
	return [moldovan, international].map((each) => fold(toLatin(each)));
}

const CYRILLIC = /\p{Script=Cyrillic}/u;

/** A word in Latin letters. If it mixes scripts, the letters of one look like those of the other. */
function toLatin(word: string): string {
	const hasLatin = /\p{Script=Latin}/u.test(word);
	const latin = withLetters(word, LOOK_ALIKES);
	if (hasLatin && !CYRILLIC.test(latin)) return latin;
	const cyrillic = hasLatin ? withLetters(word, CYRILLIC_LOOK_ALIKES) : word;
	const text = TRANSLITERATION.reduce(
		(rest, [from, to]) => rest.replace(from, to),
		cyrillic.toLowerCase(),
	);
	return withLetters(text, LETTERS);
}

const CYRILLIC_LOOK_ALIKES = new Map(
	[...LOOK_ALIKES].map(([cyrillic, latin]) => [latin, cyrillic]),
);

function withLetters(word: string, letters: ReadonlyMap<string, string>): string {
	return [...word].map((letter) => letters.get(letter) ?? letter).join('');
}

/** How a folded word sounds: the same for "Bukuria" and "Bucuria". */
export function soundOf(spelling: string): string {
	return SOUNDS.reduce((text, [from, to]) => text.replace(from, to), spelling);
}

const sounds = new WeakMap<Word, string[]>();

/** The sounds of a word's spellings, cached because a row's word is compared with many others. */
export function soundsOf(word: Word): string[] {
	const known = sounds.get(word);
	if (known) return known;
	const own = [...word.spellings, ...word.otherSpellings].map(soundOf);
	sounds.set(word, own);
	return own;
}

/** A sound without the distinctions that Cyrillic letters don't make. */
export function roughly(sound: string): string {
	return LOST_IN_CYRILLIC.reduce((text, [from, to]) => text.replace(from, to), sound);
}

/** Splits a list from a table into its words, folded. */
export function listOf(words: string): ReadonlySet<string> {
	return new Set(fold(words).trim().split(/\s+/));
}

const joining = listOf(JOINING);

/** Whether a word only connects its neighbors. The first word of "No Limit" doesn't. */
export function isJoining({ written }: Word, position: number, words: readonly Word[]): boolean {
	return joining.has(written) && position > 0 && position < words.length - 1;
}

/**
 * Whether a folded word is common in company names, or consists of two common words. A search for such
 * a word finds too many companies, and a similar word isn't a misspelling of it.
 */
export function isKnownWord(spelling: string): boolean {
	if (KNOWN_WORDS.has(spelling)) return true;
	return Array.from({ length: Math.max(0, spelling.length - 5) }, (_, index) => index + 3).some(
		(at) => KNOWN_WORDS.has(spelling.slice(0, at)) && KNOWN_WORDS.has(spelling.slice(at)),
	);
}
