import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
	INodeTypeDescription,
} from 'n8n-workflow';

import { sendRequest } from '../http/sendRequest';
import type { ApiRequest } from '../http/sendRequest';
import { inputsOf, shownFields } from './inputs';
import type { Inputs, ShownField } from './inputs';
import { joinRun } from './run';
import type { HintContext, Run } from './run';
import type { Service, Connection, Host } from '../http/connection';
import { connect } from '../http/connection';
import { toNodeError } from './nodeError';
import { CancelledError } from '../http/errors';

/** What an operation has at hand to answer one item. */
export interface OperationCall {
	/** What the user filled in, checked. */
	inputs: Inputs;
	/** n8n's functions for this item. */
	context: IExecutePaginationFunctions;
	/** A parameter that is not part of a request, with its expressions resolved. */
	parameter<T>(name: string, fallback: T): T;
	/** Sends a request and returns the parsed body. Identical GETs of a run are sent once. */
	send(request: ApiRequest): Promise<unknown>;
	/** What the items of the run know together: one object for each `make`, which makes it. */
	shared<T>(make: () => T): T;
	/** The connection, for operations that must know the credential's settings. */
	connection(): Promise<Connection>;
	/**
	 * Shows a message beside the output, once per run however many items give it. Does nothing where
	 * n8n has no place for it, as in an agent's tool.
	 */
	hint(message: string, type?: HintType): void;
}

/** As n8n colors a hint. */
export type HintType = 'info' | 'warning';

/** Answers one item: the records that come out for it. */
export type Operation = (call: OperationCall) => Promise<IDataObject[]>;

type Pagination = (
	this: IExecutePaginationFunctions,
	requestData: DeclarativeRestApiSettings.ResultOptions,
) => Promise<INodeExecutionData[]>;

/** Every operation's collection "Options"; see nodes/shared/node/options.ts. */
interface Options {
	onRateLimit?: 'wait' | 'fail';
	reuseIdentical?: boolean;
}

/**
 * The way of every item through a declarative node: n8n calls the function that this returns in
 * place of its own request. It connects, runs the operation, pairs what comes out with the item,
 * and turns whatever goes wrong into an error of that item.
 */
export function gate(service: Service, operation: Operation): Pagination {
	return async function (requestData) {
		const itemIndex = this.getItemIndex();
		const pairedItem = { item: itemIndex };
		const run = joinRun(this.getExecuteData(), itemIndex);
		try {
			const call = callOf(this, service, run, requestData.options);
			if (call.inputs.problem) throw call.inputs.problem;
			const rows = await withoutRepeating(this, run, requestData, operation, call);
			return rows.map((json) => ({ json, pairedItem }));
		} catch (error) {
			if (error instanceof CancelledError && run.stopped.signal.aborted) return [];
			const nodeError = toNodeError(this.getNode(), error, itemIndex);
			run.fail(!this.continueOnFail());
			if (!this.continueOnFail()) throw nodeError;
			// Without an `error` beside it: n8n's error output then shows the input's fields, too.
			return [{ json: { error: nodeError.message }, pairedItem }];
		}
	};
}

function callOf(
	context: IExecutePaginationFunctions,
	service: Service,
	run: Run,
	engineOptions: DeclarativeRestApiSettings.HttpRequestOptions,
): OperationCall {
	const host = context as unknown as Host;
	const parameter = <T>(name: string, fallback: T) => context.getNodeParameter(name, fallback) as T;
	const options = parameter<Options>('options', {});
	const signal = run.signal(context.getExecutionCancelSignal());
	let connecting: Promise<Connection> | undefined;
	// For each item: a credential may hold expressions, and then another item has another key.
	const connection = async () => await (connecting ??= connect(host, service));

	const sendAnew = async (request: ApiRequest) =>
		await sendRequest(host, await connection(), request, {
			signal,
			patienceMs: options.onRateLimit === 'fail' ? 0 : undefined,
			engineOptions: fromEngine(engineOptions),
		});

	return {
		inputs: inputsOf(context, fieldsOf(context, service, run)),
		context,
		parameter,
		connection,
		shared: (make) => run.shared(make),
		hint: (message, type = 'info') => run.hint(context as HintContext, message, type),
		async send(request) {
			if (request.method !== 'GET' || options.reuseIdentical === false)
				return await sendAnew(request);
			const { identity } = (await connection()).account;
			const { path, values = {}, query = {} } = request;
			const key = JSON.stringify([identity, path, values, query]);
			return await run.once(key, async () => await sendAnew(request));
		},
	};
}

const descriptions = new WeakMap<Service, INodeTypeDescription>();

/** Makes known to the gate which fields the node of a service has. Called by the node itself. */
export function describeNode(service: Service, description: INodeTypeDescription): void {
	descriptions.set(service, description);
}

function fieldsOf(context: IExecutePaginationFunctions, service: Service, run: Run): ShownField[] {
	const description = descriptions.get(service);
	return (run.fields ??= description ? shownFields(context.getNode(), description) : []);
}

/** n8n's own settings of the request; method, path and values come from the operation. */
function fromEngine(options: DeclarativeRestApiSettings.HttpRequestOptions) {
	const { timeout, proxy, skipSslCertificateValidation } = options as IHttpRequestOptions;
	return { timeout, proxy, skipSslCertificateValidation };
}

/**
 * With "Retry On Fail", n8n repeats all items when one failed. A write that was carried out is
 * not carried out again then; its first result stands.
 */
async function withoutRepeating(
	context: IExecutePaginationFunctions,
	run: Run,
	{ options }: DeclarativeRestApiSettings.ResultOptions,
	operation: Operation,
	call: OperationCall,
): Promise<IDataObject[]> {
	const { retryOnFail } = context.getNode();
	if (!retryOnFail || options.method === 'GET') return await operation(call);
	const { path, query, body } = call.inputs;
	const key = JSON.stringify([
		context.getItemIndex(),
		options.method,
		options.url,
		path,
		query,
		body,
	]);
	const known = run.alreadyWritten(key);
	if (known) return known;
	const rows = await operation(call);
	run.noteWritten(key, rows);
	return rows;
}
