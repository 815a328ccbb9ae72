/** Polls in progress in this process, with the time until which each may hold its lock. */
const running = new Map<string, { until: number }>();

/**
 * Locks a trigger for one poll. n8n starts a poll on schedule even if the one before is still
 * running; both would find the same events.
 *
 * @param until ms since the epoch; a poll that hangs for longer loses its lock
 * @returns releases the lock; undefined when another poll holds it
 */
export function lockPoll(trigger: string, until: number, now: number): (() => void) | undefined {
	const other = running.get(trigger);
	if (other && other.until > now) return undefined;
	const lock = { until };
	running.set(trigger, lock);
	return () => {
		if (running.get(trigger) === lock) running.delete(trigger);
	};
}
