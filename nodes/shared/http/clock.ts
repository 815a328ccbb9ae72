import { sleep } from 'n8n-workflow';

import { onAbort } from './abort';

/** Time as the transport sees it. Tests replace it to run minutes in microseconds. */
export interface Clock {
	/** Milliseconds since the Unix epoch. */
	now(): number;
	/** Resolves after `ms`, or at once when `signal` fires; it never rejects. */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/**
 * n8n's `sleep` cannot be called off, and its timer keeps the process alive. Waiting in pieces of
 * this length, a wait that ended early leaves no more than that behind.
 */
const LONGEST_TIMER_MS = 500;

export const systemClock: Clock = {
	now: () => Date.now(),
	async sleep(ms, signal) {
		let wake = () => {};
		const aborted = new Promise<void>((resolve) => (wake = resolve));
		const callOff = signal && onAbort(signal, wake);
		const end = Date.now() + ms;
		for (let left = ms; left > 0 && !signal?.aborted; left = end - Date.now()) {
			await Promise.race([sleep(Math.min(left, LONGEST_TIMER_MS)), aborted]);
		}
		callOff?.();
	},
};
