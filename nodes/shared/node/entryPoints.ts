import type {
	IExecuteFunctions,
	IExecutePaginationFunctions,
	IExecuteSingleFunctions,
	INodeExecutionData,
	INodeProperties,
	INodePropertyRouting,
	INodeType,
} from 'n8n-workflow';

import { systemClock } from '../http/clock';
import type { Service } from '../http/connection';
import { FieldFinder, holdsExpression } from './inputs';
import { Item } from './item';
import type { NodeOperations } from './item';
import { toNodeError, toToolError } from './nodeError';
import { isTool, operationsIn } from './operation';
import { Run } from './run';
import type { HintContext } from './run';

type CustomOperations = NonNullable<INodeType['customOperations']>;

/** How many items are in progress at a time. More wouldn't be faster, and each takes memory. */
const ITEMS_AT_ONCE = 10;

function nodeOperations(service: Service, properties: INodeProperties[]): NodeOperations {
	const operations = operationsIn(properties).map(
		({ resource, option, operation }) =>
			[`${resource}.${String(option.value)}`, operation] as const,
	);
	return { service, fields: new FieldFinder(properties), operations: new Map(operations) };
}

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
				return [await runAll(this, node, name)];
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
				return await runOne(this, node);
			},
		},
	};
}

/** Runs all items: checks all of them, and sends nothing if one is invalid. */
async function runAll(
	all: IExecuteFunctions,
	node: NodeOperations,
	name: string,
): Promise<INodeExecutionData[]> {
	const run = new Run(all.getInputData().length);
	const stopFollowing = run.follow(all.getExecutionCancelSignal());
	try {
		const contextAt = contextsOf(all, run);
		const items = all
			.getInputData()
			.map((_, index) => new Item(node, name, () => contextAt(index), run));
		for (const item of items) item.check();
		const invalid = all.continueOnFail() ? undefined : items.find(({ problem }) => problem);
		const ordered = [...items].sort((one, other) => one.rank - other.rank);
		for (const [position, item] of ordered.entries()) item.position = position;
		const outputs = await executeAll(invalid ? [invalid] : ordered, all, run);
		endRun(run, all);
		return outputs.flat();
	} finally {
		stopFollowing();
	}
}

/** Executes items in n8n's batches, and returns their outputs in the input's order. */
async function executeAll(
	items: Item[],
	all: IExecuteFunctions,
	run: Run,
): Promise<INodeExecutionData[][]> {
	const outputs: INodeExecutionData[][] = [];
	const { batchSize = 1, batchInterval = 0 } = all.getNodeParameter(
		'requestOptions.batching.batch',
		0,
		{},
	) as { batchSize?: number; batchInterval?: number };
	// As in n8n's routing: -1 turns batches off, and 0 means one item at a time.
	const isBatched = batchSize >= 0 && batchInterval > 0;
	const size = isBatched ? Math.max(batchSize, 1) : items.length;
	// The run goes by the quota of its key. If there's no credential, the items say so themselves.
	await items[0]?.connection().catch(() => undefined);
	for (let start = 0; start < items.length && !run.signal.aborted; start += size) {
		if (start > 0) await systemClock.sleep(batchInterval, run.signal);
		await run.eachAtOnce(ITEMS_AT_ONCE, items.slice(start, start + size), async (item) => {
			const index = item.context.getItemIndex();
			outputs[index] = await item.execute();
		});
	}
	return outputs;
}

/**
 * Shows the notices for the end of a run. One of their functions may fail it.
 *
 * @throws what has ended the run
 */
function endRun(run: Run, context: IExecuteFunctions | IExecuteSingleFunctions): void {
	try {
		run.end(context as HintContext);
	} catch (error) {
		const toError = isTool(context) ? toToolError : toNodeError;
		if (!context.continueOnFail()) run.stop(toError(context.getNode(), error));
	}
	if (run.failure) throw run.failure;
}

/**
 * The contexts that n8n's routing would create for the items. A parameter without an expression is
 * read once for all of them.
 */
function contextsOf(all: IExecuteFunctions, run: Run): (index: number) => IExecuteSingleFunctions {
	const node = all.getNode();
	const items = all.getInputData();
	const varying = new Set(
		Object.keys(node.parameters).filter((name) => holdsExpression(node.parameters[name])),
	);
	const fixed = new Map<string, unknown>();
	const parameterAt = (index: number, name: string, fallback?: unknown) => {
		const known = fixed.get(name);
		if (known !== undefined) return known;
		const value = all.getNodeParameter(name, index, fallback);
		if (!varying.has(name.split('.')[0] ?? '')) fixed.set(name, value);
		return value;
	};
	return (index) => {
		const ofItem = {
			// n8n's own `getNode` makes a copy on every call.
			getNode: () => node,
			getItemIndex: () => index,
			getInputData: () => items[index],
			getNodeParameter: (name: string, fallback?: unknown) => parameterAt(index, name, fallback),
			getCredentials: async (type: string) => await all.getCredentials(type, index),
			getExecutionCancelSignal: () => run.cancelSignal,
			helpers: Object.assign(Object.create(all.helpers), {
				assertBinaryData: (name: string) => all.helpers.assertBinaryData(index, name),
			}) as IExecuteSingleFunctions['helpers'],
		};
		return Object.assign(Object.create(all), ofItem) as IExecuteSingleFunctions;
	};
}

/** Runs the item that n8n's routing passes on. A tool has only one. */
async function runOne(
	context: IExecutePaginationFunctions,
	node: NodeOperations,
): Promise<INodeExecutionData[]> {
	const run = new Run();
	const stopFollowing = run.follow(context.getExecutionCancelSignal());
	const selected = (parameter: string) => String(context.getNodeParameter(parameter, ''));
	const ofRun = { getExecutionCancelSignal: () => run.cancelSignal };
	const single = Object.assign(Object.create(context), ofRun) as IExecuteSingleFunctions;
	const name = `${selected('resource')}.${selected('operation')}`;
	const item = new Item(node, name, () => single, run);
	try {
		item.check();
		const output = await item.execute();
		endRun(run, single);
		return output;
	} finally {
		stopFollowing();
	}
}
