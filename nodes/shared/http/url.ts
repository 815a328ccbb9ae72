import { InputError } from './errors';

/**
 * The URL that API paths are appended to: without a trailing slash, and without the `/api`
 * (or `/api/v1`) that people paste with it, since every path starts with it. A path prefix such as
 * `https://host/links` is kept.
 *
 * @throws InputError when it is not an http(s) URL
 */
export function normaliseBaseUrl(value: unknown): string {
	const given = typeof value === 'string' ? value.trim() : '';
	if (given === '') {
		throw new InputError(
			'The Base URL of the credential is empty',
			'Enter the URL of the service, e.g. https://example.com',
		);
	}
	const url = URL.canParse(given) ? new URL(given) : undefined;
	if (!url || !/^https?:$/.test(url.protocol)) {
		throw new InputError(
			'The Base URL of the credential is not a web address',
			'It must start with http:// or https://, e.g. https://example.com',
		);
	}
	const path = url.pathname.replace(/\/+$/, '').replace(/\/api(\/v\d+)?$/i, '');
	return url.origin + path.replace(/\/+$/, '');
}

/** Fills the `:placeholders` of a path template; every value becomes one encoded segment. */
export function fillPath(template: string, values: Record<string, string> = {}): string {
	return template.replace(/:(\w+)/g, (_, name: string) => encodeSegment(values[name] ?? ''));
}

/** Half of a character outside the basic plane, as a cut-off emoji leaves it, cannot be encoded. */
export function encodeSegment(value: string): string {
	return encodeURIComponent(value.replace(/\p{Surrogate}/gu, '\uFFFD'));
}
