import type { AnyZodObject } from 'zod';
import { z } from 'zod';

import { describeShape } from '../http/envelope';
import type { Json } from '../http/envelope';
import { ServiceError } from '../http/errors';

/** Made when it is first needed, to keep loading a node fast. */
export type Schema = () => AnyZodObject;

/**
 * A kind of record: what the API's documentation says of it, and how it is cleaned up. The schema
 * checks what the service sends and is the source of the output schemas that n8n's editor shows.
 */
export interface RecordSchema {
	/** In the words of a message, e.g. "a campaign". */
	name: string;
	schema: Schema;
	/** Brings the service's odd spellings of a field to the documented one. */
	tidy?: (record: Json) => Json;
}

const numberText = () => z.string().regex(/^\s*(-?\d+(\.\d+)?)?\s*$/, 'Expected a number');

/**
 * The documented types as checks. Services of this kind write numbers as text, texts as numbers and
 * `false` for nothing, and leave fields out: that passes. A list or an object where a single value
 * belongs does not. The first type of a union is the documented one.
 */
export const field = {
	/** An ID; every record has one. */
	id: () =>
		z.union([
			z.number().int().positive(),
			z.string().regex(/^\s*0*[1-9]\d*\s*$/, 'Expected an ID'),
		]),
	whole: () => z.union([z.number().int(), z.number(), numberText(), z.literal(false)]).nullish(),
	number: () => z.union([z.number(), numberText(), z.literal(false)]).nullish(),
	text: () => z.union([z.string(), z.number(), z.boolean()]).nullish(),
	flag: () =>
		z
			.union([z.boolean(), z.literal(0), z.literal(1), z.enum(['0', '1', 'true', 'false', ''])])
			.nullish(),
};

/** The columns that identify a record come first. */
export function idAndNameFirst(record: Json): Json {
	const first = ['id', 'name'].filter((key) => key in record);
	return { ...Object.fromEntries(first.map((key) => [key, record[key]])), ...record };
}

/**
 * A record as it came, cleaned up. Unknown fields pass through untouched.
 *
 * @throws ServiceError when it is not a record of this kind
 */
export function recordOf({ name, schema, tidy }: RecordSchema, received: Json): Json {
	const record = tidy ? tidy(received) : received;
	const issue = schemaOf(schema).safeParse(record).error?.issues[0];
	if (!issue) return idAndNameFirst(record);
	throw new ServiceError('The response has an unexpected shape', {
		description: `Expected ${name}, but its field "${issue.path.join('.')}" is ${got(record, issue.path)}, which the API does not document.`,
		failure: { cause: 'node-defect' },
	});
}

function got(record: Json, path: Array<string | number>): string {
	const value = path.reduce<unknown>((at, key) => (at as Json | undefined)?.[key], record);
	return value === undefined ? 'missing' : describeShape(value);
}

const made = new WeakMap<Schema, AnyZodObject>();

function schemaOf(schema: Schema): AnyZodObject {
	let known = made.get(schema);
	if (!known) {
		known = schema().passthrough();
		made.set(schema, known);
	}
	return known;
}
