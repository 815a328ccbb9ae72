import type { Page } from './envelope';
import { concernsKey, ServiceError } from './errors';
import { readId } from './json';
import type { Json } from './json';

/** The page size to request. Most services accept 100. If one returns less, its page size counts. */
export const PAGE_SIZE = 100;
/** How many pages are fetched in parallel when a whole list is read. */
export const PAGES_AT_ONCE = 10;

/** How a service says that it rejects the page size. */
const PAGE_SIZE_WORDS = /\b(limit|per.?page|page.?size)\b/i;

/** Fetches a page, from 1 on. Without a `size`, the request has no `limit`. */
export type FetchPage = (number: number, size: number | undefined) => Promise<Page>;

export interface Reading {
	/** Rows per page to request. */
	pageSize?: number;
	/** Number of the first page to read. Default: 1 */
	start?: number;
	/** How many rows the caller needs. Default: all */
	rows?: number;
	/** The most pages to fetch in parallel if the counters say that they exist. Default: 1 */
	prefetch?: number;
}

export interface ListPage {
	number: number;
	/** The page as the service returned it. */
	page: Page;
	/** The rows that weren't on an earlier page. */
	rows: Json[];
	/** The number of the next page; undefined at the end of the list. */
	next: number | undefined;
	/** A counter fell or a row came twice since reading began, so rows may have been missed. */
	moved: boolean;
}

/**
 * Reads a list page by page. It ends
 *
 * - if the counters say so; see {@link saysMore}
 * - at a page without new rows, or two in a row if the counters say that there's more: the service
 *   ignores `page`, or its counters are wrong
 * - at a 400 or 404 after a page that could be read, unless a counter says that the page exists,
 *   because half a list is worse than none
 *
 * If the service rejects the page size, the first page is requested again without `limit`.
 */
export async function* pagesOf(
	fetchPage: FetchPage,
	{ pageSize = PAGE_SIZE, start = 1, rows: wanted = Infinity, prefetch = 1 }: Reading = {},
): AsyncGenerator<ListPage, void> {
	const fetched: Array<Promise<Page>> = [];
	const seen = new Set<string | undefined>();
	let size: number | undefined = Math.min(pageSize, wanted);
	let previous: Page | undefined;
	/** Rows on all pages so far, new rows among them, and pages in a row without any. */
	let read = 0;
	let found = 0;
	let stale = 0;
	/** How many pages to fetch now, and at most. */
	let ahead = 1;
	let atOnce = 1;
	let moved = false;
	for (let number = start, isOver = false; !isOver; number++) {
		while (fetched.length < ahead) {
			const early = fetchPage(number + fetched.length, size);
			// Errors surface when the page is read, and don't matter if it never is.
			early.catch(() => undefined);
			fetched.push(early);
		}
		const page: Page = await fetched.shift()!.catch(async (error: unknown) => {
			if (!(error instanceof ServiceError) || concernsKey(error)) throw error;
			const { httpCode, message } = error;
			const isRejected = httpCode === '400' || httpCode === '422';
			if (!previous && (isRejected || PAGE_SIZE_WORDS.test(message))) {
				return await fetchPage(number, (size = undefined));
			}
			const isBeyondEnd = isRejected || httpCode === '404';
			if (!previous || !isBeyondEnd || saysMore(previous, number - 1, read)) throw error;
			return { rows: [], nextPage: null };
		});
		// When reading starts in the middle, the pages before count as read.
		if (!previous) read = (start - 1) * (page.perPage ?? page.rows.length);
		read += page.rows.length;

		const keys = page.rows.map((row) => page.keyOf?.(row) ?? rowKey(row));
		// Without IDs, only a whole page shows that the service has sent it again.
		const isRepeated =
			keys.includes(undefined) && JSON.stringify(page.rows) === JSON.stringify(previous?.rows);
		const rows = isRepeated ? [] : page.rows.filter((_, index) => !seen.has(keys[index]));
		for (const each of keys) if (each !== undefined) seen.add(each);
		found += rows.length;
		// A missing counter is NaN, which isn't less than anything.
		const isFewer =
			Number(page.total) < Number(previous?.total) ||
			Number(page.lastPage) < Number(previous?.lastPage);
		moved ||= isFewer || (rows.length > 0 && rows.length < page.rows.length);

		const more = saysMore(page, number, read);
		stale = rows.length > 0 ? 0 : stale + 1;
		isOver = more === false || stale > (more ? 1 : 0);
		// The counters may be wrong, so begin with few.
		atOnce = stale > 0 ? 1 : Math.min(2 * atOnce, prefetch);
		const pageRows = Math.max(page.rows.length, 1);
		const counted = Math.max((page.lastPage ?? 0) - number, ((page.total ?? 0) - read) / pageRows);
		ahead = Math.ceil(Math.max(1, Math.min(atOnce, counted, (wanted - found) / pageRows)));
		previous = page;
		yield { number, page, rows, next: isOver ? undefined : number + 1, moved };
	}
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
function rowKey({ id, type }: Json): string | undefined {
	const known = readId(id);
	return known === undefined ? undefined : `${String(type)}:${known}`;
}

/** Reads the rows of a list. It can miss one if another is deleted meanwhile; see `moved`. */
export async function readRows(
	fetchPage: FetchPage,
	reading: Reading = {},
): Promise<{ rows: Json[]; last: ListPage | undefined }> {
	const rows: Json[] = [];
	let last: ListPage | undefined;
	for await (last of pagesOf(fetchPage, { prefetch: PAGES_AT_ONCE, ...reading })) {
		rows.push(...last.rows);
		if (rows.length >= (reading.rows ?? Infinity)) break;
	}
	return { rows, last };
}
