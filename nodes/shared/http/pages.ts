import type { Json, Page } from './envelope';
import { ServiceError } from './errors';

/**
 * Page size to request. The link service documents no maximum. Most services accept 100; if one
 * returns smaller pages, the nodes use their size.
 */
export const PAGE_SIZE = 100;

/** Pages fetched in parallel. The number doubles up to here while pages bring new rows. */
export const PAGES_AT_ONCE = 10;

/** How often a list is read again because rows moved between its pages. */
const MAX_REREADS = 2;

/**
 * Fetches page `page` (from 1) of a list.
 *
 * @param size rows per page to request; undefined leaves `limit` out of the request
 * @param fresh the page must come from the service, not from an earlier response
 */
export type FetchPage = (page: number, size: number | undefined, fresh: boolean) => Promise<Page>;

/** How far a list has been read. Plain data, so a trigger can keep it between polls. */
export interface ListPosition {
	/** Number of the page to read, as it is requested. */
	page: number;
	/** Rows on the pages before it. */
	read: number;
	/** Pages in a row before it without a new row. */
	stale: number;
}

export const LIST_START: ListPosition = { page: 1, read: 0, stale: 0 };

/** Rows can move by a whole page, so one page without a new row does not prove that pages repeat. */
const STALE_PAGES = 2;

/**
 * Where a list continues after a page; undefined where it ends. It ends
 *
 * - where no counter of the page says that there is more: neither `nextpage` nor `maxpage`, nor the
 *   number of rows that `total`, or `maxpage` times `perpage`, promises. Counters can be wrong: if
 *   they contradict each other, the largest one counts. Without counters, the list continues.
 * - after an empty page
 * - after two pages in a row that repeat known rows: the service ignores `page`
 * - at an error for a page beyond the first, see {@link isBeyondEnd}. Where all counters promise the
 *   page, only a 404 is such an error: half a list is worse than none.
 *
 * @param position of the page
 * @param fresh rows on it that no page before it had
 */
export function positionAfter(
	position: ListPosition,
	page: Page,
	fresh: number,
): ListPosition | undefined {
	const { rows, nextPage, lastPage } = page;
	const next = {
		page: position.page + 1,
		read: position.read + rows.length,
		stale: fresh > 0 ? 0 : position.stale + 1,
	};
	if (rows.length === 0 || next.stale >= STALE_PAGES) return undefined;
	const promised = promisedRows(page);
	const pages = Math.max(nextPage ?? 0, lastPage ?? 0);
	// A `nextpage` that is not ahead of this page is ignored, but null means that there is none.
	const isSilent = nextPage !== null && lastPage === undefined && promised === 0;
	return pages > position.page || promised > next.read || isSilent ? next : undefined;
}

/** The number of the next page, for a caller that has read only this one. */
export function nextPageOf(page: Page, number: number): number | undefined {
	const read = (number - 1) * (page.perPage ?? PAGE_SIZE);
	return positionAfter({ page: number, read, stale: 0 }, page, page.rows.length)?.page;
}

/** Rows that a list has at least, by its counters. */
function promisedRows({ total = 0, lastPage = 0, perPage = 0 }: Page): number {
	return Math.max(total, lastPage > 1 ? (lastPage - 1) * perPage + 1 : 0);
}

/** Whether an error means that a list has no such page, if the page before it could be read. */
export function isBeyondEnd(error: unknown): boolean {
	if (!(error instanceof ServiceError) || error.failure?.cause === 'credential-invalid')
		return false;
	return ['400', '404', '422'].includes(error.httpCode ?? '');
}

function isMissing(error: unknown): boolean {
	return error instanceof ServiceError && error.httpCode === '404';
}

/**
 * Reads the first page of a list, and again without `limit` if the service rejects the page size.
 * The other pages have to be read with the `size` that is returned.
 */
export async function readFirstPage(
	fetchPage: (size: number | undefined) => Promise<Page>,
	size: number | undefined,
): Promise<{ page: Page; size: number | undefined }> {
	let usedSize = size;
	const page = await fetchPage(size).catch(async (error: unknown) => {
		if (size === undefined || !isAboutLimit(error)) throw error;
		usedSize = undefined;
		return await fetchPage(undefined);
	});
	return { page, size: usedSize };
}

function isAboutLimit(error: unknown): boolean {
	if (!(error instanceof ServiceError) || error.failure) return false;
	const { httpCode = '', message } = error;
	return ['400', '422'].includes(httpCode) || /\b(limit|per.?page|page.?size)\b/i.test(message);
}

export interface Wanted {
	/** Number of rows; Infinity for all. */
	rows: number;
	/** Rows per page to request. */
	pageSize?: number;
	/** Number of the first page to read. Default: 1. */
	firstPage?: number;
	/** Called when rows moved between pages while they were read. */
	onShift?: () => void;
}

/**
 * Reads a list, page after page, until it has the wanted rows or the list ends; see
 * {@link positionAfter}.
 *
 * A row is left out if a row with the same ID was on another page. Rows of one page are never merged,
 * nor are rows without an ID. If the counters or repeated rows show that rows moved between pages
 * in the meantime, the pages are read again and missed rows are added.
 */
