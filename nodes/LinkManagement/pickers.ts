import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import type { Host } from '../shared/http/connection';
import { requirePage } from '../shared/http/envelope';
import type { Json } from '../shared/http/envelope';
import { isBeyondEnd, nextPageOf } from '../shared/http/pages';
import type { Collection } from '../shared/node/records';
import { matching, optionOf, searchList, withPages } from '../shared/node/listSearch';
import {
	campaigns,
	channels,
	domains,
	pixels,
	qrCodes,
	channelItemRecord,
	linkManagement,
} from './api';
/** The lists of the "From List" fields. */

export const searchCampaigns = searchList(linkManagement, campaigns);
export const searchChannels = searchList(linkManagement, channels);
export const searchDomains = searchList(linkManagement, domains);
export const searchPixels = searchList(linkManagement, pixels);
export const searchQrCodes = searchList(linkManagement, qrCodes);

/** Branded domains by address, because an upload needs the address instead of an ID. */
export const searchDomainAddresses = searchList(linkManagement, {
	...domains,
	selects: ({ domain }) => domain,
});

/** Items that can be added to a channel. */
export async function searchChannelItems(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const type = this.getCurrentNodeParameter('itemType');
	if (type === 'qr') return await searchQrCodes.call(this, filter, paginationToken);
	return await searchItems(this, type, filter, paginationToken);
}

/** Items that can be added to a campaign. */
export async function searchLinks(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await searchItems(this, 'links', filter, paginationToken);
}

/** Channels read per call of the editor: each costs a request. */
const CHANNELS_AT_ONCE = 10;
/** The same while the user searches, so that the list isn't empty although there is more. */
const CHANNELS_SEARCHED = 25;

const item = {
	record: channelItemRecord,
	label: ({ title, link }: Json) => title || link,
	url: ({ link }: Json) => link,
};

/**
 * Links or bio pages. The API lists them by channel only, so these are the items of all channels,
 * a few channels at a time.
 *
 * @param paginationToken page of the list of channels, and how many of its rows were read
 */
async function searchItems(
	context: ILoadOptionsFunctions,
	type: unknown,
	filter?: string,
	paginationToken = '1:0',
): Promise<INodeListSearchResult> {
	const [page = 1, skipped = 0] = paginationToken.split(':').map(Number);
	return await withPages(context as unknown as Host, linkManagement, async (readPage) => {
		const listOf = (path: string, keys: Collection['keys']) => ({
			path,
			read: (body: unknown) => requirePage(body, keys),
		});
		const all = await readPage(listOf(channels.path, channels.keys), page);
		const end = skipped + (filter?.trim() ? CHANNELS_SEARCHED : CHANNELS_AT_ONCE);
		const some = all.rows.slice(skipped, end).map(({ id }) => encodeURIComponent(String(id)));
		const items = await Promise.all(
			some.map(async (id) => {
				const list = listOf(`/api/channel/${id}`, ['items']);
				const page = await readPage(list, 1).catch((error: unknown) => {
					// The channel was deleted since the list of channels was read.
					if (isBeyondEnd(error)) return { rows: [] };
					throw error;
				});
				return page.rows;
			}),
		);
		const options = items
			.flat()
			.filter((row) => row.type === type)
			.map((row) => optionOf(item, row))
			.filter((option) => option !== undefined)
			.filter(matching(filter));
		const results = [...new Map(options.map((option) => [option.value, option])).values()];
		const nextPage = nextPageOf(all, page);
		const rest = end < all.rows.length ? [page, end] : nextPage ? [nextPage, 0] : undefined;
		return { results, paginationToken: rest?.join(':') };
	});
}
