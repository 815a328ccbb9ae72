import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ICredentialType, INodeTypeDescription } from 'n8n-workflow';
import { run } from '../../tools/host';
import { packPackage, PROJECT_DIR, readManifest } from '../../tools/package';
import { operationsOf } from './support/operations';
import { startStage, type Stage } from './support/stage';

/** What n8n serves about a node: its description, and its codex beside it. */
type ServedNode = INodeTypeDescription & {
	iconUrl?: Icons;
	codex?: { alias?: string[]; categories?: string[] };
};
type ServedCredential = ICredentialType & { iconUrl?: Icons };
type Icons = { light: string; dark: string };

const NODES = [
	'companyRegistry',
	'companyRegistryTrigger',
	'linkManagement',
	'linkManagementTrigger',
];
const CREDENTIALS = ['companyRegistryApi', 'linkManagementApi'];

describe('the archive that is published', () => {
	/** Compiled code, icons and schemas: far below what slows down an installation. */
	const MAX_ARCHIVE_BYTES = 150_000;
	const BELONGS = /^package\/(package\.json|README\.md|LICENSE\.md|CHANGELOG\.md|dist\/.+)$/;
	const BELONGS_IN_DIST =
		/^package\/dist\/(icons\/\w+(\.dark)?\.svg|(nodes|credentials)\/.+\.(js|json))$/;

	let folder: string;
	let archive: string;
	let files: string[];

	beforeAll(async () => {
		folder = await mkdtemp(join(tmpdir(), 'n8n-e2e-archive-'));
		archive = await packPackage(folder);
		files = (await run('tar', ['-tzf', archive])).trim().split('\n');
	});

	afterAll(async () => await rm(folder, { recursive: true, force: true }));

	it('contains the compiled package with its documents and nothing else', () => {
		const strangers = files.filter(
			(file) =>
				!BELONGS.test(file) ||
				(file.startsWith('package/dist/') && !BELONGS_IN_DIST.test(file)) ||
				/test|sandbox|\.map$|\.ts$/.test(file),
		);
		expect(strangers).toEqual([]);
	});

	it('holds every file that its manifest names, and the codex of each node', async () => {
		const { n8n } = await readManifest(PROJECT_DIR);
		const nodes = n8n?.nodes ?? [];
		const codex = nodes.map((file) => file.replace(/\.js$/, '.json'));
		const named = [...nodes, ...codex, ...(n8n?.credentials ?? [])];
		expect(files).toEqual(expect.arrayContaining(named.map((file) => `package/${file}`)));
	});

	it('is small', async () => {
		const { size } = await stat(archive);
		console.log(`The archive has ${files.length} files and ${size} bytes.`);
		expect(size).toBeLessThan(MAX_ARCHIVE_BYTES);
	});
});

describe('the package in a fresh n8n', () => {
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

	const nodeNames = (suffix = '') => NODES.map((name) => `${stage.manifest.name}.${name}${suffix}`);

	it('provides its nodes, the actions also as tools for agents', () => {
		const actions = NODES.filter((name) => !name.endsWith('Trigger'));
		const tools = actions.map((name) => `${stage.manifest.name}.${name}Tool`);
		expect(nodes.map(({ name }) => name).sort()).toEqual([...nodeNames(), ...tools].sort());
	});

	it('provides its credentials', () => {
		expect(credentials.map(({ name }) => name).sort()).toEqual(CREDENTIALS);
	});

	it('serves an icon for light and for dark mode for each of them', async () => {
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

	it('is found by its codex: categories and the words that users search by', () => {
		const aliases = Object.fromEntries(
			nodes.filter(({ name }) => !name.endsWith('Tool')).map(({ name, codex }) => [name, codex]),
		);
		for (const name of nodeNames()) {
			expect([name, aliases[name]?.categories?.length]).not.toEqual([name, undefined]);
			expect([name, aliases[name]?.alias?.length]).not.toEqual([name, undefined]);
		}
	});

	it('serves an output schema for every operation of Link Management that has a fixed output', async () => {
		const linkNode = nodes.find(({ name }) => name.endsWith('.linkManagement'));
		const missing: string[] = [];
		for (const [resource, operation] of linkNode ? operationsOf(linkNode) : []) {
			if (resource === 'apiRequest') continue;
			const path = `/schemas/${linkNode?.name}/1/${resource}/${operation}.json`;
			const response = await fetch(stage.n8n.url + path);
			const schema = (await response.json().catch(() => ({}))) as { type?: string };
			if (response.status !== 200 || schema.type !== 'object') missing.push(path);
		}
		expect(missing).toEqual([]);
	});
});
