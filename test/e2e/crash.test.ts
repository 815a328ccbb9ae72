import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort, N8nApi, until, type N8nProcess } from '../../tools/host';
import { timeLimit } from '../../tools/timeLimits';
import type { Account } from './support/accounting';
import { EVENTS, News, type EventName } from './support/news';
import { PollJournal } from './support/pollJournal';
import { OWNER, startStage, startWatched, type Stage } from './support/stage';
import { chain, everySeconds, linkCompanyTrigger, passOn } from './support/workflows';

const KILLS = Number(process.env.E2E_KILLS ?? 20);

/** For an n8n that is killed and started again. */
const KILLED = {
	/**
	 * What it had begun to publish is taken up again after this, not after two minutes. A publication
	 * must be done in 0.7 times the lease, or n8n gives it up.
	 */
	N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '20',
	N8N_WORKFLOW_PUBLICATION_OUTBOX_POLL_INTERVAL_MS: '1000',
	/**
	 * Its insights cannot cope with an execution that was killed before it began: n8n ends at every
	 * start after that ("Cannot read properties of null (reading 'getTime')").
	 */
	N8N_DISABLED_MODULES: 'mcp-registry,insights',
};

/** n8n's scheduler that keeps its polls and their states in the database, as fast as it goes. */
const DURABLE = {
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
	// Polls that were due while n8n was down do not run side by side after its start.
	N8N_SCHEDULER_MISFIRE_GRACE: '5',
};

/** Each scheduler's settings, and its seconds between polls: the durable one takes more time. */
const SCHEDULERS = {
	classic: { settings: KILLED, pollSeconds: 2 },
	durable: { settings: DURABLE, pollSeconds: 5 },
};
type Scheduler = keyof typeof SCHEDULERS;

const POLL_PATHS: Record<EventName, RegExp> = {
	fileCreated: /^\/api\/files$/,
	qrCodeScanned: /^\/api\/qr$/,
	companyStatusChanged: /^\/api\/v1\//,
};

/** Several polls are due in this time; what is still missing then is lost. */
const SETTLING_MS = 30_000;

/** Within this time a response is processed, and its events are stored and passed on. */
const STORING_MS = 80;

/** The account of each event, and how often n8n was killed while it stored some. */
type Outcome = Record<EventName, Account & { interruptions: number }>;

const stages: Stage[] = [];
const outcomes = {} as Record<Scheduler, Outcome>;

// In parallel: n8n mostly starts, on one processor.
beforeAll(
	async () => {
		const schedulers = Object.keys(SCHEDULERS) as Scheduler[];
		const runs = await Promise.allSettled(
			schedulers.map(async (scheduler) => {
				outcomes[scheduler] = await killAgainAndAgain(scheduler);
			}),
		);
		for (const run of runs) if (run.status === 'rejected') throw run.reason;
	},
	timeLimit(15 * 60_000),
);

afterAll(async () => {
	for (const { cleanup } of stages) await cleanup.run();
});

describe('killed again and again, with the classic scheduler', () => {
	it.each(EVENTS)('%s: only where n8n itself was storing a poll, its events suffer', (event) => {
		const { emitted, faultyPolls, interruptions } = outcomes.classic[event];
		expect(emitted).toBeGreaterThan(0);
		// It stores a poll's state and its execution one after the other: crashWindow.test.ts.
		expect(faultyPolls).toBeLessThanOrEqual(interruptions);
	});
});

describe('killed again and again, with the durable scheduler', () => {
	it.each(EVENTS)('%s: no event is lost, and a kill repeats one poll at most', (event) => {
		const { emitted, lost, faultyPolls } = outcomes.durable[event];
		expect(emitted).toBeGreaterThan(0);
		expect(lost).toEqual([]);
		// After a start it may run two polls that are due side by side, each with the state that n8n
		// had read before (poll-trigger-task-handler.js); both are stored.
		expect(faultyPolls).toBeLessThanOrEqual(KILLS);
	});
});

async function killAgainAndAgain(scheduler: Scheduler): Promise<Outcome> {
	const { settings, pollSeconds } = SCHEDULERS[scheduler];
	const journal = new PollJournal();
	const env = { ...settings, ...journal.env };
	const stage = await startStage({ env });
	stages.push(stage);
	stage.cleanup.add(async () => await journal.remove());
	const workflows = await publishTriggers(stage, pollSeconds);
	const news = new News(stage.sandbox);
	stage.cleanup.add(async () => news.stop());
	news.start();
	await untilAllAreStored(stage.api, workflows);
	let n8n = stage.n8n;
	for (let kill = 1; kill <= KILLS; kill++) {
		await untilPolled(stage);
		await momentToKill(stage, kill, pollSeconds);
		await n8n.kill();
		// What happened until now, the next polls must find.
		if (kill === KILLS) news.stop();
		n8n = await restart(stage, scheduler, env);
	}
	await untilPolled(stage);
	const api = new N8nApi(n8n.url);
	await api.logIn(OWNER);
	const accounts = await settled(async () => news.account(await emittedBy(api, workflows)));
	const outcome = await ofEach(async (event) => ({
		...accounts[event],
		interruptions: await journal.interruptions(workflows[event]),
	}));
	console.log(report(scheduler, outcome));
	return outcome;
}

