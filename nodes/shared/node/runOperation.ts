import type { IExecuteSingleFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { connect } from '../http/connection';
import type { Connection, Host, Service } from '../http/connection';
import type { Json } from '../http/envelope';
import { CancelledError, InputError } from '../http/errors';
import { sendRequest } from '../http/request';
import { FieldFinder, inputsOf } from './inputs';
import type { PoolPlace } from './itemPool';
import { errorText, toNodeError, toToolError } from './nodeError';
import { isTool, operationsIn } from './operation';
import type { Inputs, Operation, OperationCall } from './operation';
import { requestOptionsOf } from './requestOptions';
import type { HintContext, Run, WaitContext } from './run';
import { oneOf, validateOrThrow } from './validators';
import { WriteLog } from './writeLog';

/** A node's operations and fields, ready to run. */
export interface NodeOperations {
	service: Service;
	fields: FieldFinder;
	/** By `resource.operation`. */
	operations: Map<string, Operation>;
}

export function nodeOperations(service: Service, properties: INodeProperties[]): NodeOperations {
	const operations = new Map<string, Operation>();
	for (const { resource, option, operation } of operationsIn(properties)) {
		operations.set(`${resource}.${String(option.value)}`, operation);
	}
	return { service, fields: new FieldFinder(properties), operations };
}

/** The collection "Options" that every operation has; see options.ts. */
interface Options {
	onRateLimit?: unknown;
}

/** The result of checking an item. */
export interface CheckedItem {
	/** The validated input; see {@link OperationCall}. */
	inputs?: Inputs;
	/** See {@link Operation}. */
	rank: number;
	/** Parameters that the check has evaluated, by name. */
	evaluated: Map<string, unknown>;
	/** The first error, if there is one. */
	problem?: unknown;
}

interface RunningItem {
	operation: Operation;
	call: OperationCall;
	/** The connection, after the operation first needed it. */
	connected?: Connection;
	/** Set if the output doesn't include all records. */
	cut?: { total?: number };
}

/**
 * Checks an item's input. A run checks all of its items before it sends anything, so the result is
 * kept small.
 */
export function checkItem(
	node: NodeOperations,
	context: IExecuteSingleFunctions,
	run: Run,
): CheckedItem {
	const checked: CheckedItem = { rank: 0, evaluated: new Map() };
	try {
		const { operation, call } = startItem(node, context, run, checked);
		checked.inputs = call.inputs;
		checked.problem = call.inputs.problem;
		if (checked.problem) return checked;
		operation.check?.(call);
		checked.rank = operation.rank?.(call) ?? 0;
	} catch (error) {
		checked.problem = error;
	}
	return checked;
}

/**
 * Runs one item, however n8n calls the node: reads the parameters, connects, runs the operation,
 * pairs the output with the item, and turns a failure into an error for that item.
 */
export async function runItem(
	node: NodeOperations,
	context: IExecuteSingleFunctions,
	run: Run,
	checked: CheckedItem,
	place: PoolPlace,
	position = 0,
): Promise<INodeExecutionData[]> {
	const itemIndex = context.getItemIndex();
	const pairedItem = { item: itemIndex };
	let item: RunningItem | undefined;
	// The service may repeat the key anywhere in its response.
	const mask = <T>(value: T): T => item?.connected?.account.mask(value) ?? value;
	try {
		item = startItem(node, context, run, checked, place, position);
		if (checked.problem) throw checked.problem;
		const records = await item.operation.run(item.call);
		if (item.cut && isTool(context)) records.push(cutNotice(records.length, item.cut.total));
		return records.map((json) => ({ json: mask(json), pairedItem })) as INodeExecutionData[];
	} catch (error) {
		if (error instanceof CancelledError && run.stopped.signal.aborted) return [];
		const continues = context.continueOnFail();
		if (!continues) run.stopped.abort();
		// An error about the input may quote the key, so read the credential to mask it.
		await item?.call.connection().catch(() => undefined);
		if (!continues) {
			const node = context.getNode();
			if (isTool(context)) throw toToolError(node, error, mask);
			throw toNodeError(node, error, itemIndex, mask);
		}
		// Without an `error` next to `json`, n8n's error output also contains the input's fields.
		return [{ json: { error: errorText(context.getNode(), error, itemIndex, mask) }, pairedItem }];
	} finally {
		run.itemEnds();
		place.leave();
	}
}

function selected(context: IExecuteSingleFunctions, parameter: string): string {
	return String(context.getNodeParameter(parameter, ''));
}

function unknownOperation(name: string): InputError {
	return new InputError(
		`The node has no operation "${name}"`,
		'The workflow may come from a newer version of this package. Update the package, or select the resource and the operation again.',
	);
}

/**
 * @param place undefined while the input is being checked
 * @param position of the item among all, in the order in which they start
 */
function startItem(
	{ service, fields, operations }: NodeOperations,
	context: IExecuteSingleFunctions,
	run: Run,
	{ inputs, evaluated }: CheckedItem,
	place?: PoolPlace,
	position = 0,
): RunningItem {
	const name = `${selected(context, 'resource')}.${selected(context, 'operation')}`;
	const operation = operations.get(name);
	if (!operation) throw unknownOperation(name);
	const host = context as unknown as Host;
	const parameter = <T>(parameter: string, fallback: T) => {
		if (evaluated.has(parameter)) return evaluated.get(parameter) as T;
		const value = context.getNodeParameter(parameter, fallback) as T;
		if (!place) evaluated.set(parameter, value);
		return value;
	};
	// A chat shouldn't hang for minutes. The model can say when to try again.
	const { onRateLimit = isTool(context) ? 'fail' : 'wait' } = parameter<Options>('options', {});
	const fails = validateOrThrow(oneOf(['fail', 'wait']), onRateLimit, 'On Rate Limit') === 'fail';
	const sendOptions = {
		deadline: fails ? 0 : undefined,
		engineOptions: requestOptionsOf(context),
		run,
		order: position,
		onWaited: (ms: number) => run.noteWait(ms),
	};
	const cancel = context.getExecutionCancelSignal();
	const writes = writeLogOf(context, name);
	let connecting: Promise<Connection> | undefined;
	// Connect for each item, because an expression in the credential may return another key.
	const connection = async () => (item.connected = await (connecting ??= connect(host, service)));
	const identityOf = async () => (await connection()).account.identity;

	const call: OperationCall = {
		inputs: inputs ?? inputsOf(context, fields.shown(context, run.fieldCache)),
		context,
		parameter,
		connection,
		memo: async (key, make) => run.memo(await identityOf(), key, make),
		shared: (key, make) => run.memo('', key, make),
		inTurn: async (record, task) => {
			const key = (async () => `${await identityOf()} ${await record}`)();
			return await run.inTurn(key, run.signal(cancel), task);
		},
		notes: writes?.notes ?? new Map<string, unknown>(),
		notice: (message, type = 'info') => run.hint(context as HintContext, message, type),
		noticeAtEnd: (hints) => run.atEnd(hints),
		noteCut: (total) => (item.cut = { total }),
		async send(request, { fresh, outsideQuota } = {}) {
			const connected = await connection();
			const { identity, baseUrl } = connected.account;
			const { host: serverName } = new URL(baseUrl);
			const send = async () =>
				await run.withKey(identity, cancel, async (signal) => {
					const onWait = (until: number) => run.logWait(context as WaitContext, until, serverName);
					let attemptEnds: (() => void) | undefined;
					const onAttempt = () => {
						run.requestsSent++;
						attemptEnds?.();
						attemptEnds = place?.sends();
					};
					const options = { ...sendOptions, outsideQuota, signal, onWait, onAttempt };
					return await sendRequest(host, connected, request, options).finally(() =>
						attemptEnds?.(),
					);
				});
			if (request.method !== 'GET') return await (writes && !fresh ? writes.once(send) : send());
			const { path, values = {}, query = {} } = request;
			const key = JSON.stringify([identity, path, values, query]);
			return await run.responses.get(key, send, fresh);
		},
	};
	const item: RunningItem = { operation, call };
	return item;
}

/** Undefined if the node doesn't use "Retry On Fail". */
function writeLogOf(context: IExecuteSingleFunctions, operation: string): WriteLog | undefined {
	if (!context.getNode().retryOnFail) return undefined;
	const { json } = inputItemOf(context);
	return WriteLog.of(context.getExecuteData(), json, `${context.getItemIndex()} ${operation}`);
}

/**
 * Returns the input item. For an agent's tool, which has no main input, n8n makes up a new empty
 * item on every call, so use the tool's own input.
 */
function inputItemOf(context: IExecuteSingleFunctions): INodeExecutionData {
	const item = context.getInputData();
	return item === context.getInputData()
		? item
		: context.getInputData(0, NodeConnectionTypes.AiTool);
}

function cutNotice(returned: number, total?: number): Json {
	return { truncated: true, returned, ...(total !== undefined && { total }) };
}
