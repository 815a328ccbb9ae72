import { nameOf } from '../../../CompanyRegistry/records';
import { MAX_RESULTS } from '../../../CompanyRegistry/service';
import type { Json } from '../../../shared/http/envelope';
import { InputError } from '../../../shared/http/errors';
import { readSearch, warnOfGaps } from '../../companySearch';
import type { SearchQuery, SearchResult } from '../../companySearch';
import type { PollRun, PollSettings } from '../../event';
import type { RegistryClient } from '../../registryClient';
import type { FoundState } from './state';

/** Readings that one poll makes until every company is known. */
const MAX_READINGS = 3;

export interface FoundPoll {
	state: FoundState;
	query: SearchQuery;
	client: RegistryClient;
	run: PollRun;
	settings: PollSettings;
	/** Nothing was stored before. */
	first: boolean;
}

/**
 * Reads the search. As long as it may have companies that were not shown yet, those that it shows
 * are only remembered. After that, a company that is not known is new.
 *
 * @returns the new companies
 * @throws InputError when the service does not show all companies to a first poll
 * @throws ServiceError
 */
export async function pollFound(poll: FoundPoll): Promise<Json[]> {
	const { state, query, client, run, settings, first } = poll;
	const text = JSON.stringify(query);
	const otherSearch = state.query !== text;
	// An edit that leaves the search as it is costs nothing.
	if (!first && !otherSearch && state.revision !== run.revision) return [];
	if (otherSearch) Object.assign(state, { query: text, complete: false });
	if (first) state.emitting = run.emitExisting;

	const events: Json[] = [];
	const emits = state.complete || state.emitting;
	let shown = 0;
	for (let readings = 0; readings < MAX_READINGS; readings++) {
		const result = await readSearch(
			settings.trigger,
			query,
			{ client, reader: run.reader },
			{
				fromStart: readings === 0 && (first || otherSearch),
				startPage: () => 1,
				known: state.known.size,
			},
			(record, idno) => {
				shown++;
				if (emits && !state.known.has(idno)) events.push(foundEvent(record, idno));
				state.known.add(idno);
			},
		);
		if (result.kind === 'unfinished') break;
		if (first && result.kind === 'partial') throw partial(result);
		const settled = state.complete;
		state.complete ||= showsAll(result, state.known.size);
		if (state.complete) state.emitting = false;
		if (settled || state.complete || result.kind === 'partial') {
			warnOfGaps(result, settings);
			break;
		}
	}
	if (first && shown === 0 && events.length === 0 && !state.complete) {
		throw run.reader.failure ?? client.budgetUsedUp();
	}
	return events;
}

/**
 * Whether the search has no company that is not known. Results move between pages when companies
 * come and go, so several pages must be read again until they show nothing new.
 */
function showsAll({ kind, seen, total, knownBefore }: SearchResult, known: number): boolean {
	if (kind === 'complete' && seen.size <= MAX_RESULTS) return true;
	return kind !== 'partial' && known === knownBefore && known >= (total ?? 0);
}

function partial({ total, seen }: SearchResult): InputError {
	return new InputError(
		`The search finds ${total ?? 'more than 50'} companies, but the registry shows only ${seen.size} of them`,
		'New companies among the others would not be noticed. Narrow the search, e.g. with the filter Region or Class Code.',
	);
}

/** The record as it came, beginning with its IDNO, name and status. */
export function foundEvent(record: Json, idno: string): Json {
	const { status = null } = record;
	return { idno, name: nameOf(record) ?? null, status, ...record };
}
