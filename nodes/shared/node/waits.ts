import { MINUTE_MS, SECOND_MS, systemClock } from '../http/clock';
import type { Account } from '../http/connection';

/** Shorter waits aren't worth a line. */
const MIN_REPORTED_WAIT_S = 5;

/** How long a run has waited for the rate limit. Waits that overlap count once. */
export class Waits {
	private waitedMs = 0;
	private waitedUntil = 0;
	private loggedAt = -Infinity;

	/** @param log writes a line to n8n's log, because the editor can't show anything about a running node */
	constructor(private readonly log: (waiting: string) => void) {}

	/**
	 * Notes that a request is waiting. Logs it, once a minute.
	 *
	 * @param until the end of the wait in ms since the epoch
	 */
	note(until: number, { baseUrl }: Account): void {
		const now = systemClock.now();
		this.waitedMs += Math.max(0, until - Math.max(now, this.waitedUntil));
		this.waitedUntil = Math.max(until, this.waitedUntil);
		const seconds = Math.ceil((until - now) / SECOND_MS);
		if (seconds < MIN_REPORTED_WAIT_S || now - this.loggedAt < MINUTE_MS) return;
		this.loggedAt = now;
		this.log(`waiting ${seconds} s for the rate limit of ${new URL(baseUrl).host}`);
	}

	/** The notice for the end of the run; undefined if there was hardly a wait. */
	notice(): string | undefined {
		const unwaited = Math.max(0, this.waitedUntil - systemClock.now());
		const seconds = Math.round((this.waitedMs - unwaited) / SECOND_MS);
		return seconds < MIN_REPORTED_WAIT_S ? undefined : `Waited ${seconds} s for the rate limit`;
	}
}
