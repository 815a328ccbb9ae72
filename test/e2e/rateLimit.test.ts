import { until } from '../../tools/host';
import {
	endedExecutions,
	expectAllDoneOnce,
	idealSeconds,
	publishBulkCreations,
	publishFileWatcher,
	runAll,
	SHORT_WINDOW,
	traffic,
} from './support/bulkCreation';
import { startStage, type Stage } from './support/stage';

const WORKFLOWS = 3;
const ROWS = 80;

let stage: Stage;

beforeAll(async () => {
	stage = await startStage({ sandbox: { links: { rateLimit: SHORT_WINDOW } } });
});

afterAll(async () => await stage?.cleanup.run());

it('lets no item fail when three workflows and a trigger share a key', async () => {
	const { api, sandbox } = stage;
	const watcher = await publishFileWatcher(stage, 2);
	const creations = await publishBulkCreations(stage, WORKFLOWS, ROWS);
	sandbox.links.clearRequests();

	const executions = await runAll(stage, creations);
	const polls = sandbox.links.requests.filter(({ path }) => path === '/api/files').length;
	const counts = traffic(sandbox.links.requests);
	console.log(
		`${WORKFLOWS} × ${ROWS} items and ${polls} polls on one key: ${counts.requests} requests, ` +
			`${counts.refused} rejected, ${counts.seconds} s (ideal ${idealSeconds(WORKFLOWS * ROWS + polls)} s)`,
	);

	await expectAllDoneOnce(stage, creations, executions);
	expect(polls).toBeGreaterThan(0);
	expect(await failedExecutions(watcher)).toEqual([]);

	const file = sandbox.links.control.addFile({ name: 'after-the-rush.pdf' });
	await until('the trigger to see a new file', async () => {
		return (await api.executionIds(watcher, { ended: true })).length > 0;
	});
	expect(file.id).toBeGreaterThan(0);
});

async function failedExecutions(workflowId: string): Promise<string[]> {
	const executions = await endedExecutions(stage, workflowId);
	return executions.filter(({ status }) => status !== 'success').map(({ id }) => id);
}
