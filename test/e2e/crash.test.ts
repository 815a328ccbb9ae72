import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort, N8nApi, type N8nProcess } from '../../tools/host';
import type { Account } from './support/accounting';
import { EVENTS, News, type EventName } from './support/news';
import { OWNER, startStage, startWatched, type Stage } from './support/stage';
import { until } from './support/until';
import { chain, everySeconds, linkCompanyTrigger, passOn } from './support/workflows';

const KILLS = Number(process.env.E2E_KILLS ?? 20);

/**
 * What a killed n8n had begun to publish is taken up again after this, not after two minutes. A
 * publication must be done in 0.7 times the lease, or n8n gives it up.
 */
const QUICK_PUBLICATION = {
	N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '20',
	N8N_WORKFLOW_PUBLICATION_OUTBOX_POLL_INTERVAL_MS: '1000',
};

/** n8n's scheduler that keeps its polls and their states in the database, as fast as it goes. */
const DURABLE = {
	...QUICK_PUBLICATION,
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
const SCHEDULERS = [
	{ scheduler: 'classic', env: QUICK_PUBLICATION, pollSeconds: 2 },
	{ scheduler: 'durable', env: DURABLE, pollSeconds: 10 },
];

const FREQUENT = ['fileCreated', 'qrCodeScanned'] as const;

const POLL_PATHS: Record<EventName, RegExp> = {
	fileCreated: /^\/api\/files$/,
	qrCodeScanned: /^\/api\/qr$/,
	companyStatusChanged: /^\/api\/v1\//,
};

describe.each(SCHEDULERS)('killed again and again, with the $scheduler scheduler', (settings) => {
	const { scheduler, env, pollSeconds } = settings;
	let stage: Stage;
	let accounts: Record<EventName, Account>;

	beforeAll(async () => {
		stage = await startStage({ env });
		const workflows = await publishTriggers(stage, pollSeconds);
		const news = new News(stage.sandbox);
		stage.cleanup.add(async () => news.stop());
		news.start();
		// Only from its first event on, n8n has stored what a trigger remembers.
		for (const event of EVENTS) {
			await until(
				`the first event of ${event}`,
				async () => (await stage.api.executionIds(workflows[event])).length > 0,
				150_000,
			);
		}
		let n8n = stage.n8n;
		for (let kill = 0; kill < KILLS; kill++) {
			// The first poll is part of n8n's start, the second is a matter of the schedule.
			await untilPolled(stage, kill % 2 === 0 ? 2 : 1);
			// Half of the kills at any moment, half where a poll's results are about to be stored.
			if (kill % 2 === 0) await delay(Math.random() * pollSeconds * 1000);
			else await untilNextPoll(stage, Math.random() * 80);
			await n8n.kill();
			n8n = await restart(stage, env);
		}
		await untilPolled(stage, 2);
		news.stop();
		const api = new N8nApi(n8n.url);
		await api.logIn(OWNER);
		accounts = await settled(async () => news.account(await emittedBy(api, workflows)));
		const lines = EVENTS.map((event) => {
			const { emitted, lost, doubled } = accounts[event];
			return `${event}: ${emitted} emitted, ${lost.length} lost, ${doubled.length} doubled`;
		});
		console.log(`${KILLS} kills, ${scheduler} scheduler\n${lines.join('\n')}`);
	}, 15 * 60_000);

	afterAll(async () => await stage?.cleanup.run());

	it.each(EVENTS)('%s: every event is accounted for', (event) => {
		const { emitted, lost, faultyPolls } = accounts[event];
		expect(emitted).toBeGreaterThan(0);
		expect(faultyPolls).toBeLessThanOrEqual(KILLS);
		// The classic scheduler stores a poll's state and its execution one after the other.
		if (scheduler === 'durable') expect(lost).toEqual([]);
	});
});

async function publishTriggers({ api, credentials, sandbox }: Stage, pollSeconds: number) {
	const { companies } = new News(sandbox);
	const settings: Record<EventName, [INodeParameters[], INodeParameters]> = {
		fileCreated: [everySeconds(pollSeconds), {}],
		qrCodeScanned: [everySeconds(pollSeconds), {}],
		// Only with one poll time the trigger knows after a restart what it has spent of its budget.
		companyStatusChanged: [[{ mode: 'everyMinute' }], { watch: 'list', watchList: companies }],
	};
	const ids: Partial<Record<EventName, string>> = {};
	for (const event of EVENTS) {
		const [pollTimes, parameters] = settings[event];
		const credential = event === 'companyStatusChanged' ? credentials.registry : credentials.links;
		const trigger = linkCompanyTrigger(event, credential, pollTimes, { event, ...parameters });
		const id = await api.createWorkflow(chain(event, [trigger, passOn('Seen')]));
		await api.publishWorkflow(id);
		ids[event] = id;
	}
	return ids as Record<EventName, string>;
}

async function restart(stage: Stage, env: NodeJS.ProcessEnv): Promise<N8nProcess> {
	stage.sandbox.links.clearRequests();
	const { host, userFolder } = stage;
	const n8n = await startWatched('n8n', { host, userFolder, port: await freePort(), env });
	stage.cleanup.add(async () => await n8n.stop());
	return n8n;
}

const pollsOf = ({ sandbox }: Stage, event: EventName) =>
	sandbox.links.requests.filter(({ path }) => POLL_PATHS[event].test(path)).length;

/** Waits until both triggers that poll often have polled so many times since n8n's start. */
async function untilPolled(stage: Stage, times: number): Promise<void> {
	await until(
		`${times} polls of both frequent triggers`,
		() => FREQUENT.every((event) => pollsOf(stage, event) >= times),
		120_000,
	);
}

async function untilNextPoll(stage: Stage, thenMs: number): Promise<void> {
	await new Promise<void>((resolve) => {
		const forget = stage.sandbox.links.onListAnswered(() => {
			forget();
			resolve();
		});
	});
	await delay(thenMs);
}

/** Everything that the triggers handed to executions, whether or not these came to an end. */
async function emittedBy(api: N8nApi, workflows: Record<EventName, string>) {
	const emitted = {} as Record<EventName, IDataObject[]>;
	for (const event of EVENTS) {
		const ids = await api.executionIds(workflows[event]);
		const executions = await Promise.all(ids.map(async (id) => await api.execution(id)));
		emitted[event] = executions.flatMap(({ runData, waiting }) => {
			const given = runData[event]?.[0]?.data?.main?.[0] ?? waiting;
			return given.map(({ json }) => json);
		});
	}
	return emitted;
}

/** Waits until nothing is lost any more, or until two poll times of every trigger have passed. */
async function settled(
	account: () => Promise<Record<EventName, Account>>,
): Promise<Record<EventName, Account>> {
	let latest = await account();
	const nothingLost = async () => {
		latest = await account();
		return EVENTS.every((event) => latest[event].lost.length === 0);
	};
	await until('every event', nothingLost, 130_000).catch(() => undefined);
	return latest;
}
