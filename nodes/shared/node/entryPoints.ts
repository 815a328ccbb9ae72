import type {
	IExecuteFunctions,
	IExecutePaginationFunctions,
	IExecuteSingleFunctions,
	INode,
	INodeExecutionData,
	INodeProperties,
	INodePropertyRouting,
	INodeType,
} from 'n8n-workflow';

import { systemClock } from '../http/clock';
import type { Service } from '../http/connection';
import { toNodeError } from './nodeError';
import { batchesOf } from './requestOptions';
import { joinRun, Run } from './run';
import { checkItem, nodeOperations, runItem } from './runOperation';
import type { NodeOperations } from './runOperation';

type CustomOperations = NonNullable<INodeType['customOperations']>;

/**
 * The entry point for ordinary runs. n8n calls an operation's function once for all items. Its own
 * routing would evaluate every parameter of the node twice per item before calling ours, and
 * expressions are the most expensive part of an item.
 */
export function customOperations(
	service: Service,
	properties: INodeProperties[],
): CustomOperations {
	const node = nodeOperations(service, properties);
	const custom: CustomOperations = {};
	for (const name of node.operations.keys()) {
		const [resource = '', operation = ''] = name.split('.');
		custom[resource] = {
			...custom[resource],
			async [operation]() {
				return [await runAll(this, node)];
			},
		};
	}
	return custom;
}

/**
 * The entry point for agents' tools. It belongs in the routing of the node's first property, where
 * n8n calls it for each item instead of sending a request.
 */
export function routedItems(service: Service, properties: INodeProperties[]): INodePropertyRouting {
	const node = nodeOperations(service, properties);
	return {
		send: { paginate: true },
		operations: {
			async pagination(this: IExecutePaginationFunctions) {
				const run = joinRun(this.getExecuteData(), this.getItemIndex());
				const checked = checkItem(node, this, run);
				return await runItem(node, this, run, checked, await run.pool.enter());
			},
		},
	};
}

async function runAll(all: IExecuteFunctions, node: NodeOperations): Promise<INodeExecutionData[]> {
	const items = all.getInputData();
	const run = new Run(items.length);
	const self = all.getNode();
	const parameter = parametersOf(all, self);
	const contextAt = (index: number) => contextOf(all, self, parameter, items[index]!, index);
	const checked = items.map((_, index) => checkItem(node, contextAt(index), run));
	const firstInvalid = all.continueOnFail() ? -1 : checked.findIndex(({ problem }) => problem);
	const running: Array<Promise<INodeExecutionData[]>> = [];
	const order = [...checked.keys()].sort((a, b) => checked[a]!.rank - checked[b]!.rank);
	const { size, pauseMs } = batchesOf(all);
	const ended = run.signal(all.getExecutionCancelSignal());
	// If an item's input is invalid, start there: it fails and ends the run before anything is sent.
	const started = firstInvalid < 0 ? order : [firstInvalid];
	for (const [position, index] of started.entries()) {
		if (pauseMs > 0 && position > 0 && position % size === 0) {
			await systemClock.sleep(pauseMs, ended);
		}
		const place = await run.pool.enter();
		if (ended.aborted) break;
		const records = runItem(node, contextAt(index), run, checked[index]!, place, position);
		// Errors are thrown below. Without a handler, Node would exit before all items have started.
		records.catch(() => undefined);
		running[index] = records;
	}
	const settled = await Promise.allSettled(running.filter((each) => each !== undefined));
	let failure = settled.find((each) => each.status === 'rejected')?.reason as unknown;
	run.hintAtWait(all);
	try {
		run.noticeAtEnd(all);
	} catch (error) {
		if (!all.continueOnFail()) failure ??= toNodeError(self, error);
	}
	if (failure) throw failure as Error;
	return settled.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
}

type ParameterOf = (name: string, index: number, fallback?: unknown) => unknown;

/**
 * Reads the node's parameters. A parameter without an expression is the same for all items, so it's
 * read only once.
 */
function parametersOf(run: IExecuteFunctions, { parameters }: INode): ParameterOf {
	const fixed = new Map<string, unknown>();
	return (name, index, fallback) => {
		if (fixed.has(name)) return fixed.get(name);
		const value = run.getNodeParameter(name, index, fallback);
		const [outermost = ''] = name.split('.');
		if (!holdsExpression(parameters[outermost])) fixed.set(name, value);
		return value;
	};
}

function holdsExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	return typeof value === 'object' && value !== null && Object.values(value).some(holdsExpression);
}

/**
 * The context that n8n's routing would create for an item. The credential is read for each item,
 * because it can contain expressions.
 */
function contextOf(
	run: IExecuteFunctions,
	node: INode,
	parameter: ParameterOf,
	item: INodeExecutionData,
	index: number,
): IExecuteSingleFunctions {
	const ofItem = {
		// n8n's own `getNode` makes a copy on every call.
		getNode: () => node,
		getItemIndex: () => index,
		getInputData: () => item,
		getNodeParameter: (name: string, fallback?: unknown) => parameter(name, index, fallback),
		getCredentials: async (type: string) => await run.getCredentials(type, index),
		helpers: Object.assign(Object.create(run.helpers), {
			assertBinaryData: (name: string) => run.helpers.assertBinaryData(index, name),
		}) as IExecuteSingleFunctions['helpers'],
	};
	return Object.assign(Object.create(run), ofItem) as IExecuteSingleFunctions;
}
