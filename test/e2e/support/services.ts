import {
	startPostgres as startPostgresServer,
	startRedis as startRedisServer,
	type Postgres,
	type Service,
} from '../../../tools/services';

/** The running programs by name, each with a function that returns the end of its log. */
export type WatchedLogs = Map<string, () => string>;

/** Starts PostgreSQL, and shows its log if a test fails. */
export async function startPostgres(): Promise<Postgres> {
	return watched('PostgreSQL', await startPostgresServer());
}

/** Starts Redis, and shows its log if a test fails. */
export async function startRedis(): Promise<Service> {
	return watched('Redis', await startRedisServer());
}

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
