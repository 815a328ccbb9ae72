import type { SandboxOptions } from '../../sandbox';
import { freePort, startN8n, type N8nProcess } from '../../tools/host';
import {
	providePrograms,
	queueModeEnvironment,
	SERVER_PROGRAMS,
	startPostgres,
	startRedis,
	type Postgres,
	type Redis,
} from '../../tools/services';
import { Cleanup } from '../../tools/cli/cleanup';
import { openStage, type Stage } from './stage';

/** A stage whose n8n leaves the executions to workers. */
export interface QueueStage extends Stage {
	postgres: Postgres;
	redis: Redis;
	workers: N8nProcess[];
	/** Starts as many workers as are missing. */
	ensureWorkers(count: number): Promise<void>;
}

/** Starts PostgreSQL, Redis, n8n's main process and a sandbox; no worker yet. */
export async function openQueueStage(
	links: NonNullable<SandboxOptions['links']>,
): Promise<QueueStage> {
	await providePrograms(SERVER_PROGRAMS);
	const cleanup = new Cleanup();
	try {
		const postgres = await startPostgres();
		cleanup.add(async () => await postgres.stop());
		const redis = await startRedis();
		cleanup.add(async () => await redis.stop());
		const env = queueModeEnvironment(postgres, redis);
		const stage = await openStage(links, { env, cleanup });
		const { host, userFolder } = stage;
		const workers: N8nProcess[] = [];
		return {
			...stage,
			postgres,
			redis,
			workers,
			async ensureWorkers(count) {
				while (workers.length < count) {
					const port = await freePort();
					const worker = await startN8n({ host, userFolder, port, command: 'worker', env });
					cleanup.add(async () => await worker.stop());
					workers.push(worker);
				}
			},
		};
	} catch (error) {
		await cleanup.run();
		throw error;
	}
}
