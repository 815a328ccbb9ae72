import { KNOWN_WORDS } from '../tables/knownWords';
import {
	JOINING,
	LETTERS,
	LOOK_ALIKES,
	LOST_IN_CYRILLIC,
	RUSSIAN_SPELLINGS,
	SOUNDS,
	TRANSLITERATION,
} from '../tables/spellings';

/** A word of a company's name, in the forms in which names are compared and searched. */
export interface Word {
	/** In Latin letters with current diacritics, e.g. `Vălmora`. */
	text: string;
	/** Folded spellings, the usual one first; a second one if it has â or î. */
	spellings: string[];
	/** Further ones if a Cyrillic letter can be read in two ways. Other words may have them, too. */
	otherSpellings: string[];
	/** As written, e.g. `ООО` or `ÎM`. */
	original: string;
	/** The original, folded but not transliterated, e.g. `ооо`. */
	written: string;
	/** Whether it is written with dots, as in `S.R.L.` or `Constr.`. */
	dotted: boolean;
	/** How many quotation marks are around it that are not around the whole name. */
	quotes: number;
	/** The comma, bracket or dash between spaces that stands before it; empty for none. */
	separator: string;
}

/** Lower case without diacritics: ș and ş, ț and ţ, ă, â and î become s, t, a and i. */
export function fold(text: string): string {
	return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** Which marks end a quotation, by the mark that begins it. */
const CLOSING: Record<string, string> = {
	'„': '”“"',
	'“': '”',
	'”': '”',
	'«': '»',
	'‹': '›',
	'"': '"',
};

/**
 * Initials with dots, or a word with the dot that shortens it, or a quotation mark, or a separator.
 * A dot inside "panda.md" or "Pan.Service" shortens nothing.
 */
const TOKEN =
	/(?<initials>(?<![\p{L}\p{N}])\p{L}(?:\.\s?\p{L})+(?![\p{L}\p{N}])\.?)|(?<word>[\p{L}\p{N}]+)(?<dot>\.(?=\s|$|[,;)]))?|(?<quote>[„“”«»‹›"])|(?<separator>[,;()/|[\]]|\s[-–—]\s)/gu;

/** No name is longer, and looking for legal forms in a longer text takes seconds. */
const MOST_WORDS = 60;

/** The words of a name. Punctuation separates words; initials with dots are one word. */
export function wordsOf(name: string): Word[] {
	const text = withCommas(name)
		.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
		.replace(/(?<!\p{L})(?:r-n(?:ul)?|r-l|р-н)(?!\p{L})/giu, 'raionul')
		.replace(/(?<!\p{L})(?:republica|rep\.|r\.)\s*moldova(?!\p{L})/giu, 'Moldova')
		.replace(/(?<!\p{L})республика\s+молдова(?!\p{L})/giu, 'Молдова');
	const words: Word[] = [];
	const open: string[] = [];
	let separator = '';
	for (const { groups = {} } of text.matchAll(TOKEN)) {
		if (words.length === MOST_WORDS) break;
		const { initials, word, dot, quote } = groups;
		if (quote !== undefined) {
			if (CLOSING[open.at(-1) ?? '']?.includes(quote)) open.pop();
			else if (quote in CLOSING) open.push(quote);
		} else if (groups.separator !== undefined) {
			// A slash belongs to numbers ("51/123") and to initials ("К/Х").
			separator = groups.separator.replace('/', '').trim();
		} else {
			const written = initials?.replace(/[^\p{L}]/gu, '') ?? word ?? '';
			words.push(
				wordOf(written, { dotted: Boolean(initials ?? dot), quotes: open.length, separator }),
			);
			separator = '';
		}
	}
	// Quotation marks around the whole name say nothing about its parts.
	const around = Math.min(...words.map(({ quotes }) => quotes));
	return words.map((word) => ({ ...word, quotes: word.quotes - around }));
}

function wordOf(written: string, marks: Pick<Word, 'dotted' | 'quotes' | 'separator'>): Word {
	const text = inEnglish(written.toLowerCase()) ?? toLatin(written);
	const spellings = [...new Set([fold(text), ...spellingsOf(written)])];
	const otherSpellings = otherSpellingsOf(written);
	return { text, spellings, otherSpellings, original: written, written: fold(written), ...marks };
}

/** An English word in Russian spelling, also at the end of another: "Тайм", "Мегасервис". */
function inEnglish(written: string): string | undefined {
	const whole = RUSSIAN_SPELLINGS[written];
	if (whole !== undefined || !CYRILLIC.test(written)) return whole;
	const [russian, english] =
		COMPOUNDED.find(([end]) => written.endsWith(end) && written.length - end.length >= 3) ?? [];
	return russian && `${toLatin(written.slice(0, -russian.length))}${english}`;
}

/** Shorter words are the ends of too many others. */
const COMPOUNDED = Object.entries(RUSSIAN_SPELLINGS).filter(([russian]) => russian.length >= 4);

/** Romanian has ș and ț with a comma below; old texts have a cedilla there. Some have invisible marks. */
function withCommas(text: string): string {
	return text
		.replace(/\p{Cf}/gu, '')
		.normalize('NFD')
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
		return [...word].map((letter) => LOOK_ALIKES[letter] ?? letter).join('');
	}
	const lower = word.toLowerCase();
	const latin = TRANSLITERATION.reduce((text, [from, to]) => text.replace(from, to), lower);
	return [...latin].map((letter) => LETTERS[letter] ?? letter).join('');
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
