import { freePort, until, type N8nProcess } from '../../tools/host';
import { queueModeEnvironment } from '../../tools/services';
import { Cleanup } from '../../tools/cli/cleanup';
import {
	endedExecutions,
	expectAllDoneOnce,
	logTraffic,
	publishBulkCreations,
	publishFileWatcher,
	runAll,
	SHORT_WINDOW,
} from './support/bulkCreation';
import { startPostgres, startRedis } from './support/services';
import { startStage, startWatched, type Stage } from './support/stage';
import { outputOf } from '../../tools/stage/workflows';

const WORKERS = 2;
const ROWS = 150;

let stage: Stage;
const workers: N8nProcess[] = [];

beforeAll(async () => {
	const cleanup = new Cleanup();
	const postgres = await startPostgres();
	cleanup.add(async () => await postgres.stop());
	const redis = await startRedis();
	cleanup.add(async () => await redis.stop());
	const env = queueModeEnvironment(postgres, redis);
	const sandbox = { links: { rateLimit: SHORT_WINDOW } };
	stage = await startStage({ sandbox, env, cleanup });
	for (let number = 1; number <= WORKERS; number++) {
		const worker = await startWatched(`worker ${number}`, {
			host: stage.host,
			userFolder: stage.userFolder,
			port: await freePort(),
			command: 'worker',
			// One execution at a time, so that two workflows run on two workers.
			env: { ...env, N8N_CONCURRENCY_PRODUCTION_LIMIT: '1' },
		});
		cleanup.add(async () => await worker.stop());
		workers.push(worker);
	}
});

afterAll(async () => await stage?.cleanup.run());

it('processes every item exactly once if two workers and a polling main process share a key', async () => {
	const { sandbox } = stage;
	const watcher = await publishFileWatcher(stage, 5);
	const creations = await publishBulkCreations(stage, WORKERS, ROWS);
	sandbox.links.clearRequests();

	const running = runAll(stage, creations);
	const file = sandbox.links.control.addFile({ name: 'during-the-rush.pdf' });
	const executions = await running;
	logTraffic(`${WORKERS} workers × ${ROWS} items`, sandbox.links.requests, WORKERS * ROWS);

	expectAllDoneOnce(stage, creations, executions);
	const logs = workers.map((worker) => worker.logTail());
	for (const log of logs) expect(log).toMatch(/finished execution/i);

	const polled = await until('the trigger’s event', async () => {
		const seen = await endedExecutions(stage, watcher);
		return seen.some((execution) => outputOf(execution, 'Seen').length > 0) && seen;
	});
	const emitted = polled.flatMap((execution) => outputOf(execution, 'Seen'));
	expect(emitted.map(({ json }) => json.id)).toEqual([file.id]);
	// A poll may fail if the workers take every window; the next one resumes.
	const failed = polled.flatMap(({ error }) => error?.message ?? []);
	console.log(`${failed.length} polls failed: ${failed.join('; ') || 'none'}`);
	for (const message of failed) expect(message).toMatch(/rate limit|limit .* reached/i);
});
