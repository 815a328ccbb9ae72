import type { INodeProperties } from 'n8n-workflow';

import type { Json } from '../../shared/http/envelope';
import { InputError } from '../../shared/http/errors';
import { isBlank, validateOrThrow } from '../../shared/node/validators';
import type { Parameter } from '../../shared/poll/event';
import type { WatchedList } from '../../shared/poll/lap';
import { tooManyRows } from '../../shared/poll/lap';
import { MAX_RESULTS } from '../api';
import { idnoOf } from '../company';
import { companyOf, findCompanies, requireSearchable } from '../search';
import type { SearchQuery } from '../search';
import { caenCode } from '../panel';
import type { Checks } from './budget';

/** The search that an event watches. */
export const searchFilters: INodeProperties = {
	displayName: 'Search Filters',
	name: 'searchFilters',
	type: 'collection',
	placeholder: 'Add filter',
	// Shown from the start, because a search needs a filter.
	default: { q: '' },
	description: 'Which companies to look for. Set at least one filter.',
	options: [
		{
			displayName: 'CAEN Code',
			name: 'caen',
			type: 'string',
			default: '',
			placeholder: 'e.g. 6201',
			description: 'Only companies with this CAEN (economic activity) code. V1 API only.',
		},
		{
			displayName: 'Query',
			name: 'q',
			type: 'string',
			default: '',
			placeholder: 'e.g. Agro',
			description: 'Words from the name, or the start of an IDNO',
		},
		{
			displayName: 'Region',
			name: 'region',
			type: 'string',
			default: '',
			placeholder: 'e.g. Chișinău',
			description: 'Only companies in this district or municipality. V1 API only.',
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

/** Limits the stored state, and the requests that a search takes from the daily budget. */
const MOST_COMPANIES = 50_000;

/** A search as a watched list, read within the trigger's budget. */
export function watchedSearch(
	checks: Checks,
	query: SearchQuery,
	knownScope?: string,
): WatchedList {
	const scope = JSON.stringify(query);
	let pages = checks.pages(knownScope !== scope);
	const list = searchPages(checks, query, (gap) => checks.warnOnce('gap', gap));
	return {
		...list,
		scope,
		mayRead: () => pages > 0 && checks.mayAsk(),
		exhausted: checks.exhausted,
		async page(...page) {
			pages--;
			return await list.page(...page);
		},
	};
}

/** @param warn called after each lap, with a message if the search hides companies */
export function searchPages(
	{ variant, send }: Pick<Checks, 'variant' | 'send'>,
	query: SearchQuery,
	warn?: (message: string | undefined) => void,
): WatchedList {
	requireSearchable(variant, query);
	let isCut = false;
	let matches: number | undefined;
	return {
		// Not a number: a higher IDNO doesn't mean that a company is newer.
		key: (row) => prefixed(idnoOf(row)),
		hasTotal: true,
		async page(_session, number) {
			const found = await findCompanies(send, { variant, query, page: number, limit: MAX_RESULTS });
			({ matches } = found);
			isCut = found.more === 'cut off';
			if ((matches ?? 0) > MOST_COMPANIES) throw tooManyRows(MOST_COMPANIES);
			return { ...found, rows: headOffices(found.rows), total: found.total };
		},
		check({ at: { read }, shown }, end, isFirst) {
			const isHiding = isCut || (end === 'assumed' && (matches ?? 0) > read);
			const found = matches ?? `more than ${read}`;
			const gap = `The search finds ${found} companies, but the registry shows only ${shown} of them`;
			if (isHiding && isFirst) throw hidden(gap);
			const message = `${gap}; new ones beyond those go unnoticed. Narrow the search.`;
			warn?.(isHiding ? message : undefined);
		},
	};
}

function prefixed(idno: string | undefined): string | undefined {
	return idno === undefined ? undefined : `IDNO ${idno}`;
}

/** The rows of a page, with the head office's row in place of each branch's. */
function headOffices(rows: readonly Json[]): Json[] {
	return rows.map((row) => {
		const idno = idnoOf(row);
		return (idno === undefined ? undefined : companyOf(rows, idno)) ?? row;
	});
}

function hidden(gap: string): InputError {
	return new InputError(
		gap,
		'New companies beyond those results would go unnoticed. Narrow the search, e.g. with the filter "Region" or "CAEN Code".',
	);
}

export function nothingFound(): InputError {
	return new InputError(
		'The search returned no companies',
		'Change the filters until the search returns the companies you want to watch, then fetch the test event again.',
	);
}
