import {
	startPostgres as startPostgresServer,
	startRedis as startRedisServer,
	type Postgres,
	type Service,
} from '../../../tools/services';

/** The running programs by name, each with what gives the end of its log. */
export type WatchedLogs = Map<string, () => string>;

/** PostgreSQL, its log shown when a test fails. */
export async function startPostgres(): Promise<Postgres> {
	return watched('PostgreSQL', await startPostgresServer());
}

/** Redis, its log shown when a test fails. */
export async function startRedis(): Promise<Service> {
	return watched('Redis', await startRedisServer());
}

/** Has a running program's log printed when a test fails, as long as it runs. */
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
