import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { MINUTE_MS, SECOND_MS, systemClock } from '../http/clock';
import { connect, hostOf } from '../http/connection';
import type { Account, Host, Service } from '../http/connection';
import type { Page } from '../http/envelope';
import { readId } from '../http/json';
import type { Json } from '../http/json';
import { PAGE_SIZE, pagesOf } from '../http/pages';
import type { FetchPage } from '../http/pages';
import { processMap } from '../http/processMap';
import { sendRequest } from '../http/request';
import type { ApiRequest, Sender } from '../http/request';
import { pageReader } from './collection';
import type { Collection } from './collection';
import { toNodeError } from './nodeError';
import { fold, normalText } from './texts';

/** The list behind a "From List" field. */
export interface PickerList {
	/** Identifies the list within the account, for the cache. */
	key: string;
	fetchPage(
		account: Sender & Pick<Account, 'settings'>,
		...page: Parameters<FetchPage>
	): Promise<Page>;
	/** The option for a row, or undefined if the row can't be selected. */
	toOption(row: Json): INodeListSearchItems | undefined;
	/** What the user typed, for a list that's filtered here because the service can't search it. */
	filter?: string;
	/** An option to show below the records, e.g. that there are more. */
	lastOption?(page: Page): INodeListSearchItems | undefined;
}

/** Creates the picker of a collection. Its options read `label (id)`, and typing searches them. */
export function createPicker(service: Service, collection: Collection) {
	const { path, label, selects } = collection;
	const toOption = (row: Json) => {
		const id = readId(row.id);
		// An unexpected record mustn't hide all others.
		if (id === undefined) return undefined;
		return {
			name: `${String(label?.(row) ?? '')} (${id})`,
			value: String((selects ? selects(row) : id) ?? ''),
		};
	};
	return async function (
		this: ILoadOptionsFunctions,
		filter?: string,
		paginationToken?: string,
	): Promise<INodeListSearchResult> {
		const list: PickerList = {
			key: path,
			fetchPage: async (sender, ...page) => await pageReader(sender, collection)(...page),
			toOption,
			filter,
		};
		return await readOptions(hostOf(this), service, list, paginationToken);
	};
}

/** Pages to search per call. The editor asks for more when the user scrolls. */
const PAGES_PER_CALL = 3;
/** The longest that opening a list may wait for the rate limit or for retries. */
const MAX_WAIT_MS = 10 * SECOND_MS;

/** Cached for a minute, because the editor searches again on every keystroke. */
const cachedPages = processMap<Promise<Page>>({ most: 1_000 });

/**
 * Reads the options of a "From List" field, a few pages at a time, and throws errors that the
 * editor can show.
 */
export async function readOptions(
	host: Host,
	service: Service,
	list: PickerList,
	paginationToken = '1',
): Promise<INodeListSearchResult> {
	let account: Account | undefined;
	try {
		const connection = await connect(host, service);
		({ account } = connection);
		const { identity, settings } = account;
		const deadline = systemClock.now() + MAX_WAIT_MS;
		const send = async (request: ApiRequest) =>
			await sendRequest(host, connection, request, { deadline });
		const fetchPage: FetchPage = async (number, size) => {
			const key = JSON.stringify([identity, settings, list.key, number, size]);
			const known = cachedPages.get(key);
			if (known) return await known;
			const page = list.fetchPage({ settings, send }, number, size);
			cachedPages.set(key, page);
			const forget = () => cachedPages.delete(key);
			void systemClock.sleep(MINUTE_MS).then(forget);
			page.catch(forget);
			return await page;
		};
		const wanted = fold(normalText(list.filter ?? ''));
		const results: INodeListSearchItems[] = [];
		let pages = 0;
		const reading = pagesOf(fetchPage, { start: Number(paginationToken) });
		for await (const { page, rows, next } of reading) {
			const options = rows
				.map(list.toOption)
				.filter((option) => option !== undefined)
				.map((option) => ({ ...option, name: normalText(option.name) }));
			results.push(...options.filter(({ name }) => fold(name).includes(wanted)));
			const isEnough = results.length > 0 && (wanted === '' || results.length >= PAGE_SIZE);
			if (next && !isEnough && ++pages < PAGES_PER_CALL) continue;
			const last = list.lastOption?.(page);
			if (last) results.push(last);
			return { results, paginationToken: next?.toString() };
		}
		return { results };
	} catch (error) {
		throw toNodeError(host.getNode(), error, undefined, account?.mask);
	}
}
