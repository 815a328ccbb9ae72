import type { IHttpRequestMethods } from 'n8n-workflow';

import { isJson } from '../http/envelope';
import type { Json } from '../http/envelope';
import { encodeSegment } from '../http/url';
import type { OperationCall } from '../node/operation';
import { got, isBlank, oneOf, required, text, ValidationFailure } from '../node/validators';
import type { Validator } from '../node/validators';

export const METHODS = ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'] as const;

/** A part of a query string. Names can repeat, and are sent as they were typed, e.g. `tag[]`. */
export interface QueryPart {
	name: string;
	/** Encoded `name=value`. */
	text: string;
}

/** What the user entered, checked. */
export interface TypedRequest {
	method: IHttpRequestMethods;
	/** Starts with one slash. Every segment is encoded, so it holds no `:placeholder` either. */
	path: string;
	query: QueryPart[];
	body?: Json;
}

export function typedRequest(call: OperationCall): TypedRequest {
	const method = required<IHttpRequestMethods>(
		oneOf(METHODS),
		call.parameter<unknown>('method', 'GET'),
		'Method',
	);
	const given = call.parameter<unknown>('path', '');
	const { path, query } = required<Pick<TypedRequest, 'path' | 'query'>>(typedPath, given, 'Path');
	return {
		method,
		path,
		query: [...query, ...parametersOf(call)],
		body: method === 'GET' ? undefined : jsonObject(call, 'jsonBody', 'JSON Body'),
	};
}

/**
 * Checks that a typed path stays below the Base URL, so the key is never sent to another host or
 * outside the API. What is encoded already is not encoded twice.
 */
export const typedPath: Validator = (value) => {
	const given = typeof value === 'string' ? value.trim() : '';
	const [, path = '', query = ''] = /^([^?]*)\??(.*)$/s.exec(given) ?? [];
	const segments = path.replace(/^\//, '').split('/').map(decoded);
	if (path === '' || !isRelative(path) || hasUnsafe(given) || segments.some(leavesPath)) {
		return new ValidationFailure(
			`must be a path below the Base URL, ${got(value)}`,
			'For example /api/account: without a scheme, a host, "..", "//" or "#".',
		);
	}
	const parts = query.split('&').filter((part) => part !== '');
	return {
		path: `/${segments.map(encodeSegment).join('/')}`,
		query: parts.map((part) => ({ name: decoded(part.split('=')[0] ?? ''), text: safe(part) })),
	};
};

/** Neither an address with a scheme or host, nor anything that a URL parser reads as one. */
function isRelative(path: string): boolean {
	return !/^[a-z][a-z0-9+.-]*:/i.test(path) && !path.includes('//');
}

function hasUnsafe(given: string): boolean {
	return /[\\#\p{Cc}]/u.test(given);
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

/** Encodes what a query string cannot hold, and the colon of a `:placeholder`. */
function safe(part: string): string {
	return part.replace(/%(?![\da-f]{2})|[^\w.~!$'()*+,;=@/?%[\]-]/giu, encodeSegment);
}

function parametersOf(call: OperationCall): QueryPart[] {
	if (call.parameter<unknown>('specifyQuery', 'fields') === 'json') {
		const query = jsonObject(call, 'jsonQuery', 'JSON Query') ?? {};
		return Object.entries(query).flatMap(([name, value]) =>
			[value].flat().flatMap((each) => queryPart(name, each, `JSON Query: ${name}`)),
		);
	}
	const { parameters = [] } = call.parameter<{ parameters?: Json[] }>('queryParameters', {});
	return parameters.flatMap(({ name, value }) => {
		const named = String(name ?? '').trim();
		return named === '' ? [] : queryPart(named, value, `Query Parameters: ${named}`);
	});
}

/** None where the value is null. */
function queryPart(name: string, value: unknown, label: string): QueryPart[] {
	if (value === null || value === undefined) return [];
	const written = required<string>(text, value, label);
	return [{ name, text: `${safe(name)}=${encodeSegment(written)}` }];
}

/** An object, as such or as JSON text; undefined where nothing was entered. */
function jsonObject(call: OperationCall, name: string, label: string): Json | undefined {
	const value = call.parameter<unknown>(name, '');
	return isBlank(value) ? undefined : required<Json>(objectValue, value, label);
}

const objectValue: Validator = (value) => {
	const parsed = typeof value === 'string' ? parsedJson(value) : value;
	if (isJson(parsed)) return parsed;
	return new ValidationFailure(
		`must be a JSON object, ${got(value)}`,
		'For example {"name": "Spring sale"}',
	);
};

function parsedJson(value: string): unknown {
	try {
		return JSON.parse(value) as unknown;
	} catch {
		return undefined;
	}
}
