import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { startSandbox, type Sandbox } from '../../sandbox';

/** Fewer requests and a shorter window than the real limits, so that pacing shows within seconds. */
export const LINK_LIMIT = { limit: 10, windowMs: 3_000 };
const REGISTRY_PLAN = 'starter-b2b';

export async function startServices(port: number): Promise<Sandbox> {
	return await startSandbox({
		port,
		links: { rateLimit: LINK_LIMIT },
		registry: {
			v1: { plan: REGISTRY_PLAN, rateLimit: { windowMs: LINK_LIMIT.windowMs } },
		},
	});
}

/** The credentials of the sandbox's services, by credential type. */
export function credentialsOf({
	links,
	registry: { v1 },
}: Sandbox): Record<'linkManagementApi' | 'companyRegistryApi', ICredentialDataDecryptedObject> {
	return {
		linkManagementApi: { baseUrl: links.baseUrl, apiKey: links.apiKey },
		companyRegistryApi: {
			variant: 'v1',
			baseUrl: v1.baseUrl,
			apiKey: v1.apiKey,
			plan: 'starterB2b',
		},
	};
}
