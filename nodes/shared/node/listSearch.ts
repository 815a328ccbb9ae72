import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { systemClock } from '../http/clock';
import { connect } from '../http/connection';
import type { Account, Connection, Host, Service } from '../http/connection';
import { requirePage } from '../http/envelope';
import type { Json, Page } from '../http/envelope';
import { PAGE_SIZE, pagesOf, readFirstPage } from '../http/pages';
import { sendRequest } from '../http/sendRequest';
import type { ApiRequest } from '../http/sendRequest';
import { readId } from '../http/values';
import { toNodeError } from './nodeError';
import type { Collection } from './records';
import { normalText } from './texts';

type Send = (request: ApiRequest) => Promise<unknown>;

/** What a "From List" field shows. */
export interface PickerList {
	/** Identifies the list within the account. */
	key: string;
	/** Fetches a page; without a size, it leaves out `limit`. */
	fetchPage(send: Send, number: number, size: number | undefined): Promise<Page>;
	/** The entry for a row; undefined for a row that can't be selected. */
	toOption(row: Json): INodeListSearchItems | undefined;
	/** What the user typed, if the list is searched here because the service can't. */
	filter?: string;
	/** An entry below the records, e.g. that there is more than a page shows. */
	lastOption?(page: Page): INodeListSearchItems | undefined;
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
export function createPicker(service: Service, collection: Collection): ListSearch {
	const { path, keys } = collection;
	return async function (filter, paginationToken) {
		const list: PickerList = {
			key: path,
			fetchPage: async (send, page, limit) =>
				requirePage(await send({ method: 'GET', path, query: { limit, page } }), keys),
			toOption: (row) => optionOf(collection, row),
			filter,
		};
		return await readOptions(this as unknown as Host, service, () => list, paginationToken);
	};
}

/** A row without an ID can't be selected. An unexpected record must not hide other records. */
function optionOf(
	{ record, label, selects, url }: Collection,
	row: Json,
): INodeListSearchItems | undefined {
	const id = readId(row.id);
	if (id === undefined) return undefined;
	const tidied = record?.tidy?.(row) ?? row;
	return {
		name: `${String(label?.(tidied) ?? '')} (${id})`.trim(),
		value: String((selects ? selects(row) : id) ?? ''),
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
 * Returns the entries of a searchable "From List" field, page by page, and shows errors in the editor.
 * Pages are cached for a minute.
 *
 * @param listOf the list, which may depend on the credential
 * @param paginationToken where to continue, as in the previous result
 */
export async function readOptions(
	host: Host,
	service: Service,
	listOf: (account: Account) => PickerList,
	paginationToken = '1:0',
): Promise<INodeListSearchResult> {
	try {
		const connection = await connect(host, service);
		const { mask } = connection.account;
		const list = listOf(connection.account);
		const { filter = '' } = list;
		const wanted = normalText(filter).toLowerCase();
		const results: INodeListSearchItems[] = [];
		const [page = 1, read = 0] = paginationToken.split(':').map(Number);
		const fetchPage = async (number: number) => await keptPage(host, connection, list, number);
		let pages = 0;
		for await (const { page: last, rows, next } of pagesOf(fetchPage, {
			start: { page, read, stale: 0 },
		})) {
			const options = rows
				.map(list.toOption)
				.filter((option) => option !== undefined)
				.map((option) => ({
					...option,
					name: normalText(mask(option.name)),
					url: mask(option.url),
				}));
			results.push(...options.filter(({ name }) => name.toLowerCase().includes(wanted)));
			const isEnough = results.length > 0 && (wanted === '' || results.length >= PAGE_SIZE);
			if (next && !isEnough && ++pages < PAGES_PER_SEARCH) continue;
			const note = list.lastOption?.(last);
			if (note) results.push(note);
			return { results, paginationToken: next && `${next.page}:${next.read}` };
		}
		return { results };
	} catch (error) {
		throw toNodeError(host.getNode(), error);
	}
}

async function keptPage(
	host: Host,
	connection: Connection,
	list: PickerList,
	number: number,
): Promise<Page> {
	const now = systemClock.now();
	const key = JSON.stringify([connection.account.identity, list.key, number]);
	const known = kept.get(key);
	if (known && known.until > now) return await known.page;
	for (const [oldKey, { until }] of kept) {
		if (until <= now || kept.size >= KEPT_PAGES) kept.delete(oldKey);
	}
	const send: Send = async (request) =>
		await sendRequest(host, connection, request, { maxWaitMs: MAX_WAIT_MS });
	const fetchPage = async (size: number | undefined) => await list.fetchPage(send, number, size);
	const page = readFirstPage(fetchPage, PAGE_SIZE).then((first) => first.page);
	kept.set(key, { page, until: now + KEEP_MS });
	page.catch(() => kept.delete(key));
	return await page;
}
