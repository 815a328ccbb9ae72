import type { Sandbox, SandboxOptions } from '../../../sandbox';
import { startN8n, type N8nApi, type N8nProcess } from '../../../tools/host';
import {
	startStage as startBareStage,
	type Stage as BareStage,
	type StageOptions,
} from '../../../tools/stage/stage';
import { watched } from './services';

export { OWNER } from '../../../tools/stage/stage';

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

/** A real n8n with the package installed and credentials in it, and the sandbox it talks to. */
export interface Stage extends BareStage {
	credentials: SandboxCredentials;
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

/** A fresh n8n whose log is shown when a test fails, with credentials of its sandbox. */
export async function startStage(options: Omit<StageOptions, 'start'> = {}): Promise<Stage> {
	// An older n8n does not start when it is told to leave out a module that it does not know.
	const { version, env = version && { N8N_DISABLED_MODULES: '' } } = options;
	const stage = await startBareStage({
		sandbox: UNLIMITED,
		...options,
		env,
		start: async (start) => await startWatched('n8n', start),
	});
	try {
		return { ...stage, credentials: await createCredentials(stage.api, stage.sandbox) };
	} catch (error) {
		await stage.cleanup.run();
		throw error;
	}
}

/** Starts n8n so that its log is shown when a test fails. */
export async function startWatched(
	name: string,
	options: Parameters<typeof startN8n>[0],
): Promise<N8nProcess> {
	return watched(name, await startN8n(options));
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
