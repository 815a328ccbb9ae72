import type {
	IExecutePaginationFunctions,
	IExecuteSingleFunctions,
	INodeExecutionData,
	INodeProperties,
	INodePropertyRouting,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { connect } from '../http/connection';
import type { Connection, Host, Service } from '../http/connection';
import { CancelledError, InputError } from '../http/errors';
import { sendRequest } from '../http/sendRequest';
import type { ApiRequest } from '../http/sendRequest';
import { emptyFieldCache, FieldFinder, inputsOf } from './inputs';
import { toNodeError } from './nodeError';
import { operationsIn } from './operation';
import type { CallOptions, OperationCall } from './operation';
import { requestOptionsOf } from './requestOptions';
import { joinRun } from './run';
import type { HintContext, Run } from './run';
import { WriteLog } from './writeLog';

/** Every operation's collection "Options"; see options.ts. */
interface Options {
	onRateLimit?: 'wait' | 'fail';
	reuseIdentical?: boolean;
}

/** Runs the operation that the node's parameters choose, for the context's item. */
export type RunItem = (context: IExecuteSingleFunctions, run: Run) => Promise<INodeExecutionData[]>;

/**
 * Runs one item of a declarative node, however n8n calls it: reads the parameters, connects, runs
 * the operation, pairs the output with the item, and turns a failure into an error of that item.
 */
export function itemRunner(service: Service, properties: INodeProperties[]): RunItem {
	const fields = new FieldFinder(properties);
	const operations = new Map(
		operationsIn(properties).map(({ resource, option, operation }) => [
			`${resource}.${String(option.value)}`,
			operation,
		]),
	);
	return async (context, run) => {
		const itemIndex = context.getItemIndex();
		const pairedItem = { item: itemIndex };
		try {
			const name = `${chosen(context, 'resource')}.${chosen(context, 'operation')}`;
			const operation = operations.get(name);
			if (!operation) throw unknownOperation(name);
			const call = callOf(service, fields, name, run, context);
			if (call.inputs.problem) throw call.inputs.problem;
			const records = await operation.run(call);
			return records.map((json) => ({ json, pairedItem }));
		} catch (error) {
			if (error instanceof CancelledError && run.stopped.signal.aborted) return [];
			const nodeError = toNodeError(context.getNode(), error, itemIndex);
			if (!context.continueOnFail()) {
				run.stopped.abort();
				throw nodeError;
			}
			// Without an `error` beside it, n8n's error output shows the input's fields, too.
			return [{ json: { error: nodeError.message }, pairedItem }];
		}
	};
}

function chosen(context: IExecuteSingleFunctions, parameter: string): string {
	return String(context.getNodeParameter(parameter, ''));
}

function unknownOperation(name: string): InputError {
	return new InputError(
		`The node has no operation "${name}"`,
		'Select the resource and the operation from their lists, or correct the expression.',
	);
}

function callOf(
	service: Service,
	fields: FieldFinder,
	operation: string,
	run: Run,
	context: IExecuteSingleFunctions,
): OperationCall {
	const host = context as unknown as Host;
	const parameter = <T>(name: string, fallback: T) => context.getNodeParameter(name, fallback) as T;
	const { onRateLimit, reuseIdentical } = parameter<Options>('options', {});
	const sendOptions = {
		signal: run.signal(context.getExecutionCancelSignal()),
		patienceMs: onRateLimit === 'fail' ? 0 : undefined,
		engineOptions: requestOptionsOf(context),
		run,
		onRateLimitWait: (ms: number) => run.noteWait(ms),
	};
	const writes = context.getNode().retryOnFail
		? WriteLog.of(
				context.getExecuteData(),
				inputItemOf(context).json,
				`${context.getItemIndex()} ${operation}`,
			)
		: undefined;
	let connecting: Promise<Connection> | undefined;
	// For each item: a credential may hold expressions, and then another item has another key.
	const connection = async () => await (connecting ??= connect(host, service));
	const sendNow = async (request: ApiRequest, { outsideQuota }: CallOptions) => {
		const connected = await connection();
		run.noteLimiter(connected.limiter);
		return await sendRequest(host, connected, request, { ...sendOptions, outsideQuota });
	};

	return {
		inputs: inputsOf(context, fields.shown(context, run.shared(emptyFieldCache))),
		context,
		parameter,
		connection,
		shared: (make) => run.shared(make),
		hint: (message, type = 'info') => run.hint(context as HintContext, message, type),
		async send(request, options = {}) {
			const send = async () => await sendNow(request, options);
			if (request.method !== 'GET')
				return await (writes && !options.fresh ? writes.once(send) : send());
			if (reuseIdentical === false) return await send();
			const { identity } = (await connection()).account;
			const { path, values = {}, query = {} } = request;
			const key = JSON.stringify([identity, path, values, query]);
			return await run.once(key, send, options.fresh);
		},
	};
}

/** Without a main input, as in an agent's tool, n8n makes up an empty item on every call. */
function inputItemOf(context: IExecuteSingleFunctions): INodeExecutionData {
	const item = context.getInputData();
	return item === context.getInputData()
		? item
		: context.getInputData(0, NodeConnectionTypes.AiTool);
}

/**
 * The entrance of n8n's routing, for the node's first property: n8n calls it for each item instead
 * of sending a request. Agents' tools use it, and nodes with an expression as their operation.
 */
export function routedItems(runItem: RunItem): INodePropertyRouting {
	return {
		send: { paginate: true },
		operations: {
			async pagination(this: IExecutePaginationFunctions) {
				return await runItem(this, joinRun(this.getExecuteData(), this.getItemIndex()));
			},
		},
	};
}
