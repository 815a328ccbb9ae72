import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { run } from '../host';
import { packPackage, PROJECT_DIR } from '../package/pack';

/**
 * n8n's scan of community packages, applied to the sources and to the archive. Its own command
 * needs a published package; the rules are the same.
 */
async function main(): Promise<void> {
	const folder = await mkdtemp(join(tmpdir(), 'scan-'));
	try {
		await run('tar', ['-xzf', await packPackage(folder), '-C', folder]);
		// An ES module: a static import would become require().
		const { analyzePackage, SOURCE_FILE_PATTERNS } =
			await import('@n8n/scan-community-package/scanner/scanner.mjs');
		const results = {
			sources: await analyzePackage(PROJECT_DIR, SOURCE_FILE_PATTERNS),
			// The top folder of npm's archives.
			tarball: await analyzePackage(join(folder, 'package')),
		};
		for (const [what, { passed, message, details }] of Object.entries(results)) {
			console.log(`${what}: ${passed ? 'passed' : `${message ?? 'failed'}\n${details ?? ''}`}`);
			if (!passed) process.exitCode = 1;
		}
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

void main();
