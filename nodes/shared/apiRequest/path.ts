import type { Json } from '../http/envelope';
import { encodeSegment } from '../http/path';
import { got, ValidationFailure } from '../node/validators';

/** A path that the user typed: encoded for the request, with the query that was typed behind it. */
export interface ApiPath {
	/** Starts with one slash. Every segment is encoded, so it holds no `:placeholder` either. */
	path: string;
	query: Json;
}

/**
 * Checks that a typed path stays below the Base URL, so the key is never sent to another host or
 * outside the API. What is encoded already is not encoded twice.
 */
export function apiPath(value: unknown): ApiPath | ValidationFailure {
	const given = typeof value === 'string' ? value.trim() : '';
	const [, rawPath = '', rawQuery = ''] = /^([^?]*)\??(.*)$/s.exec(given) ?? [];
	const segments = rawPath.replace(/^\//, '').split('/').map(decoded);
	if (rawPath === '' || !isRelative(given) || segments.some(leavesPath)) {
		return new ValidationFailure(
			`must be a path below the Base URL, ${got(value)}`,
			'For example /api/account: without a scheme, a host, "..", "//" or "#".',
		);
	}
	const query: Json = {};
	for (const [name, each] of new URLSearchParams(rawQuery)) addParameter(query, name, each);
	return { path: `/${segments.map(encodeSegment).join('/')}`, query };
}

/** Neither an address with a scheme or host, nor anything that a URL parser reads as one. */
function isRelative(given: string): boolean {
	const [path = ''] = given.split('?');
	const hasScheme = /^[a-z][a-z0-9+.-]*:/i.test(path);
	return !hasScheme && !path.includes('//') && !/[\\#\p{Cc}]/u.test(given);
}

function decoded(segment: string): string {
	try {
		return decodeURIComponent(segment);
	} catch {
		// A "%" that encodes nothing is a percent sign.
		return segment;
	}
}

/** Also where a proxy decodes `%2F` before it resolves the path. */
function leavesPath(segment: string): boolean {
	if (/\p{Cc}/u.test(segment)) return true;
	return segment.split(/[/\\]/).some((part) => part === '.' || part === '..');
}

/** Adds a query parameter; a repeated name, or one that ends in `[]`, becomes a list. */
export function addParameter(query: Json, name: string, value: unknown): void {
	const isList = name.endsWith('[]');
	const key = isList ? name.slice(0, -2) : name;
	const known = query[key];
	if (known === undefined) query[key] = isList ? [value] : value;
	else query[key] = [known, value].flat();
}
