export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Node.js timers that are longer than this fire immediately. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Formats a duration for a message: `90 s`, `5 min` or `3.5 h`. */
export function duration(ms: number): string {
	if (ms < 2 * MINUTE_MS) return `${Math.ceil(ms / SECOND_MS)} s`;
	if (ms < HOUR_MS) return `${Math.ceil(ms / MINUTE_MS)} min`;
	return `${(ms / HOUR_MS).toFixed(1)} h`;
}

/** The only source of time. Tests replace it, so that they don't have to wait. */
export interface Clock {
	now(): number;
	/** Resolves after `ms`, or as soon as `signal` fires. Never rejects. */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
	now: () => Date.now(),
	async sleep(ms, signal) {
		if (ms <= 0 || signal?.aborted) return;
		// Unlike n8n's `sleep`, a wait that's canceled doesn't keep the process alive until its end.
		const timer = AbortSignal.timeout(Math.min(Math.ceil(ms), LONGEST_TIMER_MS));
		await new Promise<void>((wake) => {
			const stopListening = signal && onAbort(signal, wake);
			timer.addEventListener('abort', () => {
				stopListening?.();
				wake();
			});
		});
	},
};

const callbacksOf = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Runs a callback when a signal fires. All callbacks of a signal share one listener, because Node
 * warns of a leak at more than ten listeners, and thousands of items may wait on the same signal.
 *
 * @returns a function that removes the callback
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
	const callbacks = callbacksOf.get(signal) ?? new Set();
	if (!callbacksOf.has(signal)) {
		signal.addEventListener('abort', () => callbacks.forEach((each) => each()), { once: true });
	}
	callbacksOf.set(signal, callbacks.add(callback));
	return () => callbacks.delete(callback);
}
