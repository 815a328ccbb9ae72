import { systemClock } from '../shared/http/clock';

const maps: Array<Map<string, unknown>> = [];
let startedAt = systemClock.now();

/** When this process began to know anything of its triggers, in ms since the epoch. */
export function processStartedAt(): number {
	return startedAt;
}

/**
 * A map for what this process knows of its triggers beyond the stored states. It is empty after a
 * restart; everything works without it, but costs more requests.
 */
export function processMap<V>(): Map<string, V> {
	const map = new Map<string, V>();
	maps.push(map);
	return map;
}

const quietPolls = processMap<QuietPoll>();

/** The states of polls in a row that emitted nothing. */
interface QuietPoll {
	/** The stored state on which the first of them was built. */
	root: unknown;
	/** The state of the last one. */
	text: string;
}

/**
 * The state to resume from. n8n does not store the state of every poll without events: the classic
 * scheduler never does, so it is lost when the workflow is published again, and the durable one
 * does not at the first poll, which remembers the existing records. Since no event was emitted in
 * between, the newer state can replace the stored one.
 */
export function newestState(trigger: string, stored: unknown): unknown {
	const quiet = quietPolls.get(trigger);
	return quiet && quiet.root === stored ? quiet.text : stored;
}

/**
 * @param stored what was stored before the poll
 * @param text what it remembers
 */
export function noteQuietPoll(trigger: string, stored: unknown, text: string): void {
	const before = quietPolls.get(trigger);
	const continues = before && (before.root === stored || before.text === stored);
	quietPolls.set(trigger, { root: continues ? before.root : stored, text });
}

/**
 * A poll emitted events: if n8n loses them together with the state, the next poll must emit them
 * again.
 */
export function noteEvents(trigger: string): void {
	quietPolls.delete(trigger);
}

/** What a restart of n8n does. */
export function forgetEverything(): void {
	for (const map of maps) map.clear();
	startedAt = systemClock.now();
}
