import { requirePage } from '../http/envelope';
import type { Json } from '../http/json';
import type { FetchPage } from '../http/pages';
import type { ApiRequest, Sender } from '../http/request';

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
	/** A record's text in a picker, without its ID. Default: its name */
	label?(record: Json): unknown;
}

/**
 * A record with the documented field names.
 *
 * @param identifying the fields to start with
 */
export function tidyRecord(
	schema: RecordSchema | undefined,
	received: Json,
	identifying = ['id', 'name'],
): Json {
	const record = schema?.tidy?.(received) ?? received;
	const first = identifying.filter((key) => key in record);
	return { ...Object.fromEntries(first.map((key) => [key, record[key]])), ...record };
}

/**
 * Returns a function that reads a list's pages, with tidy records.
 *
 * @param request values for the placeholders in the path, and query parameters
 */
export function pageReader(
	sender: Sender,
	{ path, keys, record }: Pick<Collection, 'path' | 'keys' | 'record'>,
	request: Pick<ApiRequest, 'values' | 'query'> = {},
): FetchPage {
	return async (page, limit) => {
		const query = { ...request.query, limit, page };
		const body = await sender.send({ method: 'GET', path, values: request.values, query });
		const found = requirePage(body, keys);
		return { ...found, rows: found.rows.map((row) => tidyRecord(record, row)) };
	};
}
