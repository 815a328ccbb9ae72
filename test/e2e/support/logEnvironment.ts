import type { Circus } from '@jest/types';
import { TestEnvironment } from 'jest-environment-node';
import type { WatchedLogs } from './stage';

/** Without a listener, these end Jest before `exit` listeners run. */
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const exit = () => process.exit(1);

/**
 * Prints the end of every running program's log if a test or hook fails, and ends programs with
 * their tests.
 */
export default class LogEnvironment extends TestEnvironment {
	private readonly logs: WatchedLogs = new Map();

	override async setup(): Promise<void> {
		await super.setup();
		(this.global as { watchedLogs?: WatchedLogs }).watchedLogs = this.logs;
		process.once('exit', this.endPrograms);
		for (const signal of SIGNALS) process.once(signal, exit);
	}

	override async teardown(): Promise<void> {
		this.endPrograms();
		process.off('exit', this.endPrograms);
		for (const signal of SIGNALS) process.off(signal, exit);
		await super.teardown();
	}

	/** Jest's tests have their own `process` object, which doesn't get the real one's exit event. */
	private readonly endPrograms = () => {
		this.global.process.emit('exit', 0);
	};

	handleTestEvent(event: Circus.Event): void {
		if (event.name === 'test_fn_failure') this.print(event.test.name);
		if (event.name === 'hook_failure') this.print(`${event.hook.type} hook`);
	}

	private print(step: string): void {
		for (const [program, tail] of this.logs) {
			process.stderr.write(`\n"${step}" failed; the end of ${program}'s log:\n${tail()}\n`);
		}
	}
}
