import { encodeSegment } from './url';

/**
 * Cleans up the API key of a credential. People paste keys with line breaks and invisible characters
 * (which a header can't contain), surrounding spaces or a leading "Bearer", and an expression may
 * return a number.
 */
export function normaliseKey(value: unknown): string {
	return String(value ?? '')
		.replace(/[\r\n\u200b-\u200f\u2060\ufeff]+/g, '')
		.trim()
		.replace(/^bearer\s+/i, '');
}

/** Whether a header can contain the key. n8n's HTTP client would send it without the other characters. */
export function isSendableKey(key: string): boolean {
	return /^[\t -~\u0080-\u00ff]*$/.test(key);
}

/**
 * Hides the API key in a value: in a string, or anywhere in an array or a plain object, including
 * field names. Other values are returned unchanged.
 */
export type Mask = <T>(value: T) => T;

const MASKED = '***';
/** Shorter keys aren't masked, because they'd match ordinary text. They're easy to guess anyway. */
const SHORTEST_KEY = 4;
/**
 * Shorter numbers aren't masked even if they equal the key. They're more likely to be IDs or
 * counters.
 */
const SHORTEST_NUMBER = 8;

/**
 * Returns a function that masks the key wherever a service might repeat it: as is, escaped as in
 * JSON, or encoded as in a URL or a form.
 *
 * @param key as returned by {@link normaliseKey}
 */
export function keyMask(key: string): Mask {
	if (key.length < SHORTEST_KEY) return (value) => value;
	const forms = [...encodingsOf(key)].sort((one, other) => other.length - one.length);
	const anyForm = new RegExp(forms.map(escapeRegExp).join('|'), 'gi');
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

/** Dates and other class instances can't be rebuilt from their fields. */
function isPlainObject(value: unknown): value is object {
	if (typeof value !== 'object' || value === null) return false;
	const prototype: unknown = Object.getPrototypeOf(value);
	return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function encodingsOf(key: string): Set<string> {
	const json = JSON.stringify(key).slice(1, -1);
	const unicode = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
	return new Set([
		key,
		json,
		// PHP escapes slashes and non-ASCII characters in JSON.
		json.replaceAll('/', '\\/').replace(/[^ -~]/g, unicode),
		encodeSegment(key),
		new URLSearchParams({ key }).toString().slice('key='.length),
	]);
}

function escapeRegExp(text: string): string {
	return text.replace(/[$()*+./?[\\\]^{|}-]/g, '\\$&');
}
