import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import * as events from '../../nodes/LinkCompanyTrigger/events';
import { run } from '../host';
import { PROJECT_DIR } from '../package';
import type { Part } from './parts';

const TRIGGER = 'nodes/LinkCompanyTrigger/LinkCompanyTrigger.node';
const EVENTS = 'nodes/LinkCompanyTrigger/events/index.ts';
const PANEL = 'nodes/LinkCompanyTrigger/panel.ts';
const POLL = 'nodes/LinkCompanyTrigger/poll.ts';
const COPIED = ['LICENSE.md', 'tsconfig.json', 'eslint.config.mjs'];

/**
 * Generates the sources of one package in an empty folder and compiles them: its node, its
 * credential, the trigger with the events of its service, and every file that these import.
 *
 * @returns the folder
 */
export async function generatePart(part: Part, folder: string): Promise<string> {
	const { node, credential } = part;
	const nodeFile = `nodes/${node}/${node}.node`;
	const credentialFile = `credentials/${credential}.credentials`;
	const generated = await generatedSources(part);
	const entries = [nodeFile, TRIGGER, credentialFile].map((file) => `${file}.ts`);
	for (const [path, content] of await importClosure(entries, generated)) {
		await write(folder, renamed(part, path), renamed(part, content));
	}
	for (const codex of [`${nodeFile}.json`, `${TRIGGER}.json`]) {
		const content = await source(codex);
		const own = content.replaceAll('n8n-nodes-link-company.', `${part.packageName}.`);
		await write(folder, renamed(part, codex), renamed(part, own));
	}
	const trigger = renamed(part, TRIGGER);
	await write(folder, 'package.json', manifest(part, [nodeFile, trigger], credentialFile));
	for (const file of COPIED) await cp(join(PROJECT_DIR, file), join(folder, file));
	await copyIcons(part, folder);
	await symlink(join(PROJECT_DIR, 'node_modules'), join(folder, 'node_modules'));
	await run(process.execPath, [require.resolve('typescript/bin/tsc')], { cwd: folder });
	await cp(join(folder, 'icons'), join(folder, 'dist', 'icons'), { recursive: true });
	return folder;
}

/** What differs from this tree: the list of events, and the event that is the default. */
async function generatedSources({ credentialType }: Part): Promise<Record<string, string>> {
	const own = Object.entries(events)
		.filter(([, { service }]) => service.credential === credentialType)
		.map(([name]) => name);
	const [first = ''] = own;
	const replaced = async (path: string, from: string, to: string) => {
		const content = await source(path);
		if (!content.includes(from)) throw new Error(`${path} doesn't contain ${from}`);
		return content.replace(from, to);
	};
	return {
		[EVENTS]: own.map((name) => `export { ${name} } from './${name}';\n`).join(''),
		[PANEL]: await replaced(PANEL, "default: 'fileCreated'", `default: '${first}'`),
		[POLL]: await replaced(POLL, 'events.fileCreated', `events.${first}`),
	};
}

/** The given files and all they import from the tree, with their contents. */
async function importClosure(
	entries: string[],
	generated: Record<string, string>,
): Promise<Map<string, string>> {
	const contents = new Map<string, string>();
	const open = [...entries];
	for (let path = open.pop(); path !== undefined; path = open.pop()) {
		if (contents.has(path)) continue;
		const content = generated[path] ?? (await source(path));
		contents.set(path, content);
		for (const { fileName } of ts.preProcessFile(content).importedFiles) {
			if (fileName.startsWith('.')) open.push(resolveImport(path, fileName));
		}
	}
	return contents;
}

function resolveImport(from: string, imported: string): string {
	const base = join(dirname(from), imported);
	const candidates = [`${base}.ts`, join(base, 'index.ts')];
	const found = candidates.find((path) => existsSync(join(PROJECT_DIR, path)));
	if (!found) throw new Error(`${from} imports ${imported}, which doesn't exist`);
	return found;
}

function manifest(part: Part, nodes: string[], credential: string): string {
	const compiled = (file: string) => `dist/${file}.js`;
	return JSON.stringify(
		{
			name: part.packageName,
			version: '0.1.0',
			description: part.description,
			license: 'MIT',
			keywords: ['n8n-community-node-package'],
			files: ['dist'],
			n8n: {
				n8nNodesApiVersion: 1,
				strict: true,
				credentials: [compiled(credential)],
				nodes: nodes.map(compiled),
			},
			peerDependencies: { 'n8n-workflow': '*' },
		},
		null,
		2,
	);
}

/** The icons of the part's node and of its trigger. */
async function copyIcons(part: Part, folder: string): Promise<void> {
	const node = part.node.charAt(0).toLowerCase() + part.node.slice(1);
	for (const name of [node, 'linkCompanyTrigger']) {
		for (const ending of ['.svg', '.dark.svg']) {
			const content = await source(`icons/${name}${ending}`);
			await write(folder, renamed(part, `icons/${name}${ending}`), content);
		}
	}
}

function renamed({ triggerNames }: Part, text: string): string {
	return triggerNames.reduce((result, [from, to]) => result.replaceAll(from, to), text);
}

async function source(path: string): Promise<string> {
	return await readFile(join(PROJECT_DIR, path), 'utf8');
}

async function write(folder: string, path: string, content: string): Promise<void> {
	await mkdir(dirname(join(folder, path)), { recursive: true });
	await writeFile(join(folder, path), content);
}
