import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { run } from '../host';
import { packPackage, PROJECT_DIR, readManifest, writeJson } from '../package';

export const OUTPUT = join(PROJECT_DIR, 'test-results', 'release');

/**
 * Writes what a release offers for download: the tarball, its checksum and its list of components.
 *
 * @throws if the tarball isn't the same when it is built again, in another folder
 */
async function main(): Promise<void> {
	await rm(OUTPUT, { recursive: true, force: true });
	await mkdir(OUTPUT, { recursive: true });
	const archive = await build(PROJECT_DIR, OUTPUT);
	const integrity = await integrityOf(archive);

	const elsewhere = await mkdtemp(join(tmpdir(), 'release-'));
	try {
		await copySources(elsewhere);
		const again = await integrityOf(await build(elsewhere, elsewhere));
		if (again !== integrity) throw new Error('The tarball differs when it is built again');
	} finally {
		await rm(elsewhere, { recursive: true });
	}

	const checksum = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');
	await writeFile(`${archive}.sha512`, `${checksum}  ${basename(archive)}\n`);
	await writeJson(join(OUTPUT, 'sbom.cdx.json'), await components());
	console.log(`${archive}\n${integrity}`);
}

async function build(projectDir: string, targetDir: string): Promise<string> {
	await run('npm', ['run', 'build'], { cwd: projectDir, env: { ...process.env, CI: 'true' } });
	return await packPackage(targetDir, projectDir);
}

async function copySources(folder: string): Promise<void> {
	const listed = await run('git', ['ls-files', '-z'], { cwd: PROJECT_DIR });
	for (const file of listed.split('\0').filter(Boolean)) {
		await cp(join(PROJECT_DIR, file), join(folder, file));
	}
	await symlink(join(PROJECT_DIR, 'node_modules'), join(folder, 'node_modules'), 'junction');
}

/** The checksum of a tarball as npm and n8n write it. */
export async function integrityOf(file: string): Promise<string> {
	return `sha512-${createHash('sha512')
		.update(await readFile(file))
		.digest('base64')}`;
}

/** The list of components in CycloneDX, which says that the package has no dependencies. */
async function components(): Promise<object> {
	const args = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=library', '--omit=dev'];
	const bom = JSON.parse(await run('npm', args, { cwd: PROJECT_DIR })) as {
		metadata: { component: { name: string } };
	};
	// npm uses the folder's name.
	bom.metadata.component.name = (await readManifest(PROJECT_DIR)).name;
	return bom;
}

if (require.main === module) {
	main().catch((error: unknown) => {
		console.error((error as Error).message);
		process.exitCode = 1;
	});
}
