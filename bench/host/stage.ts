import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox';
import {
	freePort,
	N8nApi,
	provideHost,
	startN8n,
	type Host,
	type N8nProcess,
	type Owner,
} from '../../tools/host';
import { installPackage } from '../../tools/package';
import { Cleanup } from '../../tools/start/cleanup';
import { Probe, probeEnvironment } from './probeClient';

const OWNER: Owner = {
	email: 'bench@link-company.example',
	password: 'LinkBench1',
	firstName: 'Link',
	lastName: 'Bench',
};

/** Above anything a part sends; without a limit the services would not tell about it. */
export const NO_LIMIT = 10_000_000;

/** A running n8n with the built package in it, and the sandbox that it talks to. */
export interface Stage {
	host: Host;
	n8n: N8nProcess;
	/** Signed in as the owner. */
	api: N8nApi;
	probe: Probe;
	sandbox: Sandbox;
	/** n8n keeps its data here, and may read files from here. */
	folder: string;
	/**
	 * A credential with an API key of its own: a key that was used before has a window that is
	 * open already, and n8n's process remembers it.
	 */
	freshLinkCredential(): Promise<CredentialRef>;
	close(): Promise<void>;
}

/** How a node names its credential. */
export interface CredentialRef {
	id: string;
	name: string;
}

/** Starts n8n and a sandbox for one part. The package must have been built. */
export async function openStage(
	links: NonNullable<SandboxOptions['links']>,
	{ env, registry }: { env?: NodeJS.ProcessEnv; registry?: SandboxOptions['registry'] } = {},
): Promise<Stage> {
	const cleanup = new Cleanup();
	try {
		return await open(cleanup, { links, registry }, env);
	} catch (error) {
		await cleanup.run();
		throw error;
	}
}

async function open(
	cleanup: Cleanup,
	settings: SandboxOptions,
	env: NodeJS.ProcessEnv | undefined,
): Promise<Stage> {
	const host = await provideHost();
	const sandbox = await startSandbox(settings);
	cleanup.add(async () => await sandbox.close());
	const folder = await mkdtemp(join(tmpdir(), 'n8n-nodes-link-company-bench-'));
	cleanup.add(async () => await rm(folder, { recursive: true, force: true }));
	await installPackage(folder);
	const probePort = await freePort();
	const n8n = await startN8n({
		host,
		userFolder: folder,
		port: await freePort(),
		env: { ...probeEnvironment(probePort), N8N_RESTRICT_FILE_ACCESS_TO: folder, ...env },
	});
	cleanup.add(async () => await n8n.stop());
	const api = new N8nApi(n8n.url);
	await api.setUpOwner(OWNER);
	let keys = 0;
	return {
		host,
		n8n,
		api,
		probe: new Probe(probePort),
		sandbox,
		folder,
		async freshLinkCredential() {
			const apiKey = `bench-key-${++keys}`;
			const { otherApiKeys } = sandbox.links.settings;
			sandbox.links.configure({ otherApiKeys: [...otherApiKeys, apiKey] });
			const data = { baseUrl: sandbox.links.baseUrl, apiKey };
			const id = await api.createCredential(apiKey, 'linkManagementApi', data);
			return { id, name: apiKey };
		},
		close: async () => await cleanup.run(),
	};
}
