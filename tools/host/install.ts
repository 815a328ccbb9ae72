import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { cacheRoot, hostFolderName, staleFolders, unfinishedFolderName } from './cache';
import { findNode, nodeBinaryIn, nodePackageFolder } from './nodeBinary';
import { downloadProgress } from './progress';
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

export interface ProvideOptions {
	/** Default: the pinned version. */
	version?: OlderVersion;
	signal?: AbortSignal;
	/** Receives short lines of progress. */
	onProgress?: (line: string) => void;
}

const MANIFESTS = ['package.json', 'package-lock.json'];
const FINISHED_MARKER = '.finished';

/**
 * Returns the pinned n8n. Installs it into the cache first if necessary (2.9 GB, a few minutes).
 * Concurrent runs may both install it; the first to finish wins.
 *
 * @throws when npm fails, when the SQLite module cannot be compiled, or when `signal` is aborted
 */
export async function provideHost(options: ProvideOptions = {}): Promise<Host> {
	const root = cacheRoot();
	const lockFile = await readFile(join(manifestFolder(options), 'package-lock.json'), 'utf8');
	const dir = join(root, hostFolderName(lockFile));

	if (!existsSync(join(dir, FINISHED_MARKER))) {
		await mkdir(root, { recursive: true });
		await removeStaleFolders(root);
		await installInto(dir, packageCount(lockFile), options);
	}
	return {
		dir,
		nodePath: await findNode(dir),
		n8nPath: join(dir, 'node_modules', 'n8n', 'bin', 'n8n'),
	};
}

function manifestFolder({ version }: ProvideOptions): string {
	return version ? join(__dirname, 'older', version) : __dirname;
}

async function installInto(dir: string, packages: number, options: ProvideOptions): Promise<void> {
	const { signal, onProgress } = options;
	const unfinished = unfinishedFolderName(dir, process.pid);
	try {
		await mkdir(unfinished);
		for (const file of MANIFESTS) {
			await copyFile(join(manifestFolder(options), file), join(unfinished, file));
		}
		await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=http'], {
			cwd: unfinished,
			signal,
			onLine: downloadProgress(packages, (text) => onProgress?.(text)),
		});
		onProgress?.('compiling the SQLite module');
		await compileSqlite(unfinished, signal);
		await findNode(unfinished);
		await writeFile(join(unfinished, FINISHED_MARKER), '');
		await keep(unfinished, dir);
	} finally {
		await rm(unfinished, { recursive: true, force: true });
	}
}

/** The only install script that n8n needs. It compiles if it can't download a prebuilt module. */
async function compileSqlite(hostDir: string, signal?: AbortSignal): Promise<void> {
	const args = ['rebuild', 'sqlite3', '--ignore-scripts=false'];
	const env = { ...process.env };
	const nodePackage = nodePackageFolder(hostDir);
	if (nodePackage) {
		env.PATH = [dirname(nodeBinaryIn(nodePackage)), process.env.PATH].join(delimiter);
		// Otherwise node-gyp downloads headers or uses those of another Node from npm's settings.
		if (existsSync(join(nodePackage, 'include'))) args.push(`--nodedir=${nodePackage}`);
	}
	await run('npm', args, { cwd: hostDir, env, signal });
}

async function keep(unfinished: string, dir: string): Promise<void> {
	// A folder without the marker is left from an interrupted deletion.
	if (!existsSync(join(dir, FINISHED_MARKER))) {
		await rm(dir, { recursive: true, force: true });
	}
	try {
		await rename(unfinished, dir);
	} catch (error) {
		// A concurrent run was faster.
		if (!existsSync(join(dir, FINISHED_MARKER))) throw error;
	}
}

async function removeStaleFolders(root: string): Promise<void> {
	for (const folder of staleFolders(await readdir(root), isAlive)) {
		await rm(join(root, folder), { recursive: true, force: true });
	}
}

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}

function packageCount(lockFile: string): number {
	const { packages } = JSON.parse(lockFile) as {
		packages: Record<string, unknown>;
	};
	return Object.keys(packages).length - 1;
}
