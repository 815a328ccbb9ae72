import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../host';
import { PROJECT_DIR, readManifest } from '../package';
import { archiveFiles } from '../package/pack';
import { releaseProblems, type Release } from './check';

/** Keeps `npm publish` from publishing anything but a tagged, documented and complete release. */
async function main(): Promise<void> {
	const problems = releaseProblems({
		manifest: await readManifest(PROJECT_DIR),
		changelog: await readFile(join(PROJECT_DIR, 'CHANGELOG.md'), 'utf8'),
		tag: await tagOfCommit(),
		workflowRepository: process.env.GITHUB_ACTIONS && process.env.GITHUB_REPOSITORY,
		hasChanges: (await git('status', '--porcelain')) !== '',
		files: await readFiles(),
	});
	if (problems.length === 0) return;
	console.error(['This release is not ready:', ...problems.map((line) => `- ${line}`)].join('\n'));
	process.exitCode = 1;
}

async function tagOfCommit(): Promise<string | undefined> {
	const tags = (await git('tag', '--points-at', 'HEAD')).split('\n');
	return tags.find((tag) => tag.startsWith('v'));
}

async function readFiles(): Promise<Release['files']> {
	const paths = await archiveFiles();
	const read = async (path: string) =>
		[path, await readFile(join(PROJECT_DIR, path), 'utf8')] as const;
	return Object.fromEntries(await Promise.all(paths.map(read)));
}

async function git(...args: string[]): Promise<string> {
	return (await run('git', args, { cwd: PROJECT_DIR })).trim();
}

void main();
