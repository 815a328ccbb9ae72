import type { Page } from './envelope';
import { isNoSuchPage, isPageSizeError } from './errors';
import { readId, type Json } from './json';

/** The page size to request. Most services accept 100. If one returns less, its page size counts. */
export const PAGE_SIZE = 100;
/** How many pages are fetched in parallel when a whole list is read. */
export const PAGES_AT_ONCE = 10;

/** Fetches a page, from 1 on. Without a `size`, the request has no `limit`. */
export type FetchPage = (number: number, size: number | undefined) => Promise<Page>;

export interface Reading {
	pageSize?: number;
	/** Number of the first page to read. Default: 1 */
	start?: number;
	/** How many rows the caller needs. Default: all */
	rows?: number;
	/** The most pages to fetch in parallel if the counters say that they exist. Default: 1 */
	prefetch?: number;
	/** Whether a record that slips past does harm, so that a list without a count is read again as well. */
	isThorough?: boolean;
}

export interface ListPage {
	number: number;
	/** The page as the service returned it. */
	page: Page;
	/** The rows that weren't on an earlier page. */
	rows: Json[];
	/** The number of the next page; undefined at the end of the list. */
	next: number | undefined;
	/** A counter fell, a row came twice or a page came empty since reading began, so rows may be missing. */
	moved: boolean;
	/** How many more rows the list counted at first than were on its pages so far; undefined if it doesn't count. */
	missing: number | undefined;
	/** The service has returned a full page again, so there may be more that it doesn't show. */
	repeated: boolean;
}

/**
 * Reads a list page by page.
 *
 * As documented, `nextpage: null` ends a list. But the documents don't say what `result` counts or how
 * large a page may be, and services differ, so a counter only counts as far as the rows confirm it:
 *
 * - If the counters say that there's more, the next page is read even after `nextpage: null`, because a
 *   service may return smaller pages than it counts; see {@link saysMore}. If that page doesn't exist or
 *   is empty, the counter includes rows that the service doesn't show.
 * - A page without new rows ends the list, because the service ignores `page`. If the counters say that
 *   there's more, it takes two in a row.
 * - A page that doesn't exist ends the list as well; see {@link isNoSuchPage}. If a counter promised it, the error is
 *   thrown, because half a list is worse than none.
 * - Rows that move to other pages meanwhile are noticed (see `moved`). {@link readRows} reads the list again.
 *
 * If the service rejects the page size, the first page is requested again without `limit`.
 */
export async function* pagesOf(
	fetchPage: FetchPage,
	{ pageSize = PAGE_SIZE, start = 1, rows: wanted = Infinity, prefetch = 1 }: Reading = {},
): AsyncGenerator<ListPage, void> {
	const fetcher = new Fetcher(fetchPage, Math.min(pageSize, wanted), prefetch);
	const seen = new SeenRows();
	let previous: Page | undefined;
	/** Rows on all pages so far, and new rows among them. */
	let read = 0;
	let found = 0;
	/** Pages in a row without new rows. */
	let stale = 0;
	let moved = false;
	/** Rows that come while the list is read aren't missing. */
	let total: number | undefined;
	for (let number = start, isOver = false; !isOver; number++) {
		const isEnd = (error: unknown) =>
			previous !== undefined &&
			isNoSuchPage(error) &&
			(previous.nextPage === null || saysMore(previous, number - 1, read) !== true);
		const page = await fetcher.take(number, previous === undefined).catch((error: unknown) => {
			if (isEnd(error)) return NO_PAGE;
			throw error;
		});
		// When reading starts in the middle, the pages before count as read.
		if (!previous) read = (start - 1) * (page.perPage ?? page.rows.length);
		read += page.rows.length;
		const rows = seen.newOn(page, previous);
		found += rows.length;
		stale = rows.length > 0 ? 0 : stale + 1;
		const more = saysMore(page, number, read);
		isOver = more === false || stale > (more ? 1 : 0);
		total ??= page.total;
		moved ||= hasMoved(page, previous, rows, (total ?? 0) > read);
		fetcher.expect(page, { number, read, isStale: stale > 0, missing: wanted - found });
		previous = page;
		const missing = total === undefined ? undefined : Math.max(0, total - found);
		const repeated = stale > 0 && page.rows.length >= (page.perPage ?? pageSize);
		yield { number, page, rows, next: isOver ? undefined : number + 1, moved, missing, repeated };
	}
}

const NO_PAGE: Page = { rows: [], nextPage: null };

/** Fetches pages, some of them early if the counters say that they exist. */
class Fetcher {
	private readonly fetched: Array<Promise<Page>> = [];
	/** How many pages to fetch now, and the most to fetch. */
	private ahead = 1;
	private atOnce = 1;

	constructor(
		private readonly fetchPage: FetchPage,
		/** Undefined once the service has rejected it. */
		private size: number | undefined,
		private readonly most: number,
	) {}

	async take(number: number, isFirst: boolean): Promise<Page> {
		while (this.fetched.length < this.ahead) {
			const early = this.fetchPage(number + this.fetched.length, this.size);
			// Errors surface when the page is read, and don't matter if it never is.
			early.catch(() => undefined);
			this.fetched.push(early);
		}
		const page = this.fetched.shift() as Promise<Page>;
		if (!isFirst) return await page;
		return await page.catch(async (error: unknown) => {
			if (!isPageSizeError(error)) throw error;
			this.size = undefined;
			return await this.fetchPage(number, undefined);
		});
	}

