import type { Json } from '../../shared/http/envelope';
import type { Service } from '../../shared/http/connection';
import type { Access } from '../pollClient';
import type { Stored } from '../state';
import type { Reading } from './reading';

/** What an event may know of the node that it runs for. */
export interface Surroundings {
	/** A parameter of the node, with its expressions resolved. */
	parameter<T>(name: string, fallback: T): T;
	/** Stands for this trigger within the process. */
	trigger: string;
	/** Of the workflow's time zone, now. */
	utcOffsetMinutes: number;
	/** Writes to n8n's log. */
	warn(message: string): void;
}

/** One of the trigger's events. */
export interface TriggerEvent {
	/** Name in messages, as the panel shows it. */
	name: string;
	service: Service;
	/**
	 * Reads and checks the parameters, before anything is sent.
	 *
	 * @throws InputError
	 */
	prepare(surroundings: Surroundings): Prepared;
}

export interface Prepared {
	/** What the state depends on; with other settings the event starts anew. */
	settings: unknown;
	/** @throws ServiceError, InputError */
	poll(stored: Stored, access: Access, reading: Reading): Promise<Outcome>;
	/**
	 * A real example of an event, for the editor.
	 *
	 * @throws InputError that says what would have to happen, when there is none
	 */
	sample(access: Access): Promise<Json>;
}

export interface Outcome {
	/** What to remember; undefined when nothing can be said yet. */
	data: Json | undefined;
	/** What outlives a change of the settings. */
	kept?: Json;
	events: Json[];
}

/**
 * Reads what an event remembered; with a state that cannot be read it starts anew.
 *
 * @param decode gives undefined for data that it cannot read
 */
export function remembered<S>(
	data: unknown,
	decode: (data: unknown) => S | undefined,
	{ warn }: Surroundings,
): S | undefined {
	if (data === undefined) return undefined;
	const state = decode(data);
	if (state === undefined) warn('the trigger starts anew, since its remembered state is broken');
	return state;
}

/** The collection "Options". */
export interface Options {
	emitExisting?: boolean;
	checkDigit?: boolean;
}
