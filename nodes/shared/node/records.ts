import type { Json } from '../http/envelope';

/** A field's type in the editor; `string|boolean` for two, and a list of one for each entry's. */
export type FieldType =
	'boolean' | 'integer' | 'number' | 'string' | 'string|boolean' | Fields | readonly [FieldType];

/** The fields of an output record by name, as the editor shows them before the first run. */
export interface Fields {
	readonly [name: string]: FieldType;
}

/**
 * A kind of record. The fields are for the editor only: a record is returned as the service sends it,
 * so that an odd row doesn't hide other rows.
 */
export interface RecordSchema {
	fields: Fields;
	/** Renames fields for which the service uses an undocumented name. */
	tidy?: (record: Json) => Json;
}

/** A list of the API, declared once for everything that reads it. */
export interface Collection {
	/** Path from `/api` on. */
	path: string;
	/** Names under which the rows can be found in a response, the documented one first. */
	keys: readonly [string, ...string[]];
	/** What a row is; absent where the API's documentation does not show it. */
	record?: RecordSchema;
	/** Rows per page to request, if the API documents a maximum. */
	pageSize?: number;
	/** The text that a picker shows for a record, without its id. */
	label?(record: Json): unknown;
	/** A web page of the record, to which a picker links. */
	url?(record: Json): unknown;
	/** What a picker selects for a record. Default: its id. */
	selects?(record: Json): unknown;
}

/** A record with the documented names; the columns that identify it come first. */
export function tidyRecord(schema: RecordSchema | undefined, received: Json): Json {
	const record = schema?.tidy?.(received) ?? received;
	const first = ['id', 'name'].filter((key) => key in record);
	return { ...Object.fromEntries(first.map((key) => [key, record[key]])), ...record };
}
