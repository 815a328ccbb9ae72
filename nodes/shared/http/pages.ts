import type { Json, Page } from './envelope';
import { ServiceError } from './errors';
import { readId } from './values';

/**
 * Page size to request. The link service documents no maximum. Most services accept 100; if one
 * returns smaller pages, the nodes use their size.
 */
export const PAGE_SIZE = 100;

/**
 * Fetches a page of a list.
 *
 * @param number of the page, from 1
 * @param size rows per page to request; undefined leaves `limit` out of the request
 */
type FetchPage = (number: number, size: number | undefined) => Promise<Page>;

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
 * - after an empty page, unless all counters promise more
 * - after two pages in a row without a new row: the service ignores `page`, or its counters are wrong
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
	if (next.stale >= STALE_PAGES) return undefined;
	if (rows.length === 0) return isPromised(page, next) ? next : undefined;
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

/** The minimum number of rows, according to the counters. */
function promisedRows({ total = 0, lastPage = 0, perPage = 0 }: Page): number {
	return Math.max(total, lastPage > 1 ? (lastPage - 1) * perPage + 1 : 0);
}

/** Whether all counters of a page say that a page follows; undefined if it has none. */
function isPromised({ nextPage, lastPage, total }: Page, next: ListPosition): boolean | undefined {
	const says = [
		nextPage === undefined ? undefined : (nextPage ?? 0) >= next.page,
		lastPage === undefined ? undefined : lastPage >= next.page,
		total === undefined ? undefined : total > next.read,
	].filter((each) => each !== undefined);
	return says.length === 0 ? undefined : says.every(Boolean);
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

/** How to read a list. */
interface Reading {
	/** Rows per page to request. */
	pageSize?: number;
	/** Where to start. */
	start?: ListPosition;
	/** Rows that the caller needs; no page is fetched for more. Default: all. */
	rows?: number;
	/** Pages to fetch in parallel where the counters promise them. The number doubles up to here. */
	prefetch?: number;
}

/** A page that was read. */
interface ListPage {
	number: number;
	/** As the service returned it. */
	page: Page;
	/** The rows that no page before it has shown. */
	rows: Json[];
	/** Where the list continues; undefined at its end. */
	next?: ListPosition;
	/** Rows per page as requested; undefined if the service rejects a `limit`. */
	size?: number;
	/** Whether rows have moved between the pages so far, so one of them may have been skipped. */
	moved: boolean;
}

/**
 * Reads a list page by page, up to where {@link positionAfter} says that it ends.
 *
 * A row is left out if a row with the same ID was on another page. Rows of one page are never merged,
 * nor are rows without an ID.
 *
 * An error that can mean "no such page" ends the list, too, unless all counters promise the page, or the
 * page after it has rows: half a list is worse than none.
 */
export async function* pagesOf(
	fetchPage: FetchPage,
	reading: Reading = {},
): AsyncGenerator<ListPage, void> {
	const {
		pageSize = PAGE_SIZE,
		start = LIST_START,
		rows: wanted = Infinity,
		prefetch = 1,
	} = reading;
	const fetcher = new PageFetcher(fetchPage, Math.min(pageSize, wanted));
	const filter = new RowFilter();
	let previous: Page | undefined;
	let given = 0;
	let atOnce = 1;
	let missing: unknown;
	for (let position: ListPosition | undefined = start; position;) {
		const at: ListPosition = { ...position };
		const ahead = previous ? Math.min(atOnce, pagesAhead(previous, at, wanted - given)) : 1;
		let failure: unknown;
		const page: Page = await fetcher.fetch(at.page, ahead).catch((error: unknown) => {
			const isPromisedPage = previous !== undefined && isPromised(previous, at);
			if (at.read === 0 || !isBeyondEnd(error) || (isPromisedPage && !isMissing(error)))
				throw error;
			failure = error;
			// Whether the list goes on after it is not known, so the counters before it decide.
			return { ...previous, rows: [], nextPage: at.page + 1 };
		});
		if (missing !== undefined && page.rows.length > 0) throw missing as Error;
		missing = failure;
		// The pages before the first that is read also have rows.
		if (at.read === 0) at.read = (at.page - 1) * (page.perPage ?? page.rows.length);
		const rows = filter.newRows(page, at);
		given += rows.length;
		atOnce = rows.length > 0 ? Math.min(2 * atOnce, prefetch) : 1;
		if (failure === undefined) previous = page;
		position = positionAfter(at, page, rows.length);
		yield {
			number: at.page,
			page,
			rows,
			next: position,
			size: fetcher.size,
			moved: filter.hasMoved,
		};
	}
}

/** Pages to fetch from a position on, of those that the counters promise. */
function pagesAhead(page: Page, { page: next, read }: ListPosition, wanted: number): number {
	const pageRows = Math.max(page.rows.length, 1);
	const byRows = Math.ceil((promisedRows(page) - read) / pageRows);
	const promised = Math.max((page.lastPage ?? 0) - next + 1, byRows);
	return Math.max(1, Math.min(promised, Math.ceil(wanted / pageRows)));
}

/** Fetches pages, some of them before they are needed. */
class PageFetcher {
	private readonly fetched = new Map<number, Promise<Page>>();
	private isFirst = true;

	constructor(
		private readonly fetchPage: FetchPage,
		/** Rows per page to request. */
		public size: number | undefined,
	) {}

	/** @param count how many pages to fetch from this one on */
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
			// An error counts if the list turns out to have this page.
			page.catch(() => undefined);
			this.fetched.set(each, page);
		}
		const page = this.fetched.get(number);
		this.fetched.delete(number);
		return (await page) as Page;
	}
}

