import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort, N8nApi, type N8nProcess } from '../../tools/host';
import type { Account } from './support/accounting';
import { EVENTS, News, type EventName } from './support/news';
import { OWNER, startStage, startWatched, type Stage } from './support/stage';
import { until } from './support/until';
import { chain, everySeconds, linkCompanyTrigger, passOn } from './support/workflows';

const KILLS = Number(process.env.E2E_KILLS ?? 20);
const POLL_SECONDS = 2;

/** n8n's scheduler that keeps its polls and their states in the database, as fast as it goes. */
const DURABLE = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
	N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '1',
	N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
	N8N_SCHEDULER_REAPER_INTERVAL: '1',
	// What a killed n8n had begun is free again after this.
	N8N_SCHEDULER_LEASE_DURATION: '10',
};

const POLL_PATHS: Record<EventName, RegExp> = {
	fileCreated: /^\/api\/files$/,
	qrCodeScanned: /^\/api\/qr$/,
	companyStatusChanged: /^\/api\/v1\//,
};

describe.each([
	['classic', {}],
	['durable', DURABLE],
])('with the %s scheduler, killed again and again while it polls', (scheduler, env) => {
	let stage: Stage;
	let accounts: Record<EventName, Account>;

	beforeAll(async () => {
		stage = await startStage({ env });
		const workflows = await publishTriggers(stage);
		const news = new News(stage.sandbox);
		stage.cleanup.add(async () => news.stop());
		news.start();
		let n8n = stage.n8n;
		for (let kill = 0; kill < KILLS; kill++) {
			await untilPolling(stage);
			// Half of the kills at any moment, half where a poll's results are about to be stored.
			if (kill % 2 === 0) await delay(Math.random() * POLL_SECONDS * 1000);
			else await untilNextPoll(stage, Math.random() * 80);
			await n8n.kill();
			n8n = await restart(stage, env);
		}
		await untilPolling(stage);
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

async function publishTriggers({ api, credentials, sandbox }: Stage) {
	const { companies } = new News(sandbox);
	const settings: Record<EventName, [INodeParameters[], INodeParameters]> = {
		fileCreated: [everySeconds(POLL_SECONDS), {}],
		qrCodeScanned: [everySeconds(POLL_SECONDS), {}],
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

async function untilPolling(stage: Stage): Promise<void> {
	await until('both frequent triggers to poll', () =>
		(['fileCreated', 'qrCodeScanned'] as const).every((event) => pollsOf(stage, event) > 0),
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
