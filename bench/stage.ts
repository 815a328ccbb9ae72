import type { SandboxOptions } from '../sandbox';
import {
	startStage,
	type CredentialReference,
	type Stage as StartedStage,
} from '../tools/stage/stage';

/** Above anything a part sends; without a limit the services would not send rate-limit headers. */
export const NO_LIMIT = 10_000_000;

/** A running n8n with the built package in it, and the sandbox that it calls. */
export interface Stage extends StartedStage {
	/**
	 * A credential with an API key of its own: a key that was used before has a window that is
	 * open already, and n8n's process remembers it.
	 */
	freshLinkCredential(): Promise<CredentialReference>;
}

/** Runs a part's measurements on a stage, and closes it. */
export async function onStage<T>(
	links: NonNullable<SandboxOptions['links']>,
	measure: (stage: Stage) => Promise<T>,
): Promise<T> {
	const stage = await startStage({ sandbox: { links } });
	const { api, sandbox, cleanup } = stage;
	let keys = 0;
	const freshLinkCredential = async () => {
		const apiKey = `bench-key-${++keys}`;
		const { otherApiKeys } = sandbox.links.settings;
		sandbox.links.configure({ otherApiKeys: [...otherApiKeys, apiKey] });
		const data = { baseUrl: sandbox.links.baseUrl, apiKey };
		const type = 'linkManagementApi';
		return { type, id: await api.createCredential(apiKey, type, data), name: apiKey };
	};
	try {
		return await measure({ ...stage, freshLinkCredential });
	} finally {
		await cleanup.run();
	}
}
