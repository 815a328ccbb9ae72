import '../cli/resolveSources';

import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { INodeType } from 'n8n-workflow';
import { optimize } from 'svgo';

import { PROJECT_DIR, readManifest } from '../package';
import { outputSchemas } from '../schemas/outputSchemas';

/** What the compiler (sources and codex files) and the steps below write to dist/. */
const OWN_FOLDERS = ['credentials', 'icons', 'nodes'];
const DIST = join(PROJECT_DIR, 'dist');

/** n8n's build copies all images of the clone, also those of the documents and of test runs. */
async function tidy(): Promise<void> {
	for (const folder of await readdir(DIST)) {
		if (!OWN_FOLDERS.includes(folder)) await rm(join(DIST, folder), { recursive: true });
	}
}

/** Icons keep their viewBox, so that n8n can show them at any size, and lose editors' metadata. */
async function writeIcons(): Promise<void> {
	const folder = join(DIST, 'icons');
	await mkdir(folder, { recursive: true });
	for (const file of await readdir(join(PROJECT_DIR, 'icons'))) {
		if (!file.endsWith('.svg')) continue;
		const path = join(PROJECT_DIR, 'icons', file);
		const { data } = optimize(await readFile(path, 'utf8'), { multipass: true, path });
		await writeFile(join(folder, file), data);
	}
}

/** The output schemas, which n8n's editor reads from `__schema__` next to a compiled node. */
async function writeSchemas(): Promise<void> {
	const load = createRequire(join(PROJECT_DIR, 'package.json'));
	const { n8n } = await readManifest(PROJECT_DIR);
	for (const compiled of n8n?.nodes ?? []) {
		const classes = load(`./${compiled}`) as Record<string, new () => INodeType>;
		const [NodeClass] = Object.values(classes);
		const folder = join(PROJECT_DIR, dirname(compiled), '__schema__', 'v1.0.0');
		for (const [operation, schema] of Object.entries(outputSchemas(new NodeClass!().description))) {
			const file = join(folder, `${operation}.json`);
			await mkdir(dirname(file), { recursive: true });
			await writeFile(file, `${JSON.stringify(schema, null, 2)}\n`);
		}
	}
}

/** What n8n's build leaves to do. */
async function main(): Promise<void> {
	await tidy();
	await Promise.all([writeIcons(), writeSchemas()]);
}

void main();
