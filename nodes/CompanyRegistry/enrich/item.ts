import type { IDataObject } from 'n8n-workflow';

import { systemClock } from '../../shared/http/clock';
import { shown } from '../../shared/http/credential';
import type { ServiceError } from '../../shared/http/errors';
import type { Json } from '../../shared/http/json';
import type { Fields } from '../../shared/node/collection';
import { withRemedy } from '../../shared/node/nodeError';
import type { OperationCall } from '../../shared/node/operation';
import { isBlank } from '../../shared/node/validators';
import {
	COMPANY_FIELDS,
	companyRecord,
	readCompany,
	RECOMMENDATION_FIELDS,
	recommendationFields,
	sentFields,
	unlessActive,
} from '../company';
import type { MatchQuality } from '../names/compare';
import type { Candidate } from '../names/decide';
import { changeOf, isUnchanged } from '../output/changes';
import type { Shape } from '../output/shape';
import { readCell } from './cells';
import type { ColumnRole } from './columns';
import type { Row } from './row';
import { CHECKED_AT, PREFIX, SEARCHED_AT, STATE, writeState } from './state';

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

/** Results of a check that found a company or not. */
const CHECKED: readonly RowResult[] = ['found', 'ambiguous', 'notFound'];

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
	/** A company that isn't shown is gone for good, which is told once as `news`. */
	isGone?: boolean;
	news?: string;
	/**
	 * The row has neither an IDNO nor a name, the service rejected its search, the company that was found
	 * is only a strong or likely match and *Minimum Match* asks for more, or its recommendation couldn't be
	 * read.
	 */
	note?: 'unmapped' | 'rejected' | 'strong' | 'likely' | 'incomplete';
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

/** Begins the reason of a row that is due again, although it has the date of a check. */
export const CHECK_FAILED = 'The check failed.';

