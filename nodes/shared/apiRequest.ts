import type { IDisplayOptions, INodeProperties, IHttpRequestMethods } from 'n8n-workflow';
import { composeOperation } from './node/operation';
import type { Resource } from './node/resource';
import { isJson, parseJson, readPage, without } from './http/envelope';
import type { Json, Page } from './http/envelope';
import { decodeSegment, encodeSegment } from './http/url';
import type { OperationCall, RunOperation } from './node/operation';
import {
	butGot,
	isBlank,
	oneOf,
	validateOrThrow,
	text,
	ValidationFailure,
	readFlag,
} from './node/validators';
import type { Validator } from './node/validators';
import { ServiceError } from './http/errors';
import { nextPageOf, readRows } from './http/pages';
import type { ApiRequest } from './http/request';

export const METHODS = ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'] as const;

interface ApiRequestSettings {
	/** An example path for the placeholder. */
	examplePath: string;
	/** Rows per page to request, if the service documents a maximum. */
	pageSize?: number;
}

/**
 * Declares an operation that can call any endpoint, including those without an operation of their
 * own.
 */
export function describeApiRequest({ examplePath, pageSize }: ApiRequestSettings): Resource {
	return {
		name: 'Custom API Request',
		value: 'apiRequest',
		description: 'A request to any endpoint of the service, including those without an operation',
		properties: [
			{
				displayName: 'Operation',
				name: 'operation',
				type: 'options',
				noDataExpression: true,
				displayOptions: { show: { resource: ['apiRequest'] } },
				default: 'send',
				options: [
					{
						name: 'Send',
						value: 'send',
						action: 'Send custom API request',
						description: 'Call any endpoint, including those without their own operation',
						routing: composeOperation(sendTypedRequest(pageSize), undefined, [], (call) => {
							readsAllPages(call, typedRequest(call));
						}),
					},
				],
			},
			{
				displayName: 'Method',
				name: 'method',
				type: 'options',
				options: METHODS.map((method) => ({ name: method, value: method })),
				default: 'GET',
				required: true,
				description:
					"GET and PUT requests are retried after a temporary failure; other methods only if the service can't have processed them",
				displayOptions: showWith(),
			},
			{
				displayName: 'Path',
				name: 'path',
				type: 'string',
				default: '',
				required: true,
				placeholder: `e.g. ${examplePath}`,
				description: "Path of the endpoint, below the credential's Base URL",
				displayOptions: showWith(),
			},
			...queryFields,
			...bodyFields,
			...responseFields,
		],
	};
}

function showWith(conditions: IDisplayOptions['show'] = {}): IDisplayOptions {
	return { show: { resource: ['apiRequest'], operation: ['send'], ...conditions } };
}

const queryFields: INodeProperties[] = [
	{
		displayName: 'Query Parameters',
		name: 'queryParameters',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add parameter',
		default: {},
		description: 'Parameters to add to the URL. A parameter whose value is null is left out.',
		options: [
			{
				displayName: 'Parameter',
				name: 'parameters',
				values: [
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						default: '',
						placeholder: 'e.g. limit',
						description: 'Name of the parameter',
					},
					{
						displayName: 'Value',
						name: 'value',
						type: 'string',
						default: '',
						placeholder: 'e.g. 10',
						description: 'Value of the parameter',
					},
				],
			},
		],
		displayOptions: showWith(),
	},
];

const WITH_BODY = METHODS.filter((method) => method !== 'GET');

const bodyFields: INodeProperties[] = [
	{
		displayName: 'Body Fields',
		name: 'bodyFields',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add field',
		default: {},
		description: 'Fields to send as JSON. A field whose value is null is left out.',
		options: [
			{
				displayName: 'Field',
				name: 'fields',
				values: [
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						default: '',
						placeholder: 'e.g. title',
						description: 'Name of the field',
					},
					{
						displayName: 'Value',
						name: 'value',
						type: 'string',
						default: '',
						placeholder: 'e.g. Spring sale',
						description:
							"Value of the field. It's sent as text, unless an expression returns something else.",
					},
				],
			},
		],
		displayOptions: showWith({ method: WITH_BODY }),
	},
	{
		displayName: 'JSON Body',
		name: 'jsonBody',
		type: 'json',
		// The editor would show an error for an empty text.
		default: '{}',
		hint: 'Use this instead of Body Fields for lists and nested objects',
		description: "JSON object to send. Body Fields are added to it. An empty object isn't sent.",
		displayOptions: showWith({ method: WITH_BODY }),
	},
];

