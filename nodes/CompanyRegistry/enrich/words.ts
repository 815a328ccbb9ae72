/** A word of a company's name, in the forms in which names are compared and searched. */
export interface Word {
	/** In Latin letters with today's diacritics, e.g. `Vălmora`. */
	text: string;
	/** Folded spellings, the usual one first. More than one where a letter can be read in two ways. */
	spellings: string[];
	/** As it is written, e.g. `ООО` or `ÎM`. */
	original: string;
	/** The original, folded but not transliterated, e.g. `ооо`. */
	written: string;
	/** Whether it is written with dots, as in `S.R.L.` or `Constr.`. */
	dotted: boolean;
	/** How many quotation marks are around it that are not around the whole name. */
	quotes: number;
	/** Whether a comma, a parenthesis or a dash between spaces stands before it. */
	separated: boolean;
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

/** Initials with dots, or a word with the dot that shortens it, or a quotation mark, or a separator. */
const TOKEN =
	/(?<initials>(?<![\p{L}\p{N}])\p{L}(?:\.\s?\p{L})+(?![\p{L}\p{N}])\.?)|(?<word>[\p{L}\p{N}]+)(?<dot>\.(?=\s*\S))?|(?<quote>[„“”«»‹›"])|(?<separator>[,;()/|]|\s[-–—]\s)/gu;

/** The words of a name. Punctuation separates words; initials with dots are one word. */
export function wordsOf(name: string): Word[] {
	const text = withCommas(name)
		.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
		.replace(/(?<!\p{L})(?:r-n(?:ul)?|р-н)(?!\p{L})/giu, 'raionul');
	const words: Word[] = [];
	const open: string[] = [];
	let separated = false;
	for (const { groups = {} } of text.matchAll(TOKEN)) {
		const { initials, word, dot, quote, separator } = groups;
		if (quote !== undefined) {
			if (CLOSING[open.at(-1) ?? '']?.includes(quote)) open.pop();
			else if (quote in CLOSING) open.push(quote);
		} else if (separator !== undefined) {
			// A slash belongs to numbers ("51/123") and to initials ("К/Х").
			separated = separator !== '/';
		} else {
			const written = initials?.replace(/[^\p{L}]/gu, '') ?? word ?? '';
			words.push(
				wordOf(written, { dotted: Boolean(initials ?? dot), quotes: open.length, separated }),
			);
			separated = false;
		}
	}
	// Quotation marks around the whole name tell nothing about its parts.
	const around = Math.min(...words.map(({ quotes }) => quotes));
	return words.map((word) => ({ ...word, quotes: word.quotes - around }));
}

function wordOf(written: string, marks: Pick<Word, 'dotted' | 'quotes' | 'separated'>): Word {
	const text = toLatin(written);
	return {
		text,
		spellings: spellingsOf(written, text),
		original: written,
		written: fold(written),
		...marks,
	};
}

/** Romanian has ș and ț with a comma below; old texts have a cedilla there. */
function withCommas(text: string): string {
	return text
		.normalize('NFD')
		.replace(/([st])\u0327/gi, '$1\u0326')
		.normalize('NFC');
}

/**
 * â and î are one letter, written by position since 1993 and by choice before. Without diacritics
 * it is typed as a or as i.
 */
function spellingsOf(written: string, text: string): string[] {
	const usual = fold(text);
	const other = fold(
		text.replace(/[âî]/gi, (letter) => (letter.toLowerCase() === 'â' ? 'i' : 'a')),
	);
	// In Moldovan words э is ă and ь is i; in Russian ones they are e and nothing.
	const moldovan = written.replace(/э/gi, 'а').replace(/ь$/i, 'и');
	// International words have юн for un and ц for c: "Юнион" is Union, "Центр" is Centru.
	const international = written.replace(/ю(?=н)/gi, 'у').replace(/ц(?=[еи])/gi, 'ч');
	return [...new Set([usual, other, fold(toLatin(moldovan)), fold(toLatin(international))])];
}

/** Cyrillic letters that look like Latin ones: mixed into a Latin word they are typos. */
const LOOK_ALIKES: Record<string, string> = Object.fromEntries(
	[...'аАвВеЕкКмМнНоОрРсСтТуУхХіІ'].map((letter, index) => [
		letter,
		[...'aABBeEkKMMHHoOpPcCTTyYxXiI'][index] ?? letter,
	]),
);

const CYRILLIC = /\p{Script=Cyrillic}/u;

/** Cyrillic to Romanian spelling; the letters whose spelling depends on the next one come first. */
const TRANSLITERATION: ReadonlyArray<[pattern: RegExp, latin: string]> = [
	[/дж|ӂ/g, 'g'],
	[/кс/g, 'x'],
	[/к(?=[еиіэ])/g, 'ch'],
	[/г(?=[еиіэ])/g, 'gh'],
	[/ч(?=[еиіэьы])/g, 'c'],
	[/ч/g, 'ci'],
	[/[иі]я/g, 'ia'],
	[/[иі]ю/g, 'iu'],
	// "авто" and "евро" are auto and euro.
	[/ав(?=[кпстфхцчш])/g, 'au'],
	[/ев(?=[кпрстфхцчш])/g, 'eu'],
	[/[ьъ]/g, ''],
	[/^ы|ы$/g, 'î'],
];

const LETTERS: Record<string, string> = Object.fromEntries(
	(
		'а-a б-b в-v г-g ґ-g д-d е-e є-ie ё-io ж-j з-z и-i і-i ї-i й-i к-c л-l м-m н-n о-o п-p р-r ' +
		'с-s т-t у-u ф-f х-h ц-ț ш-ș щ-șt ы-â э-e ю-iu я-ia'
	)
		.split(' ')
		.map((pair) => pair.split('-') as [string, string]),
);

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

/** Spellings of one sound in Romanian, Russian transliteration and English, most specific first. */
const SOUNDS: ReadonlyArray<[pattern: RegExp, sound: string]> = [
	[/(?:sch|sh)/g, 's'],
	[/zh/g, 'j'],
	[/t[sz]/g, 't'],
	[/kh/g, 'h'],
	[/ph/g, 'f'],
	[/ch(?=[ei])|ck|q/g, 'k'],
	[/gh/g, 'g'],
	[/x/g, 'ks'],
	[/w/g, 'v'],
	[/y/g, 'i'],
	[/ci(?=[aou])|c(?=[ei])/g, 'č'],
	[/c/g, 'k'],
	[/av(?=[kpstfh])/g, 'au'],
	[/ev(?=[kprstfh])/g, 'eu'],
	[/ea|ya/g, 'ia'],
	[/(.)\1+/g, '$1'],
];

/** How a folded word sounds: the same for "Bukuria" and "Bucuria". */
export function soundOf(spelling: string): string {
	return SOUNDS.reduce((text, [from, to]) => text.replace(from, to), spelling);
}

/** Words that join others and say nothing about which company is meant. */
const JOINING = new Set('de di din la cu si and al ai ale pe pentru in и nr no n'.split(' '));

/** Whether a word of a name can be left out without changing the name. */
export function isJoining(word: Word, position: number, words: readonly Word[]): boolean {
	if (JOINING.has(word.written)) return true;
	// "a" joins between words ("Camera de Comerț a Republicii"); at an end it is a letter.
	return word.written === 'a' && position > 0 && position < words.length - 1;
}
