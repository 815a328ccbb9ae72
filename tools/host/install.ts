import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { run } from './subprocess';

/** An installed n8n and the Node that runs it. */
export interface Host {
	dir: string;
	/** Absolute path of a Node binary new enough for n8n. */
	nodePath: string;
	/** Absolute path of n8n's command-line script, to be run by `nodePath`. */
	n8nPath: string;
}

/** Older versions that the package is tested with; each has its manifests in a folder. */
export const OLDER_VERSIONS = ['1.123.81', '2.4.8'] as const;
export type OlderVersion = (typeof OLDER_VERSIONS)[number];

interface ProvideOptions {
	/** Default: the pinned version. */
	version?: OlderVersion;
	signal?: AbortSignal;
	/** Receives short lines of progress. */
	onProgress?: (line: string) => void;
}

/** The environment variable that sets another folder for what this project downloads. */
const CACHE_VARIABLE = 'LINK_COMPANY_CACHE';

const LOWEST_NODE_MAJOR = 24;
const MANIFESTS = ['package.json', 'package-lock.json'];
const FINISHED_MARKER = '.finished';
const REPORT_EVERY = 100;

/** Outside the clone, so that all clones share it. */
export function cacheRoot(environment: NodeJS.ProcessEnv = process.env): string {
	const caches = environment.XDG_CACHE_HOME || join(homedir(), '.cache');
	return environment[CACHE_VARIABLE] || join(caches, 'n8n-nodes-link-company');
}

/**
 * Returns the pinned n8n. Installs it into the cache first if necessary (2.9 GB, a few minutes).
 * The folder's name depends on the lock file, and on the platform because of compiled modules.
 *
 * @throws when npm fails, when there is no Node 24, or when `signal` is aborted
 */
export async function provideHost(options: ProvideOptions = {}): Promise<Host> {
	const root = cacheRoot();
	const manifests = options.version ? join(__dirname, 'older', options.version) : __dirname;
	const lockFile = await readFile(join(manifests, 'package-lock.json'), 'utf8');
	const hash = createHash('sha256').update(lockFile).digest('hex').slice(0, 12);
	const dir = join(root, `n8n-${process.platform}-${process.arch}-${hash}`);
	if (!existsSync(join(dir, FINISHED_MARKER))) {
		options.onProgress?.('Installing n8n (first run only: 2.9 GB, a few minutes) …');
		await mkdir(root, { recursive: true });
		const unfinished = await mkdtemp(`${dir}.unfinished-`);
		try {
			await installInto(unfinished, manifests, options);
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

async function installInto(
	dir: string,
	manifests: string,
	{ signal, onProgress }: ProvideOptions,
): Promise<void> {
	for (const file of MANIFESTS) await copyFile(join(manifests, file), join(dir, file));
	let downloaded = 0;
	await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=http'], {
		cwd: dir,
		signal,
		onLine: (line) => {
			if (!/\bhttp (fetch|cache)\b.*\.tgz\b/.test(line) || ++downloaded % REPORT_EVERY > 0) return;
			onProgress?.(`downloaded ${downloaded} of about 2,400 packages`);
		},
	});
	onProgress?.('compiling the SQLite module');
	// The only install script that n8n needs. It compiles if it can't download a prebuilt module.
	const node = nodeFor(dir);
	const args = ['rebuild', 'sqlite3', '--ignore-scripts=false'];
	const headers = dirname(dirname(node));
	// Otherwise node-gyp downloads headers, or uses those of another Node from npm's settings.
	if (existsSync(join(headers, 'include'))) args.push(`--nodedir=${headers}`);
	const env = { ...process.env, PATH: [dirname(node), process.env.PATH].join(delimiter) };
	await run('npm', args, { cwd: dir, env, signal });
	await writeFile(join(dir, FINISHED_MARKER), '');
}

/**
 * The Node that runs the n8n in `dir`: the current one if it is new enough, otherwise the one that
 * tools/host/package.json installs on Linux.
 */
function nodeFor(dir: string): string {
	if (Number(process.versions.node.split('.')[0]) >= LOWEST_NODE_MAJOR) return process.execPath;
	const name = `node-${process.platform}-${process.arch}`;
	const installed = join(dir, 'node_modules', name, 'bin', 'node');
	if (existsSync(installed)) return installed;
	throw new Error(`n8n needs Node.js ${LOWEST_NODE_MAJOR}, and this is ${process.version}.`);
}
