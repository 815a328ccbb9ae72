import {
	endedExecutions,
	expectAllDoneOnce,
	logTraffic,
	publishBulkCreations,
	publishFileWatcher,
	runAll,
	SHORT_WINDOW,
} from './support/bulkCreation';
import { startStage, type Stage } from './support/stage';

const WORKFLOWS = 3;
const ROWS = 80;

let stage: Stage;

beforeAll(async () => {
	stage = await startStage({ sandbox: { links: { rateLimit: SHORT_WINDOW } } });
});

afterAll(async () => await stage?.cleanup.run());

it('no item fails if three workflows and a trigger share a key', async () => {
	const { links } = stage.sandbox;
	const watcher = await publishFileWatcher(stage, 2);
	const creations = await publishBulkCreations(stage, WORKFLOWS, ROWS);
	links.clearRequests();

	const executions = await runAll(stage, creations);
	const polls = links.requests.filter(({ path }) => path === '/api/files').length;
	const wanted = WORKFLOWS * ROWS + polls;
	logTraffic(`${WORKFLOWS} × ${ROWS} items and ${polls} polls`, links.requests, wanted);

	expectAllDoneOnce(stage, creations, executions);
	expect(polls).toBeGreaterThan(0);
	const emitted = await endedExecutions(stage, watcher);
	expect(emitted.filter(({ status }) => status !== 'success')).toEqual([]);
});
