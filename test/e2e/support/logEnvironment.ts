import type { Circus } from '@jest/types';
import { TestEnvironment } from 'jest-environment-node';
import type { WatchedLogs } from './logs';

/** Prints the end of every running program's log when a test or its preparation fails. */
export default class LogEnvironment extends TestEnvironment {
	private readonly logs: WatchedLogs = new Map();

	override async setup(): Promise<void> {
		await super.setup();
		(this.global as { watchedLogs?: WatchedLogs }).watchedLogs = this.logs;
	}

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
