import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { lintProse, type Finding, type Prose } from './linter';
import { sourceTexts, workflowTexts } from './sourceTexts';

/** The linter's own fixtures and phrases, and a licence that isn't ours to word. */
const LEFT_OUT = /^(test\/tools\/prose|tools\/prose\/phrases\.ts|LICENSE\.md)/;
/** Users meet the strings of these files. */
const IN_THE_EDITOR = /(^|\/)(nodes|credentials)\//;

/**
 * Checks the prose of the given files, or of all files of the project: Markdown as a whole; in
 * TypeScript string literals and comments; in example workflows notes and descriptions.
 */
async function main(): Promise<void> {
	const chosen = process.argv.slice(2);
	const files = chosen.length > 0 ? chosen : projectFiles();
	let count = 0;
	for (const file of files) {
		const findings = await lintFile(file);
		for (const { line, rule, message } of findings) {
			console.log(`${file}:${line}  ${message}  (${rule})`);
		}
		count += findings.length;
	}
	console.log(`${count} findings in ${files.length} files`);
	if (count > 0) process.exitCode = 1;
}

function projectFiles(): string[] {
	return execFileSync('git', ['ls-files', '*.md', '*.ts', 'examples/*.json'], { encoding: 'utf8' })
		.split('\n')
		.filter((file) => file !== '' && !LEFT_OUT.test(file));
}

async function lintFile(file: string): Promise<Finding[]> {
	const content = await readFile(file, 'utf8');
	if (extname(file) === '.md') return await lintProse(content, 'document');
	const texts: Array<{ text: string; line: number; prose: Prose }> =
		extname(file) === '.json'
			? workflowTexts(content).map((text) => ({ ...text, prose: 'document' }))
			: sourceTexts(file, content).map(({ isComment, ...text }) => ({
					...text,
					prose: IN_THE_EDITOR.test(file) && !isComment ? 'editor' : 'code',
				}));
	const findings = await Promise.all(
		texts.map(async ({ text, line, prose }) => {
			const found = await lintProse(text, prose);
			return found.map((finding) => ({ ...finding, line: line + finding.line - 1 }));
		}),
	);
	return findings.flat();
}

void main();
