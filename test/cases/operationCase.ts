import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { Variant } from '../../nodes/CompanyRegistry/api';

/**
 * One operation of a node: what the user enters, the requests that must arrive, the responses that
 * the API documents, and the output. Everything that is checked of an operation follows from it:
 * the contract, both entry points of the node, agents' tools, the sandbox, a running n8n, and the
 * sample in docs/.
 */
export interface OperationCase {
	/** `resource.operation`. */
	operation: string;
	/** The endpoint as docs/services.md has it; absent for an operation of the node's own. */
	documented?: { endpoint: string };
	/**
	 * Every documented field, filled in. Ids are those of records that the sandbox has. Values are
	 * literal; the tests also leave them to expressions and to agents.
	 */
	parameters: INodeParameters;
	/** The input item. Default: empty. */
	input?: IDataObject;
	/** A file in the input item, under `data`. */
	file?: { name: string; mimeType: string; content: string };
	/** The registry's variants that the case is for. Default: V1. */
	variants?: Variant[];
	/** The requests in order, each with the response that the API documents for it. */
	exchanges: Exchange[];
	/** The output items. Fields of an operation of the node's own may be left out. */
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

export function variantOf({ variants }: OperationCase): Variant {
	return variants?.[0] ?? 'v1';
}

/** The parameters with the resource and the operation. */
export function parametersOf({ operation, parameters }: OperationCase): INodeParameters {
	const [resource = '', name = ''] = operation.split('.');
	return { resource, operation: name, ...parameters };
}

/** The input item. */
export function itemOf({ input = {}, file }: OperationCase): INodeExecutionData {
	if (!file) return { json: input };
	const { name, mimeType, content } = file;
	const data = { data: Buffer.from(content).toString('base64'), mimeType, fileName: name };
	return { json: input, binary: { data } };
}

/** Chosen in the panel: n8n allows no expression there, or the value belongs to the field itself. */
const LITERAL = ['resource', 'operation', '__rl', 'mode'];

/**
 * Leaves every value of an operation's parameters to an expression.
 *
 * @param expression gives the value that has this key
 * @returns the parameters, and the values by their keys
 */
function leftTo(
	expression: (key: string, value: unknown) => string,
	parameters: INodeParameters,
): { parameters: INodeParameters; values: IDataObject } {
	const values: IDataObject = {};
	const leave = (name: string, value: unknown): unknown => {
		if (LITERAL.includes(name)) return value;
		if (typeof value === 'object' && value !== null) return leaveIn(value);
		const key = `${name}_${Object.keys(values).length}`;
		values[key] = value as IDataObject[string];
		return expression(key, value);
	};
	const leaveIn = (all: object): object =>
		Object.fromEntries(Object.entries(all).map(([name, value]) => [name, leave(name, value)]));
	return { parameters: leaveIn(parameters) as INodeParameters, values };
}

/** The parameters with every value left to an expression, and the fields that the input then has. */
export function byExpressions(operationCase: OperationCase) {
	const fieldOf = (key: string) => `={{ $json.${key} }}`;
	const { parameters, values } = leftTo(fieldOf, parametersOf(operationCase));
	return { parameters, fields: values };
}

/**
 * The parameters with every value left to an agent, as the editor's button "Let the model define this
 * parameter" does, and the arguments with which the agent gives the same values.
 */
export function leftToAgent(operationCase: OperationCase) {
	const fromModel = (key: string, value: unknown) =>
		`={{ $fromAI('${key}', '', '${typeof value}') }}`;
	const { parameters, values } = leftTo(fromModel, parametersOf(operationCase));
	return { parameters, args: values };
}

/** A record's id, as the editor stores it. */
export function byId(id: number): INodeParameters {
	return { __rl: true, mode: 'id', value: String(id) };
}
