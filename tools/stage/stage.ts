import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox';
import {
	freePort,
	N8nApi,
	provideHost,
	startN8n,
	until,
	type Host,
	type N8nProcess,
	type HostVersion,
	type Owner,
} from '../host';
import { installPackage, type PackageManifest } from '../package';
import { Cleanup } from '../cli/cleanup';

/** The login of every stage. Only this machine can reach it, and its data is deleted at the end. */
export const OWNER: Owner = {
	email: 'demo@link-company.example',
	password: 'LinkDemo1',
	firstName: 'Link',
	lastName: 'Company',
};

/** A real n8n with the package installed, and the sandbox that it calls. */
export interface Stage {
	host: Host;
	/** n8n keeps its data here. */
	userFolder: string;
	manifest: PackageManifest;
	sandbox: Sandbox;
	n8n: N8nProcess;
	/** Signed in as `OWNER`. */
	api: N8nApi;
	/** Credentials for the sandbox's services. */
	credentials: SandboxCredentials;
	/** Undoes everything in reverse order. You can add undos. */
	cleanup: Cleanup;
}

export interface SandboxCredentials {
	links: CredentialReference;
	registry: CredentialReference;
	registryUnversioned: CredentialReference;
}

export interface CredentialReference {
	type: string;
	id: string;
	name: string;
}

export interface StageOptions {
	sandbox?: SandboxOptions;
	/** n8n's settings in addition to those of tools/host. */
	env?: NodeJS.ProcessEnv;
	/** Plans of the registry credentials. Default: the sandbox's plans. */
	plans?: { v1: object; unversioned: object };
	/** A cleanup that already undoes what the stage depends on. */
	cleanup?: Cleanup;
	/** An n8n older than the pinned one. */
	version?: HostVersion;
	/** Port of n8n; default: a free one. */
	port?: number;
	/** Replaces `startN8n`. */
	start?: typeof startN8n;
	/** Receives short lines of progress. */
	onProgress?: (line: string) => void;
	signal?: AbortSignal;
}

/**
 * Sets up a new n8n as users do: installs the package's archive, then creates an owner and the
 * credentials of the sandbox. The package must be built.
 *
 * @throws after undoing what was set up
 */
export async function startStage({
	sandbox: sandboxOptions,
	env,
	plans,
	cleanup = new Cleanup(),
	version,
	port,
	start = startN8n,
	onProgress = () => {},
	signal,
}: StageOptions = {}): Promise<Stage> {
	try {
		const host = await provideHost({ version, signal, onProgress });
		const sandbox = await startSandbox(sandboxOptions);
		cleanup.add(async () => await sandbox.close());
		const userFolder = await mkdtemp(join(tmpdir(), 'n8n-nodes-link-company-'));
		cleanup.add(async () => await rm(userFolder, { recursive: true, force: true }));
		onProgress('Installing the package …');
		const manifest = await installPackage(userFolder, signal);
		onProgress('Starting n8n …');
		const n8n = await start({
			host,
			userFolder,
			port: port ?? (await freePort()),
			env,
			signal,
		});
		cleanup.add(async () => await n8n.stop());
		const api = new N8nApi(n8n.url);
		// An older n8n reports that it is ready before it is.
		await until('the owner to be set up', async () => {
			await api.setUpOwner(OWNER);
			return true;
		});
		const credentials = await createCredentials(api, credentialData(sandbox, plans));
		return { host, userFolder, manifest, sandbox, n8n, api, credentials, cleanup };
	} catch (error) {
		await cleanup.run();
		throw error;
	}
}

/** What the user would enter into each credential. */
export function credentialData(
	{ links, registry: { v1, unversioned } }: Sandbox,
	plans: StageOptions['plans'] = {
		...{ v1: { plan: 'starterB2b' }, unversioned: { plan: 'premium' } },
	},
) {
	return {
		registryUnversioned: {
			...{ variant: 'unversioned', baseUrl: unversioned.baseUrl, apiKey: unversioned.apiKey },
			...plans.unversioned,
		},
		registry: { variant: 'v1', baseUrl: v1.baseUrl, apiKey: v1.apiKey, ...plans.v1 },
		links: { baseUrl: links.baseUrl, apiKey: links.apiKey },
	};
}

/** n8n preselects the newest credential of a type: the one of the API with all operations. */
async function createCredentials(
	api: N8nApi,
	data: ReturnType<typeof credentialData>,
): Promise<SandboxCredentials> {
	const create = async (service: string, type: string, fields: Record<string, unknown>) => {
		const name = `${service} (sandbox)`;
		return { type, name, id: await api.createCredential(name, type, fields) };
	};
	const registryApi = 'companyRegistryApi';
	const unversioned = 'Company Registry, unversioned';
	return {
		registryUnversioned: await create(unversioned, registryApi, data.registryUnversioned),
		registry: await create('Company Registry', registryApi, data.registry),
		links: await create('Link Management', 'linkManagementApi', data.links),
	};
}
