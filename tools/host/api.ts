import { setTimeout as delay } from 'node:timers/promises';
import { parse as parseFlatted } from 'flatted';
import type { ICredentialType, INode, INodeTypeDescription, IRunData } from 'n8n-workflow';

export interface Owner {
	email: string;
	/** n8n wants at least 8 characters with a capital letter and a digit. */
	password: string;
	firstName: string;
	lastName: string;
}

/** What the editor exports and `examples/` holds. */
export interface WorkflowFile {
	id: string;
	name: string;
	nodes: INode[];
	connections: Record<string, unknown>;
	settings?: Record<string, unknown>;
}

export interface Execution {
	id: string;
	/** n8n's word: `success`, `error`, `canceled`, `crashed`, … */
	status: string;
	/** The runs of each node, by its name; of a running execution those stored so far. */
	runData: IRunData;
	/** Why the execution as a whole failed. */
	error?: { message: string; description?: string | null };
	/** Milliseconds from start to stop. */
	duration: number;
}

const UNFINISHED = new Set(['new', 'running', 'waiting', 'unknown']);
const EXECUTION_POLL_MS = 100;

/** The part of the editor's own REST interface that a script needs, as one signed-in user. */
export class N8nApi {
	private cookie = '';

	/** @param url n8n's address without a trailing slash */
	constructor(private readonly url: string) {}

	/** Sets up the owner of a fresh n8n and signs in as that owner. */
	async setUpOwner(owner: Owner): Promise<void> {
		await this.post('/rest/owner/setup', owner);
	}

	async logIn({ email, password }: Pick<Owner, 'email' | 'password'>): Promise<void> {
		await this.post('/rest/login', { emailOrLdapLoginId: email, password });
	}

	/** Gives the id of the new credential. */
	async createCredential(
		name: string,
		type: string,
		data: Record<string, unknown>,
	): Promise<string> {
		return (await this.post<{ id: string }>('/rest/credentials', { name, type, data })).id;
	}

	/** Stores a workflow under the id it brings along, and gives that id. */
	async createWorkflow(workflow: WorkflowFile): Promise<string> {
		return (await this.post<{ id: string }>('/rest/workflows', workflow)).id;
	}

	/** Descriptions of all nodes n8n has loaded; `name` starts with the package's name. */
	async nodeTypes(): Promise<INodeTypeDescription[]> {
		return await this.request<INodeTypeDescription[]>('GET', '/types/nodes.json');
	}

	/** All credential types n8n has loaded. */
	async credentialTypes(): Promise<ICredentialType[]> {
		return await this.request<ICredentialType[]>('GET', '/types/credentials.json');
	}

	/** Starts a workflow at one of its trigger nodes and gives the id of the execution. */
	async runWorkflow(id: string, triggerName: string): Promise<string> {
		const started = await this.post<{ executionId: string }>(`/rest/workflows/${id}/run`, {
			triggerToStartFrom: { name: triggerName },
		});
		return started.executionId;
	}

	/**
	 * Waits until an execution has ended, well or badly.
	 *
	 * @throws when it has not ended after `timeoutMs`, or `signal` is aborted
	 */
	async waitForExecution(
		id: string,
		{ timeoutMs = 120_000, signal }: { timeoutMs?: number; signal?: AbortSignal } = {},
	): Promise<Execution> {
		const deadline = Date.now() + timeoutMs;
		for (;;) {
			const execution = await this.execution(id);
			if (!UNFINISHED.has(execution.status)) return execution;
			if (Date.now() > deadline) {
				throw new Error(`Execution ${id} is still ${execution.status} after ${timeoutMs} ms`);
			}
			await delay(EXECUTION_POLL_MS, undefined, { signal });
		}
	}

	async execution(id: string): Promise<Execution> {
		const stored = await this.get<StoredExecution>(`/rest/executions/${id}`);
		// n8n keeps repeated objects of an execution once; `flatted` is the format it does so in.
		const data = parseFlatted(stored.data) as StoredExecutionData | undefined;
		return {
			id,
			status: stored.status,
			runData: data?.resultData?.runData ?? {},
			error: data?.resultData?.error,
			duration: Date.parse(stored.stoppedAt ?? '') - Date.parse(stored.startedAt ?? ''),
		};
	}

	/** @throws with n8n's message when it answers with anything but 2xx */
	async get<T>(path: string): Promise<T> {
		return (await this.request<{ data: T }>('GET', path)).data;
	}

	/** @throws with n8n's message when it answers with anything but 2xx */
	async post<T = unknown>(path: string, body: object): Promise<T> {
		return (await this.request<{ data: T }>('POST', path, body)).data;
	}

	private async request<T>(method: string, path: string, body?: object): Promise<T> {
		const response = await fetch(this.url + path, {
			method,
			headers: { 'content-type': 'application/json', cookie: this.cookie },
			body: body && JSON.stringify(body),
		});
		const text = await response.text();
		if (!response.ok) throw new Error(`n8n: ${method} ${path}: ${response.status} ${text}`);
		const [cookie] = response.headers.getSetCookie();
		if (cookie) this.cookie = cookie.split(';')[0] ?? '';
		return JSON.parse(text) as T;
	}
}

interface StoredExecution {
	status: string;
	data: string;
	startedAt?: string | null;
	stoppedAt?: string | null;
}

interface StoredExecutionData {
	resultData?: { runData?: IRunData; error?: Execution['error'] };
}
