import '../cli/resolveSources';

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { replaceBlock } from './markdown';
import { generatedBlocks } from './generated';

/** Writes the generated parts of the documents. */
async function main(): Promise<void> {
	for (const { file, block, content } of generatedBlocks) {
		const path = join(__dirname, '..', '..', file);
		const document = await readFile(path, 'utf8');
		await writeFile(path, replaceBlock(document, block, await content()));
		console.log(`${file}: ${block}`);
	}
}

void main();
