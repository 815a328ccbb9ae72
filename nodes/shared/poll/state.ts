import { randomUUID } from 'crypto';
import { z } from 'zod';

import { MINUTE_MS, systemClock } from '../http/clock';
import { processMap } from '../http/processMap';

const VERSION = 5;

/** Where the node's static data has the state, as JSON text. */
export const STATE_KEY = 'state';

/** The content of the static data. */
export type TriggerState = z.infer<ReturnType<typeof stateSchema>>;

function stateSchema() {
	return z.object({
		version: z.literal(VERSION),
		/** The value of *Trigger On*. */
		event: z.string(),
		/** Whose records the state describes: the service's address, and the account if that matters. */
		owner: z.string(),
		/** A digest of the key, if the account matters. */
		key: z.string().optional(),
		/** Changes with every poll that emits events. */
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
	/** What n8n had stored before it, or before the first of several quiet polls. */
	base: unknown;
	/** The state after it, if it was quiet. */
	quiet?: TriggerState;
	/** When it emitted events. */
	emittedAt?: number;
}

const latestPolls = processMap<LatestPoll>();

/**
 * The state to resume from. n8n doesn't always store the state of a poll without events: the in-memory
 * scheduler never does, and the durable one doesn't when the workflow is published. Until the next
 * event, the newer state that this process remembers replaces the stored one. If n8n loses an event
 * along with its state, the stored state is older than the event, so the next poll emits it again.
 */
export function resumedState(trigger: string, stored: unknown): TriggerState | undefined {
	const state = readState(stored);
	const { base, quiet } = latestPolls.get(trigger) ?? {};
	const isContinued = state !== undefined && state.chain === quiet?.chain;
	return quiet && (isContinued || stored === base) ? quiet : state;
}

/**
 * @param stored what n8n had stored when the poll began
 * @returns the text to store
 */
export function rememberPoll(
	trigger: string,
	stored: unknown,
	after: Pick<TriggerState, 'event' | 'owner' | 'key' | 'data'>,
	emits: boolean,
): string {
	const before = emits ? undefined : resumedState(trigger, stored);
	const chain = before?.chain ?? randomUUID();
	const state: TriggerState = { version: VERSION, ...after, chain };
	const latest = latestPolls.get(trigger);
	const base = latest?.quiet?.chain === chain ? latest.base : stored;
	const outcome = emits ? { emittedAt: systemClock.now() } : { quiet: state };
	latestPolls.set(trigger, { base, ...outcome });
	return JSON.stringify(state);
}

/**
 * Whether a poll has emitted events from this very state within the last minute. The durable scheduler
 * stores the new state only after the poll, so a poll that starts at about the same time would emit them
 * again.
 */
export function hasJustEmittedFrom(trigger: string, stored: unknown): boolean {
	const { base, emittedAt = -Infinity } = latestPolls.get(trigger) ?? {};
	return base === stored && Math.abs(systemClock.now() - emittedAt) < MINUTE_MS;
}
