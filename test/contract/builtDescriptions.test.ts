import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Linter } from 'eslint';
import type { INodeTypeDescription } from 'n8n-workflow';

import { CompanyRegistry } from '../../nodes/CompanyRegistry/CompanyRegistry.node';
import { CompanyRegistryTrigger } from '../../nodes/CompanyRegistry/CompanyRegistryTrigger.node';
import { LinkManagement } from '../../nodes/LinkManagement/LinkManagement.node';
import { LinkManagementTrigger } from '../../nodes/LinkManagement/LinkManagementTrigger.node';

/**
 * n8n's linter rules only read literals, and these descriptions are computed. So each one is written
 * as a literal into a node's file, which is linted.
 */

const ROOT = join(__dirname, '..', '..');
const NODES = [LinkManagement, LinkManagementTrigger, CompanyRegistry, CompanyRegistryTrigger];
const RULES = /^(n8n-nodes-base|@n8n\/community-nodes)\//;

/** Findings that we accept: fields to select are named as in the API, and agents' tools have a smaller limit. */
const ACCEPTED =
	/display-name-miscased: .*\(name: '[a-z_]+',\)|default-wrong-for-limit: .*\(default: 10,\)/;

let folder: string;

beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), 'built-descriptions-'));
	for (const each of ['package.json', 'icons', 'credentials']) {
		cpSync(join(ROOT, each), join(folder, each), { recursive: true });
	}
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The description as source code, without functions and our keys that hold them. */
function literal(description: INodeTypeDescription): string {
	const drop = (key: string, value: unknown) =>
		['routing', 'check'].includes(key) ? undefined : value;
	const single = (text: string) => `'${text.replace(/\\"/g, '"').replace(/'/g, "\\'")}'`;
	// The rules read the source, so it's formatted as a person would write it.
	return JSON.stringify(description, drop, '\t')
		.replace(/^(\t*)"(\w+)":/gm, '$1$2:')
		.replace(/"((?:[^"\\]|\\.)*)"/g, (_, text: string) => single(text))
		.replace(/^(\t+)'main'/gm, '$1NodeConnectionTypes.Main');
}

/** Writes a node's description into a file, and returns its path. */
function written(node: (typeof NODES)[number]): string {
	const { name: className } = node;
	const path = join(folder, 'nodes', className, `${className}.node.ts`);
	mkdirSync(join(folder, 'nodes', className), { recursive: true });
	writeFileSync(
		path,
		[
			"import type { INodeType, INodeTypeDescription } from 'n8n-workflow';",
			"import { NodeConnectionTypes } from 'n8n-workflow';",
			`export class ${className} implements INodeType {`,
			`description: INodeTypeDescription = ${literal(new node().description)};`,
			'}',
		].join('\n'),
	);
	return path;
}

/** As `rule: message (line)`. ESLint gets its own process, because its config is an ES module. */
function findingsIn(paths: string[]): string[] {
	const bin = join(ROOT, 'node_modules', 'eslint', 'bin', 'eslint.js');
	const options = ['--format', 'json', '--config', join(ROOT, 'eslint.config.mjs')];
	const { stdout, stderr } = spawnSync(process.execPath, [bin, ...options, ...paths], {
		cwd: folder,
		encoding: 'utf8',
		// With NODE_ENV=test, n8n's rules treat every file as a trigger.
		env: { ...process.env, NODE_ENV: 'production' },
		maxBuffer: 100_000_000,
	});
	if (stdout === '') throw new Error(stderr);
	const results = JSON.parse(stdout) as Array<{ source?: string; messages: Linter.LintMessage[] }>;
	return results.flatMap(({ source = '', messages }) =>
		messages
			.filter(({ ruleId, fatal }) => fatal === true || RULES.test(ruleId ?? ''))
			.map(
				({ ruleId, message, line }) =>
					`${ruleId}: ${message} (${source.split('\n')[line - 1]?.trim()})`,
			),
	);
}

it('node descriptions pass n8n’s linter in the form n8n loads them', () => {
	const findings = findingsIn(NODES.map(written));
	expect(findings.filter((finding) => !ACCEPTED.test(finding))).toEqual([]);
	expect(findings.join('\n')).toMatch(ACCEPTED);
});
