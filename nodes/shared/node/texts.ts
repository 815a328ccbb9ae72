import { processMap } from '../http/processMap';

/** A name and its sign, in turn. */
const NAMED = `
	amp & apos ' quot " lt < gt > colon : equals = lowbar _ comma , excl ! percnt % verbar | vert |
	bdquo „ ldquo “ rdquo ” lsquo ‘ rsquo ’ laquo « raquo » hellip … mdash — ndash – bull • middot ·
	euro € pound £ reg ® trade ™ copy © deg ° sect § times × plusmn ± frac12 ½ sup2 ² permil ‰
	szlig ß oslash ø aelig æ
`;
const ENTITIES = new Map([
	['nbsp', ' '],
	...[...NAMED.matchAll(/(\S+) (\S)/g)].map(([, name = '', sign = '']) => [name, sign] as const),
]);

/** Services store an accented letter as its letter and the accent's name: `&Icirc;` for Î. */
const ACCENTS = new Map(
	Object.entries({
		acute: '\u0301',
		breve: '\u0306',
		caron: '\u030C',
		cedil: '\u0327',
		circ: '\u0302',
		grave: '\u0300',
		ring: '\u030A',
		tilde: '\u0303',
		uml: '\u0308',
	}),
);

/** A text may come escaped, and a service may escape it when it stores it, and again when it returns it. */
const MAX_ESCAPES = 3;

/** Decodes HTML entities, even if the text was escaped twice: `Vin & Vie` for `Vin &amp;amp; Vie`. */
export function withoutEntities(text: string): string {
	let plain = text;
	for (let times = 0; times < MAX_ESCAPES && plain.includes('&'); times++) plain = decoded(plain);
	return plain;
}

function decoded(text: string): string {
	return text
		.replace(/&#(x[\da-f]{1,5}|\d{1,6});/gi, (_, code: string) =>
			String.fromCodePoint(Number(code.replace(/^x/i, '0x')) || 32),
		)
		.replace(/&([a-z])([a-z]+\d*);/gi, (entity, letter: string, rest: string) => {
			const accent = ACCENTS.get(rest.toLowerCase());
			if (accent) return (letter + accent).normalize('NFC');
			const sign = ENTITIES.get((letter + rest).toLowerCase());
			return (letter < 'a' ? sign?.toUpperCase() : sign) ?? entity;
		});
}

// When are two texts the same? Each of the four functions that follow ignores more than the one before.

/**
 * A text as it was before a service stored it: trimmed, with one Unicode form for accented letters, and with
 * HTML entities decoded. An empty string for values that are neither text nor numbers.
 */
export function storedText(value: unknown): string {
	if (typeof value !== 'string' && typeof value !== 'number') return '';
	return withoutEntities(String(value)).trim().normalize('NFC');
}

/** Invisible characters, such as a zero-width space, a direction mark and a soft hyphen. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

export function withoutInvisible(text: string): string {
	return text.replace(INVISIBLE, '');
}

/**
 * What people see of a text: like {@link storedText}, without invisible characters, and with single ordinary
 * spaces.
 */
export function normalText(value: unknown): string {
	return withoutInvisible(storedText(value)).replace(/\s+/gu, ' ').trim();
}

/** Like {@link normalText}, with ş and ţ, which older keyboards have, as the letters ș and ț. */
export function sameText(value: unknown): string {
	return normalText(value).normalize('NFD').replaceAll('\u0327', '\u0326').normalize('NFC');
}

/** Like {@link sameText}, in lower case without diacritics. */
export function foldedText(value: unknown): string {
	return fold(sameText(value));
}

/** Lower case without diacritics, which people often leave out, e.g. `tara` for `Țară`. */
export function fold(text: string): string {
	return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** Whether texts only differ in letters that a database without Unicode has stored as question marks. */
export function isSameWithLostLetters(one: string, other: string): boolean {
	const [signs, others] = [[...one], [...other]];
	const isLost = (sign: string, letter: string) => sign === '?' && letter > '\x7F';
	return (
		signs.length === others.length &&
		signs.every((sign, place) => {
			const there = others[place]!;
			return fold(sign) === fold(there) || isLost(sign, there) || isLost(there, sign);
		})
	);
}

/** For what repeats, such as headings and the names of towns: each text is read once. */
export function remembered<T>(read: (text: string) => T): (text: string) => T {
	const all = processMap<T>({ most: 2_000 });
	return (text) => {
		const known = all.get(text);
		if (known !== undefined) return known;
		const value = read(text);
		all.set(text, value);
		return value;
	};
}
