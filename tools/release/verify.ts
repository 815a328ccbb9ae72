import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run, until } from '../host';
import { PROJECT_DIR, readManifest, writeJson } from '../package';
import { integrityOf, OUTPUT } from './assets';

/** What npm says about a published version. */
interface Published {
	integrity: string;
	attestations?: { provenance?: { predicateType: string } };
}

/**
 * Checks that the published version is the tarball that was built here, and that npm's signature and
 * the statement of which workflow published it are valid.
 *
 * @throws an Error that says what is wrong
 */
async function main(): Promise<void> {
	const { name, version } = await readManifest(PROJECT_DIR);
	const [archive = ''] = (await readdir(OUTPUT)).filter((file) => file.endsWith('.tgz'));
	const built = await integrityOf(join(OUTPUT, archive));
	const args = ['view', `${name}@${version}`, 'dist', '--json', '--prefer-online'];
	// A new version takes a moment to appear.
	const published = await until(
		'npm to show the version',
		async () => JSON.parse(await run('npm', args)) as Published,
	);
	if (published.integrity !== built) throw new Error('npm serves another tarball than was built');
	if (!published.attestations?.provenance) throw new Error('The version has no provenance');

	const folder = await mkdtemp(join(tmpdir(), 'verify-'));
	try {
		await writeJson(join(folder, 'package.json'), { private: true });
		const install = ['install', `${name}@${version}`, '--ignore-scripts', '--legacy-peer-deps'];
		await run('npm', install, { cwd: folder });
		console.log(await run('npm', ['audit', 'signatures'], { cwd: folder }));
	} finally {
		await rm(folder, { recursive: true });
	}
}

main().catch((error: unknown) => {
	console.error((error as Error).message);
	process.exitCode = 1;
});