export async function collectRows(fetchPage: FetchPage, wanted: Wanted): Promise<Json[]> {
	const { pageSize = PAGE_SIZE, firstPage = 1, onShift } = wanted;
	const from = { firstPage, size: Math.min(pageSize, wanted.rows) };
	const first = await readPages(fetchPage, from, wanted.rows, false);
	const { rows } = first;
	let { shifted } = first;
	if (shifted) onShift?.();
	for (let again = 0; shifted && rows.length < wanted.rows && again < MAX_REREADS; again++) {
		const next = await readPages(fetchPage, from, Infinity, true);
		const known = new Set(rows.map(rowKey)).add(undefined);
		rows.push(...next.rows.filter((row) => !known.has(rowKey(row))));
		shifted = next.shifted;
	}
	return rows.slice(0, wanted.rows);
}

async function readPages(
	fetchPage: FetchPage,
	{ firstPage, size: askedSize }: { firstPage: number; size: number },
	wantedRows: number,
	fresh: boolean,
): Promise<{ rows: Json[]; shifted: boolean }> {
	const known = new Set<string | undefined>();
	const rows: Json[] = [];
	const pages: Page[] = [];
	let overlap = false;

	const { page: first, size } = await readFirstPage(
		async (rowsPerPage) => await fetchPage(firstPage, rowsPerPage, fresh),
		askedSize,
	);
	const pageRows = Math.max(first.rows.length, 1);
	// The pages that are skipped have rows, too.
	const skipped = (firstPage - 1) * (first.perPage ?? pageRows);
	let position: ListPosition | undefined = { page: firstPage, read: skipped, stale: 0 };

	const add = (page: Page) => {
		const isRepeated = repeats(page, pages.at(-1), firstPage + pages.length);
		const added = isRepeated ? [] : page.rows.filter((row) => !known.has(rowKey(row)));
		// If a service repeats a whole page, no row has moved.
		overlap ||= added.length > 0 && added.length < page.rows.length;
		for (const row of added) known.add(rowKey(row));
		known.delete(undefined);
		rows.push(...added);
		pages.push(page);
		position = position && positionAfter(position, page, added.length);
	};

	add(first);
	for (
		let wave = 2;
		position && rows.length < wantedRows;
		wave = Math.min(2 * wave, PAGES_AT_ONCE)
	) {
		const next: number = position.page;
		const announced = pagesLeft(pages.at(-1)!, position, pageRows);
		const needed = Math.ceil((wantedRows - rows.length) / pageRows);
		const count = Math.max(1, Math.min(wave, announced, needed));
		const fetched = Array.from(
			{ length: count },
			async (_, at) => await fetchPage(next + at, size, fresh),
		);
		let failure: unknown;
		for (const outcome of await Promise.allSettled(fetched)) {
			if (outcome.status === 'fulfilled') {
				// A later page has rows, so the error was not the end of the list.
				if (failure && outcome.value.rows.length > 0) throw failure as Error;
				add(outcome.value);
				continue;
			}
			failure = outcome.reason;
			const promised = position && isPromised(pages.at(-1)!, position) && !isMissing(failure);
			if (promised || !isBeyondEnd(failure)) throw failure as Error;
			add({ rows: [], nextPage: null });
		}
	}
	const totals = pages.map(({ total }) => total);
	const isIncomplete = overlap && rows.length < (totals.at(-1) ?? Infinity);
	const shifted = falls(totals) || falls(pages.map(({ lastPage }) => lastPage)) || isIncomplete;
	return { rows, shifted };
}

/** Pages that the counters promise from a position on. */
function pagesLeft(page: Page, { page: next, read }: ListPosition, pageRows: number): number {
	const byRows = Math.ceil((promisedRows(page) - read) / pageRows);
	return Math.max((page.lastPage ?? 0) - next + 1, byRows);
}

/** Whether all counters of a page say that there is a next one: then an error for it is a failure. */
function isPromised({ nextPage, lastPage, total }: Page, next: ListPosition): boolean {
	const says = [
		nextPage === undefined ? undefined : (nextPage ?? 0) >= next.page,
		lastPage === undefined ? undefined : lastPage >= next.page,
		total === undefined ? undefined : total > next.read,
	].filter((each) => each !== undefined);
	return says.length > 0 && says.every(Boolean);
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
 * Whether a page is the previous one again, because the service ignores `page`. Rows with IDs show
 * that themselves. Other rows can be equal by chance, so a page with the right number is a new one.
 */
function repeats(page: Page, previous: Page | undefined, number: number): boolean {
	if (!previous || page.currentPage === number) return false;
	return (
		page.rows.some((row) => rowKey(row) === undefined) &&
		JSON.stringify(page.rows) === JSON.stringify(previous.rows)
	);
}

/** An IDNO alone is not an ID: a company and its branches share it. */
function rowKey(row: Json): string | undefined {
	const { id, idno, type } = row;
	if (id !== undefined && id !== null) return `${String(type ?? '')}:${String(id)}`;
	return idno === undefined || idno === null ? undefined : JSON.stringify(row);
}
