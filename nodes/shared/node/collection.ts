import type { Json } from '../http/json';

/** A field's type in the editor. `[type]` is a list whose entries have that type. */
export type FieldType =
	'boolean' | 'integer' | 'number' | 'string' | 'string|boolean' | Fields | readonly [FieldType];

/** The fields of an output record, which the editor shows before the first run. */
export interface Fields {
	readonly [name: string]: FieldType;
}

/**
 * A kind of record. The fields only tell the editor what to expect. Records are returned as the
 * service sends them, so an odd one doesn't hide the rest.
 */
export interface RecordSchema {
	fields: Fields;
	/** Renames fields that the service returns under an undocumented name. */
	tidy?: (record: Json) => Json;
}

/** A list in the API, declared once for everything that reads it. */
export interface Collection {
	/** Path, starting with `/api`. */
	path: string;
	/** The names that the rows can have in a response, the documented one first. */
	keys: readonly [string, ...string[]];
	/** The kind of record in the list. Undefined if the API's documentation doesn't say. */
	record?: RecordSchema;
	/** Rows per page to request, if the API documents a maximum. */
	pageSize?: number;
	/** A record's text in a picker, without its ID. */
	label?(record: Json): unknown;
	/** The value that a picker selects for a record. Default: its ID */
	selects?(record: Json): unknown;
}

/** A record with the documented field names, starting with the fields that identify it. */
export function tidyRecord(schema: RecordSchema | undefined, received: Json): Json {
	const record = schema?.tidy?.(received) ?? received;
	const first = ['id', 'idno', 'name'].filter((key) => key in record);
	return { ...Object.fromEntries(first.map((key) => [key, record[key]])), ...record };
}
