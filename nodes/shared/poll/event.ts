import type { INodeProperties } from 'n8n-workflow';

import type { Service } from '../http/connection';
import type { Json } from '../http/envelope';
import type { ApiRequest } from '../http/sendRequest';
import type { Fields } from '../node/records';
import type { Session } from './session';

/** What a trigger node watches: the events of one service. */
export interface TriggerEvents {
	service: Service;
	events: Readonly<Record<string, TriggerEvent>>;
	/** The event of a new node. */
	defaultEvent: TriggerEvent;
	/**
	 * The account of a key, if the records depend on it.
	 *
	 * @returns undefined if the service does not tell
	 */
	account?(send: (request: ApiRequest) => Promise<unknown>): Promise<string | undefined>;
}

/** An event: everything that the panel, the poll and the docs need to know about it. */
export interface TriggerEvent {
	/** Value of the parameter "Trigger On". */
	value: string;
	/** Displayed name, e.g. "File Created". */
	name: string;
	description: string;
	/** The fields of an event, for AI builders. */
	output: Fields;
	/** Parameters of the event; the panel shows them for this event only. */
	fields: INodeProperties[];
	/** Entries that the event adds to the collection "Options". */
	options?: INodeProperties[];
	/**
	 * Reads and checks the parameters, before anything is sent.
	 *
	 * @throws InputError
	 */
	watch(parameter: Parameter): Watcher;
}

/** A parameter of the node, with its expressions resolved. */
export type Parameter = <T>(name: string, fallback: T) => T;

/** A schema of zod 3 or zod 4: n8n decides which one is there. */
export interface StateSchema<S> {
	safeParse(value: unknown): { success: true; data: S } | { success: false };
}

/**
 * Finds what is new.
 *
 * @typeParam S what it remembers between two polls
 */
export interface Watcher<S = unknown> {
	/** Validates the stored state and converts it to the form that `poll` needs. */
	state(): StateSchema<S>;
	/**
	 * @param state what the last poll stored; undefined at the first one
	 * @throws ServiceError, InputError
	 */
	poll(state: S | undefined, session: Session): Promise<PollOutcome>;
	/**
	 * An example of an event from the user's own records, for the editor.
	 *
	 * @param state what the trigger knows, if it was published
	 * @throws InputError that says what to do first, when there is none
	 */
	sample(session: Session, state: S | undefined): Promise<Json>;
}

export interface PollOutcome {
	/** What to store, as JSON that the watcher's schema reads. */
	state: Json;
	events: Json[];
	/** How far a first reading is, whose end the user can only see in n8n's log. */
	recorded?: { count: number; isComplete: boolean };
}
