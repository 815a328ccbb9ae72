import { LOOPBACK } from '../host';
import type { Postgres } from './postgres';
import type { Redis } from './redis';

/** Settings of n8n, the main process's and the workers' alike, that make them share their work. */
export function queueModeEnvironment(
	{ port, database, user }: Pick<Postgres, 'port' | 'database' | 'user'>,
	redis: Pick<Redis, 'port'>,
): NodeJS.ProcessEnv {
	return {
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: LOOPBACK,
		DB_POSTGRESDB_PORT: String(port),
		DB_POSTGRESDB_DATABASE: database,
		DB_POSTGRESDB_USER: user,
		EXECUTIONS_MODE: 'queue',
		QUEUE_BULL_REDIS_HOST: LOOPBACK,
		QUEUE_BULL_REDIS_PORT: String(redis.port),
		// n8n refuses to keep files in folders when several processes work together.
		N8N_DEFAULT_BINARY_DATA_MODE: 'database',
	};
}
