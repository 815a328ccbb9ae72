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
async function isPortFree(port: number): Promise<boolean> {
	return await new Promise((resolve) => {
		const server = createServer();
		server.once('error', () => resolve(false));
		server.listen({ port, host: LOOPBACK }, () => server.close(() => resolve(true)));
	});
}

/**
 * The port that the user chose, or the usual one.
 *
 * @param program what listens on it, and `option` the command-line option that sets it
 * @param flexible takes any free port if the user chose none and the usual one is taken
 * @throws an Error for the user when the port is taken
 */
export async function choosePort(
	{ program, option, usual }: { program: string; option: string; usual: number },
	wanted: number | undefined,
	flexible: boolean,
): Promise<number> {
	const port = wanted ?? usual;
	if (await isPortFree(port)) return port;
	if (flexible && wanted === undefined) return await freePort();
	throw new Error(
		`Port ${port} for ${program} is in use by another program. ` +
			`Stop that program or choose another port with ${option} ${await freePort()}.`,
	);
}
