import '../cli/resolveSources';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROJECT_DIR } from '../package';
import { packPackage } from '../package/pack';
import { generatePart } from './generate';
import { PARTS } from './parts';

const OUTPUT = join(PROJECT_DIR, 'test-results', 'split');

/** Writes the archives of the two packages that this tree could be split into. */
async function main(): Promise<void> {
	await mkdir(OUTPUT, { recursive: true });
	for (const part of PARTS) {
		const folder = await mkdtemp(join(tmpdir(), `${part.packageName}-`));
		try {
			await generatePart(part, folder);
			console.log(await packPackage(OUTPUT, { projectDir: folder }));
		} finally {
			await rm(folder, { recursive: true, force: true });
		}
	}
}

void main();
