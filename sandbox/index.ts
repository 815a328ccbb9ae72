import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import type { Sandbox } from './control/operations';
import { controlRouter } from './control/router';
import * as resources from './links/resources';
import { LinkService } from './links/service';
import type { LinkSettings } from './links/settings';
import { CompanyDirectory } from './registry/directory';
import { unversionedEndpoints, v1Endpoints } from './registry/endpoints';
import { RegistryService } from './registry/service';
import type { RegistrySettings } from './registry/settings';
import type { DeepPartial } from './shared/settings';

export type { Sandbox } from './control/operations';
export type { RegistrySettings } from './registry/settings';
export type { FaultInput } from './shared/faults';
export type { LoggedRequest } from './shared/log';
export type { DeepPartial } from './shared/settings';

export interface SandboxOptions {
	/** Default 0, which takes a free port. */
	port?: number;
	links?: DeepPartial<LinkSettings>;
	registry?: {
		v1?: DeepPartial<RegistrySettings>;
		unversioned?: DeepPartial<RegistrySettings>;
		/** Number of companies. Default 1000. */
		companies?: number;
	};
	/** The time in ms since the epoch, for windows, the dates of new records, and the log. */
	clock?: () => number;
}

/** Only this machine can reach the sandbox. */
const HOST = '127.0.0.1';

/** Starts the sandbox. Throws if the port is taken or a setting is wrong. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { port = 0, clock = Date.now, registry = {} } = options;
	const companies = new CompanyDirectory(registry.companies ?? 1000);
	const links = new LinkService(options.links, clock);
	for (const endpointsOf of Object.values(resources)) links.add(endpointsOf(links));
	const v1 = new RegistryService('v1', companies, registry.v1, clock);
	v1.add(v1Endpoints(v1));
	const unversioned = new RegistryService('unversioned', companies, registry.unversioned, clock);
	unversioned.add(unversionedEndpoints(unversioned));
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
		async close() {
			const closed = once(server, 'close');
			server.close();
			server.closeAllConnections();
			await closed;
		},
	};
	for (const service of services) app.use(service.middleware);
	app.use(controlRouter(sandbox));

	await once(server.listen(port, HOST), 'listening').catch((error: NodeJS.ErrnoException) => {
		if (error.code !== 'EADDRINUSE') throw error;
		throw new Error(`Port ${port} is already in use; choose another one`);
	});
	sandbox.url = `http://${HOST}:${(server.address() as AddressInfo).port}`;
	for (const service of services) service.origin = sandbox.url;
	return sandbox;
}
