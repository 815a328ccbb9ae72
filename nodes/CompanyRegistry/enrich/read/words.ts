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

/** A word of a company's name, in the forms in which names are compared and searched. */
export interface Word {
	/** In Latin letters with current diacritics, e.g. `Vălmora`. */
	text: string;
	/** Folded spellings, the usual one first; a second one if it has â or î. */
	spellings: string[];
	/** Further ones if a letter of another alphabet can be read in two ways. Other words may have them as well. */
	otherSpellings: string[];
	/** As written, e.g. `ООО` or `ÎM`. */
	original: string;
	/** The original, folded but not transliterated, e.g. `ооо`. */
	written: string;
	/** In lower case as the name writes it, with the signs before it, e.g. `-agro` or `d.a.c.`, to search by. */
	source: string;
	/** The number that it is, in digits: `3` for `3`, `03`, `III` and `trei`. */
	number: string | undefined;
	/** Whether it is written with dots, as in `S.R.L.` or `Constr.`. */
	dotted: boolean;
	/** How many quotation marks enclose this word but not the whole name. */
	quotes: number;
	/** The comma, bracket or dash between spaces that stands before it; empty for none. */
	separator: string;
}

/** Lower case in the letters of the alphabet: ș and ş, ț and ţ, ă, â and î become s, t, a and i. */
export function fold(text: string): string {
	return text
		.normalize('NFD')
		.replace(/\p{M}/gu, '')
		.toLowerCase()
		.replace(SINGLE, (letter) => SINGLE_LETTERS.get(letter) ?? letter);
}

const SINGLE = new RegExp(`[${[...SINGLE_LETTERS.keys()].join('')}]`, 'g');

/** Which marks end a quotation, by the mark that begins it. */
const CLOSING = new Map([
	['„', '”“"‟'],
	['“', '”'],
	['”', '”'],
	['«', '»'],
	['‹', '›'],
	['"', '"'],
]);

/** Where a letter was lost in another encoding. At the end of a text, it can be a question. */
const LOST = String.raw`\?(?=\p{L})|(?<=\p{L})\?(?=\s*\S)`;

/** Stands for a lost letter in a word's spellings. */
export const LOST_LETTER = '?';

/**
 * Initials with dots, or a word with the dot that shortens it, or a quotation mark, or a separator.
 * A dot inside "panda.md" or "Pan.Service" shortens nothing.
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

/** No name is longer, and looking for legal forms in a longer text takes seconds. */
const MOST_WORDS = 60;
const MOST_LETTERS = 600;

/** The words of a name. Punctuation separates words; initials with dots are one word. */
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
	// Quotation marks around the whole name say nothing about its parts.
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

/** What stands between two words, without the signs that only surround a name. */
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
 * The text in one form: Romanian has ș and ț with a comma below, where old texts have a cedilla; some
 * texts have invisible marks, full-width letters or two signs for one quotation mark.
 */
function usualText(text: string): string {
	return repairEncoding(text.slice(0, MOST_LETTERS))
		.replace(/[™®©]|\p{Cf}/gu, '')
		.replaceAll('\ufffd', LOST_LETTER)
		.replaceAll('№', ' nr. ')
		.replace(/<<(.*?)>>/g, '«$1»')
		.normalize('NFKD')
		.replace(/([st])\u0327/gi, '$1\u0326')
		.normalize('NFC');
}

/**
 * â and î are one letter, written by position since 1993 and by choice before. Without diacritics
 * it is typed as a or as i.
 */
function spellingsOf(written: string): string[] {
	const usual = toLatin(written);
	const other = usual.replace(/[âî]/gi, (letter) => (letter.toLowerCase() === 'â' ? 'i' : 'a'));
	return [usual, other].map(fold);
}

function otherSpellingsOf(written: string): string[] {
	// Gagauz names keep the Turkish ç, which sounds like the Romanian ci.
	if (/ç/i.test(written)) return [fold(written.replace(/ç(?=[aouı])/gi, 'ci'))];
	if (!CYRILLIC.test(written)) return [];
	// In Moldovan words э is ă and ь is i; in Russian ones they are e and nothing.
	const moldovan = written.replace(/э/gi, 'а').replace(/ь$/i, 'и');
	// International words have юн for un and ц for c: "Юнион" is Union, "Центр" is Centru.
	const international = written.replace(/ю(?=н)/gi, 'у').replace(/ц(?=[еи])/gi, 'ч');
	return [moldovan, international].map((each) => fold(toLatin(each)));
}

const CYRILLIC = /\p{Script=Cyrillic}/u;

/** A word in Latin letters. One that has both scripts is a Latin word with look-alikes in it. */
function toLatin(word: string): string {
	if (!CYRILLIC.test(word)) return word;
	if (/\p{Script=Latin}/u.test(word)) {
		return [...word].map((letter) => LOOK_ALIKES.get(letter) ?? letter).join('');
	}
	const lower = word.toLowerCase();
	const latin = TRANSLITERATION.reduce((text, [from, to]) => text.replace(from, to), lower);
	return [...latin].map((letter) => LETTERS.get(letter) ?? letter).join('');
}

/** How a folded word sounds: the same for "Bukuria" and "Bucuria". */
export function soundOf(spelling: string): string {
	return SOUNDS.reduce((text, [from, to]) => text.replace(from, to), spelling);
}

const sounds = new WeakMap<Word, string[]>();

/** The sounds of a word's spellings. A row's word is compared with those of many companies. */
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

/** The words of a list in a table. */
export function listOf(words: string): ReadonlySet<string> {
	return new Set(words.trim().split(/\s+/));
}

const joining = listOf(JOINING);

/** Whether a word only connects those around it. At an end it does not: "No Limit", "N-Trans". */
export function isJoining({ written }: Word, position: number, words: readonly Word[]): boolean {
	return joining.has(written) && position > 0 && position < words.length - 1;
}

/**
 * Whether the folded word is common in company names, or made of two common words. Then a similar word
 * is not a misspelling of it, and a search for it finds too many companies.
 */
export function isKnownWord(spelling: string): boolean {
	if (KNOWN_WORDS.has(spelling)) return true;
	return Array.from({ length: Math.max(0, spelling.length - 5) }, (_, index) => index + 3).some(
		(at) => KNOWN_WORDS.has(spelling.slice(0, at)) && KNOWN_WORDS.has(spelling.slice(at)),
	);
}
