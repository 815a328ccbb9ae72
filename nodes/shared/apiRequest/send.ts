import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';

import { isJson } from '../http/envelope';
import type { Json } from '../http/envelope';
import { collectRows } from '../http/pagination';
import type { ApiRequest } from '../http/sendRequest';
import type { OperationCall, RunOperation } from '../node/operation';
import { got, isBlank, oneOf, required, text, ValidationFailure } from '../node/validators';
import type { Validator } from '../node/validators';
import { addParameter, apiPath } from './path';
import type { ApiPath } from './path';
import { findListKey, listIn, wholeResponse } from './response';

export const METHODS = ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'] as const;

/** @param pageSize rows per page to request, if the service documents a maximum */
export function apiRequestOperation(pageSize?: number): RunOperation {
	return async (call) => {
		// Before the first await, so that every item is checked before anything is sent.
		const request = requestOf(call);
		const records = await recordsOf(call, request, pageSize);
		const { redact } = (await call.connection()).account;
		return records.map((record) => redacted(record, redact)) as IDataObject[];
	};
}

function requestOf(call: OperationCall): ApiRequest {
	const method = required<IHttpRequestMethods>(
		oneOf(METHODS),
		call.parameter<unknown>('method', 'GET'),
		'Method',
	);
	const { path, query } = required<ApiPath>(apiPath, call.parameter<unknown>('path', ''), 'Path');
	const request = { method, path, query: { ...query, ...queryOf(call) } };
	if (method === 'GET') return request;
	return { ...request, body: jsonObject(call, 'jsonBody', 'JSON Body') };
}

function queryOf(call: OperationCall): Json {
	const query: Json = {};
	if (call.parameter<unknown>('specifyQuery', 'fields') === 'json') {
		for (const [name, value] of Object.entries(jsonObject(call, 'jsonQuery', 'JSON Query') ?? {})) {
			if (value !== null) query[name] = required(queryValue, value, `JSON Query: ${name}`);
		}
		return query;
	}
	const { parameters = [] } = call.parameter<{ parameters?: Json[] }>('queryParameters', {});
	for (const { name, value } of parameters) {
		const named = String(name ?? '').trim();
		if (named === '' || value === null || value === undefined) continue;
		addParameter(query, named, required(queryValue, value, `Query Parameters: ${named}`));
	}
	return query;
}

/** Text, a number or a switch, or a list of these. */
const queryValue: Validator = (value) => {
	if (!Array.isArray(value)) return text(value);
	const texts = value.map(text);
	return texts.find((each) => each instanceof ValidationFailure) ?? texts;
};

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

async function recordsOf(
	call: OperationCall,
	request: ApiRequest,
	pageSize: number | undefined,
): Promise<Json[]> {
	// A write has been carried out by then: whatever it returned is a success.
	if (request.method !== 'GET') return [wholeResponse(await call.send(request))];
	if (isOn(call, 'returnAllPages')) return await allRows(call, request, pageSize);
	const body = await call.send(request);
	if (!isOn(call, 'splitIntoItems')) return [wholeResponse(body)];
	return listIn(body, givenListKey(call) ?? findListKey(body)).rows;
}

async function allRows(
	call: OperationCall,
	request: ApiRequest,
	pageSize: number | undefined,
): Promise<Json[]> {
	let listKey = givenListKey(call);
	const asked = Number(request.query?.limit);
	return await collectRows(
		async (page, limit, fresh) => {
			const query = { ...request.query, limit, page };
			const body = await call.send({ ...request, query }, { fresh });
			return listIn(body, (listKey ??= findListKey(body)));
		},
		{ rows: Infinity, pageSize: asked >= 1 ? Math.floor(asked) : pageSize },
	);
}

function isOn(call: OperationCall, name: string): boolean {
	const value = call.parameter<unknown>(name, false);
	return value === true || value === 'true';
}

function givenListKey(call: OperationCall): string | undefined {
	const value = call.parameter<unknown>('listKey', '');
	return isBlank(value) ? undefined : required<string>(text, value, 'List Key').trim();
}

/** Removes the API key wherever the service repeats it, e.g. in the status of the key. */
function redacted(value: unknown, redact: (text: string) => string): unknown {
	if (typeof value === 'string') return redact(value);
	if (Array.isArray(value)) return value.map((each) => redacted(each, redact));
	if (!isJson(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, each]) => [key, redacted(each, redact)]),
	);
}
