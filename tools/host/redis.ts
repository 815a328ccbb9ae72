import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, LOOPBACK } from './ports';
import { programPath } from './programs';
import { startSubprocess } from './subprocess';
import { until } from './until';

/** A running third-party server. */
export interface Service {
	/** On the loopback address. */
	port: number;
	/** The last lines that it printed. */
	logTail(): string;
	/** Resolves when the server has ended. */
	ended: Promise<unknown>;
	/** Ends the server, and deletes its data. */
	stop(): Promise<void>;
}

/**
 * A Redis server that keeps its data in memory. Only this machine can reach it.
 *
 * @throws with the end of its log if it doesn't listen
 */
export async function startRedis(): Promise<Service> {
	const program = await programPath('redis-server');
	const port = await freePort();
	const folder = await mkdtemp(join(tmpdir(), 'n8n-nodes-link-company-redis-'));
	const settings = { port, bind: LOOPBACK, save: '', appendonly: 'no', dir: folder };
	const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
	const server = startSubprocess(program, args);
	const stop = async () => {
		await server.stop();
		await rm(folder, { recursive: true, force: true });
	};
	try {
		await until('Redis to listen', () => /ready to accept connections/i.test(server.tail()));
	} catch (error) {
		await stop();
		throw new Error(`Redis did not start:\n${server.tail()}`, { cause: error });
	}
	return { port, logTail: () => server.tail(), ended: server.ended, stop };
}
