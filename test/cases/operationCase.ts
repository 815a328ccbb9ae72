import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { Variant } from '../../nodes/CompanyRegistry/api';

/** One use of an operation, as test/contract/documents.txt tells it. */
export interface Scene {
	node: 'linkManagement' | 'companyRegistry';
	variant: Variant;
	/** The sentence of the API's documents that it shows. */
	says: string;
	/** `resource.operation`. */
	operation: string;
	/** Whether the documents describe what it sends and returns. */
	isDocumented: boolean;
	parameters: INodeParameters;
	/** The requests in order. */
	exchanges: Exchange[];
	/** The output items. Without `isDocumented`, they may leave out fields. */
	output?: IDataObject[];
	/** Parts of the error's message and description. Empty if it succeeds. */
	errors: string[];
}

/**
 * A scene with a literal value for every documented field, and with IDs that exist in the sandbox. It
 * drives the tests of both entry points, of agents' tools, of the sandbox and of a running n8n, which also
 * give the values by expressions and by agents.
 */
export interface OperationCase extends Scene {
	output: IDataObject[];
}

export interface Exchange {
	/** e.g. `GET /api/campaigns?limit=50&page=1`; the order of query parameters does not matter. */
	request: string;
	/** The JSON body, or the content of the file. */
	body?: unknown;
	status: number;
	response: unknown;
}

/** The file in the input item of an upload, under `data`. */
export const FILE = { name: 'çà & là 50%.txt', mimeType: 'text/plain', content: 'the file' };

export const hasFile = ({ operation }: Scene) => operation === 'file.upload';

/** Method and path, with the query parameters in a fixed order. */
export function normalized(request: string): string {
	const [method = '', url = ''] = request.split(' ');
	const { pathname, searchParams } = new URL(url, 'http://localhost');
	searchParams.sort();
	return `${method} ${pathname}?${searchParams.toString()}`;
}

/** An endpoint without the names of its path parameters, which the code and the documents don't share. */
export const anonymous = (endpoint: string) => endpoint.replace(/[:{]\w+\}?/g, ':');

/** Whether a request is to an endpoint such as `GET /api/qr/:id`. */
export function isTo(endpoint: string, request: string): boolean {
	const pattern = anonymous(endpoint).replace(/:/g, '[^/?]+');
	return new RegExp(`^${pattern}\\?`).test(normalized(request));
}

/** The parameters with the resource and the operation. */
export function parametersOf({ operation, parameters }: Scene): INodeParameters {
	const [resource = '', name = ''] = operation.split('.');
	return { resource, operation: name, ...parameters };
}

export function itemOf(scene: Scene): INodeExecutionData {
	if (!hasFile(scene)) return { json: {} };
	const data = Buffer.from(FILE.content).toString('base64');
	return { json: {}, binary: { data: { data, mimeType: FILE.mimeType, fileName: FILE.name } } };
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
