/** Who waits for a signal, and the one listener that calls them. */
interface Waiting {
	callbacks: Set<() => void>;
	listener: () => void;
}

const waiting = new WeakMap<AbortSignal, Waiting>();

/**
 * Calls back when a signal fires. All who wait for a signal share one listener: Node warns of a leak
 * when there are more than ten, and thousands of items may wait for the end of one run.
 *
 * @returns calls it off
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
	const { callbacks, listener } = waiting.get(signal) ?? listenTo(signal);
	callbacks.add(callback);
	return () => {
		if (!callbacks.delete(callback) || callbacks.size > 0) return;
		signal.removeEventListener('abort', listener);
		waiting.delete(signal);
	};
}

function listenTo(signal: AbortSignal): Waiting {
	const callbacks = new Set<() => void>();
	const listener = () => callbacks.forEach((callback) => callback());
	signal.addEventListener('abort', listener, { once: true });
	const added = { callbacks, listener };
	waiting.set(signal, added);
	return added;
}
