import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { MINUTE_MS, SECOND_MS, systemClock } from '../http/clock';
import type { Mask } from '../http/credential';
import { connect, hostOf } from '../http/connection';
import type { Account, Connection, Host, Service } from '../http/connection';
import type { Page } from '../http/envelope';
import { readId, type Json } from '../http/json';
import { PAGE_SIZE, PAGES_AT_ONCE, pagesOf, type FetchPage } from '../http/pages';
import { isTemporary } from '../http/errors';
import { InputError } from '../http/inputError';
import { processMap } from '../http/processMap';
import { sendRequest, type ApiRequest, type Sender } from '../http/request';
import { pageReader, type Collection } from './collection';
import { toNodeError } from './nodeError';
import { requestOptionsOf } from './requestOptions';
import { foldedText, storedText } from './texts';

/** The list behind a "From List" field. */
export interface PickerList {
	/** Identifies the list within the account, if it's a search. Its pages are kept for the next keystroke. */
	key?: string;
	fetchPage(
		account: Sender & Pick<Account, 'settings'>,
		...page: Parameters<FetchPage>
	): Promise<Page>;
	/** The option for a row, or undefined if the row can't be selected. */
	toOption(row: Json): INodeListSearchItems | undefined;
	/** What the user typed, for a list that's filtered here because the service can't search it. */
	filter?: string;
}

/**
 * Creates the picker of a collection. Its options read `label (id)`, and typing searches them.
 *
 * @param valueOf what an option enters in the field
 */
export function createPicker(
	service: Service,
	collection: Collection,
	valueOf = ({ id }: Json): unknown => readId(id),
) {
	const { path, label = ({ name }: Json) => name } = collection;
	const toOption = (row: Json) => {
		const id = readId(row.id);
		// An unexpected record mustn't hide all others.
		if (id === undefined) return undefined;
		return { name: `${String(label(row) ?? '')} (${id})`, value: String(valueOf(row) ?? '') };
	};
	return async function (
		this: ILoadOptionsFunctions,
		filter?: string,
		paginationToken?: string,
	): Promise<INodeListSearchResult> {
		const list: PickerList = {
			// Opening or refreshing the list has to show what was created a moment ago.
			key: filter ? path : undefined,
			fetchPage: async (sender, ...page) => await pageReader(sender, collection)(...page),
			toOption,
			filter,
		};
		return await readOptions(hostOf(this), service, list, paginationToken);
	};
}

/** The longest that opening a list may take, with waits for the rate limit and retries. */
const MAX_WAIT_MS = 10 * SECOND_MS;

/** Cached for a minute, because the editor searches again on every keystroke. */
const cachedPages = processMap<Promise<Page>>({ most: 1_000 });

/**
 * Reads the options of a "From List" field, and throws errors that the editor can show. With a filter, it
 * reads until a page's worth of options match or the time is up: the editor asks for more only when the
 * user scrolls, and a list without matches can't be scrolled.
 */
export async function readOptions(
	host: Host,
	service: Service,
	list: PickerList,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const results: INodeListSearchItems[] = [];
	const wanted = foldedText(list.filter);
	const [enough, prefetch] = wanted === '' ? [1, 1] : [PAGE_SIZE, PAGES_AT_ONCE];
	let token = paginationToken;
	let searched = 0;
	let mask: Mask | undefined;
	try {
		const endsAt = systemClock.now() + MAX_WAIT_MS;
		const connection = await connect(host, service);
		({ mask } = connection.account);
		const fetchPage = cachedReader(host, connection, list, endsAt);
		const reading = pagesOf(fetchPage, { start: Number(paginationToken ?? 1), prefetch });
		for await (const { rows, next } of reading) {
			const options = rows
				.map(list.toOption)
				.filter((option) => option !== undefined)
				.map((option) => ({ ...option, name: storedText(option.name) }));
			results.push(...options.filter(({ name }) => foldedText(name).includes(wanted)));
			searched += rows.length;
			token = next?.toString();
			if (results.length >= enough || systemClock.now() >= endsAt) break;
		}
		if (token && results.length === 0) throw notFoundAmong(searched);
	} catch (error) {
		const isCutOff = searched > 0 && isTemporary(error);
		const problem = isCutOff ? notFoundAmong(searched) : error;
		// What has been found is shown. The next search goes on behind the pages that are cached.
		if (results.length === 0) throw toNodeError(host.getNode(), problem, undefined, mask);
	}
	return { results, paginationToken: token };
}

function notFoundAmong(searched: number): InputError {
	return new InputError(
		`None of the first ${searched} records match, and there are more`,
		'Search again in a minute to look further, or enter the ID instead of choosing from the list.',
	);
}

function cachedReader(
	host: Host,
	connection: Connection,
	list: PickerList,
	deadline: number,
): FetchPage {
	const { identity, settings } = connection.account;
	const options = {
		deadline,
		engineOptions: requestOptionsOf(host.getCurrentNodeParameter?.('requestOptions')),
	};
	const send = async (request: ApiRequest) => await sendRequest(host, connection, request, options);
	const read: FetchPage = async (...page) => await list.fetchPage({ settings, send }, ...page);
	if (list.key === undefined) return read;
	const search = JSON.stringify([identity, settings, list.key]);
	return async (number, size) => {
		const key = `${search} ${number} ${size}`;
		const known = cachedPages.get(key);
		if (known) return await known;
		const page = read(number, size);
		cachedPages.set(key, page);
		const forget = () => cachedPages.delete(key);
		void systemClock.sleep(MINUTE_MS).then(forget);
		page.catch(forget);
		return await page;
	};
}
