import {
	startPostgres as startPostgresServer,
	startRedis as startRedisServer,
	type Postgres,
	type Service,
} from '../../../tools/services';
import { watchLog } from './logs';

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
	name: string,
	program: P,
): P {
	const unwatch = watchLog(name, () => program.logTail());
	void program.ended.then(unwatch);
	return program;
}
