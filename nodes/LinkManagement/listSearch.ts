import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { readPage } from '../shared/http/envelope';
import type { Json, Page } from '../shared/http/envelope';
import { listSearch } from '../shared/node/listSearch';
import { recordOf } from '../shared/node/recordSchema';
import { unexpected } from '../shared/node/outputs';
import { campaignRecord } from './records';
import { linkManagement } from './service';
import type { Host } from '../shared/http/connection';

type Search = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

/**
 * The list behind a "From List" field.
 *
 * @param key name of the list in the answer
 * @param label what the list shows for a record
 */
function search(path: string, key: string, label: (record: Json) => unknown): Search {
	return async function (filter, paginationToken) {
		const list = {
			path,
			read: (body: unknown): Page => {
				const page = readPage(body, [key]);
				if (!page) throw unexpected(`a list under "${key}"`, body);
				return page;
			},
			toOption: (record: Json) => ({
				name: `${String(label(record) ?? '')} (${String(record.id)})`.trim(),
				value: String(record.id),
			}),
			filter,
		};
		return await listSearch(this as unknown as Host, linkManagement, () => list, paginationToken);
	};
}

export const searchCampaigns = search(
	'/api/campaigns',
	'campaigns',
	(row) => recordOf(campaignRecord, row).name,
);
export const searchChannels = search('/api/channels', 'channels', (row) => row.name);
export const searchDomains = search('/api/domains', 'domains', (row) => row.domain);
export const searchPixels = search('/api/pixels', 'pixels', (row) => row.name);
export const searchQrCodes = search('/api/qr', 'qrs', (row) => row.name ?? row.link);
