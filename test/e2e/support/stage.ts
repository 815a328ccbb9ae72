import type { SandboxOptions } from '../../../sandbox';
import { startN8n, type N8nProcess } from '../../../tools/host';
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

/** What the user would enter into each credential. */
export function credentialData(sandbox: Stage['sandbox']) {
	return dataOf(sandbox, PLANS);
}
