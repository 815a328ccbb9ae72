import { randomUUID } from 'node:crypto';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import type { Execution, N8nApi, WorkflowFile } from '../host';
import type { CredentialReference } from './stage';

/** A node of a workflow, without what the editor fills in. */
export type NodeDraft = Pick<INode, 'name' | 'type'> & Partial<INode>;

const PACKAGE = 'n8n-nodes-link-company';
export const START = 'Start';

/** Makes nodes of a type of this package. */
function nodesOf(type: string) {
	return (
		name: string,
		credential: CredentialReference,
		parameters: INodeParameters,
		settings: Partial<INode> = {},
	): NodeDraft => ({
		name,
		type: `${PACKAGE}.${type}`,
		parameters,
		credentials: { [credential.type]: referenceOf(credential) },
		...settings,
	});
}

export const linkManagement = nodesOf('linkManagement');
export const companyRegistry = nodesOf('companyRegistry');

export function referenceOf({ id, name }: CredentialReference) {
	return { id, name };
}

/** Outputs the rows in the input's field `rows`. */
const splitRows: NodeDraft = {
	name: 'Rows',
	type: 'n8n-nodes-base.splitOut',
	parameters: { fieldToSplitOut: 'rows', options: {} },
};

/** Passes its input on, as the following nodes of a workflow would. */
export function passOn(name: string): NodeDraft {
	return { name, type: 'n8n-nodes-base.noOp' };
}

/** A node that works on a data table. */
export function dataTable(name: string, id: string, parameters: INodeParameters): NodeDraft {
	const dataTableId = { __rl: true, mode: 'id', value: id };
	const all = { dataTableId, ...parameters };
	return { name, type: 'n8n-nodes-base.dataTable', typeVersion: 1.1, parameters: all };
}

/** A schedule that starts at these seconds of every minute. */
export function schedule(name: string, seconds: number[]): NodeDraft {
	const interval = seconds.map((second) => {
		return { field: 'cronExpression', expression: `${second} * * * * *` };
	});
	const parameters = { rule: { interval } };
	return { name, type: 'n8n-nodes-base.scheduleTrigger', typeVersion: 1.2, parameters };
}

/** Polls at these seconds of every minute. n8n rejects intervals below a minute, but not several polls. */
export function atSeconds(seconds: number[]): INodeParameters[] {
	return seconds.map((second) => ({ mode: 'custom', cronExpression: `${second} * * * * *` }));
}

/** A manual trigger, followed by these rows as items. */
export function startWith(rows: IDataObject[]): NodeDraft[] {
	const content = JSON.stringify({ rows });
	return [
		{ name: START, type: 'n8n-nodes-base.manualTrigger' },
		{
			name: 'Content',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: { mode: 'raw', jsonOutput: content, options: {} },
		},
		splitRows,
	];
}

/** A webhook, followed by the rows in the body of its call as items. */
export function startByCall(path: string): NodeDraft[] {
	return [
		{
			name: 'Call',
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			parameters: { path, httpMethod: 'POST', options: {} },
			webhookId: path,
		},
		{ ...splitRows, parameters: { fieldToSplitOut: 'body.rows', options: {} } },
	];
}

/** Calls the webhook of a published workflow. */
export async function call(n8nUrl: string, path: string, rows: IDataObject[]): Promise<void> {
	const response = await fetch(`${n8nUrl}/webhook/${path}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ rows }),
	});
	if (!response.ok) throw new Error(`The call was rejected: ${await response.text()}`);
}

/** Polls every `seconds` seconds. */
export function everySeconds(seconds: number): INodeParameters[] {
	const times = Array.from({ length: Math.floor(60 / seconds) }, (_, index) => index * seconds);
	return atSeconds(times);
}

/** The trigger of the credential's service. */
export function trigger(
	event: string,
	credential: CredentialReference,
	pollTimes: INodeParameters[],
	parameters: INodeParameters = {},
): NodeDraft {
	const type = credential.type.replace(/Api$/, 'Trigger');
	const all = { event, pollTimes: { item: pollTimes }, ...parameters };
	return nodesOf(type)(event, credential, all);
}

/** A workflow in which each node feeds the next. */
export function chain(name: string, nodes: NodeDraft[]): WorkflowFile {
	const next = nodes.slice(1).map(({ name: node }) => [[{ node, type: 'main', index: 0 }]]);
	return {
		id: newWorkflowId(),
		name,
		nodes: nodes.map((draft, index) => ({
			id: randomUUID(),
			typeVersion: 1,
			position: [index * 220, 0],
			parameters: {},
			...draft,
		})),
		connections: Object.fromEntries(next.map((main, index) => [nodes[index]!.name, { main }])),
		settings: {},
	};
}

/**
 * As long as n8n's own IDs. With more than 21 characters, n8n silently stores no static data, and
 * triggers forget everything when n8n ends.
 */
const ID_LENGTH = 16;

function newWorkflowId(): string {
	return randomUUID().replaceAll('-', '').slice(0, ID_LENGTH);
}

/** Stores a workflow, runs it manually and waits for its end. */
export async function runByHand(api: N8nApi, workflow: WorkflowFile): Promise<Execution> {
	const id = await api.createWorkflow(workflow);
	return await api.waitForExecution(await api.runWorkflow(id, START));
}

/** The items on the first output of a node's first run, each with the index of its input item. */
export function outputOf({ runData }: Pick<Execution, 'runData'>, node: string) {
	return (runData[node]?.[0]?.data?.main?.[0] ?? []).map(({ json, pairedItem }) => {
		const [first] = [pairedItem].flat();
		return { json, from: typeof first === 'object' ? first.item : first };
	});
}
