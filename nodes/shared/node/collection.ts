import type { Json } from '../http/envelope';
import type { RecordSchema } from './recordSchema';

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
	/** Query parameters that request a page. Default: `limit` and `page`. */
	query?(page: number): Json;
	/** The list has no further pages, whatever its counters say. */
	singlePage?: boolean;
	/** The text that a picker shows for a record, without its id. */
	label?(record: Json): unknown;
	/** What a picker selects for a record. Default: its id. */
	selects?(record: Json): unknown;
}
