import { until, type Execution } from '../../tools/host';
import {
	call,
	chain,
	everySeconds,
	linkManagement,
	outputOf,
	passOn,
	startByCall,
	trigger,
} from '../../tools/stage/workflows';
import { startQueue, startStage, type Stage } from './support/stage';

/**
 * Like the real service, but with a shorter window, so that many windows pass in a minute. The reset
 * is in milliseconds, because a second would be half a window.
 */
const SHORT_WINDOW = { limit: 30, windowMs: 2000, reset: 'epochMs' } as const;
const sandbox = { links: { rateLimit: SHORT_WINDOW } };

let stage: Stage;

afterEach(async () => await stage?.cleanup.run());

async function publish(name: string, nodes: Parameters<typeof chain>[1]): Promise<string> {
	const id = await stage.api.createWorkflow(chain(name, nodes));
	await stage.api.publishWorkflow(id);
	return id;
}

/** The executions of a workflow that have ended. */
async function executionsOf(workflowId: string): Promise<Execution[]> {
	const ids = await stage.api.executionIds(workflowId, { ended: true });
	return await Promise.all(ids.map(async (id) => await stage.api.execution(id)));
}

it.each([
	['in one process', { workers: 0, workflows: 3, size: 80, pollSeconds: 2 }],
	['in two workers and the main process', { workers: 2, workflows: 2, size: 150, pollSeconds: 5 }],
])(
	'creates every campaign once if workflows and a trigger share a key %s',
	async (_, { workers: count, workflows, size, pollSeconds }) => {
		const queue = count > 0 ? await startQueue(count, { sandbox }) : undefined;
		stage = queue?.stage ?? (await startStage({ sandbox }));
		const workers = queue?.workers ?? [];
		const { n8n, credentials } = stage;
		const { links } = stage.sandbox;
		const files = trigger('fileCreated', credentials.links, everySeconds(pollSeconds));
		const watcher = await publish('Watcher', [files, passOn('Seen')]);
		const parameters = {
			resource: 'campaign',
			operation: 'create',
			campaignName: '={{ $json.name }}',
		};
		const create = linkManagement('Create campaigns', credentials.links, parameters);
		const wanted: Record<string, string[]> = {};
		for (let index = 0; index < workflows; index++) {
			const path = `bulk-${index}`;
			const id = await publish(path, [...startByCall(path), create]);
			wanted[id] = Array.from({ length: size }, (_row, row) => `${path} row ${row}`);
		}

		const calls = Object.values(wanted).map(async (names, index) => {
			await call(
				n8n.url,
				`bulk-${index}`,
				names.map((name) => ({ name })),
			);
		});
		await Promise.all(calls);
		const file = links.control.addFile({ name: 'during-the-rush.pdf' });
		for (const [id, names] of Object.entries(wanted)) {
			const ended = async () => (await executionsOf(id))[0];
			const execution = await until(`an execution of ${id}`, ended, 20 * 60_000);
			expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
			const output = outputOf(execution, create.name);
			expect(output.map(({ from }) => from)).toEqual(names.map((_row, row) => row));
			expect(output.map(({ json }) => json.name)).toEqual(names);
		}
		const created = links.state.campaigns.all().map(({ name }) => name);
		const bulk = created.filter((name) => name.startsWith('bulk-'));
		expect(bulk.sort()).toEqual(Object.values(wanted).flat().sort());
		for (const worker of workers) expect(worker.logTail()).toMatch(/finished execution/i);

		const polled = await until('the trigger’s event', async () => {
			const seen = await executionsOf(watcher);
			return seen.some((execution) => outputOf(execution, 'Seen').length > 0) && seen;
		});
		const emitted = polled.flatMap((execution) => outputOf(execution, 'Seen'));
		expect(emitted.map(({ json }) => json.id)).toEqual([file.id]);
		const failed = polled.flatMap(({ error }) => error?.message ?? []);
		// A poll may fail if the workers take every window; the next one resumes.
		if (workers.length === 0) expect(failed).toEqual([]);
		for (const message of failed) expect(message).toMatch(/rate limit|limit .* reached/i);
	},
);
