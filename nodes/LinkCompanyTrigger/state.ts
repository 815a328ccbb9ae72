import { createHash } from 'crypto';

import { isJson } from '../shared/http/envelope';

const VERSION = 1;

/** Under this name the trigger keeps its state in the node's static data, as one text. */
export const STATE_KEY = 'state';

/** What the static data hold. */
export interface Stored {
	/** What the event remembers; undefined when it starts anew. */
	data?: unknown;
	/** What outlives a change of the settings. */
	kept?: unknown;
	/** Whether there was a state at all, even one that cannot be used. */
	polledBefore: boolean;
	/** Why a state is not used, where the user did not cause it. */
	warning?: string;
}

/**
 * Reads the state that belongs to the present settings. Another version's, a broken one and one
 * of other settings count as none.
 *
 * @param text the static data's value
 */
export function readState(text: unknown, fingerprint: string): Stored {
	if (text === undefined || text === null) return { polledBefore: false };
	const state = typeof text === 'string' ? parsed(text) : undefined;
	if (!isJson(state)) return { polledBefore: true, warning: 'its remembered state is broken' };
	if (state.version !== VERSION) {
		return { polledBefore: true, warning: 'its state is from another version of the node' };
	}
	const { kept } = state;
	// The user changed the settings: what was remembered belongs to the old ones.
	if (state.fingerprint !== fingerprint) return { polledBefore: true, kept };
	return { polledBefore: true, kept, data: state.data };
}

/** The text to store. */
export function writeState(fingerprint: string, data: unknown, kept: unknown): string {
	return JSON.stringify({ version: VERSION, fingerprint, data, kept });
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

const FINGERPRINT_LENGTH = 16;

/** Stands for everything that a state depends on, the key included, and reveals none of it. */
export function fingerprintOf(settings: unknown): string {
	return createHash('sha256')
		.update(JSON.stringify(settings))
		.digest('hex')
		.slice(0, FINGERPRINT_LENGTH);
}
