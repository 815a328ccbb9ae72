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
import { InputError } from '../http/inputError';
import { shownFields } from './inputs';
import { Item } from './item';
import { operationsIn, type OpenRun, type Operation, type Task } from './operation';
import { Run } from './run';

// The operations and fields declare their requests in n8n's own words, and n8n could send them as they are. It
// would do so without a check, a rate limit, a retry or a page after the first, so the node executes its
// declarations itself, once per item. It needs two entry points, because agents' tools ignore customOperations.

/** How many items are in progress at a time. More wouldn't be faster, and each takes memory. */
const ITEMS_AT_ONCE = 10;

interface NodeOperations {
	service: Service;
	properties: INodeProperties[];
	/** By `resource.operation`. */
	operations: Map<string, Operation<unknown>>;
}

function nodeOperations(service: Service, properties: INodeProperties[]): NodeOperations {
	const named = operationsIn(properties).map(({ resource, option, operation }) => {
		return [`${resource}.${String(option.value)}`, operation] as const;
	});
	return { service, properties, operations: new Map(named) };
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

/** The contexts that n8n's routing would create for the items. */
function contextsOf(all: IExecuteFunctions): IExecuteSingleFunctions[] {
	const node = all.getNode();
	return all.getInputData().map((item, index) => {
		const assertBinaryData = (field: string) => all.helpers.assertBinaryData(index, field);
		return Object.assign(Object.create(all) as IExecuteSingleFunctions, {
			// n8n's own `getNode` makes a copy on every call.
			getNode: () => node,
			getItemIndex: () => index,
			getInputData: () => item,
			getNodeParameter: (name: string, fallback?: unknown) =>
				all.getNodeParameter(name, index, fallback),
			getCredentials: async (type: string) => await all.getCredentials(type, index),
			helpers: Object.assign(Object.create(all.helpers) as object, { assertBinaryData }),
		}) as IExecuteSingleFunctions;
	});
}

/** Runs all items: prepares all of them before the first one runs, and sends nothing if one is invalid. */
async function runItems(
	{ service, properties, operations }: NodeOperations,
	name: string,
	run: Run,
	contexts: IExecuteSingleFunctions[],
): Promise<INodeExecutionData[]> {
	const operation = operations.get(name) ?? missing(name, [...operations.keys()]);
	const items = contexts.map((context) => new Item(service, operation, context, run));
	const fields = shownFields(properties, run.node);
	for (const item of items) item.prepare(fields);
	const invalid = items.find(({ problem }) => problem);
	if (invalid && !run.continues) throw await invalid.failure(invalid.problem);
	// The order, and how many items are in progress, depend on the key's quota. The first item reads its credential
	// once more, so that it doesn't start before others. If there's none, the items say so themselves.
	await items[0]?.connect().catch(() => undefined);
	const valid = items.filter(({ problem }) => !problem);
	const prepared = valid.map((item) => item.prepared);
	const opened = (valid.length > 0 && operation.open?.(prepared, run)) || SINGLE_ITEMS;
	const inOrder = opened.order?.map((place) => valid[place]!) ?? [];
	// Invalid items have no place in the order, and send nothing.
	await executeAll([...new Set([...inOrder, ...items])], opened, run);
	run.end(opened.end?.() ?? {}, howToGoOn(name, operations));
	return items.flatMap(({ output }) => output);
}

/** What n8n selects for its entry "Custom API Call". */
const CUSTOM_API_CALL = '__CUSTOM_API_CALL__';
const RESELECT =
	'If the workflow comes from another version of this package, select the resource and the operation again.';

function missing(name: string, known: readonly string[]): Operation {
	const [resource = '', operation = ''] = name.split('.');
	const resources = new Set(known.map((each) => each.split('.')[0]));
	const operations = known.filter((each) => each.startsWith(`${resource}.`));
	return {
		endpoints: [],
		prepare() {
			if (name.includes(CUSTOM_API_CALL)) {
				throw new InputError(
					'The node has no operation "Custom API Call"',
					`Select the resource "Custom API Request" instead, or use n8n's HTTP Request node with this credential (Authentication: Predefined Credential Type).`,
				);
			}
			const [has, choices] = resources.has(resource)
				? [`The resource "${resource}" has no operation "${operation}"`, operations]
				: [`The node has no resource "${resource}"`, [...resources]];
			const values = choices.map((each) => each!.split('.').at(-1)).join(', ');
			throw new InputError(has, `It has ${values}. ${RESELECT}`);
		},
	};
}

/** Items that have nothing to do with each other. */
const SINGLE_ITEMS: OpenRun<Task> = { execute: async (task) => await task.run() };

/** What to do after an error, if some items have been written. */
function howToGoOn(name: string, operations: NodeOperations['operations']): string {
	const upsert = name.replace(/\.create$/, '.upsert');
	if (!upsert.endsWith('.upsert') || !operations.has(upsert)) return '';
	return "You can run all items again with Create or Update, which doesn't create a record twice.";
}

async function executeAll(items: Item[], opened: OpenRun<unknown>, run: Run): Promise<void> {
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
		await executeBatch(items.slice(start, start + size), opened, run);
	}
}

/**
 * Executes items, up to ten at a time, until the run stops. While the key's daily quota or what the run may send is
 * small or nearly used up, only one is in progress, so that its end leaves no more than one half done.
 */
async function executeBatch(items: Item[], opened: OpenRun<unknown>, run: Run): Promise<void> {
	let next = 0;
	const isScarce = () => run.limiter?.isScarce === true || opened.isScarce?.() === true;
	const work = async (isFirst: boolean) => {
		while (next < items.length && !run.signal.aborted && (isFirst || !isScarce())) {
			await items[next++]!.execute(opened).catch((error: Error) => run.stop(error));
		}
	};
	const places = [...Array(ITEMS_AT_ONCE).keys()];
	await Promise.all(places.map(async (place) => await work(place === 0)));
}
