import { SECOND_MS, systemClock } from '../http/clock';

/** Shorter waits aren't worth a line. */
const MIN_REPORTED_WAIT_S = 5;

/** How long a run has waited for the rate limit. Waits that overlap count once. */
export class Waits {
	private waitedMs = 0;
	private waitedUntil = 0;

	/** Notes that a request is waiting. @param until the end of the wait in ms since the epoch */
	note(until: number): void {
		this.waitedMs += Math.max(0, until - Math.max(systemClock.now(), this.waitedUntil));
		this.waitedUntil = Math.max(until, this.waitedUntil);
	}

	/** The notice for the end of the run; undefined if the wait was short. */
	notice(): string | undefined {
		const unwaited = Math.max(0, this.waitedUntil - systemClock.now());
		const seconds = Math.round((this.waitedMs - unwaited) / SECOND_MS);
		return seconds < MIN_REPORTED_WAIT_S ? undefined : `Waited ${seconds} s for the rate limit`;
	}
}
