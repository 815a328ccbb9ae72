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

/** By trigger: the state after the latest quiet poll, and what was stored before the first one. */
const quietPolls = processMap<{ base: unknown; state: TriggerState }>();

/**
 * The state to resume from. n8n doesn't always store the state of a poll without events: the in-memory
 * scheduler never does, and the durable one doesn't when the workflow is published. Until the next
 * event, the newer state that this process remembers replaces the stored one. If n8n loses an event
 * along with its state, the stored state is older than the event, so the next poll emits it again.
 */
export function resumedState(trigger: string, stored: unknown): TriggerState | undefined {
	const state = readState(stored);
	const quiet = quietPolls.get(trigger);
	const isContinued = state !== undefined && state.chain === quiet?.state.chain;
	return quiet && (isContinued || stored === quiet.base) ? quiet.state : state;
}

/** By trigger: the stored state from which a poll has just emitted events, and when. */
const emitted = processMap<{ from: unknown; at: number }>();

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
	const before = resumedState(trigger, stored);
	const chain = emits ? randomUUID() : (before?.chain ?? randomUUID());
	const state: TriggerState = { version: VERSION, ...after, chain };
	const quiet = quietPolls.get(trigger);
	const base = quiet?.state.chain === chain ? quiet.base : stored;
	if (emits) emitted.set(trigger, { from: stored, at: systemClock.now() });
	if (emits) quietPolls.delete(trigger);
	else quietPolls.set(trigger, { base, state });
	return JSON.stringify(state);
}

/**
 * Whether a poll has emitted events from this very state within the last minute. The durable scheduler
 * stores the new state only after the poll, so a poll that starts at about the same time would emit them
 * again.
 */
export function hasJustEmittedFrom(trigger: string, stored: unknown): boolean {
	const last = emitted.get(trigger);
	const isRecent = last && Math.abs(systemClock.now() - last.at) < MINUTE_MS;
	return isRecent === true && last.from === stored;
}
