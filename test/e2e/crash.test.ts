import type { IDataObject } from 'n8n-workflow';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort, N8nApi, until, type N8nProcess } from '../../tools/host';
import { OWNER, startStage, startWatched, type Stage } from './support/stage';
import { chain, everySeconds, passOn, trigger } from '../../tools/stage/workflows';

/**
 * Kills n8n while triggers poll. On demand, before a release: `npm run test:e2e -- crash`. It
 * measures how n8n's schedulers store a poll. In November 2026 with n8n 2.41.1, the in-memory one
 * stored a poll's state 6 to 37 ms before its execution; an end in between loses the poll's events.
 */
const KILLS = Number(process.env.E2E_KILLS ?? 20);

/** For an n8n that is killed and started again. */
const KILLED = {
	// What it had begun to publish is resumed after this, not after two minutes.
	N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '20',
	N8N_WORKFLOW_PUBLICATION_OUTBOX_POLL_INTERVAL_MS: '1000',
	// Its insights can't start again after an execution was killed before it began.
	N8N_DISABLED_MODULES: 'mcp-registry,insights',
};

/** Each scheduler's settings, and its seconds between polls: the durable one takes more time. */
const SCHEDULERS = {
	'in-memory': { settings: KILLED, pollSeconds: 2 },
	durable: {
		settings: {
			...KILLED,
			N8N_SCHEDULER_ENABLED: 'true',
			N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
			N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
			N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
			N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '1',
			N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
			N8N_SCHEDULER_REAPER_INTERVAL: '1',
			// What a killed n8n had begun is free again after this.
			N8N_SCHEDULER_LEASE_DURATION: '10',
			// Polls that were due while n8n was down don't run in parallel after its start.
			N8N_SCHEDULER_MISFIRE_GRACE: '5',
		},
		pollSeconds: 5,
	},
};
type Scheduler = keyof typeof SCHEDULERS;

const EVENTS = ['fileCreated', 'companyStatusChanged'] as const;
type EventName = (typeof EVENTS)[number];

const POLL_PATHS = { fileCreated: /^\/api\/files$/, companyStatusChanged: /^\/api\/v1\// };

const stages: Stage[] = [];

afterAll(async () => {
	for (const { cleanup } of stages) await cleanup.run();
});

it.each(Object.keys(SCHEDULERS) as Scheduler[])(
	'emits events with the %s scheduler, whenever n8n is killed',
	async (scheduler) => {
		const counts = await killRepeatedly(scheduler);
		console.log(`${KILLS} kills, ${scheduler} scheduler: ${JSON.stringify(counts)}`);
		for (const event of EVENTS) expect(counts[event].emitted).toBeGreaterThan(0);
		// Only the durable scheduler stores a poll's state and its execution in one transaction.
		if (scheduler === 'durable') expect(EVENTS.flatMap((event) => counts[event].lost)).toEqual([]);
	},
	60 * 60_000,
);

/** New files, and changed statuses of one company, all the time. */
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

async function killRepeatedly(scheduler: Scheduler) {
	const { settings: env, pollSeconds } = SCHEDULERS[scheduler];
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
		// Only from its first event on, n8n has stored the trigger's state.
		const executed = async () => (await api.executionIds(workflows[event])).length > 0;
		await until(`the first event of ${event}`, executed, 10 * 60_000);
	}
	let n8n: N8nProcess = stage.n8n;
	for (let kill = 1; kill <= KILLS; kill++) {
		await untilPolled(stage);
		await delay(Math.random() * pollSeconds * 1000);
		await n8n.kill();
		// What happened until now, the next polls must find.
		if (kill === KILLS) news.stop();
		clearRequests(stage);
		const port = await freePort();
		n8n = await startWatched(`n8n, ${scheduler}`, { host, userFolder, port, env });
		const { stop } = n8n;
		cleanup.add(stop);
	}
	await untilPolled(stage);
	// Several polls are due in this time.
	await delay(30_000);
	const restarted = new N8nApi(n8n.url);
	await restarted.logIn(OWNER);
	const counts = async (event: EventName) =>
		countsOf(event, news.happened[event], await emittedBy(restarted, event, workflows[event]));
	return {
		fileCreated: await counts('fileCreated'),
		companyStatusChanged: await counts('companyStatusChanged'),
	};
}

function countsOf(event: EventName, happened: string[], emitted: IDataObject[]) {
	const isFile = event === 'fileCreated';
	const ids = emitted.map(({ id, status }) => String(isFile ? id : status));
	const first = happened.indexOf(ids[0] ?? '');
	// A poll reports the newest status; one that was replaced in between is not an event.
	const wanted = isFile ? happened.slice(first) : happened.slice(-1);
	return {
		emitted: ids.length,
		lost: wanted.filter((id) => !ids.includes(id)),
		repeated: ids.length - new Set(ids).size,
	};
}

function clearRequests({ sandbox: { links, registry } }: Stage): void {
	links.clearRequests();
	registry.v1.clearRequests();
}

/** Waits until both triggers have polled since n8n's start. */
async function untilPolled({ sandbox: { links, registry } }: Stage): Promise<void> {
	const polled = (event: EventName) => {
		const { requests } = event === 'fileCreated' ? links : registry.v1;
		return requests.some(({ path, status }) => status > 0 && POLL_PATHS[event].test(path));
	};
	await until('a poll for each event', () => EVENTS.every(polled), 10 * 60_000);
}

/** Everything that the triggers passed to executions, whether or not these came to an end. */
async function emittedBy(api: N8nApi, event: EventName, workflow: string): Promise<IDataObject[]> {
	const ids = await api.executionIds(workflow);
	const executions = await Promise.all(ids.map(async (id) => await api.execution(id)));
	return executions.flatMap(({ runData, waiting }) =>
		(runData[event]?.[0]?.data?.main?.[0] ?? waiting).map(({ json }) => json),
	);
}
