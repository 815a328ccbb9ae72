import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ICredentialType, INodeTypeDescription } from 'n8n-workflow';
import { Cleanup } from '../../tools/cli/cleanup';
import { freePort, N8nApi, provideHost, run, until, type N8nProcess } from '../../tools/host';
import { packPackage, PROJECT_DIR, readManifest, type PackageManifest } from '../../tools/package';
import { linkManagementCases } from '../cases';
import { startNpmRegistry, type NpmRegistry } from './support/npmRegistry';
import { OWNER, startStage, startWatched, type Stage } from './support/stage';

/** A node as n8n serves it, with its description and codex. */
type ServedNode = INodeTypeDescription & {
	iconUrl?: Icons;
	codex?: { alias?: string[]; categories?: string[] };
};
type ServedCredential = ICredentialType & { iconUrl?: Icons };
type Icons = { light: string; dark: string };

const NODES = ['companyRegistry', 'linkManagement'].flatMap((name) => [
	name,
	`${name}Tool`,
	`${name}Trigger`,
]);
const CREDENTIALS = ['companyRegistryApi', 'linkManagementApi'];

/** Code, source maps, icons and schemas stay far below a size that slows down an installation. */
const MAX_ARCHIVE_BYTES = 260_000;

const BELONGS =
	/^package\/(package\.json|(README|LICENSE|CHANGELOG)\.md|dist\/(icons\/\w+(\.dark)?\.svg|(nodes|credentials)\/.+\.(js|js\.map|json)))$/;

it('the archive contains only the compiled package and its documents, and is small', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'n8n-e2e-archive-'));
	try {
		const archive = await packPackage(folder);
		const files = (await run('tar', ['-tzf', archive])).trim().split('\n');
		const strangers = files.filter((file) => !BELONGS.test(file) || /test|sandbox/.test(file));
		expect(strangers).toEqual([]);
		const { size } = await stat(archive);
		console.log(`The archive has ${files.length} files and ${size} bytes.`);
		expect(size).toBeLessThan(MAX_ARCHIVE_BYTES);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
});

describe('Package in an n8n that its environment configures', () => {
	const cleanup = new Cleanup();
	let folder: string;
	let registry: NpmRegistry;
	let manifest: PackageManifest;

	beforeAll(async () => {
		folder = await mkdtemp(join(tmpdir(), 'n8n-e2e-environment-'));
		cleanup.add(async () => await rm(folder, { recursive: true, force: true }));
		manifest = await readManifest(PROJECT_DIR);
		registry = await startNpmRegistry(folder, await packPackage(folder), manifest);
		cleanup.add(async () => await registry.close());
	});

	afterAll(async () => await cleanup.run());

	it.each([
		['n8n installs the package if the checksum is right', () => registry.checksum, NODES.length],
		[
			'n8n doesn’t install the package if the checksum is wrong',
			() => `sha512-${'A'.repeat(86)}==`,
			0,
		],
	])('%s', async (title, checksum, count) => {
		const n8n = await startWith(title, checksum());
		const api = new N8nApi(n8n.url);
		await until('the owner to be set up', async () => {
			await api.setUpOwner(OWNER);
			return true;
		});
		const types = await api.nodeTypes();
		await n8n.stop();
		const own = types.filter(({ name }) => name.startsWith(`${manifest.name}.`));
		expect(own).toHaveLength(count);
		// The words that docs/install.md quotes.
		expect(n8n.logTail().includes('Failed to install community package')).toBe(count === 0);
	});

	it('n8n doesn’t start if the package has no checksum', async () => {
		await expect(startWith('no checksum')).rejects.toThrow('no checksum available');
	});

	async function startWith(title: string, checksum?: string): Promise<N8nProcess> {
		const { name, version } = manifest;
		const n8n = await startWatched(title, {
			host: await provideHost(),
			userFolder: await mkdtemp(join(folder, 'user-')),
			port: await freePort(),
			env: {
				...registry.env,
				N8N_UNVERIFIED_PACKAGES_ENABLED: 'false',
				N8N_COMMUNITY_PACKAGES_MANAGED_BY_ENV: 'true',
				N8N_COMMUNITY_PACKAGES: JSON.stringify([{ name, version, checksum }]),
			},
		});
		cleanup.add(async () => await n8n.stop());
		return n8n;
	}
});

describe('Package in a fresh n8n', () => {
	let stage: Stage;
	let nodes: ServedNode[];
	let credentials: ServedCredential[];

	beforeAll(async () => {
		stage = await startStage();
		const { api, manifest } = stage;
		const own = ({ name }: { name: string }) => name.startsWith(`${manifest.name}.`);
		nodes = ((await api.nodeTypes()) as ServedNode[]).filter(own);
		credentials = ((await api.credentialTypes()) as ServedCredential[]).filter(({ name }) =>
			CREDENTIALS.includes(name),
		);
	});

	afterAll(async () => await stage?.cleanup.run());

	it('the package provides its nodes, their agent tools and its credentials', () => {
		const wanted = NODES.map((name) => `${stage.manifest.name}.${name}`);
		expect(nodes.map(({ name }) => name).sort()).toEqual(wanted);
		expect(credentials.map(({ name }) => name).sort()).toEqual(CREDENTIALS);
	});

	it('n8n serves an icon for light and dark mode for each node and credential', async () => {
		const icons = [...nodes, ...credentials].flatMap(({ iconUrl }) => [
			iconUrl?.light,
			iconUrl?.dark,
		]);
		expect(icons).not.toContain(undefined);
		for (const path of new Set(icons)) {
			const response = await fetch(`${stage.n8n.url}/${path}`);
			expect([path, response.status, response.headers.get('content-type')]).toEqual([
				path,
				200,
				expect.stringContaining('image/svg+xml'),
			]);
			expect(await response.text()).toContain('<svg');
		}
	});

	it('every node has categories and search words in its codex', () => {
		for (const { name, codex } of nodes.filter((node) => !node.name.endsWith('Tool'))) {
			const { categories = [], alias = [] } = codex ?? {};
			expect([name, categories.length > 0, alias.length > 0]).toEqual([name, true, true]);
		}
	});

	it('n8n serves an output schema for every Link Management operation with a fixed output', async () => {
		const operations = linkManagementCases.map(({ operation }) => operation);
		const missing: string[] = [];
		for (const operation of new Set(operations)) {
			if (operation === 'apiRequest.send') continue;
			const path = `${stage.manifest.name}.linkManagement/1/${operation.replace('.', '/')}.json`;
			const response = await fetch(`${stage.n8n.url}/schemas/${path}`);
			const schema = (await response.json().catch(() => ({}))) as { type?: string };
			if (response.status !== 200 || schema.type !== 'object') missing.push(path);
		}
		expect(missing).toEqual([]);
	});
});
