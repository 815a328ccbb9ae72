import { sleep } from 'n8n-workflow';

/** Time as the transport sees it. Tests replace it to run minutes in microseconds. */
export interface Clock {
	/** Milliseconds since the Unix epoch. */
	now(): number;
	/** Resolves after `ms`, or at once when `signal` fires; it never rejects. */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
	now: () => Date.now(),
	async sleep(ms, signal) {
		if (signal?.aborted) return;
		if (!signal) return await sleep(ms);
		let wake: (() => void) | undefined;
		const aborted = new Promise<void>((resolve) => {
			wake = resolve;
			signal.addEventListener('abort', wake, { once: true });
		});
		await Promise.race([sleep(ms), aborted]);
		if (wake) signal.removeEventListener('abort', wake);
	},
};
