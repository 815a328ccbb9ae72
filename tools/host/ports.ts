import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Everything here listens on this machine only. */
export const LOOPBACK = '127.0.0.1';

/**
 * Below the ports of outgoing connections, which could take a port before the program listens on
 * it.
 */
const LOWEST_PORT = 15_000;
const HIGHEST_PORT = 32_000;

/** A free TCP port. */
export async function freePort(): Promise<number> {
	for (;;) {
		const port = randomInt(LOWEST_PORT, HIGHEST_PORT);
		if (await isPortFree(port)) return port;
	}
}

/** Whether a server could listen on `port` now. */
export async function isPortFree(port: number): Promise<boolean> {
	return await new Promise((resolve) => {
		const server = createServer();
		server.once('error', () => resolve(false));
		server.listen({ port, host: LOOPBACK }, () => server.close(() => resolve(true)));
	});
}