	/** Decides how many pages to fetch next. @param missing how many rows the caller still needs */
	expect(
		{ rows, lastPage = 0, total = 0 }: Page,
		at: { number: number; read: number; isStale: boolean; missing: number },
	): void {
		// The counters may be wrong, so begin with few.
		this.atOnce = at.isStale ? 1 : Math.min(2 * this.atOnce, this.most);
		const pageRows = Math.max(rows.length, 1);
		const counted = Math.max(lastPage - at.number, (total - at.read) / pageRows);
		const useful = Math.min(this.atOnce, counted, at.missing / pageRows);
		this.ahead = Math.ceil(Math.max(1, useful));
	}
}

/** The share of a page's keys that differ if they're those of its rows. */
const MOSTLY = 0.9;

class SeenRows {
	private readonly keys = new Set<string>();
	/** Whether keys belong to one row each. The `id` of statistics can be that of what they're about. */
	private areOwn = true;

	newOn({ rows, keyOf }: Page, previous: Page | undefined): Json[] {
		const keys = rows.map((row) => keyOf?.(row) ?? rowKey(row));
		const own = keys.filter((key) => key !== undefined);
		// A list can have the same record twice.
		this.areOwn &&= new Set(own).size >= own.length * MOSTLY;
		// Without IDs, only a whole page shows that the service has sent it again.
		const isUnknown = !this.areOwn || keys.includes(undefined);
		const isRepeated = isUnknown && JSON.stringify(rows) === JSON.stringify(previous?.rows);
		const isSeen = (key: string | undefined) => this.areOwn && this.keys.has(key ?? '');
		const fresh = rows.filter((_, index) => !isRepeated && !isSeen(keys[index]));
		for (const key of own) this.keys.add(key);
		return fresh;
	}
}

/**
 * Whether rows have moved between pages since the page before, so that some may have been missed.
 *
 * @param isShort the list counts more rows than have been read
 */
function hasMoved(
	page: Page,
	previous: Page | undefined,
	fresh: Json[],
	isShort: boolean,
): boolean {
	const { rows, total = NaN, lastPage = NaN } = page;
	// A missing counter is NaN, which isn't less than anything.
	const isFewer = total < Number(previous?.total) || lastPage < Number(previous?.lastPage);
	const isAgain = fresh.length > 0 && fresh.length < rows.length;
	const isBehindGap = rows.length > 0 && previous?.rows.length === 0;
	const isGap = rows.length === 0 && isShort && typeof previous?.nextPage === 'number';
	return isFewer || isAgain || isBehindGap || isGap;
}

/**
 * Whether the counters say that there's a page after this one. Undefined if they don't say. If they
 * contradict each other, e.g. because a service returns smaller pages than it counts, `total` decides,
 * then `nextpage: null`, then the larger one of the others.
 *
 * @param read rows up to and including this page
 */
function saysMore({ total, nextPage, lastPage }: Page, number: number, read: number) {
	if (total !== undefined && total > read) return true;
	if (nextPage === null) return false;
	if (Math.max(nextPage ?? 0, lastPage ?? 0) > number) return true;
	return total === undefined && lastPage === undefined ? undefined : false;
}

/** An ID can be unique within its type only. */
export function rowKey({ id, type }: Json): string | undefined {
	const known = readId(id);
	return known === undefined ? undefined : `${String(type ?? '').toLowerCase()}:${known}`;
}

const MOST_READINGS = 3;

/**
 * Reads the rows of a list. If rows have moved to other pages meanwhile and some are missing, the list is read
 * again, in smaller pages: where the service has no order, rows slip past between two of the same pages each time.
 * If all readings find the same rows, a record is on two pages, and none is missing.
 */
export async function readRows(
	fetchPage: FetchPage,
	reading: Reading = {},
): Promise<{ rows: Json[]; last: ListPage | undefined }> {
	const { pageSize = PAGE_SIZE, rows: wanted = Infinity, isThorough = false } = reading;
	const known = new Map<string, Json>();
	let fewest = Infinity;
	let list = await readOnce(fetchPage, reading);
	for (let again = 1; ; again++) {
		const { rows, last } = list;
		const isShort = last?.missing === undefined ? isThorough : last.missing > 0;
		if (!last?.moved || !isShort || wanted < Infinity) return list;
		const { keyOf = rowKey } = last.page;
		for (const row of rows) known.set(keyOf(row) ?? JSON.stringify(row), row);
		fewest = Math.min(fewest, rows.length);
		if (again === MOST_READINGS) {
			if (known.size > 0 && known.size <= fewest) return { rows, last: { ...last, missing: 0 } };
			const missing = Math.max(0, (last.missing ?? 0) + rows.length - known.size);
			return { rows: [...known.values()], last: { ...last, missing } };
		}
		const size = Math.ceil(pageSize * (1 - again / 10));
		const next = await readOnce(fetchPage, { ...reading, pageSize: size }).catch(() => undefined);
		if (!next) return list;
		list = next;
	}
}

async function readOnce(fetchPage: FetchPage, reading: Reading) {
	const rows: Json[] = [];
	let last: ListPage | undefined;
	for await (last of pagesOf(fetchPage, { prefetch: PAGES_AT_ONCE, ...reading })) {
		rows.push(...last.rows);
		if (rows.length >= (reading.rows ?? Infinity)) break;
	}
	return { rows, last };
}
