import type { IExecuteSingleFunctions, INodeExecutionData } from 'n8n-workflow';

import { connectionOf, type Connection, type Service } from '../http/connection';
import { InputError } from '../http/inputError';
import type { Json } from '../http/json';
import { Call } from './call';
import { inputsOf, type FieldFinder } from './inputs';
import { isTool, toNodeError, withRemedy } from './nodeError';
import type { Operation, Task } from './operation';
import type { Run } from './run';

/** A node's operations and fields, ready to run. */
export interface NodeOperations {
	service: Service;
	fields: FieldFinder;
	/** By `resource.operation`. */
	operations: Map<string, Operation>;
}

/** n8n's own entry in the lists of resources and operations, which only points to HTTP Request. */
const CUSTOM_API_CALL = '__CUSTOM_API_CALL__';

/** One input item, from its preparation to its output, however n8n calls the node. */
export class Item {
	/** Why the input is invalid. */
	problem: unknown;
	/** What runs, unless there's a problem. */
	task: Task | undefined;
	output: INodeExecutionData[] = [];
	private call: Call | undefined;
	private connecting: Promise<Connection> | undefined;

	constructor(
		private readonly node: NodeOperations,
		/** `resource.operation` */
		private readonly name: string,
		readonly context: IExecuteSingleFunctions,
		private readonly run: Run,
	) {}

	/** Evaluates and checks the input. Sends nothing. */
	prepare(): void {
		try {
			const operation = this.selectedOperation();
			const connection = async () => await this.connection();
			const { context, run } = this;
			const inputs = inputsOf(context, this.node.fields.shown(context, run));
			this.call = new Call(inputs, context, run, connection);
			this.task = operation.prepare(this.call);
		} catch (error) {
			this.problem = error;
		}
	}

	/** @throws n8n's error, unless the node continues */
	async execute(): Promise<void> {
		const pairedItem = { item: this.context.getItemIndex() };
		const done = this.task ? this.task.run() : Promise.reject(this.problem as Error);
		const records = await done.catch(async (error: unknown) => [await this.failed(error)]);
		const output = isTool(this.context.getNode()) ? this.toolAnswer(records) : records;
		this.output = output.map((json) => ({ json, pairedItem })) as INodeExecutionData[];
	}

	async connection(): Promise<Connection> {
		return await (this.connecting ??= this.connect());
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

	private selectedOperation(): Operation {
		const operation = this.node.operations.get(this.name);
		if (operation) return operation;
		if (this.name.includes(CUSTOM_API_CALL)) {
			throw new InputError(
				'"Custom API Call" isn\'t an operation that the node can run',
				'Use n8n\'s HTTP Request node with this credential (Authentication: Predefined Credential Type), or select the resource "Custom API Request" here, which also stays within the rate limit.',
			);
		}
		throw new InputError(
			`The node has no operation "${this.name}"`,
			'The workflow may come from a newer version of this package. Update the package, or select the resource and the operation again.',
		);
	}

	/** A model sees neither notices nor the node's parameters. */
	private toolAnswer(records: Json[]): Json[] {
		const cut = this.call?.cut;
		return cut ? [...records, { truncated: true, returned: records.length, ...cut }] : records;
	}

	/**
	 * Returns the output for a failure, if the node continues.
	 *
	 * @throws n8n's error, which ends the run
	 */
	private async failed(error: unknown): Promise<Json> {
		const { context, run } = this;
		// An error about the input may quote the key, so read the credential to mask it.
		const { account } = (await this.connection().catch(() => undefined)) ?? {};
		const thrown = toNodeError(context.getNode(), error, context.getItemIndex(), account?.mask);
		if (!run.continues) throw thrown;
		// n8n's error output takes items that have nothing but an `error`, and adds the input's fields.
		const isAlone =
			isTool(context.getNode()) || context.getNode().onError === 'continueErrorOutput';
		const keep = isAlone ? undefined : this.node.operations.get(this.name)?.keep;
		return { ...keep?.(context.getInputData().json), error: withRemedy(thrown) };
	}
}
