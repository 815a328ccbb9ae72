import { createServer } from 'node:net';

/** Everything here listens on this machine only. */
export const LOOPBACK = '127.0.0.1';

/** A TCP port that nothing listens on at the moment. */
export async function freePort(): Promise<number> {
	return await listenOnce(0);
}

/** Whether a server could listen on `port` now. */
export async function isPortFree(port: number): Promise<boolean> {
	try {
		await listenOnce(port);
		return true;
	} catch {
		return false;
	}
}

async function listenOnce(port: number): Promise<number> {
	return await new Promise((resolve, reject) => {
		const server = createServer();
		server.once('error', reject);
		server.listen({ port, host: LOOPBACK }, () => {
			const address = server.address();
			server.close(() => resolve(typeof address === 'object' && address ? address.port : port));
		});
	});
}
