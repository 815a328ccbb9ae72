const ENTITIES: Record<string, string> = {
	...{ amp: '&', nbsp: ' ', apos: "'", lt: '<', gt: '>' },
	...{ quot: '"', laquo: '«', raquo: '»', bdquo: '„', ldquo: '“', rdquo: '”' },
	...{ ndash: '–', mdash: '—' },
};

/** Text without HTML entities: `Vin & Vie` for `Vin &amp; Vie`. */
export function withoutEntities(text: string): string {
	return text
		.replace(/&#(x?)([\da-f]{1,6});/gi, (_, hex, code: string) =>
			String.fromCodePoint(Math.min(parseInt(code, hex === '' ? 10 : 16) || 32, 0x10ffff)),
		)
		.replace(/&([a-z]+);/gi, (entity, name: string) => ENTITIES[name.toLowerCase()] ?? entity);
}

/**
 * A text to compare with others. Surrounding spaces and the two Unicode forms of accented letters are
 * ignored. HTML entities are decoded, because some services store them. Empty if the value is neither
 * text nor a number.
 */
export function normalText(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number'
		? withoutEntities(String(value)).trim().normalize('NFC')
		: '';
}
