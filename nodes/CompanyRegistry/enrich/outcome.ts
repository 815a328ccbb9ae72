import { shown } from '../../shared/http/credential';
import type { ServiceError } from '../../shared/http/errors';
import type { Json } from '../../shared/http/json';
import type { Call } from '../../shared/node/call';
import { withRemedy } from '../../shared/node/nodeError';
import { readCompany, unlessActive } from '../company';
import type { MatchQuality } from '../names/compare';
import type { Candidate } from '../names/decide';
import type { ColumnRole } from './columns';

interface CheckedRow {
	/** The IDNO that a person seems to have chosen, but that the row contradicts. */
	refused?: string;
}

export interface Found extends CheckedRow {
	result: 'found';
	/** As the service returned it, with its recommendation. */
	company: Json;
	quality: MatchQuality;
	/** Why the match isn't exact; empty for an exact match. */
	reason: string;
	/** Other possible companies, most similar first, a line of text each. */
	alternatives?: string;
	/** Whether only its recommendation was read, so no search has shown the company. */
	isUnsearched?: boolean;
	/** The recommendation as the service returned it, if it was read. */
	recommendation?: Json;
	/** Why the recommendation is missing, if the next run tries again. */
	due?: 'failed' | 'credit';
	isChosen?: boolean;
}

/** No company was found, or several that match equally well. */
export interface NoCompany extends CheckedRow {
	result: 'ambiguous' | 'notFound';
	reason: string;
	alternatives?: string;
	/** The quality of the closest company, if *Minimum Match* asks for more. */
	closest?: MatchQuality;
	/** Why the service rejected the search. */
	rejection?: ServiceError;
}

/** The registry doesn't show the company that an earlier run has found. */
export interface NotShown extends CheckedRow {
	result: 'notShown';
	reason: string;
	/** In ms since the epoch. */
	since: number;
	/** Whether it has been missing for long enough to count as gone. */
	isGone: boolean;
}

/** The row wasn't checked: it was skipped, has nothing to look up, is waiting, or its check failed. */
export interface NotChecked {
	result: 'skipped' | 'notLookedUp' | 'waiting' | 'failed';
	reason: string;
	/** Why the row is waiting or has failed. */
	error?: unknown;
}

export type RowOutcome = Found | NoCompany | NotShown | NotChecked;
export type RowResult = RowOutcome['result'];

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

/** Why a row is not looked up if several of its columns may name its company. */
export function unclearText(columns: readonly string[]): string {
	return `It isn't clear which column names the company: "${columns.join('" or "')}".`;
}

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
