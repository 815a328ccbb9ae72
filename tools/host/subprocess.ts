import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';

// Node's own child_process: Jest, which starts n8n through this file, can't load execa, which is an
// ES module only.

interface SubprocessOptions {
	cwd?: string;
	/** The whole environment. Default: this process's. */
	env?: NodeJS.ProcessEnv;
	/** Gets every line of standard output and standard error. */
	onLine?: (line: string) => void;
}

export interface Subprocess {
	/** Why it ended: `exit code 1`, `SIGTERM`, `spawn npm ENOENT`; `undefined` if it succeeded. */
	ended: Promise<string | undefined>;
	/** Standard output so far. */
	stdout(): string;
	/** The last lines of both outputs. */
	tail(): string;
	/** Asks the process itself to end, and kills it if it doesn't. */
	stop(): Promise<void>;
	/** Kills the process and all that it started, like a power failure. */
	kill(): Promise<void>;
}

const TAIL_LINES = 60;
/** n8n gives running executions 10 s (environment.ts). */
const KILL_AFTER_MS = 15_000;
const IS_WINDOWS = process.platform === 'win32';

/**
 * Starts a program in its own process group, so that Ctrl-C in the terminal reaches only this
 * process. The program and everything it starts end together, at the latest with this process.
 */
export function startSubprocess(
	command: string,
	args: string[],
	{ cwd, env, onLine }: SubprocessOptions = {},
): Subprocess {
	// On Windows, npm is a script that only the shell can start.
	const shell = IS_WINDOWS && command === 'npm';
	const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
	const child = spawn(command, args, { cwd, env, shell, stdio, detached: !IS_WINDOWS });
	const lines: string[] = [];
	let stdout = '';
	child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
	for (const output of [child.stdout, child.stderr]) {
		createInterface({ input: output }).on('line', (line) => {
			lines.push(stripVTControlCharacters(line));
			if (lines.length > TAIL_LINES) lines.shift();
			onLine?.(line);
		});
	}
	const killGroup = () => {
		if (child.pid === undefined) return;
		try {
			if (IS_WINDOWS) child.kill('SIGKILL');
			else process.kill(-child.pid, 'SIGKILL');
		} catch {
			// It has already exited.
		}
	};
	process.once('exit', killGroup);
	const ended = new Promise<string | undefined>((resolve) => {
		child.once('error', (error) => resolve(error.message));
		child.once('close', (code, signal) => {
			resolve(signal ?? (code === 0 ? undefined : `exit code ${code}`));
		});
	}).finally(() => process.off('exit', killGroup));

	return {
		ended,
		stdout: () => stdout,
		tail: () => lines.join('\n'),
		async stop() {
			const timer = setTimeout(killGroup, KILL_AFTER_MS);
			child.kill('SIGTERM');
			await ended;
			clearTimeout(timer);
		},
		async kill() {
			killGroup();
			await ended;
		},
	};
}

/**
 * Runs a program to its end and returns its standard output.
 *
 * @throws an Error with the end of its output when it fails; the signal's reason when aborted
 */
export async function run(
	command: string,
	args: string[],
	{ signal, ...options }: SubprocessOptions & { signal?: AbortSignal } = {},
): Promise<string> {
	signal?.throwIfAborted();
	const subprocess = startSubprocess(command, args, options);
	// Kills it, because npm would take longer to undo an unfinished install than to finish it.
	const abort = () => void subprocess.kill();
	signal?.addEventListener('abort', abort, { once: true });
	const failure = await subprocess.ended;
	signal?.removeEventListener('abort', abort);
	signal?.throwIfAborted();
	if (failure) {
		throw new Error(`${command} ${args.join(' ')} failed: ${failure}\n${subprocess.tail()}`);
	}
	return subprocess.stdout();
}
