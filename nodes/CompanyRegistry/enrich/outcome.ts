import { shown } from '../../shared/http/credential';
import type { ServiceError } from '../../shared/http/errors';
import type { Json } from '../../shared/http/json';
import type { Call } from '../../shared/node/call';
import { withRemedy } from '../../shared/node/nodeError';
import { readCompany, unlessActive } from '../company';
import type { MatchQuality } from '../names/compare';
import type { Candidate } from '../names/decide';
import type { ColumnRole } from './columns';

/** What happened to a row: a result of its check, or why it wasn't checked. */
export type RowResult =
	| 'found'
	| 'ambiguous'
	| 'notFound'
	/** The registry doesn't show the company that an earlier run has found. */
	| 'notShown'
	| 'skipped'
	| 'waiting'
	| 'failed';

/** What looking up a row found. */
export interface RowOutcome {
	result: RowResult;
	/** Why the match isn't exact, or why there's none; empty for an exact match. */
	reason: string;
	/** The company as the service returned it, with its recommendation, if one was found. */
	company?: Json;
	quality: MatchQuality;
	/** Other possible companies, most similar first, a line of text each. */
	alternatives: string;
	/** Whether the search was sent, as opposed to the recommendation alone. */
	isSearched?: boolean;
	/**
	 * The row has neither an IDNO nor a name, the service rejected its search, *Minimum Match* asks for more
	 * than the quality of the closest company, the recommendation couldn't be read, or the registry didn't
	 * show the company on an earlier day either.
	 */
	note?: 'unmapped' | 'rejected' | MatchQuality | 'incomplete' | 'gone';
	/** Why the row is waiting or has failed, or why the service rejected its search. */
	error?: unknown;
}

/** An outcome, of a row without a company if nothing else is given. */
export function rowOutcome(
	result: RowResult,
	reason: string,
	more: Partial<RowOutcome> = {},
): RowOutcome {
	return { result, reason, quality: 'none', alternatives: '', ...more };
}

export function sentences(...texts: Array<string | null | undefined | false>): string {
	return texts.filter(Boolean).join(' ');
}

/** What a row's cells are called in texts. */
export const ROLES: Readonly<Record<ColumnRole, string>> = {
	idno: 'IDNO',
	name: 'name',
	city: 'city',
	legalForm: 'legal form',
};

/** The message and what to do next, since a row has only one field for both. */
export async function textOf(call: Call, error: ServiceError): Promise<string> {
	const { mask } = (await call.connection()).account;
	return shown(withRemedy(error), mask);
}

/** As many as a person can compare at a glance. */
const MOST_ALTERNATIVES = 5;

/** Lines such as "Agro Nord SRL, Orhei, 1003600015231". */
export function alternativesOf(candidates: readonly Candidate[]): string {
	const lines = candidates.slice(0, MOST_ALTERNATIVES).map(({ company, title }) => {
		const { idno, status, city, region, address } = readCompany(company);
		const place = city ?? region ?? address;
		return [title, place, unlessActive(status), idno]
			.filter((each) => each !== undefined)
			.join(', ');
	});
	return lines.join('\n');
}
