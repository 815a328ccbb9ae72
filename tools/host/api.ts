import type {
	ICredentialType,
	IDataObject,
	IExecuteData,
	INode,
	INodeExecutionData,
	INodeTypeDescription,
	IPinData,
	IRunData,
} from 'n8n-workflow';
import { until } from './until';

export interface Owner {
	email: string;
	/** n8n requires at least 8 characters with a capital letter and a digit. */
	password: string;
	firstName: string;
	lastName: string;
}

/** A workflow as the editor exports it, and as `examples/` contains it. */
export interface WorkflowFile {
	id: string;
	name: string;
	nodes: INode[];
	connections: Record<string, unknown>;
	settings?: Record<string, unknown>;
	/** Sample data of nodes, which n8n uses in manual executions instead of running them. */
	pinData?: IPinData;
}

export interface Execution {
	id: string;
	/** `success`, `error`, `canceled`, `crashed`, … */
	status: string;
	/** Each node's runs, by node name. While the execution is running, only the runs stored so far. */
	runData: IRunData;
	/** Items that the first node is still waiting for, e.g. in an execution that was interrupted. */
	waiting: INodeExecutionData[];
	/** Why the execution as a whole failed. */
	error?: { message: string; description?: string | null };
	/** Milliseconds from start to stop. */
	duration: number;
}

const UNFINISHED = new Set(['new', 'running', 'waiting', 'unknown']);
const EXECUTIONS_PER_PAGE = 100;

