import type { Json } from '../../shared/http/envelope';
import type { TriggerEvent } from '../../shared/poll/event';
import { newRows } from '../../shared/poll/newRows';
import { dailyRequestsOption, openChecks } from './budget';
import { variantOf } from '../api';
import { companyRecord, idnoOf, nameOf } from '../company';
import { nothingFound, searchFilters, searchPages, searchQueryIn, watchedSearch } from './search';

export const companyFound: TriggerEvent = {
	value: 'companyFound',
	name: 'New Company Found',
	description: 'When a company appears in a search for the first time',
	output: companyRecord.fields,
	fields: [searchFilters],
	options: [dailyRequestsOption],
	watch(parameter) {
		const query = searchQueryIn(parameter);
		return newRows({
			list: (session, scope) => watchedSearch(openChecks(session, parameter), query, scope),
			samples: ({ account, send }) =>
				searchPages({ variant: variantOf(account.settings), send }, query),
			event: foundEvent,
			none: nothingFound(),
		});
	},
};

/** The record as returned, starting with its IDNO, name and status. */
function foundEvent(record: Json): Json {
	const { status = null } = record;
	return { idno: idnoOf(record) ?? null, name: nameOf(record) ?? null, status, ...record };
}
