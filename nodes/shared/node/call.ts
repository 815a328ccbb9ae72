import type { IExecuteSingleFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { hostOf } from '../http/connection';
import type { Connection } from '../http/connection';
import { concernsKey } from '../http/errors';
import { sendRequest } from '../http/request';
import type { ApiRequest } from '../http/request';
import { inputsOf } from './inputs';
import type { FieldFinder } from './inputs';
import { isTool } from './nodeError';
import type { CallOptions, Inputs, OperationCall, Parameter } from './operation';
import { requestOptionsOf } from './requestOptions';
import type { Run } from './run';
import { Tries, triesOf } from './tries';
import { oneOf, validateOrThrow } from './validators';

const onRateLimit = oneOf(['fail', 'wait']);

/** What an operation sees of one input item, however n8n calls the node. Sends its requests. */
export class Call implements OperationCall {
	readonly inputs: Inputs;
	/** Set if there are more records than the output has. */
	cut: { total?: number } | undefined;
	private readonly values = new Map<string, unknown>();
	private readonly neverWaits: boolean;
	private readonly engineOptions: Partial<IHttpRequestOptions>;
	private kept: Tries | undefined;
	private hasSent = false;

	/** @throws InputError if a field or an option is invalid */
	constructor(
		fields: FieldFinder,
		readonly context: IExecuteSingleFunctions,
		readonly run: Run,
		/** Reads the item's credential once. */
		readonly connection: () => Promise<Connection>,
	) {
		// A chat shouldn't hang for minutes. The model can say when to try again.
		const usual = isTool(context.getNode()) ? 'fail' : 'wait';
		const { onRateLimit: chosen = usual } = this.parameter<{ onRateLimit?: unknown }>(
			'options',
			{},
		);
		this.neverWaits = validateOrThrow(onRateLimit, chosen, 'On Rate Limit') === 'fail';
		this.engineOptions = requestOptionsOf(context.getNodeParameter('requestOptions', {}));
		this.inputs = inputsOf(context, fields.shown(context, run));
	}

	readonly parameter: Parameter = <T>(name: string, fallback: T) => {
		// Several parts of an operation may read the same one, and evaluating an expression takes long.
		if (!this.values.has(name))
			this.values.set(name, this.context.getNodeParameter(name, fallback));
		return this.values.get(name) as T;
	};

	async send(request: ApiRequest, options: CallOptions = {}): Promise<unknown> {
		const { fresh } = options;
		const connection = await this.connection();
		const send = async () => await this.sendNow(connection, request, options);
		if (request.method === 'GET') {
			const { path, values, query } = request;
			const key = JSON.stringify([connection.account.identity, path, values, query]);
			return await this.run.get(key, send, fresh);
		}
		const response = await (fresh ? send() : this.tries.write(send));
		this.run.itemsWritten++;
		return response;
	}

	async memo<T>(key: string, make: () => T): Promise<T> {
		const { account } = await this.connection();
		return this.run.memo(`${account.identity} ${key}`, make);
	}

	get notes(): Map<string, unknown> {
		return this.tries.notes;
	}

	noteCut(total?: number): void {
		this.cut = { total };
	}

	private async sendNow(
		connection: Connection,
		request: ApiRequest,
		{ outsideQuota, onAttempt }: CallOptions,
	): Promise<unknown> {
		const { run } = this;
		const { account } = connection;
		const key = run.keys.of(account);
		const stopIfRejected = () => {
			if (key.error) throw key.error;
		};
		stopIfRejected();
		const body = await sendRequest(hostOf(this.context), connection, request, {
			signal: run.signal,
			waits: !this.neverWaits,
			run,
			// Started items finish before others begin to use the limit.
			order: this.hasSent ? 0 : 1,
			outsideQuota,
			onAttempt: () => {
				// While this request waited, the key may have been rejected.
				stopIfRejected();
				onAttempt?.();
				this.hasSent = true;
				run.requestsSent++;
			},
			onFailure: (error) => {
				if (concernsKey(error)) key.error ??= error;
			},
			onWait: (until) => run.waits.note(until, account),
			engineOptions: this.engineOptions,
		});
		key.isAccepted = true;
		return body;
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