function report(scheduler: Scheduler, outcome: Outcome): string {
	const lines = EVENTS.map((event) => {
		const { emitted, lost, doubled, faultyPolls, interruptions } = outcome[event];
		const counts = `${emitted} emitted, ${lost.length} lost, ${doubled.length} doubled`;
		// The durable scheduler does not store what the journal watches.
		const ended = scheduler === 'classic' ? `; ${interruptions} ends of n8n while storing` : '';
		return `${event}: ${counts}, by ${faultyPolls} polls${ended}`;
	});
	return `${KILLS} kills, ${scheduler} scheduler\n${lines.join('\n')}`;
}

async function ofEach<T>(give: (event: EventName) => Promise<T>): Promise<Record<EventName, T>> {
	const entries = await Promise.all(EVENTS.map(async (event) => [event, await give(event)]));
	return Object.fromEntries(entries) as Record<EventName, T>;
}

/** Only from its first event on, n8n has stored what a trigger remembers. */
async function untilAllAreStored(api: N8nApi, workflows: Record<EventName, string>) {
	for (const event of EVENTS) {
		await until(
			`the first event of ${event}`,
			async () => (await api.executionIds(workflows[event])).length > 0,
			150_000,
		);
	}
}

/** Half of the kills at any moment, half where a poll's outcome is about to be stored. */
async function momentToKill(stage: Stage, kill: number, pollSeconds: number): Promise<void> {
	if (kill % 2 === 0) {
		await delay(Math.random() * pollSeconds * 1000);
		return;
	}
	const event = EVENTS[kill % EVENTS.length] ?? 'fileCreated';
	const before = pollsOf(stage, event);
	await until(`a poll for ${event}`, () => pollsOf(stage, event) > before, 90_000, 5);
	await delay(Math.random() * STORING_MS);
}

async function publishTriggers({ api, credentials, sandbox }: Stage, pollSeconds: number) {
	const { companies } = new News(sandbox);
	const pollTimes = everySeconds(pollSeconds);
	const settings: Partial<Record<EventName, INodeParameters>> = {
		companyStatusChanged: { watch: 'list', watchList: companies },
	};
	const ids: Partial<Record<EventName, string>> = {};
	for (const event of EVENTS) {
		const parameters = { event, ...settings[event] };
		const credential = event === 'companyStatusChanged' ? credentials.registry : credentials.links;
		const trigger = linkCompanyTrigger(event, credential, pollTimes, parameters);
		const id = await api.createWorkflow(chain(event, [trigger, passOn('Seen')]));
		await api.publishWorkflow(id);
		ids[event] = id;
	}
	return ids as Record<EventName, string>;
}

async function restart(
	stage: Stage,
	scheduler: Scheduler,
	env: NodeJS.ProcessEnv,
): Promise<N8nProcess> {
	const { host, userFolder, sandbox } = stage;
	sandbox.links.clearRequests();
	sandbox.registry.v1.clearRequests();
	const n8n = await startWatched(`n8n, ${scheduler}`, {
		host,
		userFolder,
		port: await freePort(),
		env,
	});
	stage.cleanup.add(async () => await n8n.stop());
	return n8n;
}

/** The answered polls of an event since n8n's start. */
function pollsOf({ sandbox: { links, registry } }: Stage, event: EventName): number {
	const { requests } = event === 'companyStatusChanged' ? registry.v1 : links;
	return requests.filter(({ path, status }) => status > 0 && POLL_PATHS[event].test(path)).length;
}

/** Waits until every trigger has polled since n8n's start. */
async function untilPolled(stage: Stage): Promise<void> {
	await until(
		'a poll for every event',
		() => EVENTS.every((event) => pollsOf(stage, event) > 0),
		120_000,
	);
}

/** Everything that the triggers handed to executions, whether or not these came to an end. */
async function emittedBy(
	api: N8nApi,
	workflows: Record<EventName, string>,
): Promise<Record<EventName, IDataObject[]>> {
	return await ofEach(async (event) => {
		const ids = await api.executionIds(workflows[event]);
		const executions = await Promise.all(ids.map(async (id) => await api.execution(id)));
		return executions.flatMap(({ runData, waiting }) => {
			const given = runData[event]?.[0]?.data?.main?.[0] ?? waiting;
			return given.map(({ json }) => json);
		});
	});
}

/** Waits until nothing is missing any more, or it is too late for that. */
async function settled(
	account: () => Promise<Record<EventName, Account>>,
): Promise<Record<EventName, Account>> {
	let latest = await account();
	const nothingLost = async () => {
		latest = await account();
		return EVENTS.every((event) => latest[event].lost.length === 0);
	};
	await until('every event', nothingLost, SETTLING_MS, 1000).catch(() => undefined);
	return latest;
}
