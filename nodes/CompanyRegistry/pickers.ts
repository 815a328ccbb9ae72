import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import type { Host } from '../shared/http/connection';
import { requirePage } from '../shared/http/envelope';
import type { Json } from '../shared/http/envelope';
import { listSearch } from '../shared/node/listSearch';
import { companyRegistry, LIST_KEYS, MAX_RESULTS, variantOf } from './api';
import { inWords, isActive, readCompany } from './companyFields';
import { SEARCH_PATHS } from './companySearch';

/** Each search costs a request of the quota, and the editor searches at every pause in typing. */
export const LEAST_LETTERS = 3;

/** An entry that says what to do, where n8n would show "No results". Selecting it has no effect. */
const TYPE_MORE = 'Type at least three letters';

/** Companies by part of their name, or by the beginning of their IDNO. */
export async function searchCompanies(
	this: ILoadOptionsFunctions,
	filter = '',
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const q = filter.trim();
	if (q.length < LEAST_LETTERS) return { results: [{ name: TYPE_MORE, value: '' }] };
	return await listSearch(
		this as unknown as Host,
		companyRegistry,
		({ settings }) => {
			const variant = variantOf(settings);
			const paging = (page: number): Json => (variant === 'v1' ? {} : { page });
			return {
				path: SEARCH_PATHS[variant],
				query: (page) => ({ q, limit: MAX_RESULTS, ...paging(page) }),
				read: (body) => requirePage(body, LIST_KEYS),
				singlePage: variant === 'v1',
				toOption,
			};
		},
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
