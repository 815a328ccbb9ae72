import type {
	IExecuteSingleFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { connectionOf, hostOf } from '../http/connection';
import type { Connection, Service } from '../http/connection';
import { CanceledError, concernsKey } from '../http/errors';
import { InputError } from '../http/inputError';
import type { Json } from '../http/json';
import { sendRequest } from '../http/request';
import type { ApiRequest } from '../http/request';
import { inputsOf } from './inputs';
import type { FieldFinder } from './inputs';
import { isTool, toNodeError, withRemedy } from './nodeError';
import type { CallOptions, Inputs, Operation, OperationCall, Task } from './operation';
import { requestOptionsOf } from './requestOptions';
import type { Run } from './run';
import { Tries, triesOf } from './tries';
import { oneOf, validateOrThrow } from './validators';

/** A node's operations and fields, ready to run. */
export interface NodeOperations {
	service: Service;
	fields: FieldFinder;
	/** By `resource.operation`. */
	operations: Map<string, Operation>;
}

const onRateLimit = oneOf(['fail', 'wait']);

/** One input item, from its preparation to its output, however n8n calls the node. */
export class Item implements OperationCall {
	inputs!: Inputs;
	/** Why the input is invalid. */
	problem: unknown;
	/** What runs, unless there's a problem. */
	task: Task | undefined;
	output: INodeExecutionData[] = [];
	private neverWaits = false;
	private readonly values = new Map<string, unknown>();
	private engineOptions!: Partial<IHttpRequestOptions>;
	private connecting: Promise<Connection> | undefined;
	private kept: Tries | undefined;
	private hasSent = false;
	private cut: { total?: number } | undefined;

	constructor(
		private readonly node: NodeOperations,
		/** `resource.operation` */
		private readonly name: string,
		readonly context: IExecuteSingleFunctions,
		readonly run: Run,
	) {}

	/** Evaluates and checks the input. Sends nothing. */
	prepare(): void {
		try {
			const operation = this.selectedOperation();
			this.readOptions();
			this.inputs = inputsOf(this.context, this.node.fields.shown(this.context, this.run));
			this.task = operation.prepare(this);
		} catch (error) {
			this.problem = error;
		}
	}

	/** @throws n8n's error, unless the node continues */
	async execute(): Promise<void> {
		const pairedItem = { item: this.context.getItemIndex() };
		const done = this.task ? this.task.run() : Promise.reject(this.problem as Error);
		const records = await done.catch(async (error: unknown) => [await this.failed(error)]);
		const output = isTool(this.context.getNode()) ? await this.toolAnswer(records) : records;
		this.output = output.map((json) => ({ json, pairedItem })) as INodeExecutionData[];
	}

	parameter<T>(name: string, fallback: T): T {
		// Several parts of an operation may read the same one, and evaluating an expression takes long.
		if (!this.values.has(name))
			this.values.set(name, this.context.getNodeParameter(name, fallback));
		return this.values.get(name) as T;
	}

	async connection(): Promise<Connection> {
		this.connecting ??= this.connect();
		return await this.connecting;
	}

	/** Reads the credential, for each item, because its expressions may return another key. */
	private async connect(): Promise<Connection> {
		const { context, run } = this;
		const { service } = this.node;
		const credentials = await context.getCredentials(service.credential);
		const make = () => connectionOf(context.getNode(), service, credentials);
		const connection = run.memo(JSON.stringify(credentials), make);
		run.limiter = connection.limiter;
		return connection;
	}

	async send(request: ApiRequest, { fresh, outsideQuota }: CallOptions = {}): Promise<unknown> {
		const connection = await this.connection();
		const send = async () => await this.sendNow(connection, request, outsideQuota);
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

	private selectedOperation(): Operation {
		const operation = this.node.operations.get(this.name);
		if (operation) return operation;
		throw new InputError(
			`The node has no operation "${this.name}"`,
			'The workflow may come from a newer version of this package. Update the package, or select the resource and the operation again.',
		);
	}

	/** Reads the settings that every operation has; see options.ts. */
	private readOptions(): void {
		const { context } = this;
		// A chat shouldn't hang for minutes. The model can say when to try again.
		const { onRateLimit: chosen = isTool(context.getNode()) ? 'fail' : 'wait' } = this.parameter<{
			onRateLimit?: unknown;
		}>('options', {});
		this.neverWaits = validateOrThrow(onRateLimit, chosen, 'On Rate Limit') === 'fail';
		this.engineOptions = requestOptionsOf(context);
	}

	private async sendNow(
		connection: Connection,
		request: ApiRequest,
		outsideQuota?: boolean,
	): Promise<unknown> {
		const { run } = this;
		const { account } = connection;
		const key = run.keyOf(account);
		const stopIfRejected = () => {
			if (key.error) throw key.error;
		};
		stopIfRejected();
		const body = await sendRequest(hostOf(this.context), connection, request, {
			signal: run.signal,
			deadline: this.neverWaits ? 0 : undefined,
			run,
			// Started items finish before others begin to use the limit.
			order: this.hasSent ? 0 : 1,
			outsideQuota,
			onAttempt: () => {
				// While this request waited, the key may have been rejected.
				stopIfRejected();
				this.hasSent = true;
				run.requestsSent++;
			},
			onFailure: (error) => {
				if (concernsKey(error)) key.error ??= error;
			},
			onWait: (until) => run.noteWait(until, account),
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

	/** A model may be shown the key, and sees neither notices nor the node's parameters. */
	private async toolAnswer(records: Json[]): Promise<Json[]> {
		const notice = this.cut && { truncated: true, returned: records.length, ...this.cut };
		const answer = notice ? [...records, notice] : records;
		const connection = await this.connecting?.catch(() => undefined);
		return connection ? answer.map(connection.account.mask) : answer;
	}

	/**
	 * Returns the output for a failure, if the node continues.
	 *
	 * @throws n8n's error, which ends the run
	 */
	private async failed(error: unknown): Promise<Json> {
		const { context, run } = this;
		if (error instanceof CanceledError && run.failure) throw run.failure;
		// An error about the input may quote the key, so read the credential to mask it.
		const { account } = (await this.connection().catch(() => undefined)) ?? {};
		if (account) run.noteFailure(account, error);
		const thrown = toNodeError(context.getNode(), error, context.getItemIndex(), account?.mask);
		// Without an `error` next to `json`, n8n's error output also contains the input's fields.
		if (run.continues) return { error: withRemedy(thrown) };
		throw thrown;
	}
}
