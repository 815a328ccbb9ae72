import type { Json, Page } from './envelope';

/**
 * Page size to ask for. The documents name no maximum for the link service; 100 is what services
 * of this kind commonly honour, and a smaller `perpage` in the answer is believed.
 */
export const PAGE_SIZE = 100;

/** Waves that may bring nothing new (rows shifted, or the service ignores `page`) before the end. */
const STALE_WAVES = 2;

/** Pages fetched side by side once their number is known. */
export const PAGES_AT_ONCE = 10;

/** Fetches page `page` (from 1) of a list, asking for `size` rows. */
export type FetchPage = (page: number, size: number) => Promise<Page>;

export interface Wanted {
	/** Number of rows; Infinity for all. */
	rows: number;
	/** Rows per page to ask for. */
	pageSize?: number;
}

/**
 * Reads a list, page after page, until it has the rows that are wanted or the list ends.
 *
 * What the answers say is believed, not what was asked: the page size that the service honoured
 * and its number of pages. Once that is known, further pages are fetched side by side, in order,
 * and none that is not needed. Counters may lie: the list goes on while pages bring new rows and
 * either counter promises more, and it ends when a page brings nothing new. Rows that shift
 * between pages come out once; when the total shrinks meanwhile, so that rows may have slipped
 * past, the pages are read a second time.
 */
export async function collectRows(fetchPage: FetchPage, wanted: Wanted): Promise<Json[]> {
	const size = Math.min(wanted.pageSize ?? PAGE_SIZE, wanted.rows);
	const first = await sweep(fetchPage, size, wanted.rows);
	if (first.shrank && first.rows.size < wanted.rows) {
		const second = await sweep(fetchPage, size, wanted.rows);
		for (const [key, row] of second.rows) if (!first.rows.has(key)) first.rows.set(key, row);
	}
	return [...first.rows.values()].slice(0, wanted.rows);
}

interface Sweep {
	rows: Map<unknown, Json>;
	/** The list became shorter while it was read. */
	shrank: boolean;
}

async function sweep(fetchPage: FetchPage, size: number, wantedRows: number): Promise<Sweep> {
	const first = await fetchPage(1, size);
	const perPage = first.perPage ?? Math.max(first.rows.length, 1);
	const lastPage = first.lastPage ?? (first.total && Math.ceil(first.total / perPage));
	const rows = new Map<unknown, Json>();
	addRows(rows, first);
	let shrank = false;
	let readPages = 1;
	let newest = first;
	let staleWaves = 0;

	while (
		rows.size < wantedRows &&
		staleWaves < STALE_WAVES &&
		promisesMore(newest, readPages, lastPage, perPage)
	) {
		const needed = Math.ceil((wantedRows - rows.size) / perPage);
		const announced = lastPage === undefined ? 1 : lastPage - readPages;
		const wave = Math.max(1, Math.min(PAGES_AT_ONCE, needed, announced));
		const start = readPages + 1;
		const pages = await Promise.all(
			Array.from({ length: wave }, async (_, index) => await fetchPage(start + index, size)),
		);
		const before = rows.size;
		for (const page of pages) {
			addRows(rows, page);
			shrank ||= fell(first.total, page.total) || fell(first.lastPage, page.lastPage);
			newest = page;
		}
		readPages += wave;
		staleWaves = rows.size === before ? staleWaves + 1 : 0;
	}
	return { rows, shrank };
}

function promisesMore(
	page: Page,
	readPages: number,
	lastPage: number | undefined,
	perPage: number,
): boolean {
	if (page.rows.length === 0) return false;
	if (typeof page.nextPage === 'number') return true;
	if (lastPage !== undefined) return readPages < lastPage;
	return page.nextPage === undefined && page.rows.length >= perPage;
}

function fell(before: number | undefined, now: number | undefined): boolean {
	return before !== undefined && now !== undefined && now < before;
}

/** A row without an id cannot be told from another, so it is kept as it comes. */
function addRows(rows: Map<unknown, Json>, page: Page): void {
	for (const row of page.rows) {
		const id = row.id ?? row.idno;
		const key = id === undefined || id === null ? row : `${String(row.type ?? '')}:${String(id)}`;
		if (!rows.has(key)) rows.set(key, row);
	}
}
