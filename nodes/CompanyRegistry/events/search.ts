import type { INodeProperties } from 'n8n-workflow';

import { requirePage } from '../../shared/http/envelope';
import type { Json } from '../../shared/http/envelope';
import { InputError } from '../../shared/http/errors';
import { isBlank, validateOrThrow } from '../../shared/node/validators';
import type { Parameter } from '../../shared/poll/event';
import type { Lap, LapEnd, WatchedList } from '../../shared/poll/lap';
import { tooManyRows } from '../../shared/poll/lap';
import type { Checks } from './budget';
import { LIST_KEYS, MAX_RESULTS } from '../api';
import { idnoOf } from '../companyFields';
import { requireSearchable, resultsOf, SEARCH_PATHS } from '../companySearch';
import { caenCode } from '../panel';
import type { SearchQuery } from '../companySearch';

/** The search that an event watches. */
export const searchFilters: INodeProperties = {
	displayName: 'Search Filters',
	name: 'searchFilters',
	type: 'collection',
	placeholder: 'Add filter',
	// Shown from the start, because a search needs a filter.
	default: { q: '' },
	description: 'A search needs at least one filter',
	options: [
		{
			displayName: 'CAEN Code',
			name: 'caen',
			type: 'string',
			default: '',
			placeholder: 'e.g. 6201',
			description: 'Only companies with this code of economic activity (V1 API only)',
		},
		{
			displayName: 'Query',
			name: 'q',
			type: 'string',
			default: '',
			placeholder: 'e.g. Agro',
			description: 'Words of the name, or the beginning of an IDNO',
		},
		{
			displayName: 'Region',
			name: 'region',
			type: 'string',
			default: '',
			placeholder: 'e.g. Chișinău',
			description: 'Only companies in this district or municipality (V1 API only)',
		},
	],
};

export function searchQueryIn(parameter: Parameter): SearchQuery {
	const filters = parameter<Json>('searchFilters', {});
	const filled = ['q', 'caen', 'region'].filter((name) => !isBlank(filters[name]));
	const query = filled.map((name) => [name, String(filters[name]).trim()]);
	const { caen, ...others } = Object.fromEntries(query) as SearchQuery;
	return caen === undefined
		? others
		: { ...others, caen: validateOrThrow<string>(caenCode, caen, 'CAEN Code') };
}

/** Companies that one search can show in all its pages. */
const MOST_COMPANIES = 50_000;

/** The companies that a search finds, as a trigger reads them within its budget. */
export function watchedSearch(
	checks: Checks,
	query: SearchQuery,
	knownScope?: string,
): WatchedList {
	const scope = JSON.stringify(query);
	let pages = checks.pages(knownScope !== scope, knownScope === undefined);
	const list = searchPages(checks, query);
	return {
		...list,
		scope,
		mayRead: () => pages > 0 && checks.mayAsk(),
		exhausted: checks.exhausted,
		page: async (...page) => {
			pages--;
			return await list.page(...page);
		},
		check(lap, end, isFirst) {
			const gap = gapIn(lap, end);
			if (gap && isFirst) throw hidden(gap);
			checks.warnOnce('gap', gap && `${gap}; changes among the others are not noticed`);
		},
	};
}

/** @throws InputError when the variant does not have such a search */
export function searchPages(
	{ variant, send }: Pick<Checks, 'variant' | 'send'>,
	query: SearchQuery,
): WatchedList {
	requireSearchable(variant, query);
	return {
		key: idnoOf,
		most: MOST_COMPANIES,
		hasTotal: true,
		async page(_session, number, shown) {
			// The V1 search is not documented to have pages, so the first one is requested without a number.
			const isNumbered = number > 1 || variant === 'unversioned';
			const asked = { limit: MAX_RESULTS, ...(isNumbered && { page: number }), ...query };
			const response = send({ method: 'GET', path: SEARCH_PATHS[variant], query: asked });
			const page = requirePage(await resultsOf(response), LIST_KEYS);
			const { rows, total, perPage = MAX_RESULTS } = page;
			if ((total ?? 0) > MOST_COMPANIES) throw tooManyRows(MOST_COMPANIES);
			const isKnown = (row: Json) => shown.has(idnoOf(row) ?? '');
			if (variant === 'v1' && number > 1 && rows.every(isKnown)) return { rows: [] };
			// Where the service counts nothing, a short page is the last.
			return total === undefined && rows.length < perPage ? { ...page, nextPage: null } : page;
		},
	};
}

/** The number of companies that the service shows, if the search finds more. */
function gapIn({ keys, at, total }: Lap, end: LapEnd): string | undefined {
	const shown = Math.max(keys.size, at.read);
	const hidesSome = total === undefined ? shown >= MAX_RESULTS : total > shown;
	if (end !== 'assumed' || !hidesSome) return undefined;
	return `The search finds ${total ?? `more than ${shown}`} companies, but the registry shows only ${keys.size} of them`;
}

function hidden(gap: string): InputError {
	return new InputError(
		gap,
		'New companies among the others would not be noticed. Narrow the search, e.g. with the filter "Region" or "CAEN Code".',
	);
}

export function nothingFound(): InputError {
	return new InputError(
		'The search finds no company',
		'Change the filters so that they find the companies to watch, then fetch the test event again.',
	);
}
