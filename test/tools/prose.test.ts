import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PROJECT_DIR } from '../../tools/package';

const TSX = join(PROJECT_DIR, 'node_modules', '.bin', 'tsx');
const LINTER = join(PROJECT_DIR, 'tools', 'prose', 'cli.ts');

const FILES = {
	'phrase.md': '# Title\n\nThe item that comes out of the node.\n',
	'code.md': 'Use `lest` in code.\n\n```js\nlest();\n```\n',
	'term.md': 'The NodeJS package reads Json.\n',
	'repeated.md': 'The node sends the the request.\n',
	'nodes/description.ts': "export const hint = 'Reads the record anew';\n",
	'nodes/error.ts': 'export const message = (id: number) => `Item ${id} is no valid record`;\n',
	'nodes/joined.ts': "export const message = 'The file is read once ' + 'more by the node';\n",
	'nodes/term.ts': "export const hint = 'The Url of the file';\n",
	'nodes/names.ts': "export const key = 'anew';\n",
	'nodes/comment.ts': '/**\n * Reads.\n * Waits lest it fails.\n */\nexport const wait = 1;\n',
	'tools/term.ts': "export const log = 'The Url of the file';\n",
	'examples/note.json': JSON.stringify(
		{ name: 'Sync', nodes: [{ name: 'Note', parameters: { content: 'Out come twelve rows.' } }] },
		null,
		1,
	),
};

describe('the prose linter', () => {
	let output: string;

	beforeAll(() => {
		const folder = mkdtempSync(join(tmpdir(), 'prose-'));
		try {
			for (const [file, content] of Object.entries(FILES)) {
				mkdirSync(dirname(join(folder, file)), { recursive: true });
				writeFileSync(join(folder, file), content);
			}
			output = lint(folder, Object.keys(FILES));
		} finally {
			rmSync(folder, { recursive: true });
		}
	});

	/** Runs the linter, which fails whenever it finds something. */
	function lint(cwd: string, files: string[]): string {
		try {
			execFileSync(TSX, [LINTER, ...files], { cwd, encoding: 'utf8' });
		} catch (error) {
			return (error as { stdout: string }).stdout;
		}
		throw new Error('The linter found nothing');
	}

	it.each([
		['an avoided phrase in a document', 'phrase.md:3  Avoid "comes out"'],
		['a term in a document', 'term.md:1  Incorrect term: “NodeJS”'],
		['a repeated word', 'repeated.md:1  "the" is repeated'],
		['an avoided phrase in a description', 'nodes/description.ts:1  Avoid "anew"'],
		['an avoided phrase in an error', 'nodes/error.ts:1  Avoid "is no valid"'],
		['a phrase across joined strings', 'nodes/joined.ts:1  Avoid "once more"'],
		['a term in a description', 'nodes/term.ts:1  Incorrect term: “Url”'],
		['an avoided phrase in a comment', 'nodes/comment.ts:3  Avoid "lest"'],
		['an avoided phrase in the note of an example', 'examples/note.json:7  Avoid "Out come"'],
	])('reports %s', (_, finding) => {
		expect(output).toContain(finding);
	});

	it.each(['code.md', 'nodes/names.ts', 'tools/term.ts'])('reports nothing in %s', (file) => {
		expect(output).not.toContain(file);
	});
});