/** The message and what to do next, since a row has only one field for both. */
export async function textOf(call: OperationCall, error: ServiceError): Promise<string> {
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

const { name, idno, status, ...furtherFields } = companyRecord.fields;

/** The columns that Enrich adds. */
export const ENRICHED_ROW: Fields = {
	match_status: 'string',
	match_reason: 'string',
	match_quality: 'string',
	...prefixed({ name, idno, status }),
	registry_changed: 'boolean',
	registry_changes: 'string',
	...prefixed({ ...furtherFields, ...recommendationFields }),
	[CHECKED_AT]: 'string',
	match_alternatives: 'string',
	match_input: 'string',
	[STATE]: 'string',
};

/** These tell about a check, and not about the company. */
const TELLING = ['registry_changed', 'registry_changes', CHECKED_AT, SEARCHED_AT, STATE];

const NAMES = Object.keys(ENRICHED_ROW);
/** These come before and after the columns of the row that were used, and before all of its others. */
const [FIRST, LEADING] = [NAMES.slice(0, 3), NAMES.slice(3, 8)];

/**
 * Builds a row's item. Every row gets the same columns, and the row's own are never changed. A row that
 * wasn't checked keeps what an earlier run wrote, so all rows can be written back.
 */
export function outputItem(shape: Shape, row: Row, outcome: RowOutcome): IDataObject {
	const { input, earlier } = row;
	const isCorrected = row.corrected.size > 0;
	const { result, reason, quality, alternatives, news, isGone } = outcome;
	const isChecked = CHECKED.includes(result);
	const company = companyColumns(shape, row, outcome);
	let added: Json = {
		match_status: isChecked ? result : 'notChecked',
		match_reason: reason,
		match_quality: quality,
		...prefixed(company.fields),
		[CHECKED_AT]: null,
		match_alternatives: alternatives,
		match_input: isChecked ? row.matchInput : null,
		[STATE]: null,
	};
	if (!isChecked) added = { ...added, ...keptColumns(row, added) };
	const changes = isChecked ? company.changes : news === undefined ? [] : [news];
	// A row that failed takes its turn again, and stops no others.
	const isDated = isChecked || result === 'notShown' || result === 'failed';
	if (isDated) added[CHECKED_AT] = new Date(systemClock.now()).toISOString();
	if (isDated || isCorrected) added.match_reason = reason;
	added.match_reason ??= '';
	if (isGone) added.match_status = 'notFound';
	if (!isChecked && isCorrected && result !== 'notShown') added.match_status = 'notChecked';
	const isCompared = isDated && result !== 'failed' && changes !== undefined;
	added.registry_changed = isCompared ? changes.length > 0 : null;
	added.registry_changes = isCompared ? changes.join('; ') : null;
	const stored = company.isAnother ? {} : readColumns(row);
	// Without a company, or if its recommendation couldn't be read, blank columns weren't read as empty.
	const isRead = result === 'found' && outcome.note !== 'incomplete';
	const now = isRead ? added : withoutBlanks(added);
	const searched = outcome.isSearched && { [SEARCHED_AT]: added[CHECKED_AT] };
	added[STATE] = (!isDated && keptState(row)) || writeState({ ...stored, ...now, ...searched });
	if (!isChecked && earlier.unreadable !== undefined) added = withoutBlanks(added);
	const isReplaced = (path: string) => (earlier.columns.get(path) ?? path) in added;
	const own = Object.entries(input).filter(([column]) => !isReplaced(column));
	const all: Json = { ...Object.fromEntries(own), ...added };
	const inOrder = [...FIRST, ...usedColumns(row), ...LEADING, ...Object.keys(all)];
	const names = new Set(inOrder.filter((column) => column in all));
	return Object.fromEntries([...names].map((column) => [column, all[column]])) as IDataObject;
}

/** What an earlier run wrote, for a row that isn't checked now. */
function keptColumns({ earlier: { values, checkedAt } }: Row, added: Json): Json {
	const hasStatus = checkedAt !== undefined && !isBlank(values.get('match_status'));
	const isKept = (column: string) => column in added && (hasStatus || column.startsWith(PREFIX));
	return Object.fromEntries([...values].filter(([column]) => isKept(column)));
}

/** The state as it's stored, so that a row that isn't checked stays the same; undefined if its columns say more. */
function keptState({ earlier: { written, checkedAt, state } }: Row): string | undefined {
	if (state?.checkedAt !== checkedAt) return undefined;
	const isInState = ([column, value]: [string, unknown]) =>
		isBlank(value) || TELLING.includes(column) || state?.values.has(column);
	return [...written].every(isInState) ? state?.text : undefined;
}

/** What an earlier run wrote, for the state: blank columns only if the state says that they were read. */
function readColumns({ earlier: { written, state } }: Row): Json {
	const isRead = ([column, value]: [string, unknown]) =>
		!isBlank(value) || state?.values.has(column);
	return Object.fromEntries([...written].filter(isRead));
}

/** So that nothing is written over columns that look like the node's but can't be read. */
function withoutBlanks(columns: Json): Json {
	return Object.fromEntries(Object.entries(columns).filter(([, value]) => !isBlank(value)));
}

/** The columns that the row was looked up by. Fields that the user maps are recognized by their values. */
function usedColumns({ input, columns, name, idno, city, legalForm }: Row): string[] {
	const said = { name, idno, city, legalForm };
	return Object.entries(said).flatMap(([role, text]) => {
		const holdsIt = ([, value]: [string, unknown]) => String(value).trim() === text;
		const mapped = text === '' ? undefined : Object.entries(input).find(holdsIt)?.[0];
		return columns[role as ColumnRole] ?? mapped ?? [];
	});
}

interface CompanyColumns {
	/** By the API's names, all `null` if there's no company. */
	fields: Json;
	/** What has changed since the earlier run; undefined if neither has found a company. */
	changes?: string[];
	/** The earlier run had found a different company, and now there's this one or none. */
	isAnother: boolean;
}

/** A field that the service didn't send keeps its value, and those of another company are cleared. */
function companyColumns(shape: Shape, row: Row, outcome: RowOutcome): CompanyColumns {
	const { result, company, note } = outcome;
	const { addCredit, earlier, input, compareWith } = row;
	const names = [...COMPANY_FIELDS, ...(addCredit ? RECOMMENDATION_FIELDS : [])];
	const sent: Json = sentFields(company ?? {}, names);
	const none = Object.fromEntries(names.map((name) => [name, null]));
	const fields = shape(company ?? {}, names, { ...none, ...company, ...sent });
	const before = (field: string) => earlier.values.get(PREFIX + field);
	const hadCompany = !isBlank(before('idno'));
	const isChecked = CHECKED.includes(result);
	if (!isChecked || (!company && !hadCompany)) return { fields, isAnother: false };
	const isAnother = hadCompany && !isUnchanged(before('idno'), sent.idno);
	for (const [field, value] of Object.entries(fields)) {
		const isSame = hadCompany ? !isAnother : note === 'incomplete';
		if (isSame && isBlank(value) && !(field in sent)) fields[field] = before(field) ?? null;
	}
	for (const field of isAnother ? clearedFields(row) : []) fields[field] ??= null;
	const changes = Object.entries({ ...sent, ...fields }).flatMap(([field, to]) => {
		const own = compareWith[field];
		// A person has emptied it, so that the row is searched anew.
		const isEmptied = field === 'idno' && !hadCompany && !isBlank(before('name'));
		if (isEmptied) return [];
		if (own) return field in sent ? (changeOf(field, readCell(input, own) ?? null, to) ?? []) : [];
		// Only what is written is compared.
		return field in fields ? (changeOf(field, readBefore(row, field), to) ?? []) : [];
	});
	const isBack = !isAnother && hadCompany && earlier.values.get('match_status') === 'notFound';
	return { fields, isAnother, changes: isBack ? ['back in the registry', ...changes] : changes };
}

/** Fields that the node has written for a company, without those that tell about a check. */
function clearedFields({ earlier: { written } }: Row): string[] {
	const columns = [...written.keys()].filter((column) => column.startsWith(PREFIX));
	return columns
		.filter((column) => !TELLING.includes(column))
		.map((column) => column.slice(PREFIX.length));
}

/** A field as an earlier run has read it; undefined if it hasn't. */
function readBefore({ earlier: { values, state, checkedAt } }: Row, field: string): unknown {
	const value = values.get(PREFIX + field);
	if (!isBlank(value) || state?.values.has(PREFIX + field)) return value ?? null;
	const isNoCompany = isBlank(values.get(`${PREFIX}idno`));
	const hasStatus = ['notFound', 'ambiguous'].includes(String(values.get('match_status')));
	if (isNoCompany && checkedAt !== undefined && hasStatus) return null;
	// A table's columns can be there, but empty, before anything has been read for them.
	const group = RECOMMENDATION_FIELDS.includes(field) ? RECOMMENDATION_FIELDS : COMPANY_FIELDS;
	const isRead = group.some((each) => !isBlank(values.get(PREFIX + each)));
	return checkedAt === undefined || !isRead ? undefined : value;
}

function prefixed<Value>(fields: Readonly<Record<string, Value>>): Record<string, Value> {
	return Object.fromEntries(Object.entries(fields).map(([name, value]) => [PREFIX + name, value]));
}
