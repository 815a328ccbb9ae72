import { execFile } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const SUITES = ['crash', 'editor', 'hosts', 'month', 'operations'];

/**
 * Stands for `npm` and `npx`. A command that contains $FAILING or $HANGING fails or hangs. A run of tests
 * reports the numbers in $COUNTS.
 */
const STUB = `#!/usr/bin/env bash
line="$(basename "$0") $*"
[ -n "$HANGING" ] && [[ "$line" == *"$HANGING"* ]] && exec sleep 60
[ -n "$FAILING" ] && [[ "$line" == *"$FAILING"* ]] && exit 1
[ -n "\${TEST_REPORT:-}" ] && printf '%b' "$COUNTS" >"$TEST_REPORT"
exit 0
`;

/** Ends a hanging command after a second instead of an hour. */
const TIMEOUT = `#!/usr/bin/env bash
real=$(PATH=\${PATH#*:} type -P timeout)
if [ -n "$HANGING" ] && [[ "$*" == *"$HANGING"* ]]; then exec "$real" "$1" 1 "\${@:3}"; fi
exec "$real" "$@"
`;

let clone = '';

beforeAll(() => {
	clone = mkdtempSync(join(tmpdir(), 'ci-test-'));
	for (const folder of ['bin', 'test/e2e', 'node_modules/jest']) {
		mkdirSync(join(clone, folder), { recursive: true });
	}
	cpSync(join(__dirname, '..', '..', '.ci'), join(clone, '.ci'), { recursive: true });
	cpSync(join(__dirname, '..', '..', 'README.md'), join(clone, 'README.md'));
	for (const suite of SUITES) writeFileSync(join(clone, 'test/e2e', `${suite}.test.ts`), '');
	for (const [program, text] of Object.entries({ npm: STUB, npx: STUB, timeout: TIMEOUT })) {
		writeFileSync(join(clone, 'bin', program), text);
		chmodSync(join(clone, 'bin', program), 0o755);
	}
});
afterAll(() => rmSync(clone, { recursive: true }));

async function runCi(env: Record<string, string> = {}) {
	const path = [join(clone, 'bin'), process.env.PATH].join(delimiter);
	const stubs = { FAILING: '', HANGING: '', COUNTS: '7 0 0\\n', TEST_REPORT: '', ...env };
	return await new Promise<{ code: number; lines: string[] }>((resolve) => {
		const options = { env: { ...process.env, PATH: path, ...stubs } };
		execFile('bash', [join(clone, '.ci/run')], options, (error, stdout) => {
			const code = error ? Number(error.code) : 0;
			resolve({ code, lines: stdout.trimEnd().split('\n') });
		});
	});
}

it('is green if everything passes, and runs no suite on demand', async () => {
	const { code, lines } = await runCi();
	expect(code).toBe(0);
	// Nine steps, of which three run seven tests each.
	expect(lines.at(-1)).toBe('30 passed, 0 failed, 0 skipped');
	expect(lines.join('\n')).not.toMatch(/crash|hosts|month|Skipped|Must/);
});

/** A part of each step's command, and the number of steps that can't run without it. */
const STEPS: Array<[title: string, command: string, needed: number]> = [
	['npm ci && npm test', 'npm test', 0],
	['npm ci && npm test', 'npm test', 0],
	['npm run lint', 'run lint', 0],
	['build and pack the package', 'package/assets', 0],
	['scan the package', 'package/scan', 0],
	['npm ci && npm start', 'npm start', 0],
	['prepare the end-to-end tests', 'e2e:prepare', 3],
	['npm run test:e2e -- operations', 'e2e/operations', 0],
	['npm run test:e2e -- editor', 'e2e/editor', 0],
	['npm run dev -- --once', 'run dev', 0],
];

it.concurrent.each(
	STEPS.flatMap((step) => [
		['fails', ...step, { FAILING: step[1] }] as const,
		['hangs', ...step, { HANGING: step[1] }] as const,
	]),
)('is red if a step %s: %s (%s)', async (how, title, _command, needed, env) => {
	const { code, lines } = await runCi(env);
	expect(code).toBe(1);
	const reason = how === 'hangs' ? ' (ended by the clock)' : '';
	const [summary] = lines.filter((line) => line.startsWith('failed'));
	expect(summary).toMatch(/^failed +\d+ s/);
	expect(summary?.endsWith(`s  ${title}${reason}`)).toBe(true);
	expect(lines.filter((line) => line.startsWith('Skipped: '))).toHaveLength(needed);
	expect(lines.at(-1)).toMatch(`, 1 failed, ${needed} skipped`);
});

it('is red if a required step has no time left, and names everything that it skips', async () => {
	const { code, lines } = await runCi({ CI_START_LIMIT: '0' });
	expect(code).toBe(1);
	expect(lines).toContain('Skipped: npm run lint (no time left)');
	expect(lines).toContain('Must pass, but did not: npm run lint');
	expect(lines.at(-1)).toBe('0 passed, 0 failed, 9 skipped');
});

it('names skipped tests, counts failed ones, and is red if no test has run', async () => {
	const some = await runCi({ COUNTS: '5 0 1\\na test that waits\\n' });
	expect(some.code).toBe(0);
	expect(some.lines).toContain('Skipped: a test that waits (npm ci && npm test)');
	expect(some.lines.at(-1)).toBe('24 passed, 0 failed, 3 skipped');
	const failing = await runCi({ COUNTS: '5 2 0\\n' });
	expect([failing.code, failing.lines.at(-1)]).toEqual([1, '24 passed, 6 failed, 0 skipped']);
	const none = await runCi({ COUNTS: '0 0 0\\n' });
	expect([none.code, none.lines.at(-1)]).toEqual([1, '6 passed, 3 failed, 0 skipped']);
});
