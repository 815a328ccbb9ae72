import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../host';

/** The clone's top folder. */
export const PROJECT_DIR = join(__dirname, '..', '..');

/** The fields of a package.json that scripts read. */
export interface PackageManifest {
	name: string;
	version: string;
	author?: { name?: string; email?: string };
}

export async function readManifest(dir: string): Promise<PackageManifest> {
	return JSON.parse(await readFile(join(dir, 'package.json'), 'utf8')) as PackageManifest;
}

export async function writeJson(file: string, content: object): Promise<void> {
	await writeFile(file, `${JSON.stringify(content, null, 2)}\n`);
}

/** Compiles the package into dist/, as `npm run build` does. */
export async function buildPackage(signal?: AbortSignal): Promise<void> {
	// CI turns off the spinner, whose frames would fill the log.
	const env = { ...process.env, CI: 'true' };
	await run('npm', ['run', 'build'], { cwd: PROJECT_DIR, env, signal });
}

/**
 * Packs a built package into the archive that would be published.
 *
 * @param targetDir an existing folder
 * @returns the archive's absolute path
 */
export async function packPackage(targetDir: string, signal?: AbortSignal): Promise<string> {
	const args = ['pack', '--json', '--ignore-scripts', `--pack-destination=${targetDir}`];
	const printed = await run('npm', args, { cwd: PROJECT_DIR, signal });
	const [{ filename }] = JSON.parse(printed) as [{ filename: string }];
	return join(targetDir, filename);
}

/** Where n8n keeps an installed package. */
export function packageDirOf(userFolder: string, name: string): string {
	return join(nodesDirOf(userFolder), 'node_modules', name);
}

function nodesDirOf(userFolder: string): string {
	return join(userFolder, '.n8n', 'nodes');
}

/** n8n's installer drops these, so that npm installs nothing that n8n itself provides. */
const DROPPED_FIELDS = {
	devDependencies: undefined,
	peerDependencies: undefined,
	optionalDependencies: undefined,
};

/**
 * Puts the built package where n8n keeps community packages, in the state that n8n's own installer
 * leaves (`downloadPackage` of n8n's community-packages.service). n8n loads it on its next start.
 */
export async function installPackage(
	userFolder: string,
	signal?: AbortSignal,
): Promise<PackageManifest> {
	const nodesDir = nodesDirOf(userFolder);
	const { name } = await readManifest(PROJECT_DIR);
	const packageDir = packageDirOf(userFolder, name);
	await mkdir(packageDir, { recursive: true });

	const archive = await packPackage(nodesDir, signal);
	await run('tar', ['-xzf', archive, '-C', packageDir, '--strip-components=1']);
	await rm(archive);

	const manifest = { ...(await readManifest(packageDir)), ...DROPPED_FIELDS };
	await writeJson(join(packageDir, 'package.json'), manifest);
	await writeJson(join(nodesDir, 'package.json'), {
		name: 'installed-nodes',
		private: true,
		dependencies: { [name]: manifest.version },
	});
	return manifest;
}
