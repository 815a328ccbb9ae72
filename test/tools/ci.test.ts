import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { PROJECT_DIR } from '../../tools/package';

const SCRIPT = join(PROJECT_DIR, '.ci', 'run');

describe('.ci/run', () => {
	let clone: string;

	beforeEach(() => {
		clone = mkdtempSync(join(tmpdir(), 'ci-run-'));
		for (const folder of ['.ci', 'bin', 'tools/timeLimits']) {
			mkdirSync(join(clone, folder), { recursive: true });
		}
		writeFileSync(join(clone, 'tools/timeLimits/measure.js'), 'console.log(1)');
	});

	afterEach(() => rmSync(clone, { recursive: true, force: true }));

	/** Runs the script with a stand-in for npm, which gets the step's arguments. */
	function ciRun(npm: string, edit = (script: string) => script) {
		writeFileSync(join(clone, '.ci', 'run'), edit(readFileSync(SCRIPT, 'utf8')));
		writeFileSync(join(clone, 'bin', 'npm'), `#!/usr/bin/env bash\n${npm}\n`, { mode: 0o755 });
		const env = { ...process.env, PATH: join(clone, 'bin') + delimiter + process.env.PATH };
		try {
			const output = execFileSync('bash', [join(clone, '.ci', 'run')], { env, encoding: 'utf8' });
			return { output, code: 0 };
		} catch (error) {
			const { stdout, status } = error as { stdout: string; status: number };
			return { output: stdout, code: status };
		}
	}

	it('runs every end-to-end suite', () => {
		const suites = /^E2E_SUITES=\((.*)\)$/m.exec(readFileSync(SCRIPT, 'utf8'))?.[1]?.split(' ');
		const files = readdirSync(join(PROJECT_DIR, 'test', 'e2e')).flatMap(
			(file) => /^(.*)\.test\.ts$/.exec(file)?.[1] ?? [],
		);
		expect([...(suites ?? [])].sort()).toEqual(files.sort());
	});

	it('ends with the counts, and succeeds when every step does', () => {
		const { output, code } = ciRun('exit 0');
		expect(output).toMatch(/\n19 passed, 0 failed, 0 skipped\n$/);
		expect(code).toBe(0);
	});

	it("counts the tests in Jest's reports, and files that can't be loaded as failed", () => {
		const report = JSON.stringify({
			numPassedTests: 100,
			numFailedTests: 20,
			numRuntimeErrorTestSuites: 3,
			numPendingTests: 4,
			numTodoTests: 0,
		});
		const { output, code } = ciRun(`
			for argument in "$@"; do
				case $argument in --outputFile=*) echo '${report}' > "\${argument#*=}"; exit 1 ;; esac
			done`);
		expect(output).toMatch(/\n1208 passed, 287 failed, 49 skipped\n$/);
		expect(code).toBe(1);
	});

	it('runs the remaining steps after one has failed', () => {
		const { output, code } = ciRun('[ "$*" != "run lint" ]');
		expect(output).toMatch(/\n18 passed, 1 failed, 0 skipped\n$/);
		expect(output).toMatch(/failed +\d+ s {2}npm run lint\n/);
		expect(code).toBe(1);
	});

	it('stops when the dependencies cannot be installed', () => {
		const { output, code } = ciRun('[ "$1" != ci ]');
		expect(output).toMatch(/\n0 passed, 1 failed, 0 skipped\n$/);
		expect(code).toBe(1);
	});

	it('starts nothing after its time and lists what it did not start', () => {
		const { output, code } = ciRun('case "$*" in *operations*) sleep 3 ;; esac', (script) =>
			script.replace(/^START_LIMIT=.*$/m, 'START_LIMIT=2'),
		);
		expect(output).toMatch(/skipped +npm run test:e2e -- examples \(not started\)\n/);
		expect(output).toMatch(/\n10 passed, 0 failed, 9 skipped\n$/);
		expect(code).toBe(0);
	});

	it('ends a step that would take too long, and counts it as skipped', () => {
		const { output, code } = ciRun(
			'case "$*" in *"-- crash"*|*/crash\\\\*) sleep 60 ;; esac',
			(script) => script.replace(/^END_LIMIT=.*$/m, 'END_LIMIT=5'),
		);
		expect(output).toMatch(/skipped +npm run test:e2e -- crash \(ended after \d+ s\)\n/);
		expect(output).toMatch(/\n18 passed, 0 failed, 1 skipped\n$/);
		expect(code).toBe(0);
	});
});
