import { sleep } from 'n8n-workflow';

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Formats a duration for a message: `90 s`, `5 min` or `3.5 h`. */
export function duration(ms: number): string {
	if (ms < 2 * MINUTE_MS) return `${Math.ceil(ms / SECOND_MS)} s`;
	if (ms < HOUR_MS) return `${Math.ceil(ms / MINUTE_MS)} min`;
	return `${(ms / HOUR_MS).toFixed(1)} h`;
}

/** The only source of time. Tests replace it, so that minutes pass in an instant. */
export interface Clock {
	/** Milliseconds since the Unix epoch. */
	now(): number;
	/** Resolves after `ms`, or as soon as `signal` fires. Never rejects. */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/**
 * n8n's `sleep` can't be cancelled, and its timer keeps the process alive. Sleeping in short slices
 * means that a cancelled wait leaves only one slice behind. Jest, for example, kills a worker that
 * takes more than half a second to exit.
 */
const SLICE_MS = 100;

export const systemClock: Clock = {
	now: () => Date.now(),
	async sleep(ms, signal) {
		let wake = () => {};
		const stopListening = signal && onAbort(signal, () => wake());
		const end = Date.now() + ms;
		for (let left = ms; left > 0 && !signal?.aborted;) {
			const slice = Math.min(left, SLICE_MS);
			await new Promise<void>((resolve) => {
				wake = resolve;
				void sleep(slice).then(resolve);
			});
			// The second value keeps the wait from getting longer if the clock is set back.
			left = Math.min(end - Date.now(), left - slice);
		}
		stopListening?.();
	},
};

/** A signal's callbacks, and the one listener that runs them all. */
interface Listeners {
	callbacks: Set<() => void>;
	listener: () => void;
}

const listeners = new WeakMap<AbortSignal, Listeners>();

/**
 * Runs a callback when a signal fires. All callbacks of a signal share one listener, because Node
 * warns of a leak at more than ten listeners, and thousands of items may wait on the same signal.
 *
 * @returns a function that removes the callback
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
	const { callbacks, listener } = listeners.get(signal) ?? listenTo(signal);
	callbacks.add(callback);
	return () => {
		if (!callbacks.delete(callback) || callbacks.size > 0) return;
		signal.removeEventListener('abort', listener);
		listeners.delete(signal);
	};
}

function listenTo(signal: AbortSignal): Listeners {
	const callbacks = new Set<() => void>();
	const listener = () => callbacks.forEach((callback) => callback());
	signal.addEventListener('abort', listener, { once: true });
	const added = { callbacks, listener };
	listeners.set(signal, added);
	return added;
}
