import type {
	IHttpRequestMethods,
	INodeProperties,
	INodePropertyOptions,
	INodePropertyRouting,
} from 'n8n-workflow';

import { isInvalidInput, isMissing, ServiceError } from '../http/errors';
import type { Json } from '../http/json';
import type { ApiRequest } from '../http/request';
import type { Call, Inputs } from './call';
import type { Fields } from './collection';
import type { Run, RunEnd } from './run';
import { sameText } from './texts';

/** @template Prepared what's prepared of each item. If the operation opens no run, it's a task. */
export interface Operation<Prepared = Task> {
	/** The endpoints that it calls, as documented. Empty if it works offline. */
	endpoints: ReadonlyArray<{ method: IHttpRequestMethods; path: string }>;
	/**
	 * Reads and checks everything that the item needs, and sends nothing. All items are prepared before the
	 * first one runs.
	 *
	 * @throws InputError if the item is invalid
	 */
	prepare(call: Call): Prepared;
	/**
	 * For items that belong together, such as the rows of a list. Gets all valid ones at once, in the input's
	 * order. The key's limit is known by now.
	 */
	open?(items: readonly Prepared[], run: Run): OpenRun<Prepared>;
	/** Which part of its input a failed item keeps if the node continues. Default: nothing */
	keep?(input: Json): Json;
	/** Whether an item's files go with its output, as they do with a row of a list. */
	keepsFiles?: boolean;
	/** Fields of an output item, for the editor. Undefined if the API's documentation doesn't say. */
	fields?: Fields;
}

export interface Task {
	run(): Promise<ItemResult>;
}

/** What an operation does with all items of a run. */
export interface OpenRun<Prepared> {
	/** The places of the items in the order in which they start. Default: the input's order */
	order?: readonly number[];
	execute(item: Prepared): Promise<ItemResult>;
	/** Whether so few requests are left that items go one by one. */
	isScarce?(): boolean;
	end?(): RunEnd;
}

export interface ItemResult {
	records: Json[];
	/** Set if there are more records than these, with their number if the service says it. */
	cut?: { total?: number };
}

/** Turns an endpoint's response into output. */
export interface Output extends Pick<Operation, 'fields'> {
	/**
	 * Like an operation's `prepare`.
	 *
	 * @returns what sends the request, once per page for a list, and returns the output records
	 */
	prepare(call: Call): SendForOutput;
}

type SendForOutput = (request: ApiRequest) => Promise<ItemResult>;

export interface OperationOption extends INodePropertyOptions {
	routing: OperationRouting;
}

/** n8n's routing of an operation in the panel, with our implementation attached. */
export interface OperationRouting extends INodePropertyRouting {
	operation: Operation<unknown>;
}

/** A path as n8n's routing writes it: `=/api/qr/{{$parameter["qrCodeId"]}}` for `/api/qr/:qrCodeId`. */
export function urlOf(path: string): string {
	const url = path.replace(/:(\w+)/g, '{{$parameter["$1"]}}');
	return url === path ? path : `=${url}`;
}

/**
 * Declares an operation that calls one endpoint. It sends the fields that are shown: those that the path names,
 * and those with `routing.send`.
 *
 * @param url if the path names a field of a collection
 */
export function endpoint(
	method: IHttpRequestMethods,
	path: string,
	output: Output,
	url = urlOf(path),
): OperationRouting {
	const operation: Operation = {
		fields: output.fields,
		endpoints: [{ method, path }],
		prepare(call) {
			const send = output.prepare(call);
			const run = async () => await callEndpoint(method, path, call, send);
			if (method !== 'PUT') return { run };
			// Updates of one record are sent in the items' order. Until the record is found, its name
			// identifies it.
			const values = Object.values(call.inputs.path).map(({ value }) => sameText(value));
			const record = [path, ...values].join(' ');
			return { run: async () => await call.run.inTurn(record, run) };
		},
	};
	return { request: { method, url }, operation };
}

export async function callEndpoint(
	method: IHttpRequestMethods,
	path: string,
	call: Call,
	send: SendForOutput,
): Promise<ItemResult> {
	const values: Record<string, string> = {};
	for (const [parameter, { value, find }] of Object.entries(call.inputs.path)) {
		// An earlier try of "Retry On Fail" may have renamed or deleted the record.
		const noted = call.notes.get(`named ${value}`) as string | undefined;
		values[parameter] = find ? (noted ?? (await find(call, value))) : value;
		if (find) call.notes.set(`named ${value}`, values[parameter]);
	}
	const request = { method, path, values, query: call.inputs.query };
	return await send(request).catch((error: unknown) => {
		throw withParameterNames(error, call.inputs, values);
	});
}

/** Names the parameters that a rejection is probably about. */
function withParameterNames(
	error: unknown,
	{ path, query, body }: Inputs,
	values: Record<string, string>,
): unknown {
	const named = Object.entries(path).map(([name, { label }]) => `"${label}" (${values[name]})`);
	// Other rejections are about the path only if nothing else was sent.
	const isOnlyInput = Object.keys({ ...query, ...body }).length === 0;
	const isAboutPath = isMissing(error) || (isOnlyInput && isInvalidInput(error));
	if (!isAboutPath || named.length === 0) return error;
	const what = named.length > 1 ? 'values of the parameters' : 'value of the parameter';
	return new ServiceError(error.message, {
		...error,
		description: `Double-check the ${what} ${named.join(' and ')} and try again.`,
	});
}

/** All operations of a node, with the options that select them, in the order of its panel. */
export function operationsIn(properties: INodeProperties[]) {
	const fields = properties.filter(({ name }) => name === 'operation');
	return fields.flatMap(({ displayOptions, options = [] }) =>
		(options as OperationOption[]).map((option) => ({
			resource: String(displayOptions?.show?.resource?.[0]),
			option,
			operation: option.routing.operation,
		})),
	);
}
