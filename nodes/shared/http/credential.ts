import { InputError } from './inputError';
import { isJson, type Json } from './json';
import { encodeSegment, shorten } from './text';

/**
 * The URL that API paths are appended to. Drops trailing slashes, and the `/api` or `/api/v1` that
 * people often paste, because every path already starts with it. Keeps any other path, such as
 * `https://host/links`.
 *
 * @throws InputError if the value isn't an http(s) URL, or contains a login
 */
export function cleanUrl(value: unknown): string {
	const given = typeof value === 'string' ? value.trim() : '';
	const url = URL.canParse(given) ? new URL(given) : undefined;
	if (!url || !/^https?:$/.test(url.protocol)) {
		throw new InputError(
			`The Base URL of the credential is ${given === '' ? 'empty' : 'not a web address'}`,
			'Enter the URL of the service, with http:// or https://, e.g. https://example.com.',
		);
	}
	if (url.username || url.password) {
		throw new InputError(
			'The Base URL of the credential contains a user name or password',
			"Remove them, because the nodes only send the API key. If a web server in front of the service wants a password, ask the service's administrator to let requests from n8n through.",
		);
	}
	const path = url.pathname.replace(/\/+$/, '').replace(/\/api(\/v\d+)?$/i, '');
	return url.origin + path.replace(/\/+$/, '');
}

/**
 * Cleans up the API key of a credential: surrounding spaces, a leading "Bearer", and characters that a
 * header can't contain, such as line breaks, which people paste. An expression may return a number.
 */
export function cleanKey(value: unknown): string {
	return String(value ?? '')
		.replace(/[^\t -~\u0080-\u00ff]+/g, '')
		.trim()
		.replace(/^bearer\s+/i, '');
}

/** Hides the API key in a text, or anywhere in a record. */
export type Mask = <T>(value: T) => T;

/** The longest text that's shown, so that a service's page of an error doesn't fill the screen. */
const LONGEST_TEXT = 600;

/**
 * A text that may quote the service, for people or a log: first masked and then shortened, so that no
 * part of a key is left. Every error, notice and line of a log goes through here.
 */
export function shown(text: string, mask: Mask): string {
	return shorten(mask(text), LONGEST_TEXT);
}

const MASKED = '***';
/** Shorter keys ("test", "demo") aren't masked, because they'd match ordinary text. */
const SHORTEST_KEY = 8;

/** Masks a key, as {@link cleanKey} returns it, as it is or encoded as in a URL. */
export function keyMask(key: string): Mask {
	if (key.length < SHORTEST_KEY) return (value) => value;
	const patterns = [encodeSegment(key), key].map((form) =>
		form.replace(/[$()*+./?[\\\]^{|}-]/g, '\\$&'),
	);
	const anyForm = new RegExp(patterns.join('|'), 'gi');
	const mask = (value: unknown): unknown => {
		if (typeof value === 'string') return value.replace(anyForm, MASKED);
		if (typeof value === 'number') return String(value) === key ? MASKED : value;
		if (Array.isArray(value)) return value.map(mask);
		if (!isJson(value)) return value;
		const masked = Object.entries(value).map(([name, entry]) => [mask(name), mask(entry)]);
		return Object.fromEntries(masked) as Json;
	};
	return mask as Mask;
}
