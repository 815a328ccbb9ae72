import { requirePage, unexpectedShape } from '../shared/http/envelope';
import type { Json, Page } from '../shared/http/envelope';
import { InputError, ServiceError } from '../shared/http/errors';
import { NO_SUCH_PAGE, NO_SUCH_ROUTE } from '../shared/http/response';
import type { ApiRequest } from '../shared/http/sendRequest';
import type { OperationCall } from '../shared/node/operation';
import { isBlank } from '../shared/node/validators';
import { LIST_KEYS, MAX_RESULTS, otherVariant } from './api';
import type { Variant } from './api';
import { hasNameField, withTextIdno } from './companyFields';

/** The search of each variant (docs/services.md, "Company Registry: requests"). */
export const SEARCH_PATHS: Record<Variant, string> = {
	v1: '/api/v1/search',
	unversioned: '/api/search',
};

/** What a company search looks for, named as in the API. */
export interface SearchQuery {
	q?: unknown;
	caen?: unknown;
	region?: unknown;
}

export interface CompanySearch {
	variant: Variant;
	query: SearchQuery;
	/** The page to read, from 1. The V1 search has one. */
	page?: number;
	/** Companies per page; undefined leaves the parameter out. */
	limit: number | undefined;
}

/**
 * The companies that one search request found. As a {@link Page}, it promises only what can be
 * requested, so a reader of pages never asks the V1 API for a second one.
 */
export interface FoundCompanies extends Page {
	/** How many companies match, including those that can't be read, where the service says so. */
	matches: number | undefined;
	/** Whether more companies match: on the next page, or beyond what the service returns. */
	more: 'none' | 'next page' | 'cut off';
}

/**
 * Sends one request to the company search of a variant.
 *
 * @throws InputError when there is nothing to search for, or the variant has no such filter
 */
export async function findCompanies(
	send: (request: ApiRequest) => Promise<unknown>,
	{ variant, query, page: number = 1, limit }: CompanySearch,
): Promise<FoundCompanies> {
	requireSearchable(variant, query);
	const paging: Json = {
		...(limit !== undefined && { limit }),
		// The V1 search documents no pages.
		...(variant === 'unversioned' && { page: number }),
	};
	const path = SEARCH_PATHS[variant];
	const body = await resultsOf(send({ method: 'GET', path, query: { ...query, ...paging } }));
	const page = requirePage(body, LIST_KEYS, undefined, 'a list of companies');
	const rows = page.rows.map(withTextIdno);
	const matches = page.total;
	if (!hasMore(page, number, limit)) {
		return { ...page, rows, nextPage: null, lastPage: undefined, matches, more: 'none' };
	}
	if (variant === 'v1') return { rows, nextPage: null, matches, more: 'cut off' };
	return { ...page, rows, matches, more: 'next page' };
}

/** A page of the companies that a text finds, for matching them by name. */
export function searchByText(call: OperationCall, variant: Variant) {
	const send = async (request: ApiRequest) => await call.send(request);
	return async (q: string, page: number) => {
		const found = await findCompanies(send, { variant, query: { q }, page, limit: MAX_RESULTS });
		const { rows, matches, more } = found;
		if (rows.length > 0 && !rows.some(hasNameField)) {
			throw unexpectedShape('companies with a "name"', rows[0]);
		}
		return { rows, total: Math.max(matches ?? 0, rows.length), more };
	};
}

/** Without counters, only a full page means that there are more: a search has few results. */
function hasMore(page: Page, number: number, limit: number | undefined): boolean {
	const { rows, total, perPage, nextPage, lastPage } = page;
	if (rows.length === 0) return false;
	if (total === undefined && nextPage === undefined && lastPage === undefined) {
		return rows.length >= (limit ?? 1);
	}
	const before = (number - 1) * (perPage ?? limit ?? rows.length);
	return Math.max(nextPage ?? 0, lastPage ?? 0) > number || (total ?? 0) > before + rows.length;
}

/** @throws InputError when there is nothing to search for, or the variant has no such filter */
export function requireSearchable(variant: Variant, { q, caen, region }: SearchQuery): void {
	if ([q, caen, region].every(isBlank)) {
		throw new InputError(
			'There is nothing to search for',
			variant === 'v1' ? 'Enter a "Query", a "CAEN Code" or a "Region".' : 'Enter a "Query".',
		);
	}
	if (variant === 'v1' || (isBlank(caen) && isBlank(region))) return;
	const filter = isBlank(caen) ? 'Region' : 'CAEN Code';
	const advice = 'Remove the filter, or select a credential whose API Variant is V1.';
	throw otherVariant(`The filter "${filter}"`, variant, ['v1'], advice);
}

const NO_RESULTS: unknown = { success: true, total: 0, data: [] };

/**
 * The response to a search. A 404 means that nothing was found, unless the words could come from a
 * server that has no such page.
 */
export async function resultsOf(response: Promise<unknown>): Promise<unknown> {
	return await response.catch((error: unknown) => {
		const isNone = error instanceof ServiceError && !error.failure && isMissing(error);
		if (!isNone || NO_SUCH_ROUTE.test(error.message)) throw error;
		if (!error.hasEnvelope && NO_SUCH_PAGE.test(error.message)) throw error;
		return NO_RESULTS;
	});
}

function isMissing({ httpCode }: ServiceError): boolean {
	return httpCode === '404' || httpCode === '410';
}
