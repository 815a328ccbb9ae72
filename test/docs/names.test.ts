import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { CompanyRegistryApi } from '../../credentials/CompanyRegistryApi.credentials';
import { LinkManagementApi } from '../../credentials/LinkManagementApi.credentials';
import { findColumns } from '../../nodes/CompanyRegistry/enrich/columns';
import { isJson } from '../../nodes/shared/http/json';
import { withoutCode } from '../../tools/docs/markdown';
import { readExamples } from '../../tools/examples';
import { nodeClasses } from '../engine/harness';
import '../engine/pollHarness';

const ROOT = join(__dirname, '..', '..');
const PAGES = [
	'README.md',
	'CHANGELOG.md',
	...readdirSync(join(ROOT, 'docs')).map((name) => join('docs', name)),
];

/** Names in n8n and other apps, and names that a page explains. */
const OTHERS = [
	...['Authentication', 'Predefined Credential Type'],
	...['Batching', 'Days', 'Execute workflow', 'Failed to install community package'],
	...['Fetch Test Event', 'From Email', 'Limit', 'Loop Over Items', 'Max Iterations', 'On Error'],
	...['Poll Times', 'Production URL', 'Request Options', 'Retry On Fail', 'Single-line text'],
	...['System Message', 'Text', 'Timeout', 'Trigger Interval', 'Links'],
	...['Precision', 'Recall', 'Registry', 'Sample:', 'V1'],
	...[
		'Column to match on',
		'Clash Handling',
		'Combine',
		'Enrich Input 1',
		'Equals',
		'Fuzzy Compare',
		'Prefer Input 1',
		'Large text',
		'Map Automatically',
	],
	...['Mapping Column Mode', 'Publish', 'Output Type', 'Resolve Properties', 'String'],
];

/** The names that a panel shows, at any depth of a description. */
function namesIn(value: unknown): string[] {
	if (Array.isArray(value)) return value.flatMap(namesIn);
	if (!isJson(value)) return [];
	const { displayName, name } = value;
	const own = [displayName, name].filter((each) => typeof each === 'string');
	return [...own, ...Object.values(value).flatMap(namesIn)];
}

/** Capitalized text in italics; `Company: Enrich` and `Options → On Rate Limit` are two names. */
function namesOn(page: string): string[] {
	const text = withoutCode(page).replace(/`[^`\n]*`|\*\*/g, '');
	const marked = [...text.matchAll(/\*([^*\n]+)\*/g)].map(([, name = '']) => name);
	return marked
		.flatMap((name) => name.split(/: (?=\w)| → /))
		.filter((name) => /^\p{Lu}/u.test(name));
}

it('names in italics in README, the user pages and the examples’ notes exist in a panel, an example or n8n', async () => {
	const descriptions = Object.values(nodeClasses).map(({ description }) => description);
	const examples = await readExamples();
	const known = new Set([
		...OTHERS,
		// Without what follows in parentheses, such as a plan's limits.
		...namesIn([...descriptions, new CompanyRegistryApi(), new LinkManagementApi()]).flatMap(
			(name) => [name, name.replace(/ \(.*/, '')],
		),
		...examples.flatMap(({ workflow: { name, nodes } }) => [
			name,
			...nodes.map((node) => node.name),
		]),
	]);
	const pages = PAGES.filter((page) => page.endsWith('.md'));
	const texts = [
		...pages.map((page) => [page, readFileSync(join(ROOT, page), 'utf8')] as const),
		...examples.flatMap(({ name, workflow: { nodes } }) =>
			nodes.map(({ parameters }) => [name, String(parameters.content ?? '')] as const),
		),
	];
	const unknown = texts.flatMap(([where, text]) =>
		namesOn(text)
			.filter((name) => !known.has(name))
			.map((name) => `${where}: ${name}`),
	);
	expect(unknown).toEqual([]);
});

it('Enrich recognizes the headings that docs/company-registry.md names', () => {
	const page = readFileSync(join(ROOT, 'docs', 'company-registry.md'), 'utf8');
	const [, rows = ''] = /^\| Column \| For example \|\n.*\n((?:\|.*\n)+)/m.exec(page) ?? [];
	const named = rows
		.split('\n')
		.map((row) => [...row.matchAll(/`(.+?)`/g)].map(([, name]) => name!));
	const roles = ['idno', 'name', 'city', 'legalForm'];
	expect(named.filter((names) => names.length > 2)).toHaveLength(roles.length);
	for (const [index, role] of roles.entries()) {
		for (const name of named[index]!) {
			expect(findColumns({ [name]: 'Valmora' }, new Set())).toEqual({ [role]: name });
		}
	}
	expect(page).toContain('columns about other companies, such as `Bank name`');
	expect(findColumns({ 'Bank name': 'Valmora' }, new Set())).toEqual({});
});
