import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_DIR } from '../../tools/package';
import { releaseProblems, type Release } from '../../tools/release/check';

const CHANGELOG = `# Changelog

## [Unreleased]

## [1.2.0] - 2030-01-31

### Added

- An operation.

## [1.1.0] - 2030-01-01

- The first release.
`;

const READY: Release = {
	manifest: {
		name: 'n8n-nodes-link-company',
		version: '1.2.0',
		author: { name: 'Ana Rusu', email: 'ana@rusu.md' },
		repository: { url: 'git+https://github.com/rusu/n8n-nodes-link-company.git' },
	},
	changelog: CHANGELOG,
	tag: 'v1.2.0',
	workflowRepository: 'rusu/n8n-nodes-link-company',
	hasChanges: false,
	files: { 'README.md': 'https://github.com/rusu/n8n-nodes-link-company' },
};

describe('the release check', () => {
	it('accepts a release that is complete', () => {
		expect(releaseProblems(READY)).toEqual([]);
	});

	const { manifest } = READY;
	const cases: Array<[string, Partial<Release>, string]> = [
		['a commit without a tag', { tag: undefined }, 'The tag is missing'],
		['a tag of another version', { tag: 'v1.1.0' }, 'The tag is v1.1.0'],
		['changes that are not committed', { hasChanges: true }, 'Files differ'],
		[
			'a version that is missing in the changelog',
			{ changelog: CHANGELOG.replace('[1.2.0]', '[1.3.0]') },
			'## [1.2.0] - YYYY-MM-DD',
		],
		[
			'an entry without a date',
			{ changelog: CHANGELOG.replace('2030-01-31', 'unreleased') },
			'## [1.2.0] - YYYY-MM-DD',
		],
		[
			'an entry without changes',
			{ changelog: CHANGELOG.replace('- An operation.\n', '') },
			'## [1.2.0] - YYYY-MM-DD',
		],
		[
			'a placeholder email address',
			{ manifest: { ...manifest, author: { email: 'nodes@link-company.example' } } },
			'real email address',
		],
		['a missing email address', { manifest: { ...manifest, author: {} } }, 'real email address'],
		[
			'the placeholder owner in any file',
			{ files: { 'dist/a.js': '"https://github.com/link-company/nodes"' } },
			'dist/a.js',
		],
		["a developer's machine", { workflowRepository: undefined }, 'publish a GitHub release'],
		[
			'a repository other than the one in package.json',
			{ workflowRepository: 'fork/n8n-nodes-link-company' },
			'github.com/fork/n8n-nodes-link-company.git',
		],
	];

	it.each(cases)('rejects %s', (_, change, problem) => {
		const problems = releaseProblems({ ...READY, ...change });
		expect(problems).toEqual([expect.stringContaining(problem)]);
	});
});

describe('publishing', () => {
	const manifest = JSON.parse(readFileSync(join(PROJECT_DIR, 'package.json'), 'utf8')) as {
		scripts: Record<string, string>;
		publishConfig: object;
	};
	const workflow = readFileSync(join(PROJECT_DIR, '.github', 'workflows', 'publish.yml'), 'utf8');

	it('runs the release check, although scripts are turned off for installing', () => {
		expect(manifest.scripts.prepublishOnly).toContain('tools/release/cli.ts');
		expect(workflow).toContain('npm publish --ignore-scripts=false');
	});

	it("is impossible on a developer's machine, where npm makes no provenance statement", () => {
		expect(manifest.publishConfig).toEqual({ access: 'public', provenance: true });
	});
});
