import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../host';

/** The clone's top folder. */
export const PROJECT_DIR = join(__dirname, '..', '..');

/** Compiles the package into dist/, as `npm run build` does. */
export async function buildPackage(signal?: AbortSignal): Promise<void> {
	// CI turns off the spinner, whose frames would fill the log.
	await run('npm', ['run', 'build'], {
		cwd: PROJECT_DIR,
		env: { ...process.env, CI: 'true' },
		signal,
	});
}

export interface PackOptions {
	/** Folder of a built package; this project's own by default. */
	projectDir?: string;
	signal?: AbortSignal;
}

/**
 * Packs a built package into the archive that would be published.
 *
 * @param targetDir an existing folder
 * @returns the archive's absolute path
 */
export async function packPackage(
	targetDir: string,
	{ projectDir = PROJECT_DIR, signal }: PackOptions = {},
): Promise<string> {
	const args = ['pack', '--json', '--ignore-scripts', `--pack-destination=${targetDir}`];
	const printed = await run('npm', args, { cwd: projectDir, signal });
	const [{ filename }] = JSON.parse(printed) as [{ filename: string }];
	return join(targetDir, filename);
}

/** The paths of the files that the archive contains, relative to the project's folder. */
export async function archiveFiles(): Promise<string[]> {
	const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
	const printed = await run('npm', args, { cwd: PROJECT_DIR });
	const [{ files }] = JSON.parse(printed) as [{ files: Array<{ path: string }> }];
	return files.map(({ path }) => path);
}

/** The fields of a package.json that matter to n8n. */
export interface PackageManifest {
	name: string;
	version: string;
	author?: { name?: string; email?: string };
	repository?: { url?: string };
	n8n?: { nodes?: string[]; credentials?: string[] };
}

export async function readManifest(dir: string): Promise<PackageManifest> {
	return JSON.parse(await readFile(join(dir, 'package.json'), 'utf8')) as PackageManifest;
}
