import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../host';
import { buildPackage, packPackage, PROJECT_DIR } from '.';

const OUTPUT = join(PROJECT_DIR, 'test-results', 'release');

/** Builds the package, and writes what a release offers for download. */
async function main(): Promise<void> {
	await rm(OUTPUT, { recursive: true, force: true });
	await mkdir(OUTPUT, { recursive: true });
	await buildPackage();
	const archive = await packPackage(OUTPUT);
	const hash = createHash('sha512').update(await readFile(archive));
	// The form in which npm shows a checksum and n8n expects it.
	await writeFile(`${archive}.sha512`, `sha512-${hash.digest('base64')}\n`);
	// Says that the package has no dependencies.
	const args = ['--sbom-format=cyclonedx', '--sbom-type=library', '--package-lock-only'];
	const sbom = await run('npm', ['sbom', ...args, '--omit=dev'], { cwd: PROJECT_DIR });
	await writeFile(join(OUTPUT, 'sbom.cdx.json'), sbom);
	console.log(archive);
}

main().catch((error: unknown) => {
	console.error((error as Error).message);
	process.exitCode = 1;
});
