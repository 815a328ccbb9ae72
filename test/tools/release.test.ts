import { releaseErrors, type Release } from '../../tools/package/release';

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
	['a version without a changelog entry', { changelog: '' }, ['## [1.2.0] - YYYY-MM-DD']],
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
