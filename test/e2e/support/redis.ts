import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, LOOPBACK } from '../../../tools/host';
import { startSubprocess } from '../../../tools/host/subprocess';
import { watchLog } from './logs';
import { programPath } from './programs';
import { until } from './until';

export interface Redis {
	port: number;
	stop(): Promise<void>;
}

/** A Redis server that keeps everything in memory, for this machine alone. */
export async function startRedis(): Promise<Redis> {
	const program = await programPath('redis-server');
	const port = await freePort();
	const folder = await mkdtemp(join(tmpdir(), 'n8n-e2e-redis-'));
	const settings = { port, bind: LOOPBACK, save: '', appendonly: 'no', dir: folder };
	const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
	const server = startSubprocess(program, args);
	const unwatch = watchLog('Redis', () => server.tail());
	const stop = async () => {
		server.terminate();
		await server.ended;
		unwatch();
		await rm(folder, { recursive: true, force: true });
	};
	try {
		await until('Redis to listen', async () => await accepts(port));
	} catch (error) {
		await stop();
		throw error;
	}
	return { port, stop };
}

async function accepts(port: number): Promise<boolean> {
	return await new Promise((resolve) => {
		const socket = connect(port, LOOPBACK);
		socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
		socket.once('connect', () => socket.end());
	});
}
