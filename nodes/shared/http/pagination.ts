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
 * between pages come out once; when the counters fall meanwhile, so that rows may have slipped
 * past, the pages are read a second time.
 */
export async function collectRows(fetchPage: FetchPage, wanted: Wanted): Promise<Json[]> {
	const size = Math.min(wanted.pageSize ?? PAGE_SIZE, wanted.rows);
	const { rows, shifted } = await sweep(fetchPage, size, wanted.rows);
	if (shifted && rows.size < wanted.rows) {
		const second = await sweep(fetchPage, size, wanted.rows);
		for (const row of second.rows.values()) {
			const id = idOf(row);
			if (id !== undefined && !rows.has(id)) rows.set(id, row);
		}
	}
	return [...rows.values()].slice(0, wanted.rows);
}

interface Sweep {
	rows: Map<unknown, Json>;
	/** A counter fell from one page to a later one: rows may have slipped from that to this. */
	shifted: boolean;
}

async function sweep(fetchPage: FetchPage, size: number, wantedRows: number): Promise<Sweep> {
	const first = await fetchPage(1, size);
	const perPage = honouredSize(first);
	const rows = new Map<unknown, Json>();
	const repeated = repetitions();
	if (!repeated(first)) addRows(rows, first);
	let lastPage = lastPageOf(first, perPage);
	const all = [first];
	let newest = first;
	let staleWaves = 0;

	while (
		rows.size < wantedRows &&
		staleWaves < STALE_WAVES &&
		nextPageOf(newest, all.length, perPage) !== undefined
	) {
		const needed = Math.ceil((wantedRows - rows.size) / perPage);
		const announced = lastPage === undefined ? 1 : lastPage - all.length;
		const wave = Math.max(1, Math.min(PAGES_AT_ONCE, needed, announced));
		const start = all.length + 1;
		const pages = await Promise.all(
			Array.from({ length: wave }, async (_, index) => await fetchPage(start + index, size)),
		);
		const before = rows.size;
		for (const page of pages) {
			if (!repeated(page)) addRows(rows, page);
			newest = page;
		}
		lastPage = lastPageOf(newest, perPage) ?? lastPage;
		all.push(...pages);
		staleWaves = rows.size === before ? staleWaves + 1 : 0;
	}
	const shifted = falls(all.map(({ total }) => total)) || falls(all.map((page) => page.lastPage));
	return { rows, shifted };
}

/** Some services repeat the size that was asked, and give less. */
function honouredSize({ rows, perPage, total }: Page): number {
	const came = Math.max(rows.length, 1);
	return perPage === undefined || (total !== undefined && total > rows.length) ? came : perPage;
}

/** A list may grow while it is read, so this is asked of every page. */
export function lastPageOf({ lastPage, total }: Page, perPage: number): number | undefined {
	return lastPage ?? (total && Math.ceil(total / perPage));
}

/**
 * The number of the next page, or undefined when nothing on this page says that there is one.
 * Services may lie in any counter, so one that says that there is more is enough. Without counters
 * a full page says so.
 *
 * @param askedSize rows that this page can hold at most, as far as is known
 */
export function nextPageOf(page: Page, currentPage: number, askedSize: number): number | undefined {
	const { rows, nextPage, perPage } = page;
	if (rows.length === 0) return undefined;
	const lastPage = lastPageOf(page, perPage ?? rows.length);
	const isFull = rows.length >= (perPage ?? askedSize);
	const more =
		(nextPage ?? 0) > currentPage ||
		(lastPage ?? 0) > currentPage ||
		(nextPage !== null && lastPage === undefined && isFull);
	return more ? currentPage + 1 : undefined;
}

function falls(counters: Array<number | undefined>): boolean {
	let highest = 0;
	for (const counter of counters) {
		if (counter !== undefined && counter < highest) return true;
		highest = Math.max(highest, counter ?? 0);
	}
	return false;
}

/** A row without an id cannot be told from another, so it is kept as it comes. */
function addRows(rows: Map<unknown, Json>, page: Page): void {
	for (const row of page.rows) {
		const key = idOf(row) ?? row;
		if (!rows.has(key)) rows.set(key, row);
	}
}

/**
 * Tells whether a page came before, where its rows have no ids by which to see that: a service
 * that ignores `page` would go on for ever.
 */
function repetitions(): (page: Page) => boolean {
	const seen = new Set<string>();
	return ({ rows }) => {
		if (rows.every((row) => idOf(row) !== undefined)) return false;
		const content = JSON.stringify(rows);
		const known = seen.has(content);
		seen.add(content);
		return known;
	};
}

function idOf(row: Json): string | undefined {
	const id = row.id ?? row.idno;
	return id === undefined || id === null ? undefined : `${String(row.type ?? '')}:${String(id)}`;
}
