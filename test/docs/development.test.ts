import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const FOLDERS = ['bench', 'credentials', 'docs', 'examples', 'nodes', 'sandbox', 'test', 'tools'];
const FILES = ['README.md', 'jest.config.js', 'package.json', 'tsconfig.json', 'tsconfig.dev.json'];

/** A block of code with its file in the first line. */
interface Step {
	file: string;
	/** Whether the code is added to an existing file. */
	adds: boolean;
	code: string;
}

const document = fs.readFileSync(join(ROOT, 'docs', 'development.md'), 'utf8');

const steps = [...document.matchAll(/^```ts\n\/\/ (\S+)( \(add\))?\n([^]*?)^```$/gm)].map(
	([, file = '', adds, code = '']): Step => ({ file, adds: adds !== undefined, code }),
);
const rows = [...document.matchAll(/^```md\n<!-- (\S+): rows for "(.+)" -->\n([^]*?)^```$/gm)];

function apply(folder: string, { file, adds, code }: Step): void {
	const path = join(folder, file);
	expect([file, fs.existsSync(path)]).toEqual([file, adds]);
	fs.mkdirSync(dirname(path), { recursive: true });
	fs.writeFileSync(path, adds ? added(fs.readFileSync(path, 'utf8'), code) : code);
}

/** Imports go to the top, the rest to the end. */
function added(source: string, code: string): string {
	const lines = code.split('\n');
	const imports = lines.filter((line) => line.startsWith('import '));
	const rest = lines.filter((line) => !imports.includes(line));
	return [...imports, source, ...rest].join('\n');
}

/** Rows go below the header of the first table after the heading. */
function addRows(folder: string, [, file = '', heading = '', added = '']: RegExpMatchArray): void {
	const path = join(folder, file);
	const text = fs.readFileSync(path, 'utf8');
	const head = text.indexOf('|---', text.indexOf(`## ${heading}`));
	const place = text.indexOf('\n', head) + 1;
	expect([heading, head > 0]).toEqual([heading, true]);
	fs.writeFileSync(path, text.slice(0, place) + added + text.slice(place));
}

describe('Recipes in docs/development.md', () => {
	let folder: string;

	beforeAll(() => {
		folder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'recipes-')));
		for (const name of [...FOLDERS, ...FILES]) {
			fs.cpSync(join(ROOT, name), join(folder, name), { recursive: true });
		}
		fs.symlinkSync(fs.realpathSync(join(ROOT, 'node_modules')), join(folder, 'node_modules'));
		for (const step of steps) apply(folder, step);
		for (const each of rows) addRows(folder, each);
	});

	afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

	/** Runs a program of node_modules in the folder, and returns its output if it fails. */
	function failureOf(program: string, ...args: string[]): string {
		const { status, stdout, stderr } = spawnSync(
			process.execPath,
			[join('node_modules', program), ...args],
			// Keeps `.ci/run` from counting the recipes' tests.
			{ cwd: folder, encoding: 'utf8', env: { ...process.env, TEST_REPORT: '' } },
		);
		return status === 0 ? '' : stdout + stderr;
	}

	test('finds every code block of the recipes', () => {
		expect(steps).toHaveLength(document.match(/^```ts\n\/\/ /gm)!.length);
		expect(rows).toHaveLength(document.match(/^```md\n<!-- /gm)!.length);
	});

	test('the recipes compile', () => {
		const project = join(folder, 'tsconfig.recipes.json');
		const files = [...new Set(steps.map(({ file }) => file))];
		fs.writeFileSync(
			project,
			JSON.stringify({ extends: './tsconfig.dev.json', include: [], files }),
		);
		expect(failureOf('typescript/bin/tsc', '-p', project)).toBe('');
	});

	test('the recipes pass the contract tests and their own tests', () => {
		for (const [script, ...args] of [
			['tools/docs/cli.ts'],
			['sandbox/cli.ts', '--openapi', 'docs/openapi'],
		] as const) {
			expect(failureOf('tsx/dist/cli.mjs', script, ...args)).toBe('');
		}
		const report = join(folder, 'report.json');
		const paths = ['test/contract', 'test/engine/operations', 'test/LinkManagement/events'];
		const names = 'docs/services.md|package|LinkManagement| tag\\.|emits a new campaign';
		const options = ['-w', '1', '--json', `--outputFile=${report}`, '-t', names];
		expect(failureOf('jest/bin/jest.js', ...paths, ...options)).toBe('');
		const { testResults } = JSON.parse(fs.readFileSync(report, 'utf8')) as {
			testResults: Array<{ assertionResults: Array<{ fullName: string; status: string }> }>;
		};
		const passed = testResults
			.flatMap(({ assertionResults }) => assertionResults)
			.filter(({ status }) => status === 'passed')
			.map(({ fullName }) => fullName);
		for (const name of ['tag.delete', 'tag.getAll', 'GET /api/tags', 'emits a new campaign']) {
			expect(passed.filter((each) => each.includes(name))).not.toEqual([]);
		}
	});
});
