import type { SandboxOptions } from '../../../sandbox';
import { Cleanup } from '../../../tools/cli/cleanup';
import {
	freePort,
	queueModeEnvironment,
	startN8n,
	startPostgres,
	startRedis,
	type N8nProcess,
} from '../../../tools/host';
import {
	credentialData as dataOf,
	startStage as startBareStage,
	type Stage,
	type StageOptions,
} from '../../../tools/stage/stage';

export { OWNER } from '../../../tools/stage/stage';
export type { CredentialReference, SandboxCredentials, Stage } from '../../../tools/stage/stage';

/** The running programs by name, each with a function that returns the end of its log. */
export type WatchedLogs = Map<string, () => string>;

/** Prints a program's log if a test fails while the program is running. */
export function watched<P extends { logTail(): string; ended: Promise<unknown> }>(
	program: string,
	running: P,
): P {
	const logs = (globalThis as { watchedLogs?: WatchedLogs }).watchedLogs;
	let name = program;
	for (let number = 2; logs?.has(name); number++) name = `${program} (${number})`;
	logs?.set(name, () => running.logTail());
	void running.ended.then(() => logs?.delete(name));
	return running;
}

/**
 * Limits that no test reaches unless it sets its own. Without limits, the responses would have no
 * rate-limit headers, and the nodes would keep to the documented rate.
 */
const WIDE_LIMIT = { rateLimit: { limit: 1_000_000 } };
const WIDE_LIMITS = { ...WIDE_LIMIT, dailyQuota: { limit: 1_000_000 } };
const UNLIMITED: SandboxOptions = {
	links: WIDE_LIMIT,
	registry: { v1: WIDE_LIMITS, unversioned: WIDE_LIMITS },
};
const PLANS = {
	v1: { plan: 'enterprise', requestsPerMinute: 1_000_000, requestsPerDay: 1_000_000_000 },
	unversioned: { plan: 'premium' },
};

/** A fresh n8n with credentials for its sandbox. Its log is shown if a test fails. */
export async function startStage(options: Omit<StageOptions, 'start'> = {}): Promise<Stage> {
	// An older n8n doesn't start if it's told to disable a module it doesn't know.
	const { version, env = version && { N8N_DISABLED_MODULES: '' } } = options;
	return await startBareStage({
		sandbox: UNLIMITED,
		plans: PLANS,
		...options,
		env,
		start: async (start) => await startWatched('n8n', start),
	});
}

/** Starts n8n, and shows its log if a test fails. */
export async function startWatched(
	name: string,
	options: Parameters<typeof startN8n>[0],
): Promise<N8nProcess> {
	return watched(name, await startN8n(options));
}

/** Starts n8n in queue mode, with workers. Each runs one execution at a time. */
export async function startQueue(
	count: number,
	options: Omit<StageOptions, 'start' | 'cleanup'>,
): Promise<{ stage: Stage; env: NodeJS.ProcessEnv; workers: N8nProcess[] }> {
	const cleanup = new Cleanup();
	const postgres = watched('PostgreSQL', await startPostgres());
	cleanup.add(async () => await postgres.stop());
	const redis = watched('Redis', await startRedis());
	cleanup.add(async () => await redis.stop());
	const env = { ...queueModeEnvironment(postgres, redis), ...options.env };
	const stage = await startStage({ ...options, env, cleanup });
	const workers: N8nProcess[] = [];
	for (let number = 1; number <= count; number++) workers.push(await startWorker(stage, env));
	return { stage, env, workers };
}

export async function startWorker(stage: Stage, env: NodeJS.ProcessEnv): Promise<N8nProcess> {
	const { host, userFolder } = stage;
	const worker = await startWatched('worker', {
		host,
		userFolder,
		port: await freePort(),
		command: 'worker',
		env: { ...env, N8N_CONCURRENCY_PRODUCTION_LIMIT: '1' },
	});
	stage.cleanup.add(async () => await worker.stop());
	return worker;
}

/** What the user would enter into each credential. */
export function credentialData(sandbox: Stage['sandbox']) {
	return dataOf(sandbox, PLANS);
}
