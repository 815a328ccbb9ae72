import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { systemClock } from '../http/clock';
import { requirePage } from '../http/envelope';
import type { Json, Page } from '../http/envelope';
import { sendRequest } from '../http/sendRequest';
import { nextPageOf, PAGE_SIZE } from '../http/pagination';
import type { Account, Service, Connection, Host } from '../http/connection';
import { connect } from '../http/connection';
import type { Collection } from './collection';
import { toNodeError } from './nodeError';

export interface SearchedList {
	path: string;
	/** Query parameters that ask for a page of it. */
	query?(page: number): Json;
	/** Reads a page of the list from a response; throws if there is none. */
	read(body: unknown): Page;
	toOption(record: Json): INodeListSearchItems | undefined;
	/** The list has no further pages, whatever its counters say. */
	singlePage?: boolean;
	/** What the user typed, if the service cannot search the list and it is searched here. */
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

/** A row without an id cannot be chosen. One odd record must not hide the others. */
function optionOf(
	{ record, label, selects }: Collection,
	row: Json,
): INodeListSearchItems | undefined {
	const { id } = row;
	if (typeof id !== 'number' && typeof id !== 'string') return undefined;
	const named = label?.(record?.tidy?.(row) ?? row) ?? '';
	const value = selects ? selects(row) : id;
	return { name: `${String(named)} (${id})`.trim(), value: String(value ?? '') };
}

/** Pages searched for one call of the editor; it asks for more when the user scrolls. */
const PAGES_PER_SEARCH = 5;
/** How long a page is kept: while a panel is open, every keystroke searches again. */
const KEEP_MS = 60_000;
const KEPT_PAGES = 200;
/** The longest time that a list may take to open. */
const PATIENCE_MS = 10_000;

interface KeptPage {
	page: Promise<Page>;
	until: number;
}

const kept = new Map<string, KeptPage>();

/**
 * Answers a searchable "From List" field, page by page, with the pages kept for a minute.
 *
 * @param listOf the list, which may depend on the credential
 * @param paginationToken number of the page to continue with
 */
export async function listSearch(
	host: Host,
	service: Service,
	listOf: (account: Account) => SearchedList,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	try {
		const connection = await connect(host, service);
		const list = listOf(connection.account);
		const { toOption, filter = '' } = list;
		const wanted = filter.trim().toLowerCase();
		const results: INodeListSearchItems[] = [];
		let next: number | undefined = Number(paginationToken ?? 1);
		for (let pages = 0; next !== undefined && pages < PAGES_PER_SEARCH; pages++) {
			const page: Page = await keptPage(host, connection, list, next);
			const options = page.rows.map(toOption).filter((option) => option !== undefined);
			results.push(...options.filter(({ name }) => name.toLowerCase().includes(wanted)));
			next = list.singlePage ? undefined : nextPageOf(page, next, PAGE_SIZE);
			if (results.length > 0 && (wanted === '' || results.length >= PAGE_SIZE)) break;
		}
		return { results, paginationToken: next?.toString() };
	} catch (error) {
		throw toNodeError(host.getNode(), error);
	}
}

const pageQuery = (page: number): Json => ({ limit: PAGE_SIZE, page });

async function keptPage(
	host: Host,
	connection: Connection,
	{ path, read, query: queryOf = pageQuery }: SearchedList,
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
	const page = sendRequest(
		host,
		connection,
		{ method: 'GET', path, query },
		{ patienceMs: PATIENCE_MS },
	).then(read);
	kept.set(key, { page, until: now + KEEP_MS });
	page.catch(() => kept.delete(key));
	return await page;
}
