import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';

// Node's own child_process: Jest, which starts n8n through this file, can't load execa, which is an
// ES module only.

export interface SubprocessOptions {
	cwd?: string;
	/** The whole environment; that of this process if left out. */
	env?: NodeJS.ProcessEnv;
	/** Text for standard input, which is empty otherwise. */
	input?: string;
	/** Gets every line of standard output and standard error. */
	onLine?: (line: string) => void;
}

export interface Subprocess {
	/** Absent when it could not be started. */
	pid: number | undefined;
	/** Why it ended: `exit code 1`, `SIGTERM`, `spawn npm ENOENT`; `undefined` if it succeeded. */
	ended: Promise<string | undefined>;
	/** Standard output so far. */
	stdout(): string;
	/** The last lines of both outputs. */
	tail(): string;
	/** Asks only the process itself to end. */
	terminate(): void;
	/** Ends the process and all that it started. */
	kill(signal: 'SIGTERM' | 'SIGKILL'): void;
}

const TAIL_LINES = 60;
/** npm undoes an unfinished install when it is asked to end, which takes longer than the install. */
const KILL_AFTER_MS = 2000;
const IS_WINDOWS = process.platform === 'win32';

/**
 * Starts a program in a process group of its own: a Ctrl-C in the terminal reaches only this
 * process, and the program ends together with everything that it starts, at the latest with this
 * process.
 */
export function startSubprocess(
	command: string,
	args: string[],
	{ cwd, env, input = '', onLine }: SubprocessOptions = {},
): Subprocess {
	// On Windows, npm is a script that only the shell can start.
	const shell = IS_WINDOWS && command === 'npm';
	const child = spawn(command, args, { cwd, env, shell, detached: !IS_WINDOWS });
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
	// A program that doesn't read its input closes the pipe. That isn't an error.
	child.stdin.on('error', () => undefined).end(input);

	const kill = (signal: 'SIGTERM' | 'SIGKILL') => {
		if (child.pid === undefined) return;
		try {
			if (IS_WINDOWS) child.kill(signal);
			else process.kill(-child.pid, signal);
		} catch {
			// Gone already.
		}
	};
	const killAtExit = () => kill('SIGKILL');
	process.once('exit', killAtExit);
	const ended = new Promise<string | undefined>((resolve) => {
		child.once('error', (error) => resolve(error.message));
		child.once('close', (code, signal) => {
			resolve(signal ?? (code === 0 ? undefined : `exit code ${code}`));
		});
	}).finally(() => process.off('exit', killAtExit));

	return {
		pid: child.pid,
		ended,
		stdout: () => stdout,
		tail: () => lines.join('\n'),
		terminate: () => child.kill('SIGTERM'),
		kill,
	};
}

export interface RunOptions extends SubprocessOptions {
	/** Ends the program and everything it started. */
	signal?: AbortSignal;
}

/**
 * Runs a program to its end and returns its standard output.
 *
 * @throws an Error with the end of its output when it fails; the signal's reason when aborted
 */
export async function run(
	command: string,
	args: string[],
	{ signal, ...options }: RunOptions = {},
): Promise<string> {
	signal?.throwIfAborted();
	const subprocess = startSubprocess(command, args, options);
	let killTimer: NodeJS.Timeout | undefined;
	const abort = () => {
		subprocess.kill('SIGTERM');
		killTimer = setTimeout(() => subprocess.kill('SIGKILL'), KILL_AFTER_MS);
	};
	signal?.addEventListener('abort', abort, { once: true });
	const failure = await subprocess.ended;
	clearTimeout(killTimer);
	signal?.removeEventListener('abort', abort);
	signal?.throwIfAborted();
	if (failure) {
		throw new Error(`${command} ${args.join(' ')} failed: ${failure}\n${subprocess.tail()}`);
	}
	return subprocess.stdout();
}
