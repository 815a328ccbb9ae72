import type { LoggedRequest } from '../../../sandbox';
import { until, type Execution } from '../../../tools/host';
import type { Stage } from './stage';
import {
	call,
	chain,
	everySeconds,
	linkManagement,
	outputOf,
	passOn,
	startByCall,
	trigger,
} from '../../../tools/stage/workflows';

/**
 * Like the real service, but with a shorter window, so that many windows pass in a minute. The reset
 * is in milliseconds, because a second would be half a window.
 */
export const SHORT_WINDOW = { limit: 30, windowMs: 2000, reset: 'epochMs' } as const;

const CREATE = 'Create campaigns';

/** A published webhook workflow that creates a campaign for each row it receives. */
interface BulkCreation {
	workflowId: string;
	path: string;
	names: string[];
}

/** Publishes `count` workflows of `size` rows each; no name is used twice. */
export async function publishBulkCreations(
	{ api, credentials }: Stage,
	count: number,
	size: number,
): Promise<BulkCreation[]> {
	const creations: BulkCreation[] = [];
	for (let index = 0; index < count; index++) {
		const path = `bulk-${index}`;
		const create = linkManagement(CREATE, credentials.links, {
			resource: 'campaign',
			operation: 'create',
			campaignName: '={{ $json.name }}',
		});
		const workflowId = await api.createWorkflow(chain(path, [...startByCall(path), create]));
		await api.publishWorkflow(workflowId);
		const names = Array.from({ length: size }, (_, row) => `${path} row ${row}`);
		creations.push({ workflowId, path, names });
	}
	return creations;
}

/** Calls all workflows at once, and waits for their executions. */
export async function runAll(stage: Stage, creations: BulkCreation[]): Promise<Execution[]> {
	const calls = creations.map(async ({ path, names }) => {
		const rows = names.map((name) => ({ name }));
		await call(stage.n8n.url, path, rows);
	});
	await Promise.all(calls);
	return await Promise.all(
		creations.map(async ({ workflowId, path }) => {
			const ended = async () => (await endedExecutions(stage, workflowId))[0];
			return await until(`an execution of ${path}`, ended, 20 * 60_000);
		}),
	);
}

/** Expects that every row succeeded, and that its campaign was returned and created once. */
export function expectAllDoneOnce(
	{ sandbox }: Stage,
	creations: BulkCreation[],
	executions: Execution[],
): void {
	for (const [index, { names }] of creations.entries()) {
		const execution = executions[index]!;
		expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
		const output = outputOf(execution, CREATE);
		expect(output.map(({ from }) => from)).toEqual(names.map((_, row) => row));
		expect(output.map(({ json }) => json.name)).toEqual(names);
	}
	const created = sandbox.links.state.campaigns.all().map(({ name }) => name);
	const wanted = creations.flatMap(({ names }) => names);
	expect(created.filter((name) => name.startsWith('bulk-')).sort()).toEqual(wanted.sort());
}

/** Logs a run's requests, and its duration next to the shortest time that the limit allows. */
export function logTraffic(what: string, requests: readonly LoggedRequest[], wanted: number): void {
	const refused = requests.filter(({ status }) => status === 429).length;
	const seconds = ((requests.at(-1)?.at ?? 0) - (requests[0]?.at ?? 0)) / 1000;
	const ideal = Math.ceil(wanted / SHORT_WINDOW.limit) * (SHORT_WINDOW.windowMs / 1000);
	console.log(
		`${what} on one key: ${requests.length} requests, ${refused} rejected, ` +
			`${seconds.toFixed(1)} s (ideal ${ideal} s)`,
	);
}

/** Publishes a trigger that polls for new files, and returns its workflow's ID. */
export async function publishFileWatcher(
	{ api, credentials }: Stage,
	pollSeconds: number,
): Promise<string> {
	const files = trigger('fileCreated', credentials.links, everySeconds(pollSeconds));
	const id = await api.createWorkflow(chain('Watcher', [files, passOn('Seen')]));
	await api.publishWorkflow(id);
	return id;
}

/** The executions of a workflow that have ended. */
export async function endedExecutions({ api }: Stage, workflowId: string): Promise<Execution[]> {
	const ids = await api.executionIds(workflowId, { ended: true });
	return await Promise.all(ids.map(async (id) => await api.execution(id)));
}
