import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sandbox } from '../../sandbox';
import { n8nCli, type Host } from '../host';

/** A credential as `n8n import:credentials` reads it. */
interface CredentialFile {
	id: string;
	name: string;
	type: string;
	data: Record<string, unknown>;
	/** ISO 8601. */
	updatedAt?: string;
}

/** n8n preselects the most recently changed credential of a type: one for all operations. */
const LONG_AGO = '2026-01-01T00:00:00.000Z';

/** The credentials of the example workflows, which name them by these ids. */
export function sandboxCredentials({
	links,
	registry: { v1, unversioned },
}: Pick<Sandbox, 'links' | 'registry'>): CredentialFile[] {
	return [
		{
			id: 'linkCompanyLinks',
			name: 'Link Management (sandbox)',
			type: 'linkManagementApi',
			data: { baseUrl: links.baseUrl, apiKey: links.apiKey },
		},
		{
			id: 'linkCompanyRegistry',
			name: 'Company Registry (sandbox)',
			type: 'companyRegistryApi',
			data: { variant: 'v1', baseUrl: v1.baseUrl, apiKey: v1.apiKey, plan: 'starterB2b' },
		},
		{
			id: 'linkCompanyRegistryUnversioned',
			name: 'Company Registry, unversioned (sandbox)',
			type: 'companyRegistryApi',
			data: {
				variant: 'unversioned',
				baseUrl: unversioned.baseUrl,
				apiKey: unversioned.apiKey,
				plan: 'premium',
			},
			updatedAt: LONG_AGO,
		},
	];
}

/**
 * Stores credentials under their own ids, which only n8n's command line can do. n8n must not be
 * running yet; this creates its database.
 */
export async function importCredentials(
	host: Host,
	userFolder: string,
	credentials: CredentialFile[],
	signal?: AbortSignal,
): Promise<void> {
	const file = join(userFolder, 'credentials.json');
	await writeFile(file, JSON.stringify(credentials), { mode: 0o600 });
	try {
		const args = ['import:credentials', `--input=${file}`];
		const printed = await n8nCli(host, userFolder, args, { signal });
		// n8n's command reports failures in its output only.
		if (!printed.includes('Successfully imported')) throw new Error(printed);
	} finally {
		await rm(file);
	}
}
