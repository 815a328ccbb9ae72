import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { Variant } from '../../nodes/CompanyRegistry/api';

/**
 * One operation of a node: what the user enters, the requests that must arrive, the responses that
 * the API documents, and the output. It drives the tests of the contract, of both entry points, of
 * agents' tools, of the sandbox and of a running n8n.
 */
export interface OperationCase {
	/** `resource.operation`. */
	operation: string;
	/** The endpoint as written in docs/maintainers/services.md. Absent if the API has no such endpoint. */
	documented?: { endpoint: string };
	/**
	 * A literal value for every documented field, with IDs that exist in the sandbox. Tests also give
	 * the values by expressions and by agents.
	 */
	parameters: INodeParameters;
	/** The input item. Default: empty. */
	input?: IDataObject;
	/** A file in the input item, under `data`. */
	file?: { name: string; mimeType: string; content: string };
	/** The registry's API variants that the case applies to. Default: V1. */
	variants?: Variant[];
	/** The requests in order, each with the response that the API documents for it. */
	exchanges: Exchange[];
	/** The output items. Without `documented`, they may leave out fields. */
	output: IDataObject[];
}

export interface Exchange {
	/** e.g. `GET /api/campaigns?limit=50&page=1`; the order of query parameters does not matter. */
	request: string;
	/** The JSON body. */
	body?: unknown;
	/** The body of a successful response. */
	response: unknown;
}

/** Method and path, with the query parameters in a fixed order. */
export function normalized(request: string): string {
	const [method = '', url = ''] = request.split(' ');
	const { pathname, searchParams } = new URL(url, 'http://localhost');
	searchParams.sort();
	return `${method} ${pathname}?${searchParams.toString()}`;
}

/** An endpoint without the names of its path parameters, which the code and the documents don't share. */
export const anonymous = (endpoint: string) => endpoint.replace(/[:{]\w+\}?/g, ':');

export function variantOf({ variants }: OperationCase): Variant {
	return variants?.[0] ?? 'v1';
}

/** The parameters with the resource and the operation. */
export function parametersOf({ operation, parameters }: OperationCase): INodeParameters {
	const [resource = '', name = ''] = operation.split('.');
	return { resource, operation: name, ...parameters };
}

export function itemOf({ input = {}, file }: OperationCase): INodeExecutionData {
	if (!file) return { json: input };
	const { name, mimeType, content } = file;
	const data = { data: Buffer.from(content).toString('base64'), mimeType, fileName: name };
	return { json: input, binary: { data } };
}

/** Names whose values stay literal: n8n allows no expression there, or they describe the field. */
const LITERAL = ['resource', 'operation', '__rl', 'mode'];

/**
 * Replaces every value in an operation's parameters with an expression.
 *
 * @param expression returns the expression for a value and its key
 * @returns the parameters, and the values by key
 */
function replaceValues(
	expression: (key: string, value: unknown) => string,
	parameters: INodeParameters,
): { parameters: INodeParameters; values: IDataObject } {
	const values: IDataObject = {};
	const replace = (name: string, value: unknown): unknown => {
		if (LITERAL.includes(name)) return value;
		if (typeof value === 'object' && value !== null) return replaceIn(value);
		const key = `${name}_${Object.keys(values).length}`;
		values[key] = value as IDataObject[string];
		return expression(key, value);
	};
	const replaceIn = (all: object): object =>
		Object.fromEntries(Object.entries(all).map(([name, value]) => [name, replace(name, value)]));
	return { parameters: replaceIn(parameters) as INodeParameters, values };
}

/** The parameters as expressions, and the input fields that these read. */
export function byExpressions(operationCase: OperationCase) {
	const fieldOf = (key: string) => `={{ $json.${key} }}`;
	const { parameters, values } = replaceValues(fieldOf, parametersOf(operationCase));
	return { parameters, fields: values };
}

/**
 * The parameters as the editor's button "Let the model define this parameter" fills them, and the
 * arguments with which an agent passes the same values.
 */
export function byAgent(operationCase: OperationCase) {
	const fromModel = (key: string, value: unknown) =>
		`={{ $fromAI('${key}', '', '${typeof value}') }}`;
	const { parameters, values } = replaceValues(fromModel, parametersOf(operationCase));
	return { parameters, args: values };
}

/** A record selected by ID, as the editor stores it. */
export function byId(id: number): INodeParameters {
	return { __rl: true, mode: 'id', value: String(id) };
}
