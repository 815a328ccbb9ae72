import { setTimeout as delay } from 'node:timers/promises';
import { freePort, N8nApi, until, type N8nProcess } from '../../tools/host';
import { OWNER, startStage, startWatched, type Stage } from './support/stage';
import { chain, everySeconds, passOn, trigger } from '../../tools/stage/workflows';

/**
 * Kills n8n while triggers poll. Run it before a release: `npm run test:e2e -- crash`. It measures
 * how n8n's schedulers store a poll. In November 2026, the in-memory scheduler of n8n 2.41.1 stored a
 * poll's state 6 to 37 ms before its execution, so a crash in between lost the poll's events.
 */
const KILLS = Number(process.env.E2E_KILLS ?? 20);

/** Settings of an n8n that is killed and restarted. */
const KILLED = {
	// Resumes an interrupted publication after this many seconds instead of two minutes.
	N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '20',
	N8N_WORKFLOW_PUBLICATION_OUTBOX_POLL_INTERVAL_MS: '1000',
	// n8n's insights can't restart after an execution was killed before it began.
	N8N_DISABLED_MODULES: 'mcp-registry,insights',
};

const DURABLE = {
	...KILLED,
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
	N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '1',
	N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
	N8N_SCHEDULER_REAPER_INTERVAL: '1',
	// Work that a killed n8n had begun is released after this many seconds.
	N8N_SCHEDULER_LEASE_DURATION: '10',
	// Keeps polls that came due while n8n was down from running in parallel after the restart.
	N8N_SCHEDULER_MISFIRE_GRACE: '5',
};

/** The events that happen, and the requests of their polls. */
const POLL_PATHS = { fileCreated: /^\/api\/files$/, companyStatusChanged: /^\/api\/v1\// };
type EventName = keyof typeof POLL_PATHS;
const EVENTS = Object.keys(POLL_PATHS) as EventName[];

const stages: Stage[] = [];

afterAll(async () => {
	for (const { cleanup } of stages) await cleanup.run();
});

it.each([
	['in-memory', KILLED, 2],
	// Needs more time.
	['durable', DURABLE, 5],
] as const)(
	'keeps emitting events with the %s scheduler even if n8n is killed again and again',
	async (scheduler, env, pollSeconds) => {
		const counts = await killRepeatedly(env, pollSeconds);
		console.log(`${KILLS} kills, ${scheduler} scheduler: ${JSON.stringify(counts)}`);
		for (const { emitted } of counts) expect(emitted).toBeGreaterThan(0);
		// Only the durable scheduler stores a poll's state and its execution in one transaction.
		if (scheduler === 'durable') expect(counts.flatMap(({ lost }) => lost)).toEqual([]);
	},
	60 * 60_000,
);

/** Keeps adding files and changing the status of a company. */
function happenings({ sandbox: { links, registry } }: Stage) {
	const happened: Record<EventName, string[]> = { fileCreated: [], companyStatusChanged: [] };
	const [{ idno } = { idno: '' }] = registry.v1.state.all();
	const timer = setInterval(() => {
		const status = `status ${happened.companyStatusChanged.length}`;
		registry.v1.control.update(idno, { status });
		happened.companyStatusChanged.push(status);
		happened.fileCreated.push(String(links.control.addFile({ name: status }).id));
	}, 150);
	return { idno, happened, stop: () => clearInterval(timer) };
}

/** @returns what became of each kind of event */
async function killRepeatedly(env: NodeJS.ProcessEnv, pollSeconds: number) {
	const stage = await startStage({ env });
	stages.push(stage);
	const { api, cleanup, credentials, host, userFolder } = stage;
	const news = happenings(stage);
	cleanup.add(async () => news.stop());
	const parameters = { watch: 'text', watchListText: news.idno };
	const workflows = {} as Record<EventName, string>;
	for (const event of EVENTS) {
		const isLinks = event === 'fileCreated';
		const credential = isLinks ? credentials.links : credentials.registry;
		const node = trigger(event, credential, everySeconds(pollSeconds), isLinks ? {} : parameters);
		workflows[event] = await api.createWorkflow(chain(event, [node, passOn('Seen')]));
		await api.publishWorkflow(workflows[event]);
		// n8n stores the trigger's state only with its first event.
		const executed = async () => (await api.executionIds(workflows[event])).length > 0;
		await until(`the first event of ${event}`, executed, 10 * 60_000);
	}
	let n8n: N8nProcess = stage.n8n;
	for (let kill = 1; kill <= KILLS; kill++) {
		await untilPolled(stage);
		await delay(Math.random() * pollSeconds * 1000);
		await n8n.kill();
		// The next polls must find everything that has happened until now.
		if (kill === KILLS) news.stop();
		stage.sandbox.links.clearRequests();
		stage.sandbox.registry.v1.clearRequests();
		const port = await freePort();
		n8n = await startWatched('restarted n8n', { host, userFolder, port, env });
		const { stop } = n8n;
		cleanup.add(stop);
	}
	await untilPolled(stage);
	// Long enough for several polls.
	await delay(30_000);
	const restarted = new N8nApi(n8n.url);
	await restarted.logIn(OWNER);
	const counts = EVENTS.map(async (event) => {
		const ids = await restarted.executionIds(workflows[event]);
		const executions = ids.map(async (id) => await restarted.execution(id));
		const isFile = event === 'fileCreated';
		// Everything that the trigger passed to executions, even to unfinished ones.
		const emitted = (await Promise.all(executions)).flatMap(({ runData, waiting }) =>
			(runData[event]?.[0]?.data?.main?.[0] ?? waiting).map(({ json }) =>
				String(isFile ? json.id : json.status),
			),
		);
		const happened = news.happened[event];
		// A poll reports the latest status. A status that was replaced in between isn't an event.
		const wanted = happened.slice(isFile ? happened.indexOf(emitted[0] ?? '') : -1);
		const lost = wanted.filter((id) => !emitted.includes(id));
		const repeated = emitted.length - new Set(emitted).size;
		return { event, emitted: emitted.length, lost, repeated };
	});
	return await Promise.all(counts);
}

/** Waits until both triggers have polled since n8n's start. */
async function untilPolled({ sandbox: { links, registry } }: Stage): Promise<void> {
	const polled = (event: EventName) => {
		const { requests } = event === 'fileCreated' ? links : registry.v1;
		return requests.some(({ path, status }) => status > 0 && POLL_PATHS[event].test(path));
	};
	await until('a poll for each event', () => EVENTS.every(polled), 10 * 60_000);
}
