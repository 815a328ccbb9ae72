import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { PROJECT_DIR } from '../../tools/package';

const SCRIPT = join(PROJECT_DIR, '.ci', 'run');
const SUITES = /^E2E_SUITES=\((.*)\)$/m.exec(readFileSync(SCRIPT, 'utf8'))?.[1]?.split(' ') ?? [];
/** Installation with tests, lint, build, scan, demo, preparation and editor, then the suites. */
const STEPS = 7 + SUITES.length;
/** The unit and engine tests, and the end-to-end suites. */
const JEST_STEPS = 1 + SUITES.length;

describe('.ci/run', () => {
	let clone: string;

	beforeEach(() => {
		clone = mkdtempSync(join(tmpdir(), 'ci-run-'));
		for (const folder of ['.ci', 'bin', 'node_modules/jest']) {
			mkdirSync(join(clone, folder), { recursive: true });
		}
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

	/** The counts of passed, failed and skipped steps in the last line. */
	function countsIn(output: string): number[] {
		const counts = /\n(\d+) passed, (\d+) failed, (\d+) skipped\n$/.exec(output);
		return counts?.slice(1).map(Number) ?? [];
	}

	it('.ci/run runs the README’s command, and every end-to-end suite except those on demand', () => {
		const readme = readFileSync(join(PROJECT_DIR, 'README.md'), 'utf8');
		expect(readme).toContain('npm ci && npm test');
		const files = readdirSync(join(PROJECT_DIR, 'test', 'e2e')).flatMap(
			(file) => /^(.*)\.test\.ts$/.exec(file)?.[1] ?? [],
		);
		expect([...SUITES, 'crash', 'hosts'].sort()).toEqual(files.sort());
	});

	it('.ci/run ends with the counts, and succeeds if every step does', () => {
		const { output, code } = ciRun('exit 0');
		expect(countsIn(output)).toEqual([STEPS, 0, 0]);
		expect(code).toBe(0);
	});

	it(".ci/run counts the tests in Jest's reports, and files that can't be loaded as failed", () => {
		const report = JSON.stringify({
			numPassedTests: 100,
			numFailedTests: 20,
			numRuntimeErrorTestSuites: 3,
			numPendingTests: 4,
			numTodoTests: 0,
		});
		const { output, code } = ciRun(`
			[ "$*" = test ] && { echo '${report}' > "$TEST_REPORT"; exit 1; }
			for argument in "$@"; do
				case $argument in --outputFile=*) echo '${report}' > "\${argument#*=}"; exit 1 ;; esac
			done`);
		expect(countsIn(output)).toEqual([
			STEPS - JEST_STEPS + 100 * JEST_STEPS,
			JEST_STEPS + 23 * JEST_STEPS,
			4 * JEST_STEPS,
		]);
		expect(code).toBe(1);
	});

	it('.ci/run runs the remaining steps after a step has failed', () => {
		const { output, code } = ciRun('[ "$*" != "run lint" ]');
		expect(countsIn(output)).toEqual([STEPS - 1, 1, 0]);
		expect(output).toMatch(/failed +\d+ s {2}npm run lint\n/);
		expect(code).toBe(1);
	});

	it('.ci/run stops if the dependencies can’t be installed', () => {
		rmSync(join(clone, 'node_modules'), { recursive: true });
		const { output, code } = ciRun('[ "$1" != ci ]');
		expect(countsIn(output)).toEqual([0, 1, 0]);
		expect(code).toBe(1);
	});

	it('.ci/run ends a step that takes too long, starts no further step, and lists what it skipped', () => {
		const { output, code } = ciRun('sleep 60', (script) =>
			script
				.replace(/^START_LIMIT=.*$/m, 'START_LIMIT=3')
				.replace(/^END_LIMIT=.*$/m, 'END_LIMIT=4'),
		);
		expect(output).toMatch(/skipped +npm ci && npm test \(ended after \d+ s\)\n/);
		expect(output).toMatch(/skipped +npm run lint \(not started\)\n/);
		expect(countsIn(output)).toEqual([0, 0, STEPS]);
		expect(code).toBe(0);
	});
});
