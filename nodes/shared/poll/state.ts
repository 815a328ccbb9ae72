import { randomUUID } from 'crypto';
import { z } from 'zod';

import { HOUR_MS, systemClock } from '../http/clock';
import type { Json } from '../http/envelope';

const VERSION = 3;
/** If more time has passed, the workflow was off or the clock jumped. */
const LONGEST_STEP_MS = 12 * HOUR_MS;

/** Where the node's static data has the state, as JSON text. */
export const STATE_KEY = 'state';

/** The content of the static data. */
export type TriggerState = z.infer<typeof schema>;

const schema = z.object({
	version: z.literal(VERSION),
	/** The value of *Trigger On*. */
	event: z.string(),
	/** Whose records the state describes. */
	owner: z.object({
		/** Base URL and API variant. */
		origin: z.string(),
		/** A digest of the key; absent where every key shows the same records. */
		key: z.string().optional(),
		/** The account's ID, if the service tells it. */
		account: z.string().optional(),
	}),
	/** Changes with every poll that emits events. */
	chain: z.string(),
	/** When the poll was, in ms since the epoch. */
	polledAt: z.number(),
	/** The trigger's own time, in ms: it advances from poll to poll and never jumps. */
	clock: z.number().min(0),
	/** The watcher's part, which its own schema checks. */
	data: z.record(z.string(), z.unknown()),
});

export type Owner = TriggerState['owner'];

/** @returns undefined if nothing is stored, `damaged` if this version can't read it */
export function readState(text: unknown): TriggerState | 'damaged' | undefined {
	if (text === undefined || text === null) return undefined;
	const state = schema.safeParse(jsonIn(String(text)));
	return state.success ? state.data : 'damaged';
}

function jsonIn(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

export function writeState(
	before: TriggerState | undefined,
	after: { event: string; owner: Owner; data: Json; clock: number; emits: boolean },
): string {
	const { emits, ...rest } = after;
	const chain = before && !emits ? before.chain : randomUUID();
	const state: TriggerState = { version: VERSION, ...rest, chain, polledAt: systemClock.now() };
	return JSON.stringify(state);
}

/** The trigger's own time now. */
export function clockAfter(before: TriggerState | undefined): number {
	if (!before) return 0;
	const step = systemClock.now() - before.polledAt;
	return before.clock + Math.min(Math.max(step, 0), LONGEST_STEP_MS);
}

/** Whether two owners have the same records: by the same key, or by two keys of one account. */
export function isSameOwner(one: Owner, other: Owner): boolean {
	if (one.origin !== other.origin) return false;
	return one.key === other.key || (one.account !== undefined && one.account === other.account);
}

const maps: Array<Map<string, unknown>> = [];
let startedAt = systemClock.now();

/** When this process started, in ms since the epoch. */
export function processStartedAt(): number {
	return startedAt;
}

/** A map for what isn't stored, so that {@link forgetEverything} knows about it. */
export function processMap<V>(): Map<string, V> {
	const map = new Map<string, V>();
	maps.push(map);
	return map;
}

/** A restart of n8n, for tests. */
export function forgetEverything(): void {
	for (const map of maps) map.clear();
	startedAt = systemClock.now();
}

/** By trigger: the latest state, and the chains of the stored states that it continues. */
const quietPolls = processMap<{ text: string; continues: Set<string | undefined> }>();

/**
 * The state to resume from. n8n doesn't always store the state of a poll without events: the in-memory
 * scheduler never does, and the durable one doesn't when the workflow is published. Until the next
 * event, the newer state that this process remembers replaces the stored one. If n8n loses an event
 * along with its state, the remembered state is older than the event, so the next poll emits it again.
 */
export function newestState(trigger: string, stored: unknown): unknown {
	const quiet = quietPolls.get(trigger);
	return quiet?.continues.has(chainOf(stored)) ? quiet.text : stored;
}

/** @param stored what n8n had stored when the poll began */
export function rememberQuietPoll(trigger: string, stored: unknown, text: string): void {
	const before = quietPolls.get(trigger)?.continues;
	const chain = chainOf(stored);
	const continues = before?.has(chain) ? before : new Set([chain]);
	quietPolls.set(trigger, { text, continues: continues.add(chainOf(text)) });
}

/** By trigger: the chain of the stored state from which a poll last emitted events, and when. */
const emitted = processMap<{ chain: string | undefined; at: number }>();
/** Less than the minute between two scheduled polls. */
const STORING_MS = 30_000;

export function noteEmitted(trigger: string, stored: unknown): void {
	emitted.set(trigger, { chain: chainOf(stored), at: systemClock.now() });
}

/**
 * Whether a poll has just emitted events from this stored state. The durable scheduler stores the new
 * state only after the poll, so a poll that starts at about the same time would emit them again.
 */
export function isBeingReplaced(trigger: string, stored: unknown): boolean {
	const last = emitted.get(trigger);
	if (!last || Math.abs(systemClock.now() - last.at) > STORING_MS) return false;
	return last.chain === chainOf(stored);
}

/** @returns `damaged` for an invalid text, which no later state continues */
function chainOf(text: unknown): string | undefined {
	const state = readState(text);
	return typeof state === 'object' ? state.chain : state;
}
