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
	type OlderVersion,
	type Owner,
} from '../host';
import { installPackage, type PackageManifest } from '../package';
import { Cleanup } from '../cli/cleanup';

export const OWNER: Owner = {
	email: 'owner@link-company.example',
	password: 'LinkStage1',
	firstName: 'Link',
	lastName: 'Owner',
};

/** A real n8n with the package installed, and the sandbox it talks to. */
export interface Stage {
	host: Host;
	/** n8n keeps its data here. */
	userFolder: string;
	manifest: PackageManifest;
	sandbox: Sandbox;
	n8n: N8nProcess;
	/** Signed in as `OWNER`. */
	api: N8nApi;
	/** Undoes everything in reverse order. You can add undos. */
	cleanup: Cleanup;
}

export interface StageOptions {
	sandbox?: SandboxOptions;
	/** Settings of n8n on top of those of tools/host. */
	env?: NodeJS.ProcessEnv | ((userFolder: string) => NodeJS.ProcessEnv);
	/** Undoes what the stage depends on. */
	cleanup?: Cleanup;
	/** An n8n older than the pinned one. */
	version?: OlderVersion;
	/** Replaces `startN8n`. */
	start?: typeof startN8n;
}

/**
 * Sets up a new n8n as users do: installs the package's archive, then creates an owner. The package
 * must be built.
 *
 * @throws after undoing what was set up
 */
export async function startStage({
	sandbox: sandboxOptions,
	env,
	cleanup = new Cleanup(),
	version,
	start = startN8n,
}: StageOptions = {}): Promise<Stage> {
	try {
		const host = await provideHost({ version });
		const sandbox = await startSandbox(sandboxOptions);
		cleanup.add(async () => await sandbox.close());
		const userFolder = await mkdtemp(join(tmpdir(), 'n8n-nodes-link-company-stage-'));
		cleanup.add(async () => await rm(userFolder, { recursive: true, force: true }));
		const manifest = await installPackage(userFolder);
		const n8n = await start({
			host,
			userFolder,
			port: await freePort(),
			env: typeof env === 'function' ? env(userFolder) : env,
		});
		cleanup.add(async () => await n8n.stop());
		const api = new N8nApi(n8n.url);
		// An older n8n reports that it is ready before it is.
		await until('the owner to be set up', async () => {
			await api.setUpOwner(OWNER);
			return true;
		});
		return { host, userFolder, manifest, sandbox, n8n, api, cleanup };
	} catch (error) {
		await cleanup.run();
		throw error;
	}
}
