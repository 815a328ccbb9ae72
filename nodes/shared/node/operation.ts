import type {
	IDataObject,
	IExecuteSingleFunctions,
	IHttpRequestMethods,
	INodeProperties,
	INodePropertyOptions,
	INodePropertyRouting,
} from 'n8n-workflow';

import type { Connection } from '../http/connection';
import type { Json } from '../http/envelope';
import { ServiceError } from '../http/errors';
import type { InputError } from '../http/errors';
import type { ApiRequest } from '../http/sendRequest';
import type { Fields } from './records';
import type { Validator } from './validators';

/** As n8n colors a hint. */
type HintType = 'info' | 'warning';

/** A message beside the output. */
export interface Hint {
	message: string;
	type: HintType;
}

/** What the user entered for one item, checked, sorted by where it goes in the request. */
export interface Inputs {
	path: Record<string, string>;
	/** Records in the path that are given by their names, see {@link resolveNames}. */
	named: Record<string, { name: string; find?: FindByName }>;
	query: Json;
	body: Json;
	/** The validators of the fields that the panel shows for the body. */
	validators: Record<string, Validator>;
	/** Display names of the path's parameters, for errors about a missing record. */
	labels: Record<string, string>;
	/** The first error. */
	problem?: InputError;
}

/** Returns what the path needs for the record with a name; throws if there is none, or several. */
export type FindByName = (call: OperationCall, name: string) => Promise<string>;

/** What an operation needs to run for one item. */
export interface OperationCall {
	/** The validated input. */
	inputs: Inputs;
	/** n8n's functions for this item. */
	context: IExecuteSingleFunctions;
	/** A parameter that is not part of a request, with its expressions resolved. */
	parameter<T>(name: string, fallback: T): T;
	/** Sends a request and returns the parsed body. Identical GETs of a run are sent once. */
	send(request: ApiRequest, options?: CallOptions): Promise<unknown>;
	/** The option "Deduplicate Requests". */
	reuses: boolean;
	/** The connection, for operations that must know the credential's settings. */
	connection(): Promise<Connection>;
	/**
	 * What the run has learned about the item's account: one object per account and `make`, which
	 * creates it. Items of one run can have different credentials.
	 */
	remembered<T>(make: () => T): Promise<T>;
	/** What all items share, regardless of their accounts, e.g. for a hint: one object per `make`. */
	shared<T>(make: () => T): T;
	/**
	 * Runs the tasks of one record one after the other, in the order of the calls, although the items
	 * run in parallel. A task runs even if the one before has failed.
	 *
	 * @param record identifies the record within the account; a promise if that needs a request
	 */
	inTurn<T>(record: string | Promise<string>, task: () => Promise<T>): Promise<T>;
	/** What the item's earlier tries noted, if "Retry On Fail" repeats the item. */
	notes: Map<string, unknown>;
	/**
	 * Shows a message beside the output, once per run. Does nothing where n8n can't show it, as in an
	 * agent's tool.
	 */
	hint(message: string, type?: HintType): void;
	/** Shows messages at the end of the run, made when all items are done. */
	hintAtEnd(hints: (requestsSent: number) => Hint[]): void;
	/**
	 * Notes that the service has more records than the output. For an agent, which sees neither hints
	 * nor parameters, the output says so.
	 *
	 * @param total how many there are, where the service says so
	 */
	noteCut(total?: number): void;
}

export interface CallOptions {
	/**
	 * Sends the request although the run has the response to an identical GET, or an earlier try of
	 * "Retry On Fail" has carried out this write.
	 */
	fresh?: boolean;
	/** The request does not count against the daily quota, so an exhausted quota does not block it. */
	outsideQuota?: boolean;
}

/** Runs an operation for one item and returns its output records. */
export type RunOperation = (call: OperationCall) => Promise<IDataObject[]>;

export type CheckOperation = (call: OperationCall) => void;

/** An operation of a node. */
export interface Operation {
	/** The endpoints that it calls, as in the API's documentation; none if it works offline. */
	endpoints: ReadonlyArray<{ method: IHttpRequestMethods; path: string }>;
	run: RunOperation;
	/**
	 * Throws if an item's input is wrong. All items are checked before the first one runs; `inputs` have
	 * been validated by then, and nothing may be sent.
	 */
	check?: CheckOperation;
	/** Fields of an output item, for the editor; absent where the API's documentation shows none. */
	fields?: Fields;
}

/** How an endpoint's response becomes output. */
export interface Output {
	/** Sends the request, as often as needed, and returns the output records. */
	run(request: ApiRequest, call: OperationCall): Promise<Json[]>;
	/** As in {@link Operation}. */
	check?: CheckOperation;
	/** As in {@link Operation}. */
	fields?: Fields;
}