/** Tells which rows of a page are new. */
class RowFilter {
	private readonly shown = new Set<string>();
	private previous: Page | undefined;
	/** Rows of pages that equal the one before. */
	private repeated: Json[] = [];
	private count = 0;
	private hasOverlap = false;
	private hasShrunk = false;

	/** Whether the counters or rows shown twice say that rows have moved from page to page. */
	get hasMoved(): boolean {
		const { total = Infinity } = this.previous ?? {};
		return this.hasShrunk || (this.hasOverlap && this.count < total);
	}

	/**
	 * A page without IDs that equals the one before can be equal by chance, or the same page because
	 * the service ignores `page`. Its rows count if a different page follows, or if it is the last one by
	 * its number and all counters.
	 */
	newRows(page: Page, at: ListPosition): Json[] {
		const { previous } = this;
		const unknown = page.rows.filter((row) => !this.shown.has(rowKey(row) ?? ''));
		this.previous = page;
		this.hasShrunk ||= hasFallen(previous?.total, page.total);
		this.hasShrunk ||= hasFallen(previous?.lastPage, page.lastPage);
		this.repeated.push(...unknown);
		if (equalsWithoutIds(page, previous) && !isLastPage(page, at)) return [];
		// If a service repeats a whole page, no row has moved.
		this.hasOverlap ||= unknown.length > 0 && unknown.length < page.rows.length;
		const rows = this.repeated;
		this.repeated = [];
		this.count += rows.length;
		for (const key of rows.map(rowKey)) if (key !== undefined) this.shown.add(key);
		return rows;
	}
}

function equalsWithoutIds(page: Page, previous: Page | undefined): boolean {
	if (!previous || !page.rows.some((row) => rowKey(row) === undefined)) return false;
	return JSON.stringify(page.rows) === JSON.stringify(previous.rows);
}

/** By its own number and all of its counters. */
function isLastPage(page: Page, at: ListPosition): boolean {
	const next = { ...at, page: at.page + 1, read: at.read + page.rows.length };
	return page.currentPage === at.page && isPromised(page, next) === false;
}

/** A counter is lower than on the page before, so rows may have moved there from this page. */
function hasFallen(before: number | undefined, now: number | undefined): boolean {
	return now !== undefined && before !== undefined && now < before;
}

/** An IDNO alone is not an ID: a company and its branches share it. */
function rowKey(row: Json): string | undefined {
	const { id, idno, type } = row;
	const known = readId(id);
	if (known !== undefined) return `${String(type ?? '')}:${known}`;
	return readId(idno) === undefined ? undefined : JSON.stringify(row);
}

/** Pages that are fetched in parallel where a whole list is read. */
export const PAGES_AT_ONCE = 10;
/** How often a list is read again because rows moved between its pages. */
const MAX_REREADS = 2;

/** @param fresh the page must come from the service, not from an earlier response */
export type FetchFreshPage = (
	number: number,
	size: number | undefined,
	fresh: boolean,
) => Promise<Page>;

/**
 * Reads a list up to the wanted number of rows. If rows moved between pages in the meantime, the list is
 * read again for the rows that were missed.
 *
 * @param onShift called when rows moved
 * @returns the rows, and the page at which reading ended
 */
export async function readRows(
	fetchPage: FetchFreshPage,
	{ onShift, rows: wanted = Infinity, ...reading }: Reading & { onShift?: () => void } = {},
): Promise<{ rows: Json[]; last: ListPage | undefined }> {
	const rows: Json[] = [];
	const known = new Set<string | undefined>([undefined]);
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
