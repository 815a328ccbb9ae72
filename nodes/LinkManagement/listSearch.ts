import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { searchList } from '../shared/node/listSearch';
import { campaigns, channels, domains, pixels, qrCodes } from './collections';
import { linkManagement } from './service';

/** The pickers behind the "From List" fields. */

export const searchCampaigns = searchList(linkManagement, campaigns);
export const searchChannels = searchList(linkManagement, channels);
export const searchDomains = searchList(linkManagement, domains);
export const searchPixels = searchList(linkManagement, pixels);
export const searchQrCodes = searchList(linkManagement, qrCodes);

/** Branded domains by their addresses, which an upload takes instead of an id. */
export const searchDomainAddresses = searchList(linkManagement, {
	...domains,
	selects: ({ domain }) => domain,
});

/** What can be added to a channel, as far as the API lists it. */
export async function searchChannelItems(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	if (this.getCurrentNodeParameter('itemType') === 'qr') {
		return await searchQrCodes.call(this, filter, paginationToken);
	}
	const name = 'The API does not list links and bio pages: select By ID and enter the ID';
	return { results: [{ name, value: '' }] };
}
