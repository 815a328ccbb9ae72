import { randomUUID } from 'crypto';
import { z } from 'zod';

import { MINUTE_MS, systemClock } from '../http/clock';
import { processMap } from '../http/processMap';

const VERSION = 5;

/** Where the node's static data has the state, as JSON text. */
export const STATE_KEY = 'state';

export type TriggerState = z.infer<ReturnType<typeof stateSchema>>;

function stateSchema() {
	return z.object({
		version: z.literal(VERSION),
		event: z.string(),
		/** Whose records the state describes: the service's address, and the account if that matters. */
		owner: z.string(),
		/** A digest of the key, if the account matters. */
		key: z.string().optional(),
		/** Changes with every poll that emits events. Empty before the first one. */
		chain: z.string(),
		/** The watcher's part, which its own schema checks. */
		data: z.record(z.string(), z.unknown()),
	});
}

/** @returns undefined if nothing is stored, or this version can't read it */
function readState(text: unknown): TriggerState | undefined {
	try {
		return stateSchema().parse(JSON.parse(String(text)));
	} catch {
		return undefined;
	}
}

/** What this process knows of a trigger's latest poll. */
interface LatestPoll {
	/** The chain of the state that it resumed from. */
	chain: string;
	/** The state after it, if it was quiet. */
	quiet?: TriggerState;
	emittedAt?: number;
}

const latestPolls = processMap<LatestPoll>();

/** The latest poll, unless n8n has stored the outcome of another one since. */
function pollSince(trigger: string, state: TriggerState | undefined): LatestPoll | undefined {
	const latest = latestPolls.get(trigger);
	return latest?.chain === (state?.chain ?? '') ? latest : undefined;
}

/**
 * The state to resume from. n8n doesn't always store the state of a poll without events: the in-memory
 * scheduler never does, and the durable one doesn't when the workflow is published. Until the next
 * event, the newer state that this process remembers replaces the stored one. If n8n loses an event
 * along with its state, the stored state is older than the event, so the next poll emits it again.
 */
export function resumedState(trigger: string, stored: unknown): TriggerState | undefined {
	const state = readState(stored);
	return pollSince(trigger, state)?.quiet ?? state;
}

/**
 * @param before the state that the poll resumed from
 * @returns the text to store
 */
export function rememberPoll(
	trigger: string,
	before: TriggerState | undefined,
	after: Pick<TriggerState, 'event' | 'owner' | 'key' | 'data'>,
	emits: boolean,
): string {
	const chain = before?.chain ?? '';
	const state = { version: VERSION, ...after, chain: emits ? randomUUID() : chain } as const;
	const outcome = emits ? { emittedAt: systemClock.now() } : { quiet: state };
	latestPolls.set(trigger, { chain, ...outcome });
	return JSON.stringify(state);
}

/**
 * Whether a poll has emitted events from this very state within the last minute. The durable scheduler
 * stores the new state only after the poll, so a poll that starts at about the same time would emit them
 * again.
 */
export function hasJustEmittedFrom(trigger: string, before: TriggerState | undefined): boolean {
	const { emittedAt = -Infinity } = pollSince(trigger, before) ?? {};
	// The clock may have been set back.
	return Math.abs(systemClock.now() - emittedAt) < MINUTE_MS;
}
