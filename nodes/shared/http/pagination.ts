import type { Json, Page } from './envelope';

/**
 * Page size to request. The link service documents no maximum. Services of this kind commonly
 * honour 100; a smaller `perpage` in the response is followed.
 */
export const PAGE_SIZE = 100;

/** Pages fetched side by side. The number doubles up to here while pages bring new rows. */
export const PAGES_AT_ONCE = 10;

/** Pages in a row without a new row, after which the list ends, regardless of its counters. */
const STALE_PAGES = 2;

/** How often a list is read again because rows moved between its pages. */
const MAX_REREADS = 2;

/**
 * Fetches page `page` (from 1) of a list with up to `size` rows.
 *
 * @param fresh the page has to come from the service, not from a response that is known already
 */
export type FetchPage = (page: number, size: number, fresh: boolean) => Promise<Page>;

export interface Wanted {
	/** Number of rows; Infinity for all. */
	rows: number;
	/** Rows per page to request. */
	pageSize?: number;
	/** Called when rows moved between pages while they were read. */
	onShift?: () => void;
}

/**
 * Reads a list, page after page, until it has the rows that are wanted or the list ends.
 *
 * The page size and counters of the responses apply, not the requested ones. Reading continues
 * while any counter promises more and pages bring new rows. Each row with an id is returned once;
 * rows without an id are never merged. If the counters or repeated rows show that rows moved
 * between pages in the meantime, the pages are read again and missed rows are added.
 */
export async function collectRows(fetchPage: FetchPage, wanted: Wanted): Promise<Json[]> {
	const size = Math.min(wanted.pageSize ?? PAGE_SIZE, wanted.rows);
	const first = await sweep(fetchPage, size, wanted.rows, false);
	const { rows } = first;
	let { shifted } = first;
	if (shifted) wanted.onShift?.();
	for (let again = 0; shifted && rows.size < wanted.rows && again < MAX_REREADS; again++) {
		const next = await sweep(fetchPage, size, Infinity, true);
		for (const [key, row] of next.rows) if (key !== row && !rows.has(key)) rows.set(key, row);
		shifted = next.shifted;
	}
	return [...rows.values()].slice(0, wanted.rows);
}

interface Sweep {
	/** By id; a row without an id by itself. */
	rows: Map<unknown, Json>;
	shifted: boolean;
}

async function sweep(
	fetchPage: FetchPage,
	size: number,
	wantedRows: number,
	fresh: boolean,
): Promise<Sweep> {
	const rows = new Map<unknown, Json>();
	const pages: Page[] = [];
	let overlap = false;
	let stalePages = 0;
	let pageRows = size;

	const add = (page: Page) => {
		const before = rows.size;
		let repeated = 0;
		if (!isRepetition(page, pages)) {
			for (const row of page.rows) {
				const key = idOf(row) ?? row;
				if (rows.has(key)) repeated++;
				else rows.set(key, row);
			}
		}
		// A page of nothing but known rows is one that the service sent instead of another.
		overlap ||= repeated > 0 && rows.size > before;
		pages.push(page);
		stalePages = rows.size === before ? stalePages + 1 : 0;
	};

	add(await fetchPage(1, size, fresh));
	pageRows = honouredSize(pages[0]!);
	for (let wave = 2; ; wave = Math.min(2 * wave, PAGES_AT_ONCE)) {
		const read = pages.length;
		const newest = pages[read - 1]!;
		const hasNext = nextPageOf(newest, read, pageRows) !== undefined;
		if (!hasNext || rows.size >= wantedRows || stalePages >= STALE_PAGES) break;
		const announced = (lastPageOf(newest, pageRows) ?? 0) - read;
		const needed = Math.ceil((wantedRows - rows.size) / pageRows);
		const count = Math.max(1, Math.min(wave, announced, needed));
		const numbers = Array.from({ length: count }, (_, at) => read + 1 + at);
		const next = numbers.map(async (number) => await fetchPage(number, size, fresh));
		for (const page of await Promise.all(next)) add(page);
	}
	const totals = pages.map(({ total }) => total);
	const isIncomplete = overlap && rows.size < (totals.at(-1) ?? Infinity);
	const shifted = falls(totals) || falls(pages.map(({ lastPage }) => lastPage)) || isIncomplete;
	return { rows, shifted };
}

/** Some services repeat the requested size, but return fewer rows. */
function honouredSize({ rows, perPage, total }: Page): number {
	const received = Math.max(rows.length, 1);
	return perPage === undefined || (total !== undefined && total > rows.length) ? received : perPage;
}

function lastPageOf({ lastPage, total }: Page, perPage: number): number | undefined {
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
	const { rows, nextPage } = page;
	if (rows.length === 0) return undefined;
	const size = Math.min(page.perPage ?? askedSize, askedSize);
	// A first page that is short although there are more rows shows the size of pages.
	const lastPage = lastPageOf(page, currentPage === 1 ? Math.min(size, rows.length) : size);
	const isFull = rows.length >= size;
	const more =
		(nextPage ?? 0) > currentPage ||
		(lastPage ?? 0) > currentPage ||
		(nextPage !== null && lastPage === undefined && isFull);
	return more ? currentPage + 1 : undefined;
}

/** A counter is lower than on an earlier page: rows may have moved from this page to that. */
function falls(counters: Array<number | undefined>): boolean {
	let highest = 0;
	for (const counter of counters) {
		if (counter !== undefined && counter < highest) return true;
		highest = Math.max(highest, counter ?? 0);
	}
	return false;
}

/**
 * Whether a page is the previous one again, which a service sends that ignores `page`. Rows with
 * ids show that by themselves. Other rows may be equal, so a page that says its number counts.
 */
function isRepetition(page: Page, earlier: Page[]): boolean {
	const { rows, currentPage } = page;
	const previous = earlier.at(-1);
	if (!previous || currentPage === earlier.length + 1) return false;
	return (
		rows.some((row) => idOf(row) === undefined) &&
		JSON.stringify(rows) === JSON.stringify(previous.rows)
	);
}

function idOf(row: Json): string | undefined {
	const id = row.id ?? row.idno;
	return id === undefined || id === null ? undefined : `${String(row.type ?? '')}:${String(id)}`;
}
