import type { IDataObject } from 'n8n-workflow';

import { systemClock } from '../../shared/http/clock';
import { without } from '../../shared/http/json';
import type { Json } from '../../shared/http/json';
import type { Fields } from '../../shared/node/collection';
import { isBlank } from '../../shared/node/validators';
import {
	COMPANY_FIELDS,
	companyRecord,
	RECOMMENDATION_FIELDS,
	recommendationFields,
	sentFields,
} from '../company';
import { changeOf, isUnchanged } from '../output/changes';
import type { Shape } from '../output/shape';
import { readCell } from './cells';
import type { ColumnRole } from './columns';
import type { RowOutcome, RowResult } from './outcome';
import { earlierIn } from './row';
import type { EarlierRun, Row } from './row';
import { CHECKED_AT, PREFIX, SEARCHED_AT, STATE, writeState } from './state';

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
export const TELLING = ['registry_changed', 'registry_changes', CHECKED_AT, SEARCHED_AT, STATE];

const NAMES = Object.keys(ENRICHED_ROW);
/** These come before and after the columns of the row that were used, and before all of its others. */
const [FIRST, LEADING] = [NAMES.slice(0, 3), NAMES.slice(3, 8)];

/** Builds a row's item. Every row gets the same columns, and the row's own are never changed. */
export function outputItem(shape: Shape, row: Row, outcome: RowOutcome): IDataObject {
	const isChecked = CHECKED.includes(outcome.result);
	const added = isChecked ? checkedColumns(shape, row, outcome) : keptColumns(shape, row, outcome);
	return withColumns(row.input, row.earlier, added, usedColumns(row));
}

/** An item that failed before it could be read as a row. Writing it back loses nothing. */
export function unreadItem(input: Json): Json {
	const earlier = earlierIn(input);
	const { checkedAt, state, values } = earlier;
	if (checkedAt === undefined) return input;
	// Only the state says when the search last ran.
	const kept = without(Object.fromEntries(values), SEARCHED_AT);
	const stored = state && { [STATE]: state.text };
	return withColumns(input, earlier, { ...kept, ...stored, ...tellingColumns(undefined) });
}

function withColumns(
	input: Json,
	earlier: EarlierRun,
	added: Json,
	used: readonly string[] = [],
): IDataObject {
	const isReplaced = (path: string) => (earlier.columns.get(path) ?? path) in added;
	const own = Object.entries(input).filter(([column]) => !isReplaced(column));
	const all: Json = { ...Object.fromEntries(own), ...added };
	const inOrder = [...FIRST, ...used, ...LEADING, ...Object.keys(all)];
	const names = new Set(inOrder.filter((column) => column in all));
	return Object.fromEntries([...names].map((column) => [column, all[column]])) as IDataObject;
}

/** Results of a check that found a company or not. */
const CHECKED: readonly RowResult[] = ['found', 'ambiguous', 'notFound'];
/** Others that date the row, so that it takes its turn again and stops no other row. */
const DATED: readonly RowResult[] = ['notShown', 'gone', 'failed'];

/** All columns of a row that was checked. */
function checkedColumns(shape: Shape, row: Row, outcome: RowOutcome): Json {
	const { result, reason, quality, alternatives, note, isSearched } = outcome;
	const { fields, changes, relation } = companyColumns(shape, row, outcome);
	const columns = {
		match_status: result,
		match_reason: reason,
		match_quality: quality,
		...prefixed(fields),
		...tellingColumns(changes),
		[CHECKED_AT]: nowText(),
		match_alternatives: alternatives,
		match_input: row.matchInput,
	};
	// Without a company, or if its recommendation couldn't be read, blank columns weren't read as empty.
	const isRead = result === 'found' && note !== 'incomplete';
	const state = writeState({
		// What was read of another company is forgotten.
		...((relation === 'same' || relation === 'new') && readColumns(row)),
		...(isRead ? columns : withoutBlanks(columns)),
		...(isSearched && { [SEARCHED_AT]: columns[CHECKED_AT] }),
	});
	return { ...columns, [STATE]: state };
}

/** All columns of a row that wasn't checked. It keeps what an earlier run wrote, so all rows can be written back. */
function keptColumns(shape: Shape, row: Row, { result, reason }: RowOutcome): Json {
	const { earlier, corrected, matchInput } = row;
	const blank = blankColumns(shape, row, reason);
	const kept = without({ ...blank, ...earlierColumns(row, blank) }, ...unknownColumns(row));
	const isMissing = result === 'notShown' || result === 'gone';
	const isDated = DATED.includes(result);
	const isDue = corrected.size > 0 && !isMissing;
	const wasTold = earlier.values.get('match_status') === 'notFound';
	const news = result === 'gone' && !wasTold ? ['no longer in the registry'] : [];
	const columns: Json = {
		...kept,
		match_status: result === 'gone' ? 'notFound' : isDue ? 'notChecked' : kept.match_status,
		match_reason: isDated || isDue ? reason : (kept.match_reason ?? ''),
		...tellingColumns(isMissing ? news : undefined),
		[CHECKED_AT]: isDated ? nowText() : kept[CHECKED_AT],
		match_input: isMissing ? matchInput : kept.match_input,
	};
	columns[STATE] = writeState({ ...readColumns(row), ...withoutBlanks(columns) });
	// Nothing is written over columns that look like the node's but can't be read.
	return earlier.unreadable === undefined ? columns : withoutBlanks(columns);
}

