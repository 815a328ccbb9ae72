import type { AnyZodObject } from 'zod';
import { z } from 'zod';

import type { Json } from '../http/envelope';
import { ServiceError } from '../http/errors';

/** Made when it is first needed: loading a node must not cost time. */
export type Schema = () => AnyZodObject;

/**
 * A kind of record: what the document says of it, and how it is cleaned up. The schema checks
 * what the service sends and is the source of the output schemas that n8n's editor shows.
 */
export interface RecordSchema {
	/** In the words of a message, e.g. "a campaign". */
	name: string;
	schema: Schema;
	/** Brings the service's odd spellings of a field to the documented one. */
	tidy?: (record: Json) => Json;
}

/**
 * The document's types as checks. They are generous, since services of this kind write numbers as
 * text and leave fields out: a record is refused only when it cannot be what it should be.
 */
export const field = {
	/** An id; every record has one. */
	id: () => z.coerce.number().int().positive(),
	whole: () => z.coerce.number().int().nullish(),
	number: () => z.coerce.number().nullish(),
	text: () => z.coerce.string().nullish(),
	flag: () => z.coerce.boolean().nullish(),
};

/**
 * A record as it came, cleaned up. Unknown fields pass through untouched.
 *
 * @throws ServiceError when it is not a record of this kind
 */
export function recordOf({ name, schema, tidy }: RecordSchema, came: Json): Json {
	const record = tidy ? tidy(came) : came;
	const wrong = schemaOf(schema).safeParse(record).error?.issues[0];
	if (!wrong) return record;
	throw new ServiceError('The response has an unexpected shape', {
		description: `Expected ${name}, but its field "${wrong.path.join('.')}" is not what the API promises (${wrong.message}).`,
		failure: { cause: 'node-defect' },
	});
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
