import { sleep } from 'n8n-workflow';

import { onAbort } from './abort';

/** The only source of time. Tests replace it to run minutes in microseconds. */
export interface Clock {
	/** Milliseconds since the Unix epoch. */
	now(): number;
	/** Resolves after `ms`, or immediately when `signal` fires; never rejects. */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/**
 * n8n's `sleep` cannot be cancelled, and its timer keeps the process alive. With pieces of this
 * length, a wait that ends early leaves no more than that behind.
 */
const LONGEST_TIMER_MS = 500;

export const systemClock: Clock = {
	now: () => Date.now(),
	async sleep(ms, signal) {
		let wake = () => {};
		const aborted = new Promise<void>((resolve) => (wake = resolve));
		const stopListening = signal && onAbort(signal, wake);
		const end = Date.now() + ms;
		for (let left = ms; left > 0 && !signal?.aborted;) {
			const piece = Math.min(left, LONGEST_TIMER_MS);
			await Promise.race([sleep(piece), aborted]);
			// The second value ends the wait in time if the clock was set back.
			left = Math.min(end - Date.now(), left - piece);
		}
		stopListening?.();
	},
};
