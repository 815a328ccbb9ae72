import { LOOPBACK } from './ports';
import type { Postgres } from './postgres';
import type { Service } from './redis';

/** Settings for queue mode, the same for n8n's main process and its workers. */
export function queueModeEnvironment(postgres: Postgres, redis: Service): NodeJS.ProcessEnv {
	return {
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: LOOPBACK,
		DB_POSTGRESDB_PORT: String(postgres.port),
		DB_POSTGRESDB_DATABASE: postgres.database,
		DB_POSTGRESDB_USER: postgres.user,
		EXECUTIONS_MODE: 'queue',
		QUEUE_BULL_REDIS_HOST: LOOPBACK,
		QUEUE_BULL_REDIS_PORT: String(redis.port),
		// n8n doesn't store files in folders in queue mode.
		N8N_DEFAULT_BINARY_DATA_MODE: 'database',
	};
}
