import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { run } from '../host';
import { packPackage, PROJECT_DIR } from '.';

/**
 * Runs n8n's scan of community packages on the sources and on the archive of the built package. The
 * rules are those of n8n's own command, which needs a published package.
 *
 * @throws Error with what the scan found
 */
async function main(): Promise<void> {
	const folder = await mkdtemp(join(tmpdir(), 'scan-'));
	try {
		await run('tar', ['-xzf', await packPackage(folder), '-C', folder]);
		// A static import of this ES module would become require().
		const { analyzePackage, SOURCE_FILE_PATTERNS } =
			await import('@n8n/scan-community-package/scanner/scanner.mjs');
		const results = {
			sources: await analyzePackage(PROJECT_DIR, SOURCE_FILE_PATTERNS),
			// The top folder of npm's archives.
			archive: await analyzePackage(join(folder, 'package')),
		};
		for (const [what, { passed, message, details }] of Object.entries(results)) {
			if (!passed) throw new Error(`${what}: ${message ?? 'failed'}\n${details ?? ''}`);
		}
		console.log('sources and archive: passed');
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

main().catch((error: unknown) => {
	console.error((error as Error).message);
	process.exitCode = 1;
});
