import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import { InputError } from '../../shared/http/inputError';
import type { Json } from '../../shared/http/json';
import { isBlank } from '../../shared/node/values';
import type { Parameter, TriggerEvent, Watcher } from '../../shared/poll/event';
import { newRows, rowsSchema } from '../../shared/poll/newRows';
import type { Session, WatchedList } from '../../shared/poll/session';
import { variantOf } from '../api';
import { companyFields, idnoOf, nameOf } from '../company';
import { caen, q, region } from '../panel';
import { companyOf, findCompanies, MAX_RESULTS, type SearchQuery } from '../search';
import { allowanceSchema, dailyRequestsOption, openAllowance, type Allowance } from './allowance';

const filters = [
	caen,
	{ ...q, displayOptions: undefined, description: 'Words from the name, or the start of an IDNO' },
	region,
];

const searchFilters: INodeProperties = {
	displayName: 'Search Filters',
	name: 'searchFilters',
	type: 'collection',
	placeholder: 'Add filter',
	// Shown from the start, because a search needs a filter.
	default: { q: '' },
	description: 'Which companies to look for. Set at least one filter.',
	options: filters,
};

const foundSchema = () => z.object({ rows: rowsSchema(), allowance: allowanceSchema() });

export const companyFound: TriggerEvent = {
	name: 'New Company Found',
	description: 'When a company appears in a search for the first time',
	output: companyFields,
	cost: 'A poll costs one request, or one per 50 companies with the Unversioned API. <b>Every Hour</b> is enough for most searches.',
	fields: [searchFilters],
	options: [dailyRequestsOption],
	watch(parameter): Watcher<z.infer<ReturnType<typeof foundSchema>>> {
		const query = searchQueryIn(parameter);
		return {
			state: foundSchema,
			async poll(stored, session) {
				const { total = 1 } = stored?.rows.progress.state ?? {};
				const pages = Math.ceil(total / MAX_RESULTS);
				const allowance = openAllowance(session, parameter, stored?.allowance, pages);
				const isNew = stored?.rows.progress.state.scope !== JSON.stringify(query);
				if (isNew) allowance.grant();
				const watcher = searchWatcher(session, query, isNew, allowance);
				const { state: rows, events } = await watcher.poll(stored?.rows, session);
				if (isNew && !session.hasRead && !session.failure) throw allowance.exhausted();
				return { state: { rows, allowance: allowance.stored() }, events };
			},
			// The user should learn now why publishing would fail, so the search counts as new.
			sample: async (session) => await searchWatcher(session, query, true).sample(session),
		};
	},
};

/** The record as returned, starting with its IDNO, name and status. */
function foundEvent(record: Json): Json {
	const { status = null } = record;
	return { idno: idnoOf(record) ?? null, name: nameOf(record) ?? null, status, ...record };
}

function searchQueryIn(parameter: Parameter): SearchQuery {
	const given = parameter<Json>('searchFilters', {});
	const filled = filters.filter(({ name }) => !isBlank(given[name]));
	const values = filled.map(({ name, displayName, check }) => {
		return [name, check.validator(given[name], displayName)];
	});
	return Object.fromEntries(values) as SearchQuery;
}

/** Limits the stored state, and the requests that a search takes from the daily request budget. */
const MOST_COMPANIES = 50_000;
const NARROW =
	'New companies beyond those would go unnoticed. Narrow the search, e.g. with a longer "Query". With the V1 API, you can also set "Region" or "CAEN Code".';

/**
 * Watches a search.
 *
 * @param isNew the search wasn't watched before, so it's an error if it hides companies
 * @param allowance undefined for a sample event, which doesn't count
 * @throws InputError if the API's variant doesn't have a filter
 */
function searchWatcher(
	session: Session,
	query: SearchQuery,
	isNew: boolean,
	allowance?: Allowance,
) {
	const variant = variantOf(session.connection.account.settings);
	const list: WatchedList = {
		scope: JSON.stringify(query),
		pageSize: MAX_RESULTS,
		// Not a number: a higher IDNO doesn't mean that a company is newer.
		key: (row) => `IDNO ${idnoOf(row) ?? JSON.stringify(row)}`,
		mayRead: () => allowance?.mayAsk() ?? true,
		async page(sender, page, limit) {
			const found = await findCompanies(allowance ?? sender, { variant, query, page, limit });
			const { rows, hidden, total: matches = hidden?.total ?? 0 } = found;
			if (matches > MOST_COMPANIES) {
				throw new InputError('The search finds more than 50,000 companies', NARROW);
			}
			if (hidden) {
				const gap = `The search finds ${matches || 'more'} companies, but the registry shows only ${rows.length} of them`;
				if (isNew) throw new InputError(gap, NARROW);
				session.warnOnce('gap', `${gap}. ${NARROW}`);
			}
			// In place of a branch, its head office.
			const companies = rows.map((row) => companyOf(rows, idnoOf(row) ?? '') ?? row);
			return { ...found, rows: companies };
		},
	};
	const none = new InputError(
		'The search returned no companies',
		'Change the filters until the search returns the companies you want to watch, then select Fetch Test Event again.',
	);
	return newRows({ list, event: foundEvent, none });
}
