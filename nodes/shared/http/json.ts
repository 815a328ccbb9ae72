export type Json = Record<string, unknown>;

export function isJson(value: unknown): value is Json {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Undefined if the text isn't JSON; wrapped in an object because the value can be null. */
export function parseJson(text: string): { value: unknown } | undefined {
	try {
		return { value: JSON.parse(text.replace(/^\uFEFF/, '')) as unknown };
	} catch {
		return undefined;
	}
}

export function without(object: Json, ...fields: string[]): Json {
	return Object.fromEntries(Object.entries(object).filter(([key]) => !fields.includes(key)));
}

/** Unwraps a list with a single entry, as linked-record fields return it. */
export function single(value: unknown): unknown {
	return Array.isArray(value) && value.length === 1 ? value[0] : value;
}

/**
 * An ID as a string. Services send IDs as numbers or strings, sometimes with leading zeros. Returns
 * undefined for values that can't identify a record: nothing, an empty string, 0, or a number too
 * large for JSON to hold exactly.
 */
export function readId(value: unknown): string | undefined {
	const isNumber = typeof value === 'number' && Number.isSafeInteger(value);
	const written = isNumber ? String(value) : typeof value === 'string' ? value.trim() : '';
	const id = /^\d+$/.test(written) ? written.replace(/^0+/, '') : written;
	return id === '' ? undefined : id;
}
