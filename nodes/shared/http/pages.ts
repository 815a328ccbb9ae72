import type { Json, Page } from './envelope';
import { ServiceError } from './errors';
import { readId } from './values';

/**
 * The page size to request. The link service doesn't document a maximum, and most services accept
 * 100. If a service returns smaller pages, the nodes follow its page size.
 */
export const PAGE_SIZE = 100;

/**
 * Fetches a page of a list.
 *
 * @param number the page's number, starting at 1
 * @param size rows per page to request; undefined to leave out `limit`
 */
type FetchPage = (number: number, size: number | undefined) => Promise<Page>;

/** How far a list has been read. Plain data, so a trigger can store it between polls. */
export interface ListPosition {
	/** Number of the next page to request. */
	page: number;
	/** Rows on all earlier pages. */
	read: number;
	/** How many pages in a row, up to here, had no new rows. */
	stale: number;
}

export const LIST_START: ListPosition = { page: 1, read: 0, stale: 0 };

/** Rows can move by a whole page, so a single page without new rows doesn't prove that pages repeat. */
const STALE_PAGES = 2;

/**
 * Returns the position after a page, or undefined if the list ends with that page. It ends
 *
 * - if no counter says that there's more. `nextpage`, `maxpage`, `total` and `maxpage` times
 *   `perpage` can contradict each other, in which case the largest one counts. Without any counters,
 *   the list goes on.
 * - at an empty page, unless all counters say that there's more
 * - after two pages in a row without new rows, because the service ignores `page` or its counters
 *   are wrong
 *
 * @param position the position of the page
 * @param newRows how many of its rows weren't on an earlier page
 */
export function positionAfter(
	position: ListPosition,
	page: Page,
	newRows: number,
): ListPosition | undefined {
	const { rows, nextPage, lastPage } = page;
	const next = {
		page: position.page + 1,
		read: position.read + rows.length,
		stale: newRows > 0 ? 0 : position.stale + 1,
	};
	if (next.stale >= STALE_PAGES) return undefined;
	if (rows.length === 0) return isPromised(page, next) ? next : undefined;
	const promised = promisedRows(page);
	const pages = Math.max(nextPage ?? 0, lastPage ?? 0);
	// Ignore a `nextpage` that isn't ahead of this page. null means that there's no next page.
	const isSilent = nextPage !== null && lastPage === undefined && promised === 0;
	return pages > position.page || promised > next.read || isSilent ? next : undefined;
}

/** The number of the next page, for a caller that has only read this one. */
export function nextPageOf(page: Page, number: number): number | undefined {
	const read = (number - 1) * (page.perPage ?? PAGE_SIZE);
	return positionAfter({ page: number, read, stale: 0 }, page, page.rows.length)?.page;
}

/** The minimum number of rows in the list, according to the counters. */
function promisedRows({ total = 0, lastPage = 0, perPage = 0 }: Page): number {
	return Math.max(total, lastPage > 1 ? (lastPage - 1) * perPage + 1 : 0);
}

/** Whether all of a page's counters say that there's another page. Undefined if it has no counters. */
function isPromised({ nextPage, lastPage, total }: Page, next: ListPosition): boolean | undefined {
	const promises = [
		nextPage === undefined ? undefined : (nextPage ?? 0) >= next.page,
		lastPage === undefined ? undefined : lastPage >= next.page,
		total === undefined ? undefined : total > next.read,
	].filter((each) => each !== undefined);
	return promises.length === 0 ? undefined : promises.every(Boolean);
}

/** Whether an error can mean that there's no such page, if the page before it could be read. */
export function isBeyondEnd(error: unknown): boolean {
	if (!(error instanceof ServiceError) || error.failure?.cause === 'credential-invalid')
		return false;
	return ['400', '404', '422'].includes(error.httpCode ?? '');
}

function isMissing(error: unknown): boolean {
	return error instanceof ServiceError && error.httpCode === '404';
}

/**
 * Reads the first page of a list. If the service rejects the page size, reads it again without
 * `limit`. The remaining pages have to be read with the `size` that's returned.
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

/** Whether an error can mean that the service rejects the page size. */
export function isAboutLimit(error: unknown): boolean {
	if (!(error instanceof ServiceError) || error.failure) return false;
	const { httpCode = '', message } = error;
	return ['400', '422'].includes(httpCode) || /\b(limit|per.?page|page.?size)\b/i.test(message);
}

