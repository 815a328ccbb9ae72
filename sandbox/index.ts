import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { LinkService } from './links/service';
import type { LinkSettings } from './links/settings';
import type { DeepPartial } from './shared/settings';

export interface SandboxOptions {
	/** 0, the default, takes a free port. */
	port?: number;
	/** Default 127.0.0.1. */
	host?: string;
	links?: DeepPartial<LinkSettings>;
	/** Milliseconds since the epoch: for windows, dates of new records, the log. */
	clock?: () => number;
}

export interface Sandbox {
	/** Root address, without a trailing slash. */
	url: string;
	links: LinkService;
	reset(): void;
	close(): Promise<void>;
}

/** Starts both services on one port. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const clock = options.clock ?? Date.now;
	const links = new LinkService(options.links, clock);
	const app = express();
	app.disable('x-powered-by');
	app.use(links.middleware);
	const server = createServer(app);
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(options.port ?? 0, options.host ?? '127.0.0.1', resolve);
	});
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	links.origin = url;
	return {
		url,
		links,
		reset: () => links.reset(),
		close: async () => {
			const closed = new Promise<void>((resolve) => server.close(() => resolve()));
			server.closeAllConnections();
			await closed;
		},
	};
}