const responseFields: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAllPages',
		type: 'boolean',
		default: false,
		description:
			'Whether to read all pages of a list, using the query parameters limit and page, and return one item per record',
		displayOptions: showWith({ method: ['GET'] }),
	},
];

/** A query parameter. Names can repeat, and are sent as they were typed, e.g. `tag[]`. */
interface QueryPart {
	name: string;
	/** Encoded `name=value`. */
	text: string;
}

/** The validated request that the user typed. */
export interface TypedRequest {
	method: IHttpRequestMethods;
	/** Starts with exactly one slash. Segments are encoded, so it can't contain a `:placeholder`. */
	path: string;
	query: QueryPart[];
	body?: Json;
}

export function typedRequest(call: OperationCall): TypedRequest {
	const method = validateOrThrow<IHttpRequestMethods>(
		oneOf(METHODS),
		call.parameter<unknown>('method', 'GET'),
		'Method',
	);
	const given = call.parameter<unknown>('path', '');
	const { path, query } = validateOrThrow<Pick<TypedRequest, 'path' | 'query'>>(
		typedPath,
		given,
		'Path',
	);
	return {
		method,
		path,
		query: [...query, ...parametersOf(call)],
		body: method === 'GET' ? undefined : bodyOf(call),
	};
}

/**
 * Checks that a typed path stays below the Base URL, so that the key is never sent to another host
 * or outside the API. What's already encoded isn't encoded again.
 */
