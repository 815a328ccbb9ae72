import { once } from 'node:events';
import { Cleanup } from './cleanup';

const INTERRUPTED_CODE = 130;

/**
 * Runs a command, and then undoes what it has set up. Ctrl-C aborts the signal, after which the
 * command may fail or finish its work.
 */
export async function runProgram(
	main: (signal: AbortSignal, cleanup: Cleanup) => Promise<void>,
): Promise<void> {
	const interruption = new AbortController();
	const { signal } = interruption;
	for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(name, () => interruption.abort());
	}
	const cleanup = new Cleanup();
	try {
		await main(signal, cleanup);
	} catch (error) {
		process.exitCode = 1;
		if (!signal.aborted) {
			console.error(`\n${error instanceof Error ? error.message : String(error)}`);
		}
	} finally {
		if (signal.aborted) {
			process.exitCode = INTERRUPTED_CODE;
			console.log('\nStopping …');
		}
		await cleanup.run();
	}
	// An interrupted command may still be waiting for a rate limit.
	process.exit();
}

/** Resolves at Ctrl-C. */
export async function interrupted(signal: AbortSignal): Promise<void> {
	if (!signal.aborted) await once(signal, 'abort');
}