interface Reading {
	/** Rows per page to request. */
	pageSize?: number;
	/** Number of the first page to read. Default: 1 */
	start?: number;
	/** How many rows the caller needs. Reading stops after the page with the last of them. Default: all */
	rows?: number;
	/**
	 * How many pages to fetch in parallel if the counters say that they exist. Starts at 1 and
	 * doubles up to this number.
	 */
	prefetch?: number;
}

interface ListPage {
	number: number;
	/** The page as the service returned it. */
	page: Page;
	/** The rows that weren't on an earlier page. */
	rows: Json[];
	/** The number of the next page; undefined at the end of the list. */
	next?: number;
	/** The page size that was requested; undefined if the service rejects `limit`. */
	size?: number;
	/** Whether a counter fell or a row came twice, so that rows may have been missed. */
	moved: boolean;
}

/**
 * Reads a list page by page until {@link positionAfter} says that it ends.
 *
 * Leaves out rows whose ID was on an earlier page. Rows on the same page are never merged, and
 * neither are rows without an ID.
 *
 * An error that can mean "no such page" also ends the list. It's thrown, however, if all counters
 * say that the page exists, or if the page after it has rows, because half a list is worse than
 * none.
 */
export async function* pagesOf(
	fetchPage: FetchPage,
	reading: Reading = {},
): AsyncGenerator<ListPage, void> {
	const { pageSize = PAGE_SIZE, start = 1, rows: wanted = Infinity, prefetch = 1 } = reading;
	const fetcher = new PageFetcher(fetchPage, Math.min(pageSize, wanted));
	const filter = new RowFilter();
	let previous: Page | undefined;
	let yielded = 0;
	let atOnce = 1;
	let missing: unknown;
	for (let position: ListPosition | undefined = { ...LIST_START, page: start }; position;) {
		const at: ListPosition = { ...position };
		const ahead = previous ? Math.min(atOnce, pagesAhead(previous, at, wanted - yielded)) : 1;
		let failure: unknown;
		const page: Page = await fetcher.fetch(at.page, ahead).catch((error: unknown) => {
			const isPromisedPage = previous !== undefined && isPromised(previous, at);
			if (at.read === 0 || !isBeyondEnd(error) || (isPromisedPage && !isMissing(error)))
				throw error;
			failure = error;
			// It's unknown whether the list continues after this page, so use the counters before it.
			return { ...previous, rows: [], nextPage: at.page + 1 };
		});
		if (missing !== undefined && page.rows.length > 0) throw missing as Error;
		missing = failure;
		// When reading starts in the middle, the skipped pages count as read.
		if (at.read === 0) at.read = (at.page - 1) * (page.perPage ?? page.rows.length);
		const rows = filter.newRows(page, at);
		yielded += rows.length;
		atOnce = rows.length > 0 ? Math.min(2 * atOnce, prefetch) : 1;
		if (failure === undefined) previous = page;
		position = positionAfter(at, page, rows.length);
		yield {
			number: at.page,
			page,
			rows,
			next: position?.page,
			size: fetcher.size,
			moved: filter.hasMoved,
		};
	}
}

/** How many pages to fetch in parallel from a position on, according to the counters. */
function pagesAhead(page: Page, { page: next, read }: ListPosition, wanted: number): number {
	const pageRows = Math.max(page.rows.length, 1);
	const byRows = Math.ceil((promisedRows(page) - read) / pageRows);
	const promised = Math.max((page.lastPage ?? 0) - next + 1, byRows);
	return Math.max(1, Math.min(promised, Math.ceil(wanted / pageRows)));
}

/** Fetches pages, some of them ahead of time. */
class PageFetcher {
	private readonly fetched = new Map<number, Promise<Page>>();
	private isFirst = true;

	constructor(
		private readonly fetchPage: FetchPage,
		/** Rows per page to request. */
		public size: number | undefined,
	) {}

	/** @param count how many pages to fetch in parallel, starting with this one */
	async fetch(number: number, count: number): Promise<Page> {
		if (this.isFirst) {
			this.isFirst = false;
			const first = await readFirstPage(
				async (size) => await this.fetchPage(number, size),
				this.size,
			);
			this.size = first.size;
			return first.page;
		}
		for (let each = number; each < number + count; each++) {
			if (this.fetched.has(each)) continue;
			const page = this.fetchPage(each, this.size);
			// Errors surface when the page is read, and don't matter if it never is.
			page.catch(() => undefined);
			this.fetched.set(each, page);
		}
		const page = this.fetched.get(number);
		this.fetched.delete(number);
		return (await page) as Page;
	}
}

