const ENTITIES = new Map(
	Object.entries({
		...{ amp: '&', nbsp: ' ', apos: "'", lt: '<', gt: '>' },
		...{ quot: '"', laquo: '«', raquo: '»', bdquo: '„', ldquo: '“', rdquo: '”' },
		...{ ndash: '–', mdash: '—' },
	}),
);

/** Text without HTML entities: `Vin & Vie` for `Vin &amp; Vie`. */
export function withoutEntities(text: string): string {
	return text
		.replace(/&#(x?)([\da-f]{1,6});/gi, (_, hex, code: string) =>
			String.fromCodePoint(Math.min(parseInt(code, hex === '' ? 10 : 16) || 32, 0x10ffff)),
		)
		.replace(/&([a-z]+);/gi, (entity, name: string) => ENTITIES.get(name.toLowerCase()) ?? entity);
}

/** A service may escape a text when it stores it, and again when it shows it. */
const MOST_ESCAPES = 3;

/**
 * A text to compare with others. Surrounding spaces and the two Unicode forms of accented letters are
 * ignored. HTML entities are decoded, because some services store them. Empty if the value is neither
 * text nor a number.
 */
export function normalText(value: unknown): string {
	if (typeof value !== 'string' && typeof value !== 'number') return '';
	let text = String(value);
	for (let times = 0; times < MOST_ESCAPES && text.includes('&'); times++) {
		text = withoutEntities(text);
	}
	return text.trim().normalize('NFC');
}
