import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox, type Sandbox } from '../../sandbox';
import { N8nApi, provideHost, startN8n, type N8nProcess, type Owner } from '../host';
import { buildPackage, installPackage, packageDirOf, registerPackage } from '../package';
import { choosePort } from '../cli/choosePort';
import type { Cleanup } from '../cli/cleanup';
import { DEFAULT_SANDBOX_PORT } from '../cli/ports';
import { step } from '../cli/step';
import { activeOf, type Example } from '../examples';
import { importCredentials, sandboxCredentials } from './credentials';
import { DEFAULT_PORT, type DevOptions } from './options';
import { RELOADING } from './watch';

/** A running n8n with the package and the examples in it, and the sandbox they talk to. */
export interface Editor {
	n8n: N8nProcess;
	/** Signed in as the owner. */
	api: N8nApi;
	sandbox: Sandbox;
	/** Where the package is installed. */
	packageDir: string;
}

/** The editor's login. Only this machine can reach it, and its data is deleted at the end. */
export const OWNER: Owner = {
	email: 'demo@link-company.example',
	password: 'LinkDemo1',
	firstName: 'Link',
	lastName: 'Company',
};

/** As many requests as the real limits, in a short window: pacing shows without long waits. */
const WINDOW_MS = 10_000;
const RATE_LIMIT = { limit: 30, windowMs: WINDOW_MS };
/** The plans that the credentials name. */
const REGISTRY = {
	v1: { plan: 'starter-b2b', rateLimit: { windowMs: WINDOW_MS } },
	unversioned: { plan: 'premium', rateLimit: { windowMs: WINDOW_MS } },
} as const;

/**
 * Builds the package and starts everything, showing each step.
 *
 * @param cleanup undoes it, also after a step has failed
 */
export async function startEditor(
	options: DevOptions,
	examples: Example[],
	cleanup: Cleanup,
	signal: AbortSignal,
): Promise<Editor> {
	const ports = await choosePorts(options);

	await step('Build the package', async () => await buildPackage(signal));
	const host = await step(
		'Install n8n (first run only: 2.9 GB, a few minutes)',
		async (onProgress) => {
			return await provideHost({ signal, onProgress });
		},
	);
	const sandbox = await step('Start the sandbox', async () => {
		return await startSandbox({
			port: ports.sandbox,
			links: { rateLimit: RATE_LIMIT },
			registry: REGISTRY,
		});
	});
	cleanup.add(async () => await sandbox.close());

	const userFolder = await mkdtemp(join(tmpdir(), 'n8n-nodes-link-company-'));
	cleanup.add(async () => await rm(userFolder, { recursive: true, force: true }));
	const manifest = await step('Install the package', async () => {
		return await installPackage(userFolder, { signal });
	});
	await step('Import the credentials', async () => {
		await importCredentials(host, userFolder, sandboxCredentials(sandbox), signal);
	});
	const n8n = await step('Start n8n', async () => {
		const env = options.once ? {} : RELOADING;
		return await startN8n({ host, userFolder, port: ports.n8n, env, signal });
	});
	cleanup.add(async () => await n8n.stop());

	const api = new N8nApi(n8n.url);
	await step('Import the examples', async () => {
		await withLogOf(n8n, async () => {
			await api.setUpOwner(OWNER);
			await registerPackage(host, api, userFolder, manifest);
			for (const { workflow } of examples) await api.createWorkflow(workflow);
		});
	});
	await step('Publish the examples with a trigger', async () => {
		await withLogOf(n8n, async () => {
			for (const { workflow } of activeOf(examples)) await api.publishWorkflow(workflow.id);
		});
	});
	return { n8n, api, sandbox, packageDir: packageDirOf(userFolder, manifest.name) };
}

/** Runs `work`. Its error is thrown again with the end of n8n's log. */
export async function withLogOf<T>(n8n: N8nProcess, work: () => Promise<T>): Promise<T> {
	try {
		return await work();
	} catch (error) {
		const message = error instanceof Error ? error.message : String(error);
		throw new Error(`${message}\n\nThe end of n8n's log:\n${n8n.logTail()}`, {
			cause: error,
		});
	}
}

async function choosePorts({
	port,
	sandboxPort,
	once,
}: DevOptions): Promise<{ n8n: number; sandbox: number }> {
	const n8n = {
		program: 'n8n',
		option: '--port',
		wanted: port,
		usual: DEFAULT_PORT,
	};
	const sandbox = {
		program: 'the sandbox',
		option: '--sandbox-port',
		wanted: sandboxPort,
		usual: DEFAULT_SANDBOX_PORT,
	};
	return {
		n8n: await choosePort({ ...n8n, flexible: once }),
		sandbox: await choosePort({ ...sandbox, flexible: once }),
	};
}
