import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../host';
import {
	packPackage,
	PROJECT_DIR,
	readManifest,
	type PackageManifest,
	type PackOptions,
} from './pack';

/**
 * Puts a built package where n8n keeps community packages, in the state that n8n's own installer
 * leaves (`downloadPackage` of n8n's community-packages.service). n8n loads it on its next
 * start; `registerPackage` adds what the installer writes into the database.
 */
export async function installPackage(
	userFolder: string,
	options: PackOptions = {},
): Promise<PackageManifest> {
	const { name } = await readManifest(options.projectDir ?? PROJECT_DIR);
	const nodesDir = nodesDirOf(userFolder);
	const packageDir = packageDirOf(userFolder, name);
	await mkdir(packageDir, { recursive: true });

	const archive = await packPackage(nodesDir, options);
	await run('tar', ['-xzf', archive, '-C', packageDir, '--strip-components=1']);
	await rm(archive);

	const manifest = installedManifest(await readManifest(packageDir));
	await writeJson(join(packageDir, 'package.json'), manifest);
	await writeJson(join(nodesDir, 'package.json'), {
		name: 'installed-nodes',
		private: true,
		dependencies: await installedVersions(nodesDir),
	});
	return manifest;
}

/** The versions of all packages in the folder, by name. */
async function installedVersions(nodesDir: string): Promise<Record<string, string>> {
	const folder = join(nodesDir, 'node_modules');
	const manifests = (await readdir(folder)).map(
		async (name) => await readManifest(join(folder, name)),
	);
	return Object.fromEntries(
		(await Promise.all(manifests)).map(({ name, version }) => [name, version]),
	);
}

function nodesDirOf(userFolder: string): string {
	return join(userFolder, '.n8n', 'nodes');
}

/** Where n8n keeps an installed package. */
export function packageDirOf(userFolder: string, name: string): string {
	return join(nodesDirOf(userFolder), 'node_modules', name);
}

/** n8n's installer drops these, so that npm installs nothing that n8n itself provides. */
const DROPPED_FIELDS = ['devDependencies', 'peerDependencies', 'optionalDependencies'];

function installedManifest(manifest: PackageManifest): PackageManifest {
	const kept = Object.entries(manifest).filter(([field]) => !DROPPED_FIELDS.includes(field));
	return Object.fromEntries(kept) as unknown as PackageManifest;
}

async function writeJson(file: string, content: object): Promise<void> {
	await writeFile(file, JSON.stringify(content, null, 2));
}
