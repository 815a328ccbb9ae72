import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { readPage } from '../http/envelope';
import { ServiceError } from '../http/errors';
import { isJson, parseJson, without, type Json } from '../http/json';
import { readRows, type FetchPage } from '../http/pages';
import type { ApiRequest } from '../http/request';
import { decodeSegment, encodeSegment } from '../http/text';
import type { Call } from './call';
import type { ItemResult, Operation } from './operation';
import { noteMissing } from './outputs';
import type { Resource } from './resource';
import { invalid, oneOf, readFlag, text, type Validator } from './validators';
import { isBlank } from './values';

const METHODS = ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'] as const;

/**
 * Declares an operation that can call any endpoint, including those without an operation of their
 * own.
 *
 * @param examplePath for the placeholder
 * @param pageSize rows per page to request, if the API documents a maximum
 */
export function describeApiRequest(examplePath: string, pageSize?: number): Resource {
	const operation: Operation = {
		endpoints: [],
		prepare(call) {
			const { request, returnsAll } = typedRequest(call);
			if (returnsAll) return { run: async () => await allRows(call, request, pageSize) };
			const run = async () => await wholeResponse(call, request);
			// A path with a POST isn't a record's, so nothing depends on the order.
			if (request.method === 'GET' || request.method === 'POST') return { run };
			return { run: async () => await call.run.inTurn(request.path, run) };
		},
	};
	return {
		name: 'Custom API Request',
		value: 'apiRequest',
		description: 'A request to any endpoint of the service, including those without an operation',
		defaultOperation: 'send',
		operations: [
			{
				name: 'Send',
				value: 'send',
				action: 'Send custom API request',
				description: 'Call any endpoint, including those without their own operation',
				routing: { operation },
			},
		],
		properties: [
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
			...requestFields,
		],
	};
}

function showWith(conditions: IDisplayOptions['show'] = {}): IDisplayOptions {
	return { show: { resource: ['apiRequest'], operation: ['send'], ...conditions } };
}

const requestFields: INodeProperties[] = [
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
	{
		displayName: 'JSON Body',
		name: 'jsonBody',
		type: 'json',
		// The editor would show an error for an empty text.
		default: '{}',
		description: "JSON object or list to send. An empty one isn't sent.",
		displayOptions: showWith({ method: METHODS.filter((method) => method !== 'GET') }),
	},
	{
		displayName: 'Return All',
		name: 'returnAllPages',
		type: 'boolean',
		default: false,
		description:
			'Whether to read all pages of a list, using the query parameters limit and page, and return one item per record. Otherwise, the response is one item.',
		displayOptions: showWith({ method: ['GET'] }),
	},
];

/** The validated request that the user typed, and whether to read all pages of a list. */
export function typedRequest(call: Call): { request: ApiRequest; returnsAll: boolean } {
	const method = oneOf(METHODS)(call.parameter('method', 'GET'), 'Method');
	const typed = typedPath(call.parameter('path', ''), 'Path');
	const all = readFlag(call.parameter('returnAllPages', false), 'Return All');
	const returnsAll = method === 'GET' && all;
	const query = [...typed.query, ...parametersOf(call)].filter(
		(part) => !returnsAll || !/^(limit|page)=/.test(part),
	);
	// Keep the query in the path, because n8n's HTTP client would rename and merge parameters.
	const path = query.length === 0 ? typed.path : `${typed.path}?${query.join('&')}`;
	const body = method === 'GET' ? undefined : bodyOf(call);
	return { request: { method, path, isTypedPath: true, body }, returnsAll };
}

export interface TypedPath {
	/** Starts with exactly one slash. Segments are encoded, so it can't contain a `:placeholder`. */
	path: string;
	/** Encoded `name=value`. Names can repeat, and are sent as they were typed, e.g. `tag[]`. */
	query: string[];
}

/** What would escape the Base URL or cut the path short, once a server or proxy has decoded it. */
const UNSAFE = /\/\/|[\\#\p{Cc}]|\/\.{1,2}(\/|$)/u;

/**
 * Checks that a typed path stays below the Base URL, so that the key is never sent to another host
 * or outside the API. What's already encoded isn't encoded again.
 */
export const typedPath: Validator<TypedPath> = (value, label) => {
	const given = typeof value === 'string' ? value.trim() : '';
	const [, typed = '', query = ''] = /^([^?]*)\??(.*)$/s.exec(given) ?? [];
	// Other first segments could be a host.
	const path = typed.replace(/^(?=[\w-]+(\/|$))/, '/');
	const segments = path.split('/').map(decodeSegment);
	if (!path.startsWith('/') || UNSAFE.test(segments.join('/'))) {
		throw invalid(
			value,
			label,
			'must be a path below the Base URL',
			'Enter a path such as /api/account, without a scheme, a host, "..", "//" or "#".',
		);
	}
	return {
		path: segments.map(encodeSegment).join('/'),
		query: query.split('&').filter(Boolean).map(encodeUnsafe),
	};
};

/** Encodes everything that a query string can't contain, and colons, which start a `:placeholder`. */
function encodeUnsafe(part: string): string {
	return part.replace(/%(?![\da-f]{2})|[^\w.~!$'()*+,;=@/?%[\]-]/giu, encodeSegment);
}

function parametersOf(call: Call): string[] {
	const { parameters = [] } = call.parameter<{ parameters?: Json[] }>('queryParameters', {});
	return parameters.flatMap(({ name, value }) => {
		const isNull = value === null || value === undefined;
		if (isBlank(name) || isNull || (call.run.isTool && isBlank(value, { orNull: true }))) return [];
		const named = text(name, 'Query Parameters');
		const written = text(value, `Query Parameters: ${named}`);
		return [`${encodeUnsafe(named)}=${encodeSegment(written)}`];
	});
}

/** The JSON body, or undefined if it's empty. Endpoints for many records take a list. */
function bodyOf(call: Call): ApiRequest['body'] {
	const entered = call.parameter<unknown>('jsonBody', '');
	const given = isBlank(entered) ? {} : entered;
	const body = typeof given === 'string' ? parseJson(given)?.value : given;
	if (!isJson(body) && !Array.isArray(body)) {
		throw invalid(
			given,
			'JSON Body',
			'must be a JSON object or list',
			'Check the quotation marks, commas and brackets. If an expression inserts a value, write {{ JSON.stringify($json.title) }} without quotation marks around it, or let one expression return the whole object.',
		);
	}
	return Object.keys(body).length > 0 ? body : undefined;
}

async function wholeResponse(call: Call, request: ApiRequest): Promise<ItemResult> {
	const body = await call.send(request);
	// n8n's error output would take `error: 0` for a failure.
	return { records: [isJson(body) ? without(body, 'error') : { data: body }] };
}

async function allRows(call: Call, request: ApiRequest, pageSize?: number): Promise<ItemResult> {
	const fetchPage: FetchPage = async (page, limit) => {
		const found = readPage(await call.send({ ...request, query: { limit, page } }));
		if (found) return found;
		throw new ServiceError("The response doesn't have exactly one list of records", {
			description:
				'Turn off "Return All" to get the whole response. To split one of its lists, add a Split Out node.',
		});
	};
	const { rows, last } = await readRows(fetchPage, { pageSize });
	noteMissing(call, rows.length, last);
	return { records: rows };
}
