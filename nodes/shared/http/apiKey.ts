import { encodeSegment } from './url';

/**
 * A credential's key as it is sent: text without line breaks, which no header can have, without spaces
 * around it, and without "Bearer", which is easily copied with it. An expression can return a number.
 */
export function normaliseKey(value: unknown): string {
	return String(value ?? '')
		.replace(/[\r\n]+/g, '')
		.trim()
		.replace(/^bearer\s+/i, '');
}

/** Replaces a key in a text, and in all texts and names within a record; other values pass unchanged. */
export type Mask = <T>(value: T) => T;

const MASKED = '***';
/** A shorter key is not masked: its characters occur in any text, and it can be guessed anyway. */
const SHORTEST_KEY = 4;
/** A number with fewer digits is an id or a counter, even if it equals the key. */
const SHORTEST_NUMBER = 8;

/**
 * The function that masks a key in everything that leaves the nodes: plain, escaped as in JSON, and
 * encoded as in a URL or a form.
 *
 * @param key as {@link normaliseKey} returns it
 */
export function keyMask(key: string): Mask {
	if (key.length < SHORTEST_KEY) return (value) => value;
	const forms = [...writtenForms(key)].sort((one, other) => other.length - one.length);
	const anyForm = new RegExp(forms.map(escaped).join('|'), 'gi');
	const mask = (value: unknown): unknown => {
		if (typeof value === 'string') return value.replace(anyForm, MASKED);
		if (typeof value === 'number') {
			return key.length >= SHORTEST_NUMBER && String(value) === key ? MASKED : value;
		}
		if (Array.isArray(value)) return value.map(mask);
		if (!isPlainObject(value)) return value;
		return Object.fromEntries(
			Object.entries(value).map(([name, entry]) => [mask(name), mask(entry)]),
		);
	};
	return mask as Mask;
}

/** Dates and other objects with a class are not rebuilt: their content is not in their fields. */
function isPlainObject(value: unknown): value is object {
	if (typeof value !== 'object' || value === null) return false;
	const prototype: unknown = Object.getPrototypeOf(value);
	return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function writtenForms(key: string): Set<string> {
	const json = JSON.stringify(key).slice(1, -1);
	const unicode = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
	return new Set([
		key,
		json,
		// As PHP writes JSON.
		json.replaceAll('/', '\\/').replace(/[^ -~]/g, unicode),
		encodeSegment(key),
		new URLSearchParams({ key }).toString().slice('key='.length),
	]);
}

function escaped(text: string): string {
	return text.replace(/[$()*+./?[\\\]^{|}-]/g, '\\$&');
}