export const typedPath: Validator = (value) => {
	const given = typeof value === 'string' ? value.trim() : '';
	const [, path = '', query = ''] = /^([^?]*)\??(.*)$/s.exec(given) ?? [];
	const segments = path.replace(/^\//, '').split('/').map(decodeSegment);
	if (path === '' || !isRelative(path) || hasUnsafe(given) || segments.some(leavesPath)) {
		return new ValidationFailure(
			`must be a path below the Base URL, ${butGot(value)}`,
			'Enter a path such as /api/account, without a scheme, a host, "..", "//" or "#".',
		);
	}
	const parts = query.split('&').filter((part) => part !== '');
	return {
		path: `/${segments.map(encodeSegment).join('/')}`,
		query: parts.map((part) => ({
			name: decodeSegment(part.split('=')[0] ?? ''),
			text: encodeUnsafe(part),
		})),
	};
};

/** Whether a path has no scheme or host, nor anything that a URL parser could take for one. */
function isRelative(path: string): boolean {
	return !/^[a-z][a-z0-9+.-]*:/i.test(path) && !path.includes('//');
}

function hasUnsafe(given: string): boolean {
	return /[\\#\p{Cc}]/u.test(given);
}

/** Whether a segment would lead out of the path, even if a proxy decodes `%2F` before resolving it. */
function leavesPath(segment: string): boolean {
	if (/\p{Cc}/u.test(segment)) return true;
	return segment.split(/[/\\]/).some((part) => part === '.' || part === '..');
}

/** Encodes everything that a query string can't contain, and colons, which start a `:placeholder`. */
function encodeUnsafe(part: string): string {
	return part.replace(/%(?![\da-f]{2})|[^\w.~!$'()*+,;=@/?%[\]-]/giu, encodeSegment);
}

function parametersOf(call: OperationCall): QueryPart[] {
	const { parameters = [] } = call.parameter<{ parameters?: Json[] }>('queryParameters', {});
	return parameters.flatMap(({ name, value }) => {
		const named = String(name ?? '').trim();
		if (named === '' || value === null || value === undefined) return [];
		const written = validateOrThrow<string>(text, value, `Query Parameters: ${named}`);
		return [{ name: named, text: `${encodeUnsafe(named)}=${encodeSegment(written)}` }];
	});
}

/** The JSON body, or undefined if nothing was entered. */
function bodyOf(call: OperationCall): Json | undefined {
	const json = call.parameter<unknown>('jsonBody', '');
	const { fields = [] } = call.parameter<{ fields?: Json[] }>('bodyFields', {});
	const entries = fields.map(({ name, value }) => [String(name ?? '').trim(), value] as const);
	const body = {
		...(isBlank(json) ? {} : validateOrThrow<Json>(objectValue, json, 'JSON Body')),
		...Object.fromEntries(entries.filter(([name, value]) => name !== '' && value != null)),
	} as Json;
	return Object.keys(body).length > 0 ? body : undefined;
}

const objectValue: Validator = (value) => {
	const parsed = typeof value === 'string' ? parseJson(value)?.value : value;
	if (isJson(parsed)) return parsed;
	return new ValidationFailure(
		`must be a JSON object, ${butGot(value)}`,
		'Enter an object such as {"name": "Spring sale"}.',
	);
};

/** Whether to read all pages of a list. */
function readsAllPages(call: OperationCall, { method }: TypedRequest): boolean {
	return method === 'GET' && readFlag(call.parameter('returnAllPages', false), false, 'Return All');
}

/** @param pageSize rows per page to request, if the service documents a maximum */
function sendTypedRequest(pageSize?: number): RunOperation {
	return async (call) => {
		const typed = typedRequest(call);
		if (readsAllPages(call, typed)) return await allRows(call, typed, pageSize);
		const body = await call.send(requestOf(typed));
		const page = typed.method === 'GET' && isList(body) ? readPage(body) : undefined;
		if (!page) return [wholeResponse(body)];
		noteOtherPages(call, page);
		return page.rows;
	};
}

/** Fields that can accompany a list, and don't make the response a record. */
const BESIDE_A_LIST =
	/^(data|error|success|message|status|code|query|links|meta|pages?|limit|offset|total|count|result|per_?page|(current|next|last|prev|max)_?page|has_?more)$/i;

/** Whether a response is a list rather than a record that holds one. */
function isList(body: unknown): boolean {
	const levels = isJson(body) ? [body, body.data].filter(isJson) : [];
	return levels
		.flatMap((level) => Object.entries(level))
		.every(([name, value]) => Array.isArray(value) || BESIDE_A_LIST.test(name));
}

/** Without counters, we can't tell whether there are more pages. */
function noteOtherPages(call: OperationCall, page: Page): void {
	const { nextPage, lastPage, total, currentPage = 1 } = page;
	const isCounted = [nextPage, lastPage, total].some((counter) => counter !== undefined);
	if (isCounted && nextPageOf(page, currentPage)) call.noteCut(total);
}

function requestOf({ method, path, query, body }: TypedRequest): ApiRequest {
	const typed = query.map((part) => part.text).join('&');
	// Keep the query in the path, because n8n's HTTP client would rename and merge parameters.
	return { method, path: typed === '' ? path : `${path}?${typed}`, isTypedPath: true, body };
}

const PAGING = ['limit', 'page'];

async function allRows(
	call: OperationCall,
	typed: TypedRequest,
	pageSize: number | undefined,
): Promise<Json[]> {
	const request = requestOf({
		...typed,
		query: typed.query.filter(({ name }) => !PAGING.includes(name)),
	});
	const { rows } = await readRows(
		async (page, limit, fresh) => {
			const query = { limit, page };
			const found = readPage(await call.send({ ...request, query }, { fresh }));
			if (!found) throw noList();
			return found;
		},
		{ pageSize: typedLimit(typed.query) ?? pageSize },
	);
	return rows;
}

function typedLimit(query: QueryPart[]): number | undefined {
	const part = query.find(({ name }) => name === 'limit');
	const limit = Math.floor(Number(part?.text.split('=')[1]));
	return limit >= 1 ? limit : undefined;
}

/**
 * Returns the whole response as one item, without `error: 0`, which n8n's error output would take
 * for a failure.
 */
function wholeResponse(body: unknown): Json {
	return isJson(body) ? without(body, 'error') : { data: body };
}

function noList(): ServiceError {
	return new ServiceError("The response doesn't have exactly one list of records", {
		description:
			'Turn off "Return All" to get the whole response. To split one of its lists, add a Split Out node.',
	});
}
