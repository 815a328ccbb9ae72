import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import type { Json } from '../../shared/http/envelope';
import { InputError } from '../../shared/http/errors';
import type { ApiRequest } from '../../shared/http/request';
import { isBlank, validateOrThrow } from '../../shared/node/validators';
import type { Parameter, TriggerEvent, Watcher } from '../../shared/poll/event';
import { newRows, rowsSchema } from '../../shared/poll/newRows';
import type { NewRows } from '../../shared/poll/newRows';
import { tooManyRows } from '../../shared/poll/progress';
import type { Session, WatchedList } from '../../shared/poll/session';
import { MAX_RESULTS, variantOf } from '../api';
import { companyRecord, idnoOf, nameOf } from '../company';
import { caenCode } from '../panel';
import { companyOf, findCompanies, requireSearchable } from '../search';
import type { SearchQuery } from '../search';
import { allowanceSchema, dailyRequestsOption, openAllowance } from './allowance';
import type { Allowance } from './allowance';

/** The search that an event watches. */
const searchFilters: INodeProperties = {
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

type FoundState = z.infer<ReturnType<typeof foundSchema>>;

function foundSchema() {
	return z.object({
		rows: rowsSchema(),
		allowance: allowanceSchema(),
		/** The log already has a warning that the search hides companies. */
		warned: z.boolean(),
	});
}

export const companyFound: TriggerEvent = {
	value: 'companyFound',
	name: 'New Company Found',
	description: 'When a company appears in a search for the first time',
	output: companyRecord.fields,
	fields: [searchFilters],
	options: [dailyRequestsOption],
	watch(parameter): Watcher<FoundState> {
		const query = searchQueryIn(parameter);
		return {
			state: foundSchema,
			async poll(stored, session) {
				const allowance = openAllowance(session, parameter, stored?.allowance);
				const isNew = stored?.rows.scope !== scopeOf(query);
				if (isNew) allowance.grant();
				let gap: string | undefined;
				const list = watchedSearch(session, query, allowance, (found) => {
					if (isNew) throw hidden(found);
					gap = found;
				});
				const outcome = await newRows({ ...ROWS, list }).poll(stored?.rows, session);
				if (isNew && !session.hasRead && !session.failure) throw allowance.exhausted();
				if (gap !== undefined && !stored?.warned) {
					session.warn(`${gap}; new ones beyond those go unnoticed. Narrow the search.`);
				}
				const warned = gap !== undefined;
				return { ...outcome, state: { rows: outcome.state, allowance: allowance.stored, warned } };
			},
			async sample(session) {
				const list = watchedSearch(session, query, undefined, (gap) => {
					// The user should learn now why publishing would fail.
					throw hidden(gap);
				});
				return await newRows({ ...ROWS, list }).sample(session);
			},
		};
	},
};

const ROWS: Omit<NewRows, 'list'> = {
	event: foundEvent,
	none: new InputError(
		'The search returned no companies',
		'Change the filters until the search returns the companies you want to watch, then fetch the sample event again.',
	),
};

/** The record as returned, starting with its IDNO, name and status. */
function foundEvent(record: Json): Json {
	const { status = null } = record;
	return { idno: idnoOf(record) ?? null, name: nameOf(record) ?? null, status, ...record };
}

function searchQueryIn(parameter: Parameter): SearchQuery {
	const filters = parameter<Json>('searchFilters', {});
	const filled = ['q', 'caen', 'region'].filter((name) => !isBlank(filters[name]));
	const query = filled.map((name) => [name, String(filters[name]).trim()]);
	const { caen, ...others } = Object.fromEntries(query) as SearchQuery;
	return caen === undefined
		? others
		: { ...others, caen: validateOrThrow<string>(caenCode, caen, 'CAEN Code') };
}

/** Limits the stored state, and the requests that a search takes from the daily request budget. */
const MOST_COMPANIES = 50_000;

const scopeOf = (query: SearchQuery) => JSON.stringify(query);

/**
 * A search as a watched list.
 *
 * @param allowance undefined for a sample event, which doesn't count
 * @param noteGap called if the search hides companies
 * @throws InputError if the API's variant doesn't have a filter
 */
function watchedSearch(
	session: Session,
	query: SearchQuery,
	allowance: Allowance | undefined,
	noteGap: (gap: string) => void,
): WatchedList {
	const variant = variantOf(session.account.settings);
	requireSearchable(variant, query);
	const send = async (request: ApiRequest) => await (allowance ?? session).send(request);
	return {
		scope: scopeOf(query),
		pageSize: MAX_RESULTS,
		// Not a number: a higher IDNO doesn't mean that a company is newer.
		key: (row) => prefixed(idnoOf(row)),
		mayRead: () => allowance?.mayAsk() ?? true,
		async page(_session, page, limit) {
			allowance?.spend();
			const found = await findCompanies(send, { variant, query, page, limit });
			const { rows, matches, more } = found;
			if ((matches ?? 0) > MOST_COMPANIES) throw tooManyRows(MOST_COMPANIES);
			if (more === 'cut off') {
				const all = matches ?? `more than ${rows.length}`;
				noteGap(
					`The search finds ${all} companies, but the registry shows only ${rows.length} of them`,
				);
			}
			return { ...found, rows: headOffices(rows) };
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
