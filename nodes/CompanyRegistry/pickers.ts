import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import type { Host } from '../shared/http/connection';
import type { Json } from '../shared/http/envelope';
import { readOptions } from '../shared/node/listSearch';
import { companyRegistry, MAX_RESULTS, variantOf } from './api';
import { inWords, isActive, readCompany } from './company';
import { findCompanies } from './search';

/** The editor searches whenever the user stops typing, and each search uses quota. */
export const LEAST_LETTERS = 3;

/** Shown as an entry because n8n would say "No results". Selecting it has no effect. */
const TYPE_MORE = 'Type at least three letters';

/** Shown as the last entry, because the V1 API has no further pages to scroll to. */
const MORE_MATCH = 'More companies match. Type more of the name.';

/** Searches companies by part of the name or the start of the IDNO. */
export async function searchCompanies(
	this: ILoadOptionsFunctions,
	filter = '',
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const q = filter.trim();
	if (q.length < LEAST_LETTERS) return { results: [{ name: TYPE_MORE, value: '' }] };
	return await readOptions(
		this as unknown as Host,
		companyRegistry,
		({ settings }) => ({
			key: `search ${q}`,
			fetchPage: async (send, page, size) => {
				const search = { variant: variantOf(settings), query: { q }, page };
				return await findCompanies(send, { ...search, limit: size && MAX_RESULTS });
			},
			toOption,
			lastOption: (page) =>
				'more' in page && page.more === 'cut off' ? { name: MORE_MATCH, value: '' } : undefined,
		}),
		paginationToken,
	);
}

function toOption(company: Json): INodeListSearchItems | undefined {
	const { idno, name = '', city, status } = readCompany(company);
	if (idno === undefined) return undefined;
	const shown = isActive(status) ? undefined : (inWords(status) ?? 'status unknown');
	const label = [`${name} (${idno})`.trim(), city, shown].filter((each) => each !== undefined);
	return { name: label.join(', '), value: idno };
}
