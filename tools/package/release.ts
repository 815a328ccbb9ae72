import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../host';
import { PROJECT_DIR, readManifest, type PackageManifest } from '.';

export interface Release {
	manifest: Pick<PackageManifest, 'version' | 'author'>;
	changelog: string;
	/** The tags of the commit. */
	tags: string[];
	/** The files of the archive as text, by path. */
	files: Record<string, string>;
}

/** Placeholders for the owner and the address of the author. */
const PLACEHOLDER_OWNER = /github\.com\/link-company\//;
const PLACEHOLDER_ADDRESS = /@[\w.-]*\bexample(\.(com|org|net))?$/;

/**
 * Why a release must not be published; empty if it may be. `n8n-node prerelease`, npm's provenance
 * and the workflow check the rest.
 */
export function releaseErrors({ manifest, changelog, tags, files }: Release): string[] {
	const { version, author } = manifest;
	const entry = changelog.split(/^## /m).find((text) => text.startsWith(`[${version}]`)) ?? '';
	const isDated = /^\[[^\]]+\] - \d{4}-\d\d-\d\d$/m.test(entry) && /^- \S/m.test(entry);
	const placeholders = Object.keys(files).filter((path) =>
		PLACEHOLDER_OWNER.test(files[path] ?? ''),
	);
	return [
		...(tags.includes(`v${version}`) ? [] : [`The commit has no tag v${version}.`]),
		...(isDated
			? []
			: [`CHANGELOG.md has no heading "## [${version}] - YYYY-MM-DD" with changes.`]),
		...(author?.email && !PLACEHOLDER_ADDRESS.test(author.email)
			? []
			: ['package.json: the author needs a real email address.']),
		...(placeholders.length === 0
			? []
			: [`Replace the placeholder owner github.com/link-company in: ${placeholders.join(', ')}`]),
	];
}

/** Keeps `npm publish` from publishing anything but a tagged and documented release. */
async function main(): Promise<void> {
	const read = async (path: string) => await readFile(join(PROJECT_DIR, path), 'utf8');
	const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
	const packed = await run('npm', args, { cwd: PROJECT_DIR });
	const [archive] = JSON.parse(packed) as [{ files: Array<{ path: string }> }];
	const files = await Promise.all(archive.files.map(async ({ path }) => [path, await read(path)]));
	const errors = releaseErrors({
		manifest: await readManifest(PROJECT_DIR),
		changelog: await read('CHANGELOG.md'),
		tags: (await run('git', ['tag', '--points-at', 'HEAD'], { cwd: PROJECT_DIR })).split('\n'),
		files: Object.fromEntries(files) as Release['files'],
	});
	if (errors.length === 0) return;
	console.error(['This release is not ready:', ...errors.map((line) => `- ${line}`)].join('\n'));
	process.exitCode = 1;
}

if (require.main === module) void main();
