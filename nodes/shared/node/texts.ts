const ENTITIES = new Map(
	Object.entries({
		amp: '&',
		apos: "'",
		bdquo: '„',
		gt: '>',
		laquo: '«',
		ldquo: '“',
		lt: '<',
		mdash: '—',
		nbsp: ' ',
		ndash: '–',
		quot: '"',
		raquo: '»',
		rdquo: '”',
	}),
);

/** Decodes HTML entities: `Vin & Vie` for `Vin &amp; Vie`. */
export function withoutEntities(text: string): string {
	return text
		.replace(/&#(x?)([\da-f]{1,6});/gi, (_, hex, code: string) =>
			String.fromCodePoint(Math.min(parseInt(code, hex === '' ? 10 : 16) || 32, 0x10ffff)),
		)
		.replace(/&([a-z]+);/gi, (entity, name: string) => ENTITIES.get(name.toLowerCase()) ?? entity);
}

/** A service may escape a text when it stores the text, and again when it returns it. */
const MAX_ESCAPES = 3;

/**
 * Normalizes a text for comparisons: trims it, uses one Unicode form for accented letters, and
 * decodes HTML entities, which some services store. Returns an empty string for values that are
 * neither text nor numbers.
 */
export function normalText(value: unknown): string {
	if (typeof value !== 'string' && typeof value !== 'number') return '';
	let text = String(value);
	for (let times = 0; times < MAX_ESCAPES && text.includes('&'); times++) {
		text = withoutEntities(text);
	}
	return text.trim().normalize('NFC');
}

/** Whether a user would call two values equal, whatever their types. */
export function isSameValue(a: unknown, b: unknown): boolean {
	const [x, y] = [comparable(a), comparable(b)];
	if (x === y) return true;
	const hasNumber = typeof a === 'number' || typeof b === 'number';
	return hasNumber && x !== '' && y !== '' && Number(x) === Number(y);
}

/** Text, because a spreadsheet and a database store the same value as different types. */
function comparable(value: unknown): string {
	if (value === null || value === undefined) return '';
	const text = typeof value === 'object' ? JSON.stringify(value) : normalText(String(value));
	return text.replace(/\s+/gu, ' ');
}
