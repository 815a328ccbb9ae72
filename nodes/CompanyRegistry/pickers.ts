import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import type { Json } from '../shared/http/envelope';
import { listSearch } from '../shared/node/listSearch';
import {
	companiesIn,
	idnoOf,
	inWords,
	isActive,
	nameOf,
	SEARCHES,
	companyRegistry,
	variantOf,
} from './api';
import type { Host } from '../shared/http/connection';

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
			const { path, query, singlePage } = SEARCHES[variant];
			return {
				path,
				query: (page) => ({ q, ...query(page) }),
				read: (body) => companiesIn(body),
				singlePage,
				toOption,
			};
		},
		paginationToken,
	);
}

function toOption(company: Json): INodeListSearchItems | undefined {
	const idno = idnoOf(company);
	if (idno === undefined) return undefined;
	const { status } = company;
	const label = `${nameOf(company) ?? ''} (${idno})`.trim();
	return {
		name: isActive(company) ? label : `${label}, ${inWords(status) ?? 'status unknown'}`,
		value: idno,
	};
}
