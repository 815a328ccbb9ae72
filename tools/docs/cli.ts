import '../cli/resolveSources';

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { startSandbox } from '../../sandbox';
import { openApiOf } from '../../sandbox/openApi';
import { PROJECT_DIR, writeJson } from '../package';
import { generatedBlocks } from './generated';
import { replaceBlock } from './markdown';

/** Writes the generated parts of the documents, and an OpenAPI document per service. */
async function main(): Promise<void> {
	for (const { file, block, content } of generatedBlocks) {
		const path = join(PROJECT_DIR, file);
		const document = await readFile(path, 'utf8');
		await writeFile(path, replaceBlock(document, block, await content()));
		console.log(`${file}: ${block}`);
	}
	const { close, links, registry } = await startSandbox();
	for (const service of [links, registry.v1, registry.unversioned]) {
		const file = `docs/openapi/${service.name}.json`;
		await writeJson(join(PROJECT_DIR, file), openApiOf(service));
		console.log(file);
	}
	await close();
}

void main();
