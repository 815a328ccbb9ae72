import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, LOOPBACK, startSubprocess, until } from '../host';
import { programPath } from './programs';
import type { Service } from './service';

export type Redis = Service;

/**
 * A Redis server that keeps its data in memory. Only this machine can reach it.
 *
 * @throws with the end of its log if it doesn't listen
 */
export async function startRedis(): Promise<Redis> {
	const program = await programPath('redis-server');
	const port = await freePort();
	const folder = await mkdtemp(join(tmpdir(), 'n8n-nodes-link-company-redis-'));
	const settings = { port, bind: LOOPBACK, save: '', appendonly: 'no', dir: folder };
	const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
	const server = startSubprocess(program, args);
	const stop = async () => {
		server.terminate();
		await server.ended;
		await rm(folder, { recursive: true, force: true });
	};
	try {
		await until('Redis to listen', async () => await accepts(port));
	} catch (error) {
		await stop();
		throw new Error(`Redis did not start:\n${server.tail()}`, { cause: error });
	}
	return { port, pid: server.pid, logTail: () => server.tail(), ended: server.ended, stop };
}

async function accepts(port: number): Promise<boolean> {
	return await new Promise((resolve) => {
		const socket = connect(port, LOOPBACK);
		socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
		socket.once('connect', () => socket.end());
	});
}