const nowText = () => new Date(systemClock.now()).toISOString();

/** @param changes undefined if nothing was compared */
function tellingColumns(changes: string[] | undefined): Json {
	return {
		registry_changed: changes ? changes.length > 0 : null,
		registry_changes: changes?.join('; ') ?? null,
	};
}

/** The columns of a row that was never checked. */
function blankColumns(shape: Shape, row: Row, reason: string): Json {
	const none = noFields(row);
	return {
		match_status: 'notChecked',
		match_reason: reason,
		match_quality: 'none',
		...prefixed(shape({}, Object.keys(none), none)),
		[CHECKED_AT]: null,
		match_alternatives: '',
		match_input: null,
		[STATE]: null,
	};
}

/** What an earlier run wrote into the columns of a row. */
function earlierColumns({ earlier: { values, checkedAt } }: Row, columns: Json): Json {
	const hasStatus = checkedAt !== undefined && !isBlank(values.get('match_status'));
	const isKept = (column: string) => column in columns && (hasStatus || column.startsWith(PREFIX));
	return Object.fromEntries([...values].filter(([column]) => isKept(column)));
}

/** What an earlier run wrote, for the state: blank columns only if the state says that they were read. */
function readColumns({ earlier: { written, state } }: Row): Json {
	const isRead = ([column, value]: [string, unknown]) =>
		!isBlank(value) || state?.values.has(column);
	return Object.fromEntries([...written].filter(isRead));
}

/** What a state leaves out for its length, each with a column that it has if that was read. */
const LEFT_OUT = {
	registry_caen_description: 'registry_caen_code',
	registry_advisory_notes: 'registry_rating',
};

/** Columns that aren't empty although nobody knows what they say, so nothing is written over them. */
function unknownColumns({ earlier: { state, values } }: Row): string[] {
	const isUnknown = ([column, beside]: string[]) =>
		state?.values.has(beside!) && !values.has(column!);
	return Object.entries(LEFT_OUT)
		.filter(isUnknown)
		.map(([column]) => column);
}

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

/** The fields that a row gets, without a company. */
function noFields({ addCredit }: Row): Record<string, null> {
	const names = [...COMPANY_FIELDS, ...(addCredit ? RECOMMENDATION_FIELDS : [])];
	return Object.fromEntries(names.map((name) => [name, null]));
}

/** Whether an earlier run has found the row's company, another one, or none; `none` if there's still none. */
type Relation = 'same' | 'other' | 'new' | 'none';

function relationTo(row: Row, found: Json): Relation {
	const before = (field: string) => row.earlier.values.get(PREFIX + field);
	// A person has emptied the IDNO, so that the row was searched anew.
	const field = isBlank(before('idno')) ? 'name' : 'idno';
	if (isBlank(before(field))) return Object.keys(found).length > 0 ? 'new' : 'none';
	return isUnchanged(before(field), found[field]) ? 'same' : 'other';
}

interface CompanyColumns {
	/** By the API's names, all `null` if there's no company. */
	fields: Json;
	relation: Relation;
	/** What has changed since the earlier run; undefined if neither has found a company. */
	changes?: string[];
}

/** A field that the service didn't send keeps its value, and those of another company are cleared. */
function companyColumns(shape: Shape, row: Row, { company, note }: RowOutcome): CompanyColumns {
	const { compareWith, earlier, input } = row;
	const none = noFields(row);
	const names = Object.keys(none);
	const sent: Json = sentFields(company ?? {}, names);
	const fields = shape(company ?? {}, names, { ...none, ...company, ...sent });
	const relation = relationTo(row, sent);
	if (relation === 'same' || (relation === 'new' && note === 'incomplete')) {
		const isUnread = (field: string) => isBlank(fields[field]) && !(field in sent);
		for (const field of Object.keys(fields).filter(isUnread)) {
			if (unknownColumns(row).includes(PREFIX + field)) delete fields[field];
			else fields[field] = earlier.values.get(PREFIX + field) ?? null;
		}
	}
	for (const field of relation === 'other' ? clearedFields(row) : []) fields[field] ??= null;
	if (relation === 'none') return { fields, relation };
	const changes = Object.entries({ ...sent, ...fields }).flatMap(([field, now]) => {
		const own = compareWith[field];
		// Only what is written is compared.
		const isCompared = field in (own ? sent : fields);
		const before = own ? (readCell(input, own) ?? null) : readBefore(row, field);
		return (isCompared && changeOf(field, before, now)) || [];
	});
	const isBack = relation === 'same' && earlier.values.get('match_status') === 'notFound';
	return { fields, relation, changes: isBack ? ['back in the registry', ...changes] : changes };
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
	// A person has emptied it, which isn't news.
	if (field === 'idno' && isBlank(value) && !isBlank(values.get(`${PREFIX}name`))) return undefined;
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
