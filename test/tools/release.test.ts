import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_DIR } from '../../tools/package';
import { releaseErrors, type Release } from '../../tools/release/cli';

const CHANGELOG = '# Changelog\n\n## [1.2.0] - 2030-01-31\n\n- An operation.\n';

const READY: Release = {
	manifest: { version: '1.2.0', author: { name: 'Ana Rusu', email: 'ana@rusu.md' } },
	changelog: CHANGELOG,
	tags: ['v1.2.0'],
	files: { 'README.md': 'https://github.com/rusu/n8n-nodes-link-company' },
};

const author = { email: 'nodes@link-company.example' };
const owner = { 'dist/a.js': '"https://github.com/link-company/nodes"' };

test.each<[string, Partial<Release>, string[]]>([
	['nothing in a complete release', {}, []],
	['a tag of another version', { tags: ['v1.1.0'] }, ['no tag v1.2.0']],
	['a version without an entry', { changelog: '' }, ['## [1.2.0] - YYYY-MM-DD']],
	[
		'an entry without a date',
		{ changelog: CHANGELOG.replace('2030-01-31', 'unreleased') },
		['## [1.2.0] - YYYY-MM-DD'],
	],
	[
		'an entry without changes',
		{ changelog: CHANGELOG.replace('- An operation.\n', '') },
		['## [1.2.0] - YYYY-MM-DD'],
	],
	['a placeholder email address', { manifest: { version: '1.2.0', author } }, ['real email']],
	['the placeholder owner in any file', { files: owner }, ['dist/a.js']],
])('the release check finds %s', (_, change, errors) => {
	expect(releaseErrors({ ...READY, ...change })).toEqual(
		errors.map((text) => expect.stringContaining(text) as unknown),
	);
});

test('runs the check when publishing, even though scripts are turned off for installing', () => {
	const manifest = JSON.parse(readFileSync(join(PROJECT_DIR, 'package.json'), 'utf8')) as {
		scripts: Record<string, string>;
		publishConfig: object;
	};
	const workflow = readFileSync(join(PROJECT_DIR, '.github', 'workflows', 'publish.yml'), 'utf8');
	expect(manifest.scripts.prepublishOnly).toContain('tools/release/cli.ts');
	expect(workflow).toMatch(/NPM_CONFIG_IGNORE_SCRIPTS: '?false/);
	// Impossible on a developer's machine, where npm makes no provenance statement.
	expect(manifest.publishConfig).toEqual({ access: 'public', provenance: true });
});
