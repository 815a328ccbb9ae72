import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PROJECT_DIR } from '../../tools/package';

const NODE_MODULES = join(PROJECT_DIR, 'node_modules');
const TEXTLINT = [
	join(NODE_MODULES, 'tsx/dist/cli.mjs'),
	join(NODE_MODULES, 'textlint/bin/textlint.js'),
];

const FILES = {
	'grammar.md': '# Title\n\nIt asks in vain.\n',
	'code.md': 'Use `in vain` in code.\n\n```js\n// in vain\n```\n',
	'term.md': 'The NodeJS package.\n',
	'repeated.md': 'The node sends the the request.\n',
	'misspelled.md': 'The seperate request.\n',
	'description.ts': "export const hint = 'Reads in vain';\n",
	'error.ts': 'export const message = (id: number) => `Item ${id} is none`;\n',
	'joined.ts': "export const message = 'It is read in ' +\n\t'vain';\n",
	'inserted.ts': 'export const message = (a: string) => `Is the ${a} the same?`;\n',
	'name.ts': "export const key = 'in vain';\n",
	'comment.ts': '/**\n * Reads.\n * It is in vain, too.\n */\nexport const wait = 1;\n',
	'note.json': JSON.stringify({ parameters: { content: 'It\nwaits in vain.' } }, null, 1),
};

describe('textlint with the project’s configuration', () => {
	let folder: string;
	let output: string;

	beforeAll(() => {
		folder = mkdtempSync(join(tmpdir(), 'prose-'));
		for (const [file, content] of Object.entries(FILES)) {
			mkdirSync(dirname(join(folder, file)), { recursive: true });
			writeFileSync(join(folder, file), content);
		}
		const config = join(PROJECT_DIR, '.textlintrc.js');
		const args = [...TEXTLINT, '--config', config, '--format', 'unix', `${folder}/*`];
		output = spawnSync(process.execPath, args, { cwd: PROJECT_DIR, encoding: 'utf8' }).stdout;
	});

	afterAll(() => rmSync(folder, { recursive: true }));

	it.each([
		['a grammar mistake in a document', 'grammar.md:3:9: in vain'],
		['an incorrect term', 'term.md:1:5: Incorrect term: “NodeJS”'],
		['a repeated word', 'repeated.md:1:20: "the" is repeated'],
		['a misspelled word', 'misspelled.md:1:5: This is a commonly misspelled word'],
		['a grammar mistake in a description', 'description.ts:1:28: in vain'],
		['a grammar mistake in a template', 'error.ts:1:52: is none'],
		['a grammar mistake across joined strings', 'joined.ts:1:36: in '],
		['a grammar mistake in a comment', 'comment.ts:3:10: in vain'],
		['a grammar mistake in the note of an example', 'note.json:3:25: in vain'],
	])('textlint reports %s', (_, finding) => {
		expect(output).toContain(`/${finding}`);
	});

	it.each(['code.md', 'name.ts', 'inserted.ts'])('textlint reports nothing in %s', (file) => {
		expect(output).not.toContain(`/${file}`);
	});
});
