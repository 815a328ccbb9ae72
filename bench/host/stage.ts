import type { SandboxOptions } from '../../sandbox';
import { freePort } from '../../tools/host';
import { startStage, type Stage as StartedStage, type StageOptions } from '../../tools/stage/stage';
import { Probe, probeEnvironment } from './probeClient';

/** Above anything a part sends; without a limit the services would not tell about it. */
export const NO_LIMIT = 10_000_000;

/** A running n8n with the built package in it, and the sandbox that it talks to. */
export interface Stage extends StartedStage {
	probe: Probe;
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

interface OpenOptions extends Pick<StageOptions, 'cleanup'> {
	env?: NodeJS.ProcessEnv;
	registry?: SandboxOptions['registry'];
}

/** Starts n8n and a sandbox for one part. n8n may read files from its user folder. */
export async function openStage(
	links: NonNullable<SandboxOptions['links']>,
	{ env, registry, cleanup }: OpenOptions = {},
): Promise<Stage> {
	const probePort = await freePort();
	const stage = await startStage({
		sandbox: { links, registry },
		env: (userFolder) => ({
			...probeEnvironment(probePort),
			N8N_RESTRICT_FILE_ACCESS_TO: userFolder,
			...env,
		}),
		cleanup,
	});
	const { api, sandbox } = stage;
	let keys = 0;
	return {
		...stage,
		probe: new Probe(probePort),
		async freshLinkCredential() {
			const apiKey = `bench-key-${++keys}`;
			const { otherApiKeys } = sandbox.links.settings;
			sandbox.links.configure({ otherApiKeys: [...otherApiKeys, apiKey] });
			const data = { baseUrl: sandbox.links.baseUrl, apiKey };
			const id = await api.createCredential(apiKey, 'linkManagementApi', data);
			return { id, name: apiKey };
		},
		close: async () => await stage.cleanup.run(),
	};
}
