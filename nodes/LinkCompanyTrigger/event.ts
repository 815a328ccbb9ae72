import type { INodeProperties, INodeType } from 'n8n-workflow';
import type { ZodType, ZodTypeDef } from 'zod';

import type { Json } from '../shared/http/envelope';
import type { Service } from '../shared/http/connection';
import type { PageReader } from './pageReader';
import type { PollClient } from './pollClient';

/**
 * One of the trigger's events: everything that the panel, the poll and the docs need to know about
 * it.
 *
 * @typeParam S what it remembers between two polls
 */
export interface TriggerEvent<S = unknown> {
	/** Value of the parameter "Event". */
	value: string;
	/** Displayed name, e.g. "File Created". */
	name: string;
	description: string;
	/** The API that the event polls; the credential follows from it. */
	service: Service;
	/** Parameters of the event; the panel shows them for this event only. */
	fields: INodeProperties[];
	/** Entries that the event adds to the collection "Options". */
	options?: INodeProperties[];
	/** Searches behind the fields' "From List" modes. */
	listSearch?: NonNullable<INodeType['methods']>['listSearch'];
	/** Checks what an earlier poll stored and converts it to the form that `poll` needs. */
	state(): ZodType<S, ZodTypeDef, unknown>;
	/**
	 * Reads and checks the parameters, before anything is sent.
	 *
	 * @throws InputError
	 */
	prepare(settings: PollSettings): PreparedEvent<S>;
}

/** What an event may know about its node. */
export interface PollSettings {
	/** A parameter of the node, with its expressions resolved. */
	parameter<T>(name: string, fallback: T): T;
	/** Identifies this trigger within the process. */
	trigger: string;
	/** The current time in the workflow's time zone. */
	utcOffsetMinutes: number;
	/** Write to n8n's log. */
	warn(message: string): void;
	info(message: string): void;
}

/** An event with its parameters read. */
export interface PreparedEvent<S> {
	/**
	 * @param state what the last poll stored; undefined at the first one
	 * @throws ServiceError, InputError
	 */
	poll(state: S | undefined, run: PollRun): Promise<PollOutcome>;
	/**
	 * A real example of an event, for the editor.
	 *
	 * @throws InputError that says what to do first, when there is none
	 */
	sample(client: PollClient): Promise<Json>;
}

/** One poll. */
export interface PollRun {
	client: PollClient;
	reader: PageReader;
	/** Whether records that exist at the first poll are events. */
	emitExisting: boolean;
	/** A user publishes the event for the first time: it has never stored a state. */
	firstPublication: boolean;
	/** Changes with every edit of the node's parameters, its credential or the key. */
	revision: string;
}

export interface PollOutcome {
	/** What to store, as JSON that the event's schema reads; undefined stores nothing. */
	state: Json | undefined;
	events: Json[];
}
