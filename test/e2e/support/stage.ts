import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox';
import {
	freePort,
	N8nApi,
	provideHost,
	startN8n,
	type Host,
	type N8nProcess,
	type OlderVersion,
	type Owner,
} from '../../../tools/host';
import { installPackage, type PackageManifest } from '../../../tools/package';
import { Cleanup } from '../../../tools/start/cleanup';
import { watchLog } from './logs';
import { until } from './until';

export const OWNER: Owner = {
	email: 'owner@link-company.example',
	password: 'EndToEnd1',
	firstName: 'End',
	lastName: 'To End',
};

/** Credentials of the sandbox's three services, by their types and ids in n8n. */
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

/** A real n8n with the package installed, and the sandbox it talks to. */
export interface Stage {
	host: Host;
	userFolder: string;
	manifest: PackageManifest;
	sandbox: Sandbox;
	n8n: N8nProcess;
	/** Signed in as the owner. */
	api: N8nApi;
	credentials: SandboxCredentials;
	/** Undoes everything, the newest first; further undos may be added. */
	cleanup: Cleanup;
}

export interface StageOptions {
	sandbox?: SandboxOptions;
	/** Settings of n8n on top of those of tools/host. */
	env?: NodeJS.ProcessEnv;
	/** Undos of what the stage stands on. */
	cleanup?: Cleanup;
	/** An n8n older than the pinned one. */
	version?: OlderVersion;
}

/**
 * Limits that no test reaches unless it sets its own. Without any, the answers would have no
 * headers about them, and the nodes would keep to the documented rate.
 */
const WIDE_LIMIT = { rateLimit: { limit: 1_000_000 } };
const WIDE_LIMITS = { ...WIDE_LIMIT, dailyQuota: { limit: 1_000_000 } };
export const UNLIMITED: SandboxOptions = {
	links: WIDE_LIMIT,
	registry: { v1: WIDE_LIMITS, unversioned: WIDE_LIMITS },
};

/** Sets up a fresh n8n as users do: the package's archive installed, then an owner. */
export async function startStage({
	sandbox: sandboxOptions = UNLIMITED,
	version,
	// An older n8n does not start when it is told to leave out a module that it does not know.
	env = version && { N8N_DISABLED_MODULES: '' },
	cleanup = new Cleanup(),
}: StageOptions = {}): Promise<Stage> {
	try {
		const host = await provideHost({ version });
		const sandbox = await startSandbox(sandboxOptions);
		cleanup.add(async () => await sandbox.close());
		const userFolder = await mkdtemp(join(tmpdir(), 'n8n-e2e-'));
		cleanup.add(async () => await rm(userFolder, { recursive: true, force: true }));
		const manifest = await installPackage(userFolder);
		const n8n = await startWatched('n8n', { host, userFolder, port: await freePort(), env });
		cleanup.add(async () => await n8n.stop());
		const api = new N8nApi(n8n.url);
		// An older n8n says that it is ready before it serves everything.
		await until('the owner to be set up', async () => {
			await api.setUpOwner(OWNER);
			return true;
		});
		const credentials = await createCredentials(api, sandbox);
		return { host, userFolder, manifest, sandbox, n8n, api, credentials, cleanup };
	} catch (error) {
		await cleanup.run();
		throw error;
	}
}

/** Starts n8n so that its log is shown when a test fails. */
export async function startWatched(
	name: string,
	options: Parameters<typeof startN8n>[0],
): Promise<N8nProcess> {
	const n8n = await startN8n(options);
	const unwatch = watchLog(name, () => n8n.logTail());
	void n8n.ended.then(unwatch);
	return n8n;
}

/** What the user would type into each credential. */
export function credentialData({ links, registry: { v1, unversioned } }: Sandbox) {
	return {
		links: { baseUrl: links.baseUrl, apiKey: links.apiKey },
		registry: {
			variant: 'v1',
			baseUrl: v1.baseUrl,
			apiKey: v1.apiKey,
			plan: 'enterprise',
			requestsPerMinute: WIDE_LIMIT.rateLimit.limit,
			requestsPerDay: 1_000 * WIDE_LIMIT.rateLimit.limit,
		},
		registryUnversioned: {
			variant: 'unversioned',
			baseUrl: unversioned.baseUrl,
			apiKey: unversioned.apiKey,
			plan: 'premium',
		},
	};
}

async function createCredentials(api: N8nApi, sandbox: Sandbox): Promise<SandboxCredentials> {
	const data = credentialData(sandbox);
	const create = async (name: string, type: string, fields: Record<string, unknown>) => ({
		type,
		name,
		id: await api.createCredential(name, type, fields),
	});
	return {
		links: await create('Links', 'linkManagementApi', data.links),
		registry: await create('Registry', 'companyRegistryApi', data.registry),
		registryUnversioned: await create(
			'Registry, unversioned',
			'companyRegistryApi',
			data.registryUnversioned,
		),
	};
}
