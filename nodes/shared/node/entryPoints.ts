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
import { Item, type NodeOperations } from './item';
import { operationsIn } from './operation';
import { Run } from './run';

// The operations and fields declare their requests in n8n's own words, and n8n could send them as they are. It
// would do so without a check, a rate limit, a retry or a page after the first, so the node executes its
// declarations itself, once per item. It needs two entry points, because agents' tools ignore customOperations.

/** How many items are in progress at a time. More wouldn't be faster, and each takes memory. */
const ITEMS_AT_ONCE = 10;

function nodeOperations(service: Service, properties: INodeProperties[]): NodeOperations {
	const named = operationsIn(properties).map(({ resource, option, operation }) => {
		return [`${resource}.${String(option.value)}`, operation] as const;
	});
	return { service, fields: new FieldFinder(properties), operations: new Map(named) };
}

/**
 * The entry point for ordinary runs. n8n calls an operation's function once for all items. Its own
 * routing would evaluate a field three or four times per item before calling ours, and expressions are
 * the most expensive part of an item.
 */
export function customOperations(
	service: Service,
	properties: INodeProperties[],
): NonNullable<INodeType['customOperations']> {
	const node = nodeOperations(service, properties);
	const custom: NonNullable<INodeType['customOperations']> = {};
	for (const name of node.operations.keys()) {
		const [resource = '', operation = ''] = name.split('.');
		(custom[resource] ??= {})[operation] = async function () {
			return [await runItems(node, name, new Run(this), contextsOf(this))];
		};
	}
	return custom;
}

/**
 * The entry point for agents' tools, for the routing of the node's first property. n8n calls it for each
 * item instead of sending a request. A tool has only one item.
 */
export function routedItems(service: Service, properties: INodeProperties[]): INodePropertyRouting {
	const node = nodeOperations(service, properties);
	return {
		send: { paginate: true },
		operations: {
			async pagination(this: IExecutePaginationFunctions) {
				const run = new Run(this);
				const selected = (parameter: string) => String(this.getNodeParameter(parameter, ''));
				const name = `${selected('resource')}.${selected('operation')}`;
				return await runItems(node, name, run, [this]);
			},
		},
	};
}

/**
 * The contexts that n8n's routing would create for the items. Evaluating an expression takes long, so each
 * item reads a parameter once, and a parameter without an expression is read once for all of them.
 */
function contextsOf(all: IExecuteFunctions): IExecuteSingleFunctions[] {
	const node = all.getNode();
	const varying = new Set(
		Object.keys(node.parameters).filter((name) => holdsExpression(node.parameters[name])),
	);
	const fixed = new Map<string, unknown>();
	return all.getInputData().map((item, index) => {
		const own = new Map<string, unknown>();
		const ofItem = {
			// n8n's own `getNode` makes a copy on every call.
			getNode: () => node,
			getItemIndex: () => index,
			getInputData: () => item,
			getNodeParameter(name: string, fallback?: unknown) {
				const known = varying.has(name.split('.')[0] ?? '') ? own : fixed;
				if (!known.has(name)) known.set(name, all.getNodeParameter(name, index, fallback));
				return known.get(name);
			},
			getCredentials: async (type: string) => await all.getCredentials(type, index),
			get helpers() {
				const assertBinaryData = (field: string) => all.helpers.assertBinaryData(index, field);
				return Object.assign(Object.create(all.helpers) as object, { assertBinaryData });
			},
		};
		const descriptors = Object.getOwnPropertyDescriptors(ofItem);
		return Object.create(all, descriptors) as unknown as IExecuteSingleFunctions;
	});
}

/** Runs all items: prepares all of them, and sends nothing if one is invalid. */
async function runItems(
	node: NodeOperations,
	name: string,
	run: Run,
	contexts: IExecuteSingleFunctions[],
): Promise<INodeExecutionData[]> {
	const items = contexts.map((context) => new Item(node, name, context, run));
	for (const item of items) item.prepare();
	const invalid = run.continues ? undefined : items.find(({ problem }) => problem);
	await executeAll(invalid ? [invalid] : await inOrder(items), run);
	run.end(howToGoOn(node, name));
	return items.flatMap(({ output }) => output);
}

/**
 * The items in the order in which they start. It can depend on the key's quota, so the credential of the first
 * one is read before. If there isn't one, the items say so themselves.
 */
async function inOrder(items: Item[]): Promise<Item[]> {
	const byRank = (one: Item, other: Item) => (one.task?.rank ?? 0) - (other.task?.rank ?? 0);
	const [first] = items.toSorted(byRank);
	await first?.connection().catch(() => undefined);
	return items.toSorted(byRank);
}

/** What to do after an error, if some items have been written. */
function howToGoOn({ operations }: NodeOperations, name: string): string {
	const upsert = name.replace(/\.create$/, '.upsert');
	if (!upsert.endsWith('.upsert') || !operations.has(upsert)) return '';
	return "You can run all items again with Create or Update, which doesn't create a record twice.";
}

/** Executes items in the batches that "Request Options" asks for. */
async function executeAll(items: Item[], run: Run): Promise<void> {
	const [first] = items;
	if (!first) return;
	const { batchSize = 1, batchInterval = 0 } = first.context.getNodeParameter(
		'requestOptions.batching.batch',
		{},
	) as { batchSize?: number; batchInterval?: number };
	// As in n8n's routing: -1 turns batches off, and 0 means one item at a time.
	const size = batchSize >= 0 && batchInterval > 0 ? batchSize || 1 : items.length;
	for (let start = 0; start < items.length && !run.signal.aborted; start += size) {
		if (start > 0) await systemClock.sleep(batchInterval, run.signal);
		await executeBatch(items.slice(start, start + size), run);
	}
}

/**
 * Executes items, up to ten at a time, until the run stops. While the key's daily quota is small or
 * nearly used up, only one is in progress, so that its end leaves no more than one half done.
 */
async function executeBatch(items: Item[], run: Run): Promise<void> {
	let next = 0;
	const work = async (isFirst: boolean) => {
		while (next < items.length && !run.signal.aborted && (isFirst || !run.limiter?.isScarce)) {
			await items[next++]!.execute().catch((error: Error) => run.stop(error));
		}
	};
	const places = [...Array(ITEMS_AT_ONCE).keys()];
	await Promise.all(places.map(async (place) => await work(place === 0)));
}
