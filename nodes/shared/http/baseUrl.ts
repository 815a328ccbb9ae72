import { InputError } from './errors';

/** The latest result: every item asks, almost always for the same URL. */
let latest: { given: unknown; normalised: string } | undefined;

/**
 * The URL that API paths are appended to: without a trailing slash, and without the `/api`
 * (or `/api/v1`) that people paste with it, since every path starts with it. A path prefix such as
 * `https://host/links` is kept.
 *
 * @throws InputError when it is not an http(s) URL
 */
export function normaliseBaseUrl(value: unknown): string {
	if (!latest || latest.given !== value) latest = { given: value, normalised: normalise(value) };
	return latest.normalised;
}

function normalise(value: unknown): string {
	const given = typeof value === 'string' ? value.trim() : '';
	if (given === '') {
		throw new InputError(
			'The Base URL of the credential is empty',
			'Enter the URL of the service, e.g. https://example.com',
		);
	}
	const url = parse(given);
	if (!url || !/^https?:$/.test(url.protocol)) {
		throw new InputError(
			'The Base URL of the credential is not a web address',
			'It must start with http:// or https://, e.g. https://example.com',
		);
	}
	const path = url.pathname.replace(/\/+$/, '').replace(/\/api(\/v\d+)?$/i, '');
	return url.origin + path.replace(/\/+$/, '');
}

function parse(value: string): URL | undefined {
	try {
		return new URL(value);
	} catch {
		return undefined;
	}
}
