import { createHash } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { ICredentialType, INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { Cleanup } from '../../tools/cli/cleanup';
import { freePort, N8nApi, provideHost, run, until, type N8nProcess } from '../../tools/host';
import { packPackage, PROJECT_DIR, readManifest, type PackageManifest } from '../../tools/package';
import { chain, outputOf, runByHand, startWith } from '../../tools/stage/workflows';
import { linkManagementCases } from '../cases';
import { selfSigned } from '../selfSigned';
import { OWNER, startStage, startWatched, type Stage } from './support/stage';

const NODES = ['companyRegistry', 'linkManagement'].flatMap((name) => [
	name,
	`${name}Tool`,
	`${name}Trigger`,
]);
const CREDENTIALS = ['companyRegistryApi', 'linkManagementApi'];
const CUSTOM_API_CALL = '__CUSTOM_API_CALL__';

/** Code, icons and schemas stay far below a size that slows down an installation. */
const MAX_ARCHIVE_BYTES = 180_000;

const BELONGS =
	/^package\/(package\.json|(README|LICENSE|CHANGELOG)\.md|dist\/(icons\/\w+(\.dark)?\.svg|(nodes|credentials)\/.+\.(js|json)))$/;

/** The lists that n8n has added its "Custom API Call" to, one for each entry. */
function customApiCallsIn(nodes: INodeTypeDescription[]): string[] {
	return nodes.flatMap(({ name: node, properties }) =>
		properties.flatMap(function listsOf({ name, displayOptions, options = [] }): string[] {
			const list = `${node} ${name} ${JSON.stringify(displayOptions?.show ?? {})}`;
			const entries = options.filter(
				(entry) => 'value' in entry && entry.value === CUSTOM_API_CALL,
			);
			const nested = options.flatMap((entry) => ('values' in entry ? entry.values : [entry]));
			return [...entries.map(() => list), ...(nested as INodeProperties[]).flatMap(listsOf)];
		}),
	);
}

describe('Archive of the package', () => {
	const cleanup = new Cleanup();
	let folder: string;
	let archive: string;
	let checksum: string;
	/** The path of code that makes n8n, and the npm that it runs, use our registry. */
	let redirect: string;
	let manifest: PackageManifest;

	beforeAll(async () => {
		folder = await mkdtemp(join(tmpdir(), 'n8n-e2e-archive-'));
		cleanup.add(async () => await rm(folder, { recursive: true, force: true }));
		archive = await packPackage(folder);
		manifest = await readManifest(PROJECT_DIR);
		const content = await readFile(archive);
		checksum = `sha512-${createHash('sha512').update(content).digest('base64')}`;
		redirect = await serveAsNpm(content);
	});

	afterAll(async () => await cleanup.run());

	it('the archive contains only the compiled package and its documents, and is small', async () => {
		const files = (await run('tar', ['-tzf', archive])).trim().split('\n');
		const strangers = files.filter((file) => !BELONGS.test(file) || /test|sandbox/.test(file));
		expect(strangers).toEqual([]);
		const { size } = await stat(archive);
		console.log(`The archive has ${files.length} files and ${size} bytes.`);
		expect(size).toBeLessThan(MAX_ARCHIVE_BYTES);
	});

	it.each([
		['n8n installs the package if the checksum is right', '', NODES.length],
		['n8n doesn’t install the package if the checksum is wrong', `sha512-${'A'.repeat(86)}==`, 0],
	])('%s', async (title, wrong, count) => {
		const n8n = await startWith(title, wrong || checksum);
		const types = await ownTypes(n8n);
		expect(types).toHaveLength(count);
		// n8n has loaded the package twice by now, and has added its entry each time.
		const entries = customApiCallsIn(types);
		expect(entries).toEqual([...new Set(entries)]);
		await n8n.stop();
		// The words that docs/install.md quotes.
		expect(n8n.logTail().includes('Failed to install community package')).toBe(count === 0);
	});

	it('n8n doesn’t start if the package has no checksum', async () => {
		await expect(startWith('no checksum')).rejects.toThrow('no checksum available');
	});

	it('an installation as docs/install.md describes it survives another package and a cleanup', async () => {
		const home = await mkdtemp(join(folder, 'home-'));
		const other = join(home, 'other');
		await mkdir(other);
		await writeFile(
			join(other, 'package.json'),
			'{ "name": "n8n-nodes-other", "version": "1.0.0" }',
		);
		await copyFile(archive, join(home, basename(archive)));
		const install = await readFile(join(PROJECT_DIR, 'docs', 'install.md'), 'utf8');
		const [, commands = ''] = /## From this repository.*?```bash\n(.*?)```/s.exec(install) ?? [];
		const rest = ['npm install ~/other', 'npm uninstall n8n-nodes-other', 'npm prune'];
		const env = { ...process.env, HOME: home, npm_config_offline: 'true' };
		await run('bash', ['-ec', [commands, ...rest].join('\n')], { env });
		const host = await provideHost();
		const n8n = await startWatched('by hand', { host, userFolder: home, port: await freePort() });
		cleanup.add(async () => await n8n.stop());
		expect(await ownTypes(n8n)).toHaveLength(NODES.length);
	});

	async function ownTypes(n8n: N8nProcess): Promise<INodeTypeDescription[]> {
		const api = new N8nApi(n8n.url);
		await until('the owner to be set up', async () => {
			await api.setUpOwner(OWNER);
			return true;
		});
		const types = await api.nodeTypes();
		return types.filter(({ name }) => name.startsWith(`${manifest.name}.`));
	}

	async function startWith(title: string, given?: string): Promise<N8nProcess> {
		const { name, version } = manifest;
		const n8n = await startWatched(title, {
			host: await provideHost(),
			userFolder: await mkdtemp(join(folder, 'user-')),
			port: await freePort(),
			env: {
				NODE_OPTIONS: `--require ${redirect}`,
				// Keeps npm from using this user's settings and cache.
				npm_config_userconfig: join(folder, 'no.npmrc'),
				npm_config_cache: join(folder, 'npm-cache'),
				N8N_UNVERIFIED_PACKAGES_ENABLED: 'false',
				N8N_COMMUNITY_PACKAGES_MANAGED_BY_ENV: 'true',
				N8N_COMMUNITY_PACKAGES: JSON.stringify([{ name, version, checksum: given }]),
			},
		});
		cleanup.add(async () => await n8n.stop());
		return n8n;
	}

	/** Serves the archive as npm's registry would: n8n needs a license for any other registry. */
	async function serveAsNpm(content: Buffer): Promise<string> {
		const { name, version } = manifest;
		const npm = 'registry.npmjs.org';
		const tarball = `/${name}/-/${name}-${version}.tgz`;
		const dist = { tarball: `https://${npm}${tarball}`, integrity: checksum };
		const published = { ...manifest, dist };
		const documents: Record<string, object> = {
			[`/${name}`]: { name, 'dist-tags': { latest: version }, versions: { [version]: published } },
			[`/${name}/${version}`]: published,
		};
		const server = createServer(selfSigned(), ({ url = '' }, response) => {
			if (url === tarball) response.end(content);
			else response.writeHead(documents[url] ? 200 : 404).end(JSON.stringify(documents[url] ?? {}));
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		cleanup.add(async () => {
			server.closeAllConnections();
			server.close();
		});
		const { port } = server.address() as AddressInfo;
		const here = { host: '127.0.0.1', hostname: '127.0.0.1', port, rejectUnauthorized: false };
		const script = join(folder, 'redirect.cjs');
		await writeFile(
			script,
			`const tls = require('node:tls');
			const { connect } = tls;
			tls.connect = (options, ...rest) => {
				const isNpm = [options.host, options.hostname].includes('${npm}');
				return connect(isNpm ? { ...options, ...${JSON.stringify(here)} } : options, ...rest);
			};`,
		);
		return script;
	}
});

describe('Package in a fresh n8n', () => {
	let stage: Stage;
	let nodes: INodeTypeDescription[];
	let credentials: ICredentialType[];

	beforeAll(async () => {
		stage = await startStage();
		const own = ({ name }: { name: string }) => name.startsWith(`${stage.manifest.name}.`);
		nodes = (await stage.api.nodeTypes()).filter(own);
		const all = await stage.api.credentialTypes();
		credentials = all.filter(({ name }) => CREDENTIALS.includes(name));
	});

	afterAll(async () => await stage?.cleanup.run());

	it('the package provides its nodes, their agent tools and its credentials', () => {
		const wanted = NODES.map((name) => `${stage.manifest.name}.${name}`);
		expect(nodes.map(({ name }) => name).sort()).toEqual(wanted);
		expect(credentials.map(({ name }) => name).sort()).toEqual(CREDENTIALS);
	});

	it('HTTP Request offers both credentials, and their services answer it', async () => {
		const offered = credentials.filter((credential) => 'authenticate' in credential);
		expect(offered.map(({ name }) => name).sort()).toEqual(CREDENTIALS);
		const { links, registry } = stage.sandbox;
		const asked = [
			[stage.credentials.links, `${links.baseUrl}/api/account`],
			[stage.credentials.registry, `${registry.v1.baseUrl}/api/v1/status`],
			[stage.credentials.registryUnversioned, `${registry.unversioned.baseUrl}/api/search?q=SRL`],
		] as const;
		for (const [{ type, id, name }, url] of asked) {
			const node = {
				name: 'HTTP Request',
				type: 'n8n-nodes-base.httpRequest',
				typeVersion: 4.2,
				parameters: {
					url,
					authentication: 'predefinedCredentialType',
					nodeCredentialType: type,
					options: {},
				},
				credentials: { [type]: { id, name } },
			};
			const execution = await runByHand(stage.api, chain(name, [...startWith([{}]), node]));
			expect([name, execution.status, execution.error?.message]).toEqual([
				name,
				'success',
				undefined,
			]);
			expect(outputOf(execution, 'HTTP Request')).toHaveLength(1);
		}
	});

	it('n8n serves an icon for light and dark mode for each node and credential', async () => {
		const icons = [...nodes, ...credentials].flatMap(({ iconUrl }) => {
			const { light, dark } = iconUrl as { light: string; dark: string };
			return [light, dark];
		});
		for (const path of new Set(icons)) {
			const response = await fetch(`${stage.n8n.url}/${path}`);
			const type = response.headers.get('content-type');
			expect([path, response.status, type]).toEqual([
				expect.any(String),
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
		const operations = new Set(linkManagementCases.map(({ operation }) => operation));
		operations.delete('apiRequest.send');
		for (const operation of operations) {
			const path = `${stage.manifest.name}.linkManagement/1/${operation.replace('.', '/')}.json`;
			const response = await fetch(`${stage.n8n.url}/schemas/${path}`);
			const schema = (await response.json().catch(() => ({}))) as object;
			expect([path, response.status, schema]).toMatchObject([path, 200, { type: 'object' }]);
		}
	});
});
