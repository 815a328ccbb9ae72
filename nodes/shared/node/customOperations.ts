import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecuteFunctions,
	IExecutePaginationFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
	INodePropertyOptions,
	INodePropertyRouting,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';

import { systemClock } from '../http/clock';
import { ENGINE_TIMEOUT_MS } from '../http/sendRequest';
import { InputError } from '../http/errors';
import { toNodeError } from './nodeError';

type CustomOperations = NonNullable<INodeType['customOperations']>;
type CustomOperation = CustomOperations[string][string];

/** n8n's "Request Options", which it adds to every declarative node. */
interface RequestOptions {
	batching?: { batch?: { batchSize?: number; batchInterval?: number } };
	proxy?: string;
	timeout?: number;
	allowUnauthorizedCerts?: boolean;
}

/**
 * Each operation as a function over all items, from the routing in the description. n8n calls it
 * in place of its own pass over the items, which evaluates every parameter of the node twice per
 * item before the gate evaluates what it needs; an expression is the dearest part of an item. The
 * gate is the same in both: n8n's pass still runs the node where it is a tool of an agent.
 */
export function customOperations({ properties }: INodeTypeDescription): CustomOperations {
	const operations: CustomOperations = {};
	for (const { name, displayOptions, options } of properties) {
		if (name !== 'operation') continue;
		for (const resource of displayOptions?.show?.resource ?? []) {
			const own = ((options ?? []) as INodePropertyOptions[]).map(({ value, routing }) => [
				String(value),
				overAllItems(routing),
			]);
			operations[String(resource)] = Object.fromEntries(own) as CustomOperations[string];
		}
	}
	return operations;
}

/** What n8n hands to the gate. */
type RequestData = DeclarativeRestApiSettings.ResultOptions;

type Gate = (
	this: IExecutePaginationFunctions,
	requestData: RequestData,
) => Promise<INodeExecutionData[]>;

/** Undefined where the routing has no gate: n8n then takes its own pass. */
function overAllItems(routing: INodePropertyRouting = {}): CustomOperation | undefined {
	const gate = routing.operations?.pagination;
	if (typeof gate !== 'function') return undefined;
	const { method, url } = routing.request ?? {};
	return async function () {
		const answers: Array<Promise<INodeExecutionData[]>> = [];
		let failed = false;
		const { size, pauseMs } = batchesOf(this);
		const parameter = parametersOf(this);
		for (const [index, item] of this.getInputData().entries()) {
			// Without batches, all items are checked in one go, before anything is sent.
			if (pauseMs > 0 && index > 0 && index % size === 0) {
				await systemClock.sleep(pauseMs, this.getExecutionCancelSignal());
			}
			if (failed) break;
			const answer = answerItem(contextOf(this, parameter, item, index), gate, { method, url });
			answer.catch(() => (failed = true));
			answers.push(answer);
		}
		const settled = await Promise.allSettled(answers);
		return [settled.flatMap((each) => (each.status === 'fulfilled' ? each.value : raise(each)))];
	};
}

async function answerItem(
	context: IExecutePaginationFunctions,
	gate: Gate,
	request: IDataObject,
): Promise<INodeExecutionData[]> {
	try {
		const options = { ...request, ...engineOptions(context) };
		return await gate.call(context, { options } as RequestData);
	} catch (error) {
		throw toNodeError(context.getNode(), error, context.getItemIndex());
	}
}

function raise({ reason }: PromiseRejectedResult): never {
	throw reason as Error;
}

function batchesOf(run: IExecuteFunctions) {
	const { batching } = run.getNodeParameter('requestOptions', 0, {}) as RequestOptions;
	const { batchSize = 1, batchInterval = 0 } = batching?.batch ?? {};
	// n8n's own reading: -1 stands for no batches, 0 for one item at a time.
	return { size: Math.max(batchSize, 1), pauseMs: batchSize < 0 ? 0 : batchInterval };
}

/** What n8n's routing makes of "Request Options" for an item's requests. */
function engineOptions(context: IExecutePaginationFunctions): Partial<IHttpRequestOptions> {
	const options = context.getNodeParameter('requestOptions', {}) as RequestOptions;
	return {
		timeout: options.timeout || ENGINE_TIMEOUT_MS,
		...(options.proxy && { proxy: proxyOf(options.proxy) }),
		...(options.allowUnauthorizedCerts && { skipSslCertificateValidation: true }),
	};
}

/** As n8n's helpers take it; an address without a port has its protocol's. */
function proxyOf(address: string): IHttpRequestOptions['proxy'] {
	const { protocol, hostname, port, username, password } = parsedProxy(address);
	const auth = { username: decodeURIComponent(username), password: decodeURIComponent(password) };
	return {
		protocol: protocol.slice(0, -1),
		host: hostname,
		port: Number(port) || (protocol === 'https:' ? 443 : 80),
		...(username && { auth }),
	};
}

function parsedProxy(address: string): URL {
	try {
		const proxy = new URL(address);
		if (proxy.hostname !== '') return proxy;
	} catch {
		// Said below, for both.
	}
	throw new InputError(
		'The request option "Proxy" is no address of a proxy',
		'It needs a scheme, a host and a port, e.g. http://proxy.example:3128',
	);
}

type ParameterOf = (name: string, index: number, fallback?: unknown) => unknown;

/** The node's parameters; one without an expression is the same for all items. */
function parametersOf(run: IExecuteFunctions): ParameterOf {
	const { parameters } = run.getNode();
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
 * The functions of one item, as n8n's routing would give them: the credential is read for the item,
 * since it may hold expressions.
 */
function contextOf(
	run: IExecuteFunctions,
	parameter: ParameterOf,
	item: INodeExecutionData,
	index: number,
): IExecutePaginationFunctions {
	const ofItem = {
		getItemIndex: () => index,
		getInputData: () => item,
		getNodeParameter: (name: string, fallback?: unknown) => parameter(name, index, fallback),
		getCredentials: async (type: string) => await run.getCredentials(type, index),
		helpers: Object.assign(Object.create(run.helpers), {
			assertBinaryData: (name: string) => run.helpers.assertBinaryData(index, name),
		}) as IExecutePaginationFunctions['helpers'],
	};
	return Object.assign(Object.create(run), ofItem) as IExecutePaginationFunctions;
}