/** n8n's routing of an operation's option, with the operation itself. */
export interface OperationRouting extends INodePropertyRouting {
	operation: Operation;
}

/**
 * The table row of an endpoint: method, path with `:placeholders`, output. The values come from the
 * fields that `inPath`, `inQuery` and `inBody` declare.
 */
export function endpoint(
	method: IHttpRequestMethods,
	path: string,
	output: Output,
): OperationRouting {
	return {
		request: { method, url: path },
		operation: {
			endpoints: [{ method, path }],
			run: async (call) => await runEndpoint(method, path, output, call),
			check: output.check,
			fields: output.fields,
		},
	};
}

/**
 * An operation that combines endpoints, lets the user choose one, or calls none.
 *
 * @param fields those of an output item, for the editor
 * @param endpoints those that it combines, for the documentation
 */
export function composeOperation(
	run: RunOperation,
	fields?: Fields,
	endpoints: Operation['endpoints'] = [],
	check?: CheckOperation,
): OperationRouting {
	return { operation: { endpoints, run, check, fields } };
}

/**
 * Calls one endpoint for an item.
 *
 * @param findByName how to find a record by its name, where its field does not say so
 */
export async function runEndpoint(
	method: IHttpRequestMethods,
	path: string,
	output: Output,
	call: OperationCall,
	findByName?: FindByName,
): ReturnType<RunOperation> {
	const { inputs } = call;
	try {
		await resolveNames(call, findByName);
		const request = { method, path, values: inputs.path, query: inputs.query };
		return (await output.run(request, call)) as IDataObject[];
	} catch (error) {
		throw namingParameters(error, inputs);
	}
}

/**
 * Finds the records that are given by name. The path keeps the order of the panel, which is also the
 * order of the output's columns.
 */
async function resolveNames(call: OperationCall, findByName?: FindByName): Promise<void> {
	const { inputs } = call;
	const { named, path } = inputs;
	if (Object.keys(named).length === 0) return;
	inputs.path = {};
	for (const parameter of Object.keys(inputs.labels)) {
		const given = named[parameter];
		const find = given?.find ?? findByName;
		const value = given && find ? await findOnce(call, given.name, find) : path[parameter];
		if (value !== undefined) inputs.path[parameter] = value;
	}
	inputs.named = {};
}

/** An earlier try of "Retry On Fail" may have deleted or renamed the record. */
async function findOnce(call: OperationCall, name: string, find: FindByName): Promise<string> {
	const noted = `named ${name}`;
	const found = (call.notes.get(noted) as string | undefined) ?? (await find(call, name));
	call.notes.set(noted, found);
	return found;
}

/** With these statuses, a rejection is about the record in the path. */
const ABOUT_RECORD = ['404', '410'];
/** With these as well, if nothing else was sent. */
const ABOUT_INPUT = ['200', '400', '422'];

function namingParameters(error: unknown, { path, query, body, labels }: Inputs): unknown {
	const named = Object.entries(path).map(([name, value]) => `"${labels[name] ?? name}" (${value})`);
	if (!(error instanceof ServiceError) || error.failure || named.length === 0) return error;
	const isOnlyInput = Object.keys({ ...query, ...body }).length === 0;
	const statuses = [...ABOUT_RECORD, ...(isOnlyInput ? ABOUT_INPUT : [])];
	if (!statuses.includes(error.httpCode ?? '')) return error;
	const what = named.length > 1 ? 'values of the parameters' : 'value of the parameter';
	return new ServiceError(error.message, {
		description: `Double-check the ${what} ${named.join(' and ')} and try again.`,
		httpCode: error.httpCode,
	});
}

/**
 * Whether an agent runs the node. n8n's routing, which runs tools, has no `isToolExecution`, so the
 * node's type decides: n8n appends `Tool` to it.
 */
export function isTool(context: Pick<IExecuteSingleFunctions, 'getNode'>): boolean {
	return context.getNode().type.endsWith('Tool');
}

/** An operation as the node's panel offers it. */
interface OfferedOperation {
	resource: string;
	option: INodePropertyOptions;
	operation: Operation;
}

/** All operations of a node, in the order of its panel. */
export function operationsIn(properties: INodeProperties[]): OfferedOperation[] {
	const offered = properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options = [] }) =>
			(displayOptions?.show?.resource ?? []).flatMap((resource) =>
				(options as INodePropertyOptions[]).map((option) => ({
					resource: String(resource),
					option,
					operation: (option.routing as OperationRouting).operation,
				})),
			),
		);
	const resources = properties.find(({ name }) => name === 'resource')?.options ?? [];
	const order = (resources as INodePropertyOptions[]).map(({ value }) => String(value));
	return offered.sort((a, b) => order.indexOf(a.resource) - order.indexOf(b.resource));
}
