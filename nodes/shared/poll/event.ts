import type { INodeProperties } from 'n8n-workflow';
import type { ZodType, ZodTypeDef } from 'zod';

import type { Account, Service } from '../http/connection';
import type { Json } from '../http/json';
import type { Sender } from '../http/request';
import type { Fields } from '../node/collection';
import type { Parameter } from '../node/call';
import type { Session } from './session';

/** A service and its events, which make up a trigger node. */
export interface TriggerService {
	service: Service;
	/** By the values of the parameter "Trigger On". */
	events: Readonly<Record<string, TriggerEvent>>;
	/** What a new node has selected. */
	defaultEvent: string;
	/** Which records an address shows. If that changes, the trigger starts over. Default: the base URL */
	owner?(account: Account): string;
	/**
	 * Reads the key's account, if the records depend on it.
	 *
	 * @returns undefined if the service doesn't say
	 */
	account?(sender: Sender): Promise<string | undefined>;
}

/** Everything that the panel, the poll and the docs need to know about an event. */
export interface TriggerEvent {
	name: string;
	description: string;
	/** The fields of its items, for AI builders. */
	output: Fields;
	fields: INodeProperties[];
	/** What a poll costs, for events that Poll Times can make expensive. Shown right below it. */
	cost?: string;
	/** Entries that the event adds to the collection "Options". */
	options?: INodeProperties[];
	/**
	 * Reads and checks the parameters, before anything is sent.
	 *
	 * @throws InputError
	 */
	watch(parameter: Parameter): Watcher;
}

export type { Parameter };

/**
 * Finds what's new.
 *
 * @typeParam S what it remembers from poll to poll
 */
export interface Watcher<S = unknown> {
	/** Checks the stored state and converts it to what `poll` needs. */
	state(): ZodType<S, ZodTypeDef, unknown>;
	/**
	 * @param state what the previous poll stored; undefined in the first poll
	 * @throws ServiceError, InputError
	 */
	poll(state: S | undefined, session: Session): Promise<PollOutcome>;
	/**
	 * An example of an event from the user's own records, for the editor.
	 *
	 * @throws InputError that says what to do first, if there's no example
	 */
	sample(session: Session): Promise<Json>;
}

interface PollOutcome {
	/** What to store; the watcher's schema reads it. */
	state: Json;
	events: Json[];
}
