/** The callbacks for a signal, and the one listener that runs them. */
interface Listeners {
	callbacks: Set<() => void>;
	listener: () => void;
}

const listeners = new WeakMap<AbortSignal, Listeners>();

/**
 * Calls back when a signal fires. All callbacks for a signal share one listener: Node warns of a leak
 * when there are more than ten, and thousands of items may wait for the same signal.
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
