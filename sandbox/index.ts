import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { controlRouter } from './control/router';
import { LinkService } from './links/service';
import type { LinkSettings } from './links/settings';
import { CompanyDirectory } from './registry/directory';
import { RegistryService } from './registry/service';
import type { RegistrySettings } from './registry/settings';
import type { Sandbox } from './sandbox';
import type { DeepPartial } from './shared/settings';

export type { LinkService, ListAnswered } from './links/service';
export type { LinkSettings, ListName } from './links/settings';
export type { Company } from './registry/companies';
export type { Sandbox } from './sandbox';
export type { RegistryService } from './registry/service';
export type { RegistrySettings } from './registry/settings';
export type { Fault, FaultInput } from './shared/faults';
export type { LoggedRequest } from './shared/log';
export type { DeepPartial } from './shared/settings';

export interface SandboxOptions {
	/** 0, the default, takes a free port. */
	port?: number;
	/** Default 127.0.0.1. The control page only responds to this machine. */
	host?: string;
	links?: DeepPartial<LinkSettings>;
	registry?: {
		v1?: DeepPartial<RegistrySettings>;
		unversioned?: DeepPartial<RegistrySettings>;
		/** Number of companies. Default 1000. */
		companies?: number;
	};
	/** Milliseconds since the epoch: for windows, dates of new records and the log. */
	clock?: () => number;
}

const DEFAULT_HOST = '127.0.0.1';
const DEFAULT_COMPANIES = 1000;

/** Starts the sandbox. Throws if the port is taken or a setting is wrong. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { port = 0, host = DEFAULT_HOST, clock = Date.now, registry = {} } = options;
	const companies = new CompanyDirectory(registry.companies ?? DEFAULT_COMPANIES);
	const links = new LinkService(options.links, clock);
	const v1 = new RegistryService('v1', companies, registry.v1, clock);
	const unversioned = new RegistryService('unversioned', companies, registry.unversioned, clock);
	const services = [links, v1, unversioned];

	const app = express();
	app.disable('x-powered-by');
	// Longer than clients idle between polls, so that a reused connection doesn't break.
	const server = createServer({ keepAliveTimeout: 120_000 }, app);
	const sandbox: Sandbox = {
		url: '',
		links,
		registry: { v1, unversioned },
		reset() {
			for (const service of services) service.reset();
			companies.reset();
		},
		close: () => close(server),
	};
	for (const service of services) app.use(service.middleware);
	app.use(controlRouter(sandbox));

	sandbox.url = await listen(server, port, host);
	for (const service of services) service.origin = sandbox.url;
	return sandbox;
}

async function listen(server: Server, port: number, host: string): Promise<string> {
	await new Promise<void>((resolve, reject) => {
		server.once('error', (error: NodeJS.ErrnoException) => {
			const taken = error.code === 'EADDRINUSE';
			reject(taken ? new Error(`Port ${port} is already in use; choose another one`) : error);
		});
		server.listen(port, host, resolve);
	});
	const address = server.address() as AddressInfo;
	return `http://${nameOf(host)}:${address.port}`;
}

/** A host that clients on this machine can reach. */
function nameOf(host: string): string {
	if (host === '0.0.0.0' || host === '::') return DEFAULT_HOST;
	return host.includes(':') ? `[${host}]` : host;
}

async function close(server: Server): Promise<void> {
	const closed = new Promise<void>((resolve) => server.close(() => resolve()));
	server.closeAllConnections();
	await closed;
}
