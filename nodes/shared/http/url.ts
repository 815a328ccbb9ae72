import { InputError } from './errors';

/**
 * The URL that API paths are appended to. Drops trailing slashes, and the `/api` or `/api/v1` that
 * people often paste, because every path already starts with it. Keeps any other path, such as
 * `https://host/links`.
 *
 * @throws InputError if the value isn't an http(s) URL
 */
export function normaliseBaseUrl(value: unknown): string {
	const given = typeof value === 'string' ? value.trim() : '';
	if (given === '') {
		throw new InputError(
			'The Base URL of the credential is empty',
			'Enter the URL of the service in the credential, e.g. https://example.com.',
		);
	}
	const url = URL.canParse(given) ? new URL(given) : undefined;
	if (!url || !/^https?:$/.test(url.protocol)) {
		throw new InputError(
			'The Base URL of the credential is not a web address',
			'Enter a URL that starts with http:// or https://, e.g. https://example.com.',
		);
	}
	const path = url.pathname.replace(/\/+$/, '').replace(/\/api(\/v\d+)?$/i, '');
	return url.origin + path.replace(/\/+$/, '');
}

/** Fills in the `:placeholders` of a path template. Each value becomes a single encoded segment. */
export function fillPath(template: string, values: Record<string, string> = {}): string {
	return template.replace(/:(\w+)/g, (_, name: string) => encodeSegment(values[name] ?? ''));
}

/** Undoes URL encoding. Returns a text unchanged if it isn't encoded, such as a password with a "%". */
export function decodeSegment(value: string): string {
	try {
		return decodeURIComponent(value);
	} catch {
		return value;
	}
}

/**
 * `encodeURIComponent` throws on half a surrogate pair, such as a truncated emoji, so replace it
 * first.
 */
export function encodeSegment(value: string): string {
	return encodeURIComponent(value.replace(/\p{Surrogate}/gu, '\uFFFD'));
}
