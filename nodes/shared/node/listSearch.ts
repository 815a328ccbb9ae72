import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { systemClock } from '../http/clock';
import { requirePage, without } from '../http/envelope';
import type { Json, Page } from '../http/envelope';
import { sendRequest } from '../http/sendRequest';
import { PAGE_SIZE, positionAfter, readFirstPage } from '../http/pages';
import type { Account, Service, Connection, Host } from '../http/connection';
import { connect } from '../http/connection';
import type { ListPosition } from '../http/pages';
import type { Collection } from './records';
import { toNodeError } from './nodeError';

export interface SearchedList {
	path: string;
	/** Query parameters that request a page of it. */
	query?(page: number): Json;
	/** Reads a page of the list from a response; throws if there is none. */
	read(body: unknown): Page;
	toOption(record: Json): INodeListSearchItems | undefined;
	/** The list has no further pages, regardless of its counters. */
	singlePage?: boolean;
	/** What the user typed, if the list is searched here because the service can't. */
	filter?: string;
}

type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

/**
 * The picker of a collection: shows `label (id)`, searches the labels and pages with the list.
 *
 * @param collection a list whose records have an `id`
 */
export function searchList(service: Service, collection: Collection): ListSearch {
	const { path, keys, query, singlePage } = collection;
	const read = (body: unknown): Page => requirePage(body, keys);
	const toOption = (row: Json) => optionOf(collection, row);
	return async function (filter, paginationToken) {
		const host = this as unknown as Host;
		const list = { path, query, singlePage, read, toOption, filter };
		return await listSearch(host, service, () => list, paginationToken);
	};
}

/** A row without an ID can't be selected. An unexpected record must not hide the others. */
export function optionOf(
	{ record, label, selects, url }: Pick<Collection, 'record' | 'label' | 'selects' | 'url'>,
	row: Json,
): INodeListSearchItems | undefined {
	const { id } = row;
	if (typeof id !== 'number' && typeof id !== 'string') return undefined;
	const tidied = record?.tidy?.(row) ?? row;
	const value = selects ? selects(row) : id;
	return {
		name: `${String(label?.(tidied) ?? '')} (${id})`.trim(),
		value: String(value ?? ''),
		url: webAddressIn(url?.(tidied)),
	};
}

/** n8n turns it into a link, so it must not be a script. */
function webAddressIn(value: unknown): string | undefined {
	return typeof value === 'string' && /^https?:\/\//i.test(value) ? value : undefined;
}

/** Pages searched per call of the editor, which requests more when the user scrolls. */
const PAGES_PER_SEARCH = 5;
/** How long a page is cached: while a panel is open, every keystroke searches again. */
const KEEP_MS = 60_000;
const KEPT_PAGES = 200;
/** Maximum time to open a list. */
const MAX_WAIT_MS = 10_000;

interface KeptPage {
	page: Promise<Page>;
	until: number;
}

const kept = new Map<string, KeptPage>();

/**
 * Returns the entries of a searchable "From List" field, page by page. Pages are cached for a minute.
 *
 * @param listOf the list, which may depend on the credential
 * @param paginationToken where to continue, as in the previous result
 */
export async function listSearch(
	host: Host,
	service: Service,
	listOf: (account: Account) => SearchedList,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await withPages(host, service, async (readPage, account) => {
		const list = listOf(account);
		const { toOption, filter = '' } = list;
		const results: INodeListSearchItems[] = [];
		const [start = 1, rowsBefore] = (paginationToken ?? '1').split(':').map(Number);
		let token: string | undefined;
		let next: ListPosition | undefined = { page: start, read: rowsBefore ?? 0, stale: 0 };
		for (let pages = 0; next && pages < PAGES_PER_SEARCH; pages++) {
			const page: Page = await readPage(list, next.page);
			if (pages === 0) next.read = rowsBefore ?? (start - 1) * (page.perPage ?? PAGE_SIZE);
			const options = page.rows.map(toOption).filter((option) => option !== undefined);
			results.push(...options.filter(matching(filter)));
			next = list.singlePage ? undefined : positionAfter(next, page, page.rows.length);
			token = next && tokenOf(next, page);
			if (results.length > 0 && (filter.trim() === '' || results.length >= PAGE_SIZE)) break;
		}
		return { results, paginationToken: token };
	});
}

/** Whether an entry contains what the user typed. Not case-sensitive. */
export function matching(filter = '') {
	const wanted = filter.trim().toLowerCase();
	return ({ name }: INodeListSearchItems): boolean => name.toLowerCase().includes(wanted);
}

type ReadPage = (
	list: Pick<SearchedList, 'path' | 'read' | 'query'>,
	page: number,
) => Promise<Page>;

/** Reads the pages of lists for a picker, each cached for a minute, and shows errors in the editor. */
export async function withPages(
	host: Host,
	service: Service,
	search: (readPage: ReadPage, account: Account) => Promise<INodeListSearchResult>,
): Promise<INodeListSearchResult> {
	try {
		const connection = await connect(host, service);
		const readPage: ReadPage = async (list, page) => await keptPage(host, connection, list, page);
		return await search(readPage, connection.account);
	} catch (error) {
		throw toNodeError(host.getNode(), error);
	}
}

/** A page number, with the number of rows before it if pages have fewer than their counters say. */
function tokenOf({ page: number, read }: ListPosition, { perPage }: Page): string {
	const isRegular = perPage === undefined || read === (number - 1) * perPage;
	return isRegular ? `${number}` : `${number}:${read}`;
}

const pageQuery = (page: number): Json => ({ limit: PAGE_SIZE, page });

async function keptPage(
	host: Host,
	connection: Connection,
	{ path, read, query: queryOf = pageQuery }: Parameters<ReadPage>[0],
	number: number,
): Promise<Page> {
	const now = systemClock.now();
	const query = queryOf(number);
	const key = JSON.stringify([connection.account.identity, path, query]);
	const known = kept.get(key);
	if (known && known.until > now) return await known.page;
	for (const [oldKey, { until }] of kept) {
		if (until <= now || kept.size >= KEPT_PAGES) kept.delete(oldKey);
	}
	const wait = { maxWaitMs: MAX_WAIT_MS };
	const page = readFirstPage(async (size) => {
		const asked = size === undefined ? without(query, 'limit') : query;
		return read(await sendRequest(host, connection, { method: 'GET', path, query: asked }, wait));
	}, PAGE_SIZE).then((first) => first.page);
	kept.set(key, { page, until: now + KEEP_MS });
	page.catch(() => kept.delete(key));
	return await page;
}