/** The part of the editor's REST API that a script needs, as one signed-in user. */
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

	/** Returns the id of the new credential. */
	async createCredential(
		name: string,
		type: string,
		data: Record<string, unknown>,
	): Promise<string> {
		return (await this.post<{ id: string }>('/rest/credentials', { name, type, data })).id;
	}

	/** Stores a workflow under its own id and returns the id. */
	async createWorkflow(workflow: WorkflowFile): Promise<string> {
		return (await this.post<{ id: string }>('/rest/workflows', workflow)).id;
	}

	/**
	 * Publishes a workflow and waits until its triggers are active.
	 *
	 * @throws with n8n's reason when a trigger cannot be activated
	 */
	async publishWorkflow(id: string): Promise<void> {
		const { versionId } = await this.get<{ versionId: string }>(`/rest/workflows/${id}`);
		await this.post(`/rest/workflows/${id}/activate`, { versionId });
		const { status, reasons } = await until(`workflow ${id} to be published`, async () => {
			const path = `/rest/workflows/${id}/publication-status`;
			const current = await this.get<PublicationStatus>(path);
			const errors = current.triggers.flatMap(({ errorMessage }) => errorMessage ?? []);
			const isDecided = current.status === 'published' || errors.length > 0;
			return isDecided && { status: current.status, reasons: errors };
		});
		if (status !== 'published') {
			throw new Error(`Workflow ${id} is ${status}: ${reasons.join(', ')}`);
		}
	}

	/** Changes the nodes of a stored workflow and publishes it again. */
	async editWorkflow(id: string, change: (nodes: INode[]) => void): Promise<void> {
		const path = `/rest/workflows/${id}`;
		const stored = await this.get<WorkflowFile & { versionId: string }>(path);
		const { nodes, connections, versionId } = stored;
		change(nodes);
		await this.patch(path, { nodes, connections, versionId });
		await this.publishWorkflow(id);
	}

	/**
	 * Creates a data table with text columns.
	 *
	 * @returns its ID, and the path of its REST resource
	 */
	async createDataTable(name: string, columns: string[], data: IDataObject[]) {
		const { id: projectId } = await this.get<{ id: string }>('/rest/projects/personal');
		const tables = `/rest/projects/${projectId}/data-tables`;
		const table = { name, columns: columns.map((column) => ({ name: column, type: 'string' })) };
		const { id } = await this.post<{ id: string }>(tables, table);
		await this.post(`${tables}/${id}/insert`, { data, returnType: 'count' });
		return { id, path: `${tables}/${id}` };
	}

	/** Descriptions of all nodes n8n has loaded; `name` starts with the package's name. */
	async nodeTypes(): Promise<INodeTypeDescription[]> {
		return await this.request<INodeTypeDescription[]>('GET', '/types/nodes.json');
	}

	/** All credential types n8n has loaded. */
	async credentialTypes(): Promise<ICredentialType[]> {
		return await this.request<ICredentialType[]>('GET', '/types/credentials.json');
	}

	/** Starts a workflow at one of its trigger nodes and returns the id of the execution. */
	async runWorkflow(id: string, triggerName: string): Promise<string> {
		const started = await this.post<{ executionId: string }>(`/rest/workflows/${id}/run`, {
			triggerToStartFrom: { name: triggerName },
		});
		return started.executionId;
	}

	/**
	 * Waits until an execution has ended, successfully or not.
	 *
	 * @throws when it has not ended in time, or `signal` is aborted
	 */
	async waitForExecution(
		id: string,
		{ timeoutMs = 10 * 60_000, signal }: { timeoutMs?: number; signal?: AbortSignal } = {},
	): Promise<Execution> {
		const ended = async () => {
			const execution = await this.execution(id);
			return !UNFINISHED.has(execution.status) && execution;
		};
		return await until(`execution ${id} to end`, ended, timeoutMs, signal);
	}

	/** Ids of all executions of a workflow, oldest first; `ended` leaves out those in progress. */
	async executionIds(workflowId: string, { ended = false } = {}): Promise<string[]> {
		const ids: string[] = [];
		for (let lastId = ''; ;) {
			const query = new URLSearchParams({
				filter: JSON.stringify({ workflowId }),
				limit: String(EXECUTIONS_PER_PAGE),
				...(lastId && { lastId }),
			});
			const { results } = await this.get<{ results: Array<{ id: string; status: string }> }>(
				`/rest/executions?${query}`,
			);
			const wanted = results.filter(({ status }) => !ended || !UNFINISHED.has(status));
			ids.push(...wanted.map(({ id }) => id));
			if (results.length < EXECUTIONS_PER_PAGE) return ids.reverse();
			lastId = results.at(-1)?.id ?? '';
		}
	}

	async execution(id: string): Promise<Execution> {
		const stored = await this.get<StoredExecution>(`/rest/executions/${id}`);
		const data = parseExecutionData(stored.data);
		return {
			id,
			status: stored.status,
			runData: data?.resultData?.runData ?? {},
			waiting: data?.executionData?.nodeExecutionStack?.[0]?.data.main?.[0] ?? [],
			error: data?.resultData?.error,
			duration: Date.parse(stored.stoppedAt ?? '') - Date.parse(stored.startedAt ?? ''),
		};
	}

	/** @throws with n8n's message when the response isn't 2xx */
	async get<T>(path: string): Promise<T> {
		return (await this.request<{ data: T }>('GET', path)).data;
	}

	/** @throws with n8n's message when the response isn't 2xx */
	async post<T = unknown>(path: string, body: object): Promise<T> {
		return (await this.request<{ data: T }>('POST', path, body)).data;
	}

	/** @throws with n8n's message when the response isn't 2xx */
	async patch<T = unknown>(path: string, body: object): Promise<T> {
		return (await this.request<{ data: T }>('PATCH', path, body)).data;
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

/**
 * Reads an execution's data as n8n stores and returns it: a JSON array that contains each object and
 * text of the execution once. Texts inside an object are indexes into the array.
 */
function parseExecutionData(text: string): ExecutionData | undefined {
	const stored = JSON.parse(text) as unknown[];
	const read = new Map<number, object>();
	const valueAt = (place: number): unknown => {
		const value = stored[place];
		if (typeof value !== 'object' || value === null) return value;
		const known = read.get(place);
		if (known) return known;
		const copy = (Array.isArray(value) ? [] : {}) as Record<string, unknown>;
		read.set(place, copy);
		for (const [key, each] of Object.entries(value)) {
			copy[key] = typeof each === 'string' ? valueAt(Number(each)) : (each as unknown);
		}
		return copy;
	};
	return valueAt(0) as ExecutionData | undefined;
}

interface StoredExecution {
	status: string;
	data: string;
	startedAt?: string | null;
	stoppedAt?: string | null;
}

/** The part of an execution's data that scripts need. */
interface ExecutionData {
	executionData?: { nodeExecutionStack?: IExecuteData[] };
	resultData?: { runData?: IRunData; error?: Execution['error'] };
}

interface PublicationStatus {
	status: 'in_progress' | 'not_published' | 'published' | 'partial' | 'failed';
	triggers: Array<{ errorMessage: string | null }>;
}
