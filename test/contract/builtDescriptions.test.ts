import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { INodeTypeDescription } from 'n8n-workflow';

import { CompanyRegistry } from '../../nodes/CompanyRegistry/CompanyRegistry.node';
import { CompanyRegistryTrigger } from '../../nodes/CompanyRegistry/CompanyRegistryTrigger.node';
import { LinkManagement } from '../../nodes/LinkManagement/LinkManagement.node';
import { LinkManagementTrigger } from '../../nodes/LinkManagement/LinkManagementTrigger.node';

/**
 * n8n's rules read literals, and these descriptions are computed. So each is written out as a literal
 * and linted as a node's file.
 */

const ROOT = join(__dirname, '..', '..');
const NODES = [LinkManagement, LinkManagementTrigger, CompanyRegistry, CompanyRegistryTrigger];
const RULES = /^(n8n-nodes-base|@n8n\/community-nodes)\//;

/** Findings that stay, each with its reason. */
const ACCEPTED: Array<[finding: RegExp, reason: string]> = [
	[
		/display-name-miscased: .*\(name: '[a-z_]+',\)/,
		'The fields to select have the names of the API',
	],
	[
		/collection-type-unsorted-items: .* Order: Checked At Field \| Compare With/,
		'Options of Enrich that belong together stand together',
	],
];

let folder: string;

beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), 'built-descriptions-'));
	for (const each of ['package.json', 'icons', 'credentials']) {
		cpSync(join(ROOT, each), join(folder, each), { recursive: true });
	}
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Without functions, and without the keys of our own that hold them. */
function literal(description: INodeTypeDescription): string {
	const drop = (key: string, value: unknown) =>
		['routing', 'destination'].includes(key) ? undefined : value;
	const single = (text: string) => `'${text.replace(/\\"/g, '"').replace(/'/g, "\\'")}'`;
	// As a person would write it: the rules read the source.
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

interface Finding {
	ruleId: string | null;
	message: string;
	line: number;
	fatal?: boolean;
}

/** As `rule: message (line)`. In a process of its own, since ESLint's configuration is an ES module. */
function findingsIn(paths: string[]): string[] {
	const bin = join(ROOT, 'node_modules', 'eslint', 'bin', 'eslint.js');
	const options = ['--format', 'json', '--config', join(ROOT, 'eslint.config.mjs')];
	const { stdout, stderr } = spawnSync(process.execPath, [bin, ...options, ...paths], {
		cwd: folder,
		encoding: 'utf8',
		// In a test, n8n's rules take every file for a trigger's.
		env: { ...process.env, NODE_ENV: 'production' },
		maxBuffer: 100_000_000,
	});
	if (stdout === '') throw new Error(stderr);
	const results = JSON.parse(stdout) as Array<{ source?: string; messages: Finding[] }>;
	return results.flatMap(({ source = '', messages }) =>
		messages
			.filter(({ ruleId, fatal }) => fatal === true || RULES.test(ruleId ?? ''))
			.map(({ ruleId, message, line }) => {
				return `${ruleId}: ${message} (${source.split('\n')[line - 1]?.trim()})`;
			}),
	);
}

it('pass n8n’s linter in the form n8n loads them', () => {
	const findings = findingsIn(NODES.map(written));
	const isAccepted = (finding: string) => ACCEPTED.some(([pattern]) => pattern.test(finding));
	expect(findings.filter((finding) => !isAccepted(finding))).toEqual([]);
	for (const [pattern] of ACCEPTED) expect(findings.join('\n')).toMatch(pattern);
});
