import type { INode, INodeParameters } from 'n8n-workflow';

import type { N8nApi } from '../tools/host';
import type { CredentialReference } from '../tools/stage/stage';
import { chain, linkManagement, START, type NodeDraft } from '../tools/stage/workflows';

const TIMEOUT_MS = 10 * 60_000;

export const OURS = 'Link Management';
export const THEIRS = 'HTTP Request';

export function ours(
	credential: CredentialReference,
	parameters: INodeParameters,
	settings?: Partial<INode>,
): NodeDraft {
	return linkManagement(OURS, credential, parameters, settings);
}

/** The HTTP Request node with the same credential: what users have today. */
export function httpRequest(
	{ type, id, name }: CredentialReference,
	parameters: INodeParameters,
	settings: Partial<INode> = {},
): NodeDraft {
	return {
		name: THEIRS,
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.4,
		parameters: {
			authentication: 'predefinedCredentialType',
			nodeCredentialType: type,
			options: {},
			...parameters,
		},
		credentials: { [type]: { id, name } },
		...settings,
	};
}

/** Parameters of the HTTP Request node that send JSON fields. */
export function jsonFields(fields: Record<string, string>): INodeParameters {
	const parameters = Object.entries(fields).map(([name, value]) => ({ name, value }));
	return { method: 'POST', sendBody: true, bodyParameters: { parameters } };
}

/** How the last node of a workflow did in an execution, by n8n's own record. */
export interface NodeRun {
	/** Milliseconds since the epoch. */
	startedAt: number;
	/** Milliseconds that the node alone took. */
	ms: number;
	/** Output items without an error. */
	succeeded: number;
}

/**
 * Stores a workflow in which each node feeds the next. The function runs it to its end.
 *
 * @throws when an execution fails, unless `mayFail`
 */
export async function stored(
	api: N8nApi,
	name: string,
	nodes: NodeDraft[],
	{ mayFail = false } = {},
): Promise<() => Promise<NodeRun>> {
	const id = await api.createWorkflow(chain(name, nodes));
	const last = nodes.at(-1)!.name;
	return async () => {
		const executionId = await api.runWorkflow(id, START);
		const { status, error, runData } = await api.waitForExecution(executionId, {
			timeoutMs: TIMEOUT_MS,
		});
		const run = runData[last]?.at(-1);
		if (!run || (status !== 'success' && !mayFail)) {
			throw new Error(
				`The execution ended with "${status}": ${error?.message ?? 'no reason given'}`,
			);
		}
		const output = run.data?.main?.[0] ?? [];
		const failed = output.filter(({ json, error: itemError }) => itemError ?? json.error);
		const succeeded = output.length - failed.length;
		return { startedAt: run.startTime, ms: run.executionTime, succeeded };
	};
}
