import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const FOLDERS = ['credentials', 'nodes', 'sandbox', 'test', 'tools'];
const FILES = ['jest.config.js', 'package.json', 'tsconfig.json', 'tsconfig.dev.json'];

/** A block of code with its file in the first line. */
interface Step {
	file: string;
	/** Adds to an existing file. */
	adds: boolean;
	code: string;
}

function stepsIn(document: string): Step[] {
	const block = /^```ts\n\/\/ (\S+)( \(add\))?\n([^]*?)^```$/gm;
	return [...document.matchAll(block)].map(([, file = '', adds, code = '']) => ({
		file,
		adds: adds !== undefined,
		code,
	}));
}

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

describe('the recipes for a resource and an event', () => {
	const steps = stepsIn(fs.readFileSync(join(ROOT, 'docs', 'development.md'), 'utf8'));
	let folder: string;

	beforeAll(() => {
		folder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'contributing-')));
		for (const name of [...FOLDERS, ...FILES]) {
			fs.cpSync(join(ROOT, name), join(folder, name), { recursive: true });
		}
		fs.symlinkSync(fs.realpathSync(join(ROOT, 'node_modules')), join(folder, 'node_modules'));
		for (const step of steps) apply(folder, step);
	});

	afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

	test('make operations and an event that pass their tests', () => {
		expect(steps).toHaveLength(11);
		const jest = join('node_modules', 'jest', 'bin', 'jest.js');
		const paths = ['test/engine/operations.test.ts', 'test/LinkManagement/events'];
		const options = ['-w', '1', '--verbose', '-t', ' tag\\.|emits a new campaign'];
		const { stdout, stderr } = spawnSync(process.execPath, [jest, ...paths, ...options], {
			cwd: folder,
			encoding: 'utf8',
		});
		const output = stdout + stderr;
		const passed = [...output.matchAll(/✓ (.*?)( \(\d+ m?s\))?$/gm)].map(([, name]) => name);
		const failed = output.split('\n').filter((line) => line.includes('✕'));
		expect(failed).toEqual([]);
		expect(passed).toContain('emits a new campaign once (durable scheduler)');
		for (const operation of ['tag.delete', 'tag.getAll']) {
			expect(passed.filter((name) => name?.includes(operation))).toHaveLength(6);
		}
	});
});
