import type { IExecuteSingleFunctions, INodeExecutionData } from 'n8n-workflow';

import { connectionOf, type Connection, type Service } from '../http/connection';
import type { Json } from '../http/json';
import { Call } from './call';
import { inputsOf, type ShownField } from './inputs';
import { toNodeError, withRemedy } from './nodeError';
import type { ItemResult, OpenRun, Operation } from './operation';
import type { Run } from './run';

/** One input item, from its preparation to its output, however n8n calls the node. */
export class Item {
	/** What the operation has prepared, unless there's a problem. */
	prepared: unknown;
	/** Why the input is invalid. */
	problem: unknown;
	output: INodeExecutionData[] = [];
	private connecting: Promise<Connection> | undefined;

	constructor(
		private readonly service: Service,
		private readonly operation: Operation<unknown>,
		readonly context: IExecuteSingleFunctions,
		private readonly run: Run,
	) {}

	/** Evaluates and checks the input. Sends nothing. */
	prepare(fields: ShownField[]): void {
		const { context, run } = this;
		try {
			const inputs = inputsOf(context, fields, run.isTool);
			const call = new Call(inputs, context, run, async () => await this.connection());
			this.prepared = this.operation.prepare(call);
		} catch (error) {
			this.problem = error;
		}
	}

	/** @throws n8n's error, unless the node continues */
	async execute(open: OpenRun<unknown>): Promise<void> {
		const pairedItem = { item: this.context.getItemIndex() };
		const done = this.problem ? Promise.reject(this.problem as Error) : open.execute(this.prepared);
		const result = await done.catch(async (error: unknown) => await this.failed(error));
		const output = this.run.isTool ? toolAnswer(result) : result.records;
		const { binary } = this.operation?.keepsFiles ? this.context.getInputData() : {};
		const files = binary && { binary };
		this.output = output.map((json) => ({ json, ...files, pairedItem })) as INodeExecutionData[];
	}

	async connection(): Promise<Connection> {
		return await (this.connecting ??= this.connect());
	}

	/** Reads the credential, for each item, because its expressions may return another key. */
	async connect(): Promise<Connection> {
		const { context, run, service } = this;
		const credentials = await context.getCredentials(service.credential);
		const make = () => connectionOf(context.getNode(), service, credentials);
		const connection = run.memo(JSON.stringify(credentials), make);
		run.limiter = connection.limiter;
		return connection;
	}

	async failure(error: unknown): Promise<Error> {
		const { context } = this;
		// An error about the input may quote the key, so read the credential to mask it.
		const { account } = (await this.connection().catch(() => undefined)) ?? {};
		return toNodeError(context.getNode(), error, context.getItemIndex(), account?.mask);
	}

	/** @returns the output for a failure, if the node continues */
	private async failed(error: unknown): Promise<ItemResult> {
		const { context, run } = this;
		const thrown = await this.failure(error);
		if (!run.continues) throw thrown;
		// n8n's error output takes items that have nothing but an `error`, and adds the input's fields.
		const isAlone = run.isTool || context.getNode().onError === 'continueErrorOutput';
		const kept = isAlone ? {} : this.operation.keep?.(context.getInputData().json);
		return { records: [{ ...kept, error: withRemedy(thrown) }] };
	}
}

/** A model sees neither notices nor the node's parameters. */
function toolAnswer({ records, cut }: ItemResult): Json[] {
	return cut ? [...records, { truncated: true, returned: records.length, ...cut }] : records;
}
