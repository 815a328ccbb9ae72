import { z } from 'zod';
import type { ZodType, ZodTypeDef } from 'zod';

import { isJson } from '../shared/http/envelope';
import type { Json } from '../shared/http/envelope';
import { digestOf } from './digest';
import type { StateOwner } from './stateOwner';

const VERSION = 2;

/** Under this name the trigger keeps its state in the node's static data, as one text. */
export const STATE_KEY = 'state';

/** What the static data hold. */
export interface StoredState {
	/** Value of the event that stored it. */
	event: string;
	owner: StateOwner;
	/** What the event remembers; its own schema checks it. */
	data: unknown;
}

const schema = () =>
	z.object({
		version: z.literal(VERSION),
		event: z.string(),
		owner: z.object({ origin: z.string(), key: z.string(), account: z.string().optional() }),
		data: z.record(z.unknown()),
		/** Of the data, because an edited number would pass the schema. */
		check: z.string(),
	});

/** @returns undefined when nothing is stored, `damaged` when it is not a state of this version */
export function readState(text: unknown): StoredState | 'damaged' | undefined {
	if (text === undefined || text === null) return undefined;
	const state = schema().safeParse(typeof text === 'string' ? parsed(text) : undefined);
	if (!state.success) return 'damaged';
	const { event, owner, data, check } = state.data;
	if (check !== digestOf(data)) return 'damaged';
	return { event, owner, data };
}

/** The text to store. */
export function writeState(event: string, owner: StateOwner, data: Json): string {
	return JSON.stringify({ version: VERSION, event, owner, data, check: digestOf(data) });
}

/** Whether two states are equal, in any order of their fields. */
export function sameData(a: unknown, b: unknown): boolean {
	const ordered = (_: string, value: unknown) =>
		isJson(value) ? Object.fromEntries(Object.entries(value).sort()) : value;
	return JSON.stringify(a, ordered) === JSON.stringify(b, ordered);
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

/** A schema from a decoder, which returns undefined for what it cannot read. */
export function decodedBy<S>(
	decode: (data: unknown) => S | undefined,
): ZodType<S, ZodTypeDef, unknown> {
	return z.unknown().transform((data, context) => {
		const state = decode(data);
		if (state !== undefined) return state;
		context.addIssue({ code: 'custom', message: 'cannot be read' });
		return z.NEVER;
	});
}
