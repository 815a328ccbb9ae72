import type { IExecuteSingleFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { hostOf, type Connection } from '../http/connection';
import type { Json } from '../http/json';
import { sentPath } from '../http/failureOf';
import type { Traffic } from '../http/limiter';
import { sendRequest, type ApiRequest } from '../http/request';
import { requestOptionsOf } from './requestOptions';
import type { Run } from './run';
import { Tries, triesOf } from './tries';
import { oneOf } from './validators';
import { isBlank } from './values';

/** An item's validated input, by where it goes in the request. */
export interface Inputs {
	path: Record<string, PathInput>;
	query: Json;
	body: Json;
}

interface PathInput {
	value: string;
	label: string;
	/** Set if the value is a record's name: how to find the record. */
	find?: FindByName;
}

/** Reads a parameter of the node, with its expressions resolved. */
export type Parameter = <T>(name: string, fallback: T) => T;

/** Finds a record by name and returns its value for the path. Throws if there isn't exactly one. */
export type FindByName = (call: Call, name: string) => Promise<string>;

interface CallOptions {
	/** Called before each attempt. If it throws, nothing is sent and the request fails with that error. */
	before?: () => void;
}

const onRateLimit = oneOf(['fail', 'wait']);

/** What an operation can use while it runs for one item, however n8n calls the node. */
export class Call {
	private readonly neverWaits: boolean;
	private readonly engineOptions: Partial<IHttpRequestOptions>;
	private kept: Tries | undefined;
	private hasSent = false;

	/** @throws InputError if an option is invalid */
	constructor(
		readonly inputs: Inputs,
		readonly context: IExecuteSingleFunctions,
		readonly run: Run,
		readonly connection: () => Promise<Connection>,
	) {
		// A chat shouldn't hang for minutes. The model can say when to try again.
		const usual = run.isTool ? 'fail' : 'wait';
		const options = this.parameter<{ onRateLimit?: unknown }>('options', {});
		const chosen = options.onRateLimit ?? usual;
		this.neverWaits = onRateLimit(chosen, 'On Rate Limit') === 'fail';
		this.engineOptions = requestOptionsOf(context.getNodeParameter('requestOptions', {}));
	}

	/** Reads a parameter that isn't sent. What a model leaves empty is the fallback. */
	readonly parameter: Parameter = <T>(name: string, fallback: T) => {
		const value = this.context.getNodeParameter(name, fallback) as T;
		return this.run.isTool && isBlank(value, { orNull: true }) ? fallback : value;
	};

	/** Sends a request and returns the parsed body. A run sends identical GETs only once. */
	async send(request: ApiRequest, options: CallOptions = {}): Promise<unknown> {
		const { fresh } = request;
		const connection = await this.connection();
		const send = async () => await this.sendNow(connection, request, options.before);
		if (request.method === 'GET') {
			const { path, values, query } = request;
			const key = JSON.stringify([connection.account.identity, path, values, query]);
			return await this.run.responses.get(key, send, fresh);
		}
		const isUpdate = request.method === 'PUT' || request.method === 'PATCH';
		const record = `${connection.account.identity} ${sentPath(request)}`;
		const write = () => (isUpdate ? this.update(record, send) : this.tries.write(send));
		const response = await (fresh ? send() : write());
		this.run.itemsWritten++;
		return response;
	}

	private update(record: string, send: () => Promise<unknown>): Promise<unknown> {
		const updated = this.run.memo('updated records', () => new Set<string>());
		const sendUpdate = async () => await send().finally(() => updated.add(record));
		return this.tries.write(sendUpdate, updated.has(record));
	}

	/** What `make` has created under this key, for the run's items with the same account. */
	async memo<T>(key: string, make: () => T): Promise<T> {
		const { account } = await this.connection();
		return this.run.memo(`${account.identity} ${key}`, make);
	}

	/** Notes from earlier tries of this item, if "Retry On Fail" repeats it. */
	get notes(): Map<string, unknown> {
		return this.tries.notes;
	}

	private async sendNow(
		connection: Connection,
		request: ApiRequest,
		before: CallOptions['before'],
	): Promise<unknown> {
		const { run } = this;
		const { account } = connection;
		run.keys.check(account);
		const traffic: Traffic = {
			before: () => {
				// While this request waited, the key may have been rejected.
				run.keys.check(account);
				before?.();
				this.hasSent = true;
				run.requestsSent++;
			},
			failed: (error) => run.keys.failed(account, error),
			delayed: (until) => run.waits.note(until),
		};
		const body = await sendRequest(hostOf(this.context), connection, request, {
			signal: run.signal,
			waits: !this.neverWaits,
			run,
			// Started items finish before others begin to use the limit.
			order: this.hasSent ? 0 : 1,
			traffic,
			engineOptions: this.engineOptions,
		});
		// A model mustn't see the key. Later on, a field that quotes it may be shortened, which leaves a part.
		return run.isTool ? account.mask(body) : body;
	}

	/** Shared with the item's other tries if the node uses "Retry On Fail". */
	private get tries(): Tries {
		const { context } = this;
		if (!context.getNode().retryOnFail) return (this.kept ??= new Tries());
		const item = context.getInputData();
		// An agent's tool has no main input, so n8n makes up a new item on every call.
		const isMadeUp = item !== context.getInputData();
		const { json } = isMadeUp ? context.getInputData(0, NodeConnectionTypes.AiTool) : item;
		return triesOf(context.getExecuteData(), json, context.getItemIndex());
	}
}
