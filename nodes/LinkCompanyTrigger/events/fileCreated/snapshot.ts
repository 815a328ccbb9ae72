import type { Json, Page } from '../../../shared/http/envelope';
import { unexpected } from '../../../shared/node/outputs';
import type { Window } from './windows';

export interface Row {
	id: number;
	record: Json;
}

/** What one request showed of a list: one moment, so nothing can slip through it. */
export interface Snapshot {
	rows: Row[];
	/** Position of the first row in the list, from 0. */
	start: number;
	/** Rows per page that the service honoured. */
	size: number;
	/** The list ends in this snapshot: it has room for more rows, and nothing promises any. */
	ends: boolean;
	/** Number of the last page, as the service counts. */
	lastPage?: number;
}

/** Reads a page as what was asked for; what the answer says of its size is believed. */
export function snapshotOf(asked: Window, page: Page): Snapshot {
	const rows = page.rows.map((record) => ({ id: idOf(record), record }));
	const { nextPage, lastPage } = page;
	const promised =
		rows.length > 0 && (typeof nextPage === 'number' || (lastPage ?? 0) > asked.page);
	const size = honoured(asked, page, promised);
	return {
		rows,
		start: (asked.page - 1) * size,
		size,
		ends: rows.length < size && !promised,
		lastPage,
	};
}

/** The page size that fits what the answer says and shows; its counters may contradict it. */
function honoured(asked: Window, page: Page, promised: boolean): number {
	const { perPage, nextPage, lastPage } = page;
	const rows = page.rows.length;
	if (rows > asked.size) return rows;
	// A page with others after it is full.
	const full = promised && nextPage !== null && (lastPage ?? Infinity) > asked.page;
	const plausible = perPage !== undefined && perPage >= rows && perPage < asked.size;
	return plausible ? perPage : full ? rows : asked.size;
}

/**
 * The id of a record (link-management spec, "Conventions": ids are integers).
 *
 * @throws ServiceError when it has none: it could not be told from another one
 */
export function idOf(record: Json): number {
	const id = typeof record.id === 'string' ? Number(record.id) : record.id;
	if (typeof id === 'number' && Number.isSafeInteger(id) && id >= 0) return id;
	throw unexpected('a whole number under "id" in every record', record);
}

export type Trend = 'up' | 'down' | 'mixed' | 'unknown';

/** Whether ids only grow or only fall along the list; a repeated row changes nothing. */
export function trendOf(ids: readonly number[], before: Trend = 'unknown'): Trend {
	let trend = before;
	for (let index = 1; index < ids.length; index++) {
		const step = (ids[index] as number) - (ids[index - 1] as number);
		if (step === 0) continue;
		const here = step > 0 ? 'up' : 'down';
		if (trend === 'unknown') trend = here;
		else if (trend !== here) return 'mixed';
	}
	return trend;
}
