/** Polls under way in this process: until when each may hold its turn. */
const running = new Map<string, { until: number }>();

/**
 * Takes the only turn of a trigger. n8n starts a poll at its time even if the one before is still
 * at work; both would find the same events.
 *
 * @param until ms since the epoch; a poll that hangs for longer no longer counts
 * @returns gives the turn back; undefined when another poll has it
 */
export function takeTurn(trigger: string, until: number, now: number): (() => void) | undefined {
	const other = running.get(trigger);
	if (other && other.until > now) return undefined;
	const turn = { until };
	running.set(trigger, turn);
	return () => {
		if (running.get(trigger) === turn) running.delete(trigger);
	};
}
