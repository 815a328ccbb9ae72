import type { INode, INodeParameters } from 'n8n-workflow';
import type { SandboxOptions } from '../sandbox';
import { startStage, type CredentialReference, type Stage } from '../tools/stage/stage';
import { chain, linkManagement, START, type NodeDraft } from '../tools/stage/workflows';

/** More than any part sends. Without a limit, the services wouldn't send rate-limit headers. */
export const NO_LIMIT = 10_000_000;

export const OURS = 'Link Management';
export const THEIRS = 'HTTP Request';

const TIMEOUT_MS = 10 * 60_000;

/** Runs a part's measurements in an n8n with the built package, and closes it. */
export async function onStage<T>(
	links: NonNullable<SandboxOptions['links']>,
	measure: (stage: Stage) => Promise<T>,
): Promise<T> {
	const stage = await startStage({ sandbox: { links } });
	try {
		return await measure(stage);
	} finally {
		await stage.cleanup.run();
	}
}

/**
 * A credential with a new API key, because n8n's process remembers the open window of a used key.
 */
export async function freshCredential({ api, sandbox }: Stage): Promise<CredentialReference> {
	const { settings, baseUrl } = sandbox.links;
	const name = `bench-key-${settings.otherApiKeys.length + 1}`;
	sandbox.links.configure({ otherApiKeys: [...settings.otherApiKeys, name] });
	const type = 'linkManagementApi';
	return { type, name, id: await api.createCredential(name, type, { baseUrl, apiKey: name }) };
}

export function ours(
	credential: CredentialReference,
	parameters: INodeParameters,
	settings?: Partial<INode>,
): NodeDraft {
	return linkManagement(OURS, credential, parameters, settings);
}

/** The HTTP Request node with the same credential, which users have without this package. */
export function httpRequest(
	{ type, id, name }: CredentialReference,
	parameters: INodeParameters,
	settings: Partial<INode> = {},
): NodeDraft {
	const authentication = 'predefinedCredentialType';
	return {
		name: THEIRS,
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.4,
		parameters: { authentication, nodeCredentialType: type, options: {}, ...parameters },
		credentials: { [type]: { id, name } },
		...settings,
	};
}

/** Parameters of the HTTP Request node that send JSON fields. */
export function jsonFields(fields: Record<string, string>): INodeParameters {
	const parameters = Object.entries(fields).map(([name, value]) => ({ name, value }));
	return { method: 'POST', sendBody: true, bodyParameters: { parameters } };
}

/** n8n's own record of a workflow's last node in an execution. */
export interface NodeRun {
	/** Milliseconds since the epoch. */
	startedAt: number;
	/** Milliseconds that the node took, without the rest of the workflow. */
	ms: number;
	/** Output items without an error. */
	succeeded: number;
}

/**
 * Stores a workflow in which each node feeds the next, and returns a function that runs it.
 *
 * @throws if the last node didn't run
 */
export async function stored(
	{ api }: Stage,
	name: string,
	nodes: NodeDraft[],
): Promise<() => Promise<NodeRun>> {
	const id = await api.createWorkflow(chain(name, nodes));
	const last = nodes.at(-1)!.name;
	return async () => {
		const execution = await api.waitForExecution(await api.runWorkflow(id, START), {
			timeoutMs: TIMEOUT_MS,
		});
		const { status, error, runData } = execution;
		const run = runData[last]?.at(-1);
		if (!run) throw new Error(`The execution ended with "${status}": ${error?.message}`);
		const output = run.data?.main?.[0] ?? [];
		const failed = output.filter(({ json, error: itemError }) => itemError ?? json.error);
		const succeeded = output.length - failed.length;
		return { startedAt: run.startTime, ms: run.executionTime, succeeded };
	};
}
