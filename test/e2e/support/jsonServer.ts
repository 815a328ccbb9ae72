import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Express } from 'express';
import { LOOPBACK } from '../../../tools/host';

export interface JsonServer {
	url: string;
	stop(): Promise<void>;
}

/** Replaces a service on the internet: a JSON server on this machine. */
export async function startJsonServer(addRoutes: (app: Express) => void): Promise<JsonServer> {
	const app = express();
	app.use(express.json({ limit: '5mb' }));
	addRoutes(app);
	const server = createServer(app);
	await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
	return {
		url: `http://${LOOPBACK}:${(server.address() as AddressInfo).port}`,
		async stop() {
			const closed = new Promise<void>((resolve) => server.close(() => resolve()));
			server.closeAllConnections();
			await closed;
		},
	};
}