/** Picks the rows of each page that weren't on an earlier page. */
class RowFilter {
	private readonly shown = new Set<string | undefined>();
	private previous: Page | undefined;
	/** Rows that {@link newRows} holds back, because their page equals the one before. */
	private repeated: Json[] = [];
	private count = 0;
	private hasOverlap = false;
	private hasShrunk = false;

	/** Whether falling counters or repeated rows show that rows have moved between pages. */
	get hasMoved(): boolean {
		const { total = Infinity } = this.previous ?? {};
		return this.hasShrunk || (this.hasOverlap && this.count < total);
	}

	/**
	 * If a page equals the one before, and its rows have no IDs, that's either a coincidence, or the
	 * service ignores `page` and has sent the same page again. Its rows count if a different page
	 * follows, or if its number and all counters say that it's the last page.
	 */
	newRows(page: Page, at: ListPosition): Json[] {
		const { previous } = this;
		const unknown = page.rows.filter((row) => !this.shown.has(rowKey(row)));
		this.previous = page;
		this.hasShrunk ||= hasFallen(previous?.total, page.total);
		this.hasShrunk ||= hasFallen(previous?.lastPage, page.lastPage);
		this.repeated.push(...unknown);
		const isSame = JSON.stringify(page.rows) === JSON.stringify(previous?.rows);
		if (isSame && !isLastPage(page, at)) return [];
		// If the whole page is repeated, no row has moved.
		this.hasOverlap ||= unknown.length > 0 && unknown.length < page.rows.length;
		const rows = this.repeated;
		this.repeated = [];
		this.count += rows.length;
		for (const key of rows.map(rowKey)) if (key !== undefined) this.shown.add(key);
		return rows;
	}
}

/** Whether a page is the last one according to its number and all of its counters. */
function isLastPage(page: Page, at: ListPosition): boolean {
	const next = { ...at, page: at.page + 1, read: at.read + page.rows.length };
	return page.currentPage === at.page && isPromised(page, next) === false;
}

/**
 * Whether a counter has gone down since the page before. If so, rows may have moved to pages
 * already read.
 */
function hasFallen(before = 0, now = before): boolean {
	return now < before;
}

/** Identifies a row. An IDNO alone doesn't, because a company and its branches share one. */
function rowKey(row: Json): string | undefined {
	const { id, idno, type } = row;
	const known = readId(id);
	if (known !== undefined) return `${String(type)}:${known}`;
	return readId(idno) === undefined ? undefined : JSON.stringify(row);
}

/** How many pages are fetched in parallel when a whole list is read. */
export const PAGES_AT_ONCE = 10;
/** How often a list is read again because rows moved between its pages. */
const MAX_REREADS = 2;

/** @param fresh the page must come from the service, and not from an earlier response of the run */
export type FetchFreshPage = (
	number: number,
	size: number | undefined,
	fresh: boolean,
) => Promise<Page>;

/**
 * Reads as many rows of a list as are wanted. If rows moved between pages while it was read, reads
 * the list again for the rows that were missed.
 *
 * @param onShift called if rows moved
 * @returns the rows, and the page that was read last
 */
export async function readRows(
	fetchPage: FetchFreshPage,
	{ onShift, rows: wanted = Infinity, ...reading }: Reading & { onShift?: () => void } = {},
): Promise<{ rows: Json[]; last: ListPage | undefined }> {
	const rows: Json[] = [];
	const known = new Set<string | undefined>();
	let last: ListPage | undefined;
	for (let again = 0; again <= MAX_REREADS; again++) {
		const fresh = again > 0;
		const pages = pagesOf(async (number, size) => await fetchPage(number, size, fresh), {
			...reading,
			rows: fresh ? Infinity : wanted,
			prefetch: PAGES_AT_ONCE,
		});
		for await (last of pages) {
			rows.push(...last.rows.filter((row) => !fresh || !known.has(rowKey(row))));
			if (rows.length >= wanted) break;
		}
		if (!last?.moved || rows.length >= wanted) break;
		if (!fresh) onShift?.();
		for (const row of rows) known.add(rowKey(row));
	}
	return { rows, last };
}
