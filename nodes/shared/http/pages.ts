import type { Json, Page } from './envelope';
import { ServiceError } from './errors';
import { readId } from './values';

/**
 * The page size to request. The link service doesn't document a maximum, and most services accept
 * 100. If a service returns smaller pages, the nodes follow its page size.
 */
export const PAGE_SIZE = 100;
/** How many pages are fetched in parallel when a whole list is read. */
export const PAGES_AT_ONCE = 10;

/**
 * Fetches a page of a list.
 *
 * @param number the page's number, starting at 1
 * @param size rows per page to request; undefined to leave out `limit`
 */
export type FetchPage = (number: number, size: number | undefined) => Promise<Page>;

export interface Reading {
	/** Rows per page to request. */
	pageSize?: number;
	/** Number of the first page to read. Default: 1 */
	start?: number;
	/** How many rows the caller needs. Reading stops after the page with the last of them. Default: all */
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
	/** The page size that was requested; undefined if the service rejects `limit`. */
	size: number | undefined;
	/** A counter fell or a row came twice since reading began, so rows may have been missed. */
	moved: boolean;
}

/**
 * Reads a list page by page. It ends
 *
 * - if the counters say so. If they contradict each other, e.g. because a service returns smaller pages
 *   than it counts, `total` decides, then `nextpage: null`, then the larger one of the others.
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
	const fetched = new Map<number, Promise<Page>>();
	const seen = new Set<string | undefined>();
	let size: number | undefined = Math.min(pageSize, wanted);
	let previous: Page | undefined;
	/** Rows on all pages so far, new rows among them, and pages in a row without any. */
	let [read, found, stale] = [0, 0, 0];
	let [atOnce, moved] = [1, false];
	for (let number: number | undefined = start; number !== undefined;) {
		const at: number = number;
		const ahead = previous ? pagesAhead(previous, at, read, wanted - found) : 1;
		for (let each = at; each < at + Math.min(ahead, atOnce); each++) {
			if (fetched.has(each)) continue;
			const early = fetchPage(each, size);
			// Errors surface when the page is read, and don't matter if it never is.
			early.catch(() => undefined);
			fetched.set(each, early);
		}
		const page: Page = await fetched.get(at)!.catch(async (error: unknown) => {
			if (!previous && size !== undefined && isAboutLimit(error)) {
				return await fetchPage(at, (size = undefined));
			}
			if (!previous || !isBeyondEnd(error) || saysMore(previous, at - 1, read)) throw error;
			return { rows: [], nextPage: null };
		});
		fetched.delete(at);
		// When reading starts in the middle, the pages before count as read.
		if (!previous) read = (start - 1) * (page.perPage ?? page.rows.length);
		read += page.rows.length;

		const keys = page.rows.map(rowKey);
		// Without IDs, only a whole page shows that the service has sent it again.
		const isRepeated =
			keys.includes(undefined) && JSON.stringify(page.rows) === JSON.stringify(previous?.rows);
		const rows = isRepeated ? [] : page.rows.filter((_, index) => !seen.has(keys[index]));
		for (const each of keys) if (each !== undefined) seen.add(each);
		found += rows.length;
		const isFewer =
			isLess(page.total, previous?.total) || isLess(page.lastPage, previous?.lastPage);
		moved ||= isFewer || (rows.length > 0 && rows.length < page.rows.length);

		stale = rows.length > 0 ? 0 : stale + 1;
		// The counters may be wrong, so begin with few.
		atOnce = rows.length > 0 ? Math.min(2 * atOnce, prefetch) : 1;
		const more = saysMore(page, at, read);
		previous = page;
		number = more === false || stale > (more ? 1 : 0) ? undefined : at + 1;
		yield { number: at, page, rows, next: number, size, moved };
	}
}

/**
 * Whether the counters say that there's a page after this one. Undefined if they don't say.
 *
 * @param read rows up to and including this page
 */
function saysMore({ total, nextPage, lastPage }: Page, number: number, read: number) {
	if (total !== undefined && total > read) return true;
	if (nextPage === null) return false;
	if (Math.max(nextPage ?? 0, lastPage ?? 0) > number) return true;
	return total === undefined && lastPage === undefined ? undefined : false;
}

/** How many pages from `next` on exist, according to the counters, and are wanted. */
function pagesAhead(
	{ rows, total = 0, lastPage = 0 }: Page,
	next: number,
	read: number,
	wanted: number,
) {
	const pageRows = Math.max(rows.length, 1);
	const existing = Math.max(lastPage - next + 1, Math.ceil((total - read) / pageRows));
	return Math.max(1, Math.min(existing, Math.ceil(wanted / pageRows)));
}

function isLess(now?: number, before?: number): boolean {
	return now !== undefined && before !== undefined && now < before;
}

/** Identifies a row. An IDNO alone doesn't, because a company and its branches share one. */
function rowKey(row: Json): string | undefined {
	const { id, idno, type } = row;
	const known = readId(id);
	if (known !== undefined) return `${String(type)}:${known}`;
	return readId(idno) === undefined ? undefined : JSON.stringify(row);
}

/** Whether an error can mean that there's no such page, if the page before it could be read. */
function isBeyondEnd(error: unknown): boolean {
	if (!(error instanceof ServiceError) || error.failure?.cause === 'credential-invalid')
		return false;
	return ['400', '404', '422'].includes(error.httpCode ?? '');
}

/** Whether an error can mean that the service rejects the page size. */
function isAboutLimit(error: unknown): boolean {
	if (!(error instanceof ServiceError) || error.failure) return false;
	const { httpCode = '', message } = error;
	return ['400', '422'].includes(httpCode) || /\b(limit|per.?page|page.?size)\b/i.test(message);
}

/**
 * Reads as many rows of a list as are wanted. It can miss a row if another one is deleted meanwhile;
 * see {@link ListPage.moved}.
 *
 * @returns the rows, and the page that was read last
 */
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
