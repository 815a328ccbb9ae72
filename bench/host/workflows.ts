import { randomUUID } from 'node:crypto';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import type { Execution, N8nApi, WorkflowFile } from '../../tools/host';
import type { CredentialRef } from './stage';

/** A node of a workflow without the things that the editor adds. */
export interface NodeSpec {
	name: string;
	type: string;
	typeVersion?: number;
	parameters?: INodeParameters;
	credentials?: Record<string, CredentialRef>;
	settings?: Partial<INode>;
}

const TRIGGER = 'Start';
const MANUAL: NodeSpec = { name: TRIGGER, type: 'n8n-nodes-base.manualTrigger' };
const TIMEOUT_MS = 10 * 60_000;

/** Outputs the given records, one item each, without an expression or a Code node. */
export function items(records: IDataObject[]): NodeSpec[] {
	return [
		{
			name: 'Records',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: { mode: 'raw', jsonOutput: JSON.stringify({ rows: records }), options: {} },
		},
		{
			name: 'Items',
			type: 'n8n-nodes-base.splitOut',
			parameters: { fieldToSplitOut: 'rows', options: {} },
		},
	];
}

export function linkManagement(
	credential: CredentialRef,
	parameters: INodeParameters,
	settings: Partial<INode> = {},
): NodeSpec {
	return {
		name: 'Link Management',
		type: 'n8n-nodes-link-company.linkManagement',
		parameters,
		credentials: { linkManagementApi: credential },
		settings,
	};
}

/** The HTTP Request node with the same credential: what users have today. */
export function httpRequest(
	credential: CredentialRef,
	parameters: INodeParameters,
	settings: Partial<INode> = {},
	credentialType = 'linkManagementApi',
): NodeSpec {
	return {
		name: 'HTTP Request',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.4,
		parameters: {
			authentication: 'predefinedCredentialType',
			nodeCredentialType: credentialType,
			options: {},
			...parameters,
		},
		credentials: { [credentialType]: credential },
		settings,
	};
}

/** Parameters of the HTTP Request node that send JSON fields. */
export function jsonFields(fields: Record<string, string>): INodeParameters {
	return {
		method: 'POST',
		sendBody: true,
		bodyParameters: {
			parameters: Object.entries(fields).map(([name, value]) => ({ name, value })),
		},
	};
}

/** A stored workflow: a start by hand, then one node after the other. */
export class Chain {
	private constructor(
		private readonly api: N8nApi,
		private readonly id: string,
		/** Name of the last node. */
		readonly last: string,
	) {}

	static async store(api: N8nApi, name: string, specs: NodeSpec[]): Promise<Chain> {
		const workflow = workflowOf(name, [MANUAL, ...specs]);
		return new Chain(api, await api.createWorkflow(workflow), specs.at(-1)?.name ?? TRIGGER);
	}

	/** Starts it and gives the id of the execution. */
	async start(): Promise<string> {
		return await this.api.runWorkflow(this.id, TRIGGER);
	}

	/**
	 * Runs it to its end and gives how the last node did.
	 *
	 * @throws when the execution fails, unless `mayFail`
	 */
	async run({ mayFail = false } = {}): Promise<NodeRun> {
		const execution = await this.ended(await this.start());
		if (execution.status !== 'success' && !mayFail) throw new Error(failureOf(execution));
		return lastRun(execution, this.last);
	}

	/** On a busy machine a kept-alive connection may be closed just when it is used again. */
	private async ended(id: string, attempts = 3): Promise<Execution> {
		try {
			return await this.api.waitForExecution(id, { timeoutMs: TIMEOUT_MS });
		} catch (error) {
			if (attempts === 1 || !(error instanceof TypeError)) throw error;
			return await this.ended(id, attempts - 1);
		}
	}
}

/** How a node did in an execution, by n8n's own record. */
export interface NodeRun {
	/** Milliseconds since the epoch. */
	startedAt: number;
	/** Milliseconds that the node alone took. */
	ms: number;
	/** Output items without an error. */
	succeeded: number;
	failed: boolean;
}

function lastRun({ runData, status }: Execution, node: string): NodeRun {
	const run = runData[node]?.at(-1);
	if (!run) throw new Error(`"${node}" did not run; the execution ended with "${status}"`);
	const out = run.data?.main?.[0] ?? [];
	return {
		startedAt: run.startTime,
		ms: run.executionTime,
		succeeded: out.filter(({ json, error }) => !error && !('error' in json && json.error)).length,
		failed: run.error !== undefined,
	};
}

function failureOf({ status, error }: Execution): string {
	return `The execution ended with "${status}": ${error?.message ?? 'no reason given'}`;
}

/** A start by a call, answered before the workflow runs. */
export function webhook(path: string): NodeSpec {
	return {
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		parameters: { path, httpMethod: 'POST', responseMode: 'onReceived', options: {} },
		settings: { webhookId: path },
	};
}

/** Passes its input on, which is the least that a node can do. */
export function passOn(name: string): NodeSpec {
	return { name, type: 'n8n-nodes-base.noOp' };
}

/** A workflow in which each node feeds the next; the first one starts it. */
export function workflowOf(name: string, specs: NodeSpec[]): WorkflowFile {
	const nodes = specs.map(({ name: nodeName, type, typeVersion = 1, ...spec }, index): INode => ({
		id: randomUUID(),
		name: nodeName,
		type,
		typeVersion,
		position: [index * 220, 0],
		parameters: spec.parameters ?? {},
		...(spec.credentials ? { credentials: spec.credentials } : {}),
		...spec.settings,
	}));
	const connections = Object.fromEntries(
		nodes
			.slice(1)
			.map((node, index) => [
				nodes[index]!.name,
				{ main: [[{ node: node.name, type: 'main', index: 0 }]] },
			]),
	);
	return { id: randomUUID(), name, nodes, connections, settings: { executionOrder: 'v1' } };
}
