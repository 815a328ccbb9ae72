import type { IDataObject } from 'n8n-workflow';

import { systemClock } from '../../shared/http/clock';
import { without, type Json } from '../../shared/http/json';
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
import { cellsIn, readCell } from './cells';
import type { RowColumns } from './columns';
import { EarlierRun, ownCellsOf } from './earlier';
import type { RowOutcome, RowResult } from './outcome';
import type { Row } from './row';
import { CHECKED_AT, LEFT_OUT, PREFIX, SEARCHED_AT, STATE, TELLING, writeState } from './state';

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

const NAMES = Object.keys(ENRICHED_ROW);
/** These come before and after the columns of the row that were used, and before all of its others. */
const [FIRST, LEADING] = [NAMES.slice(0, 3), NAMES.slice(3, 8)];

/** Results of a check that found a company or not. */
const CHECKED: readonly RowResult[] = ['found', 'ambiguous', 'notFound'];

/** What a row gets. */
interface Added {
	columns: Json;
	/** What has changed since the earlier run; undefined if nothing was compared. */
	changes?: string[];
	/** Columns that were read, even if they're empty: not without a search, or a recommendation. */
	read?: string[];
	/** Whether an earlier run has found another company. */
	isOther?: boolean;
}

/** Builds a row's item. Every row gets the same columns, and the row's own are never changed. */
export function outputItem(shape: Shape, row: Row, outcome: RowOutcome): IDataObject {
	const { input, earlier } = row;
	const isChecked = CHECKED.includes(outcome.result);
	const build = isChecked ? checkedColumns : keptColumns;
	const { columns, changes, read, isOther } = build(shape, row, outcome);
	const state = writeState({
		// What was read of another company is forgotten.
		...(!isOther && earlier.known),
		...withoutBlanks(columns, read),
		...(outcome.isSearched && { [SEARCHED_AT]: columns[CHECKED_AT] }),
	});
	const all = { ...columns, ...tellingColumns(changes), [STATE]: state };
	// Nothing is written over columns that look like the node's but can't be read.
	const isUnreadable = earlier.unreadable !== undefined && !isChecked;
	return withColumns(input, earlier, isUnreadable ? withoutBlanks(all) : all, row.columns);
}

/** An item that failed before it could be read as a row. Writing it back loses nothing. */
export function unreadItem(input: Json): Json {
	const earlier = new EarlierRun(ownCellsOf(cellsIn(input)), () => false);
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
	{ name, idno, city, legalForm }: RowColumns = {},
): IDataObject {
	const isReplaced = (path: string) => (earlier.columns.get(path) ?? path) in added;
	const own = Object.entries(input).filter(([column]) => !isReplaced(column));
	// Nothing is written over what nobody knows.
	const known = Object.entries(added).filter(([, value]) => value !== LEFT_OUT);
	const all: Json = Object.fromEntries([...own, ...known]);
	const used = [name, idno, city, legalForm].filter((column) => column !== undefined);
	const inOrder = [...FIRST, ...used, ...LEADING, ...Object.keys(all)];
	const names = new Set(inOrder.filter((column) => column in all));
	return Object.fromEntries([...names].map((column) => [column, all[column]])) as IDataObject;
}

/** The columns of a row for which a company was found, or none. */
function checkedColumns(shape: Shape, row: Row, outcome: RowOutcome): Added {
	const { earlier } = row;
	const { company, isSearched, note } = outcome;
	const { fields, sent } = fieldsOf(shape, row, company);
	const isSame = isSameCompany(earlier, sent);
	// A field that the service didn't send keeps its value, and those of another company are cleared.
	if (isSame === false) {
		const old = Object.keys(earlier.known).filter((column) => !TELLING.includes(column));
		for (const column of old) fields[column.slice(PREFIX.length)] ??= null;
	} else if (company) {
		const isUnread = (field: string) => isBlank(fields[field]) && !(field in sent);
		for (const field of Object.keys(fields).filter(isUnread)) {
			fields[field] = earlier.values.get(PREFIX + field) ?? null;
		}
	}
	const columns = columnsOf(row, outcome, fields);
	if (isSame === undefined && !company) return { columns };
	const changes = changesOf(row, sent, fields);
	const isBack = isSame === true && earlier.status === 'notFound';
	if (isBack) changes.unshift('back in the registry');
	const isRead = (field: string) => isSearched === true || field in sent;
	const isComplete = company !== undefined && note !== 'incomplete';
	const read = isComplete ? Object.keys(fields).filter(isRead) : [];
	return { columns, changes, read: read.map((field) => PREFIX + field), isOther: isSame === false };
}

function columnsOf({ matchInput }: Row, outcome: RowOutcome, fields: Json): Json {
	return {
		match_status: outcome.result,
		match_reason: outcome.reason,
		match_quality: outcome.quality,
		...prefixed(fields),
		[CHECKED_AT]: new Date(systemClock.now()).toISOString(),
		match_alternatives: outcome.alternatives,
		match_input: matchInput,
	};
}

/** The fields that a row gets, by the API's names, and those of them that the service sent. */
function fieldsOf(shape: Shape, { addCredit }: Row, company: Json = {}) {
	const names = [...COMPANY_FIELDS, ...(addCredit ? RECOMMENDATION_FIELDS : [])];
	const none = Object.fromEntries(names.map((name) => [name, null]));
	const sent: Json = sentFields(company, names);
	return { fields: shape(company, names, { ...none, ...company, ...sent }), sent };
}

/** Whether it's the company that an earlier run has found; undefined if that has found none. */
function isSameCompany(earlier: EarlierRun, found: Json): boolean | undefined {
	// A person has emptied the IDNO, so that the row was searched anew.
	const field = isBlank(earlier.field('idno')) ? 'name' : 'idno';
	const before = earlier.field(field);
	return isBlank(before) ? undefined : isUnchanged(before, found[field]);
}

/** What has changed in the columns that are written, and in the user's own that are compared with others. */
function changesOf({ compareWith, earlier, input }: Row, sent: Json, fields: Json): string[] {
	return Object.entries({ ...sent, ...fields }).flatMap(([field, now]) => {
		const own = compareWith[field];
		const isCompared = field in (own ? sent : fields);
		const before = own ? (readCell(input, own) ?? null) : earlier.read(field);
		return (isCompared && changeOf(field, before, now)) || [];
	});
}

/** A row that wasn't checked keeps what an earlier run wrote, so all rows can be written back. */
function keptColumns(shape: Shape, row: Row, outcome: RowOutcome): Added {
	const { earlier, corrected } = row;
	const now = columnsOf(row, outcome, fieldsOf(shape, row).fields);
	const columns: Json = {
		...now,
		match_status: 'notChecked',
		[CHECKED_AT]: null,
		match_input: null,
	};
	const hasStatus = earlier.checkedAt !== undefined && !isBlank(earlier.status);
	for (const [column, value] of earlier.values) {
		const isKept = hasStatus || column.startsWith(PREFIX);
		if (isKept && column in columns) columns[column] = value;
	}
	const isMissing = outcome.result === 'notShown';
	const isDue = corrected.size > 0;
	// A failed check is dated as well, so that the row takes its turn again and stops no other one.
	const isDated = isMissing || outcome.result === 'failed';
	if (isDue) columns.match_status = 'notChecked';
	if (isDue || isDated) columns.match_reason = now.match_reason;
	if (isDated) columns[CHECKED_AT] = now[CHECKED_AT];
	if (!isMissing) return { columns };
	columns.match_input = now.match_input;
	const isGone = outcome.note === 'gone';
	columns.match_status = isGone ? 'notFound' : 'found';
	const isNews = isGone && earlier.status !== 'notFound';
	return { columns, changes: isNews ? ['no longer in the registry'] : [] };
}

function tellingColumns(changes: string[] | undefined): Json {
	return {
		registry_changed: changes ? changes.length > 0 : null,
		registry_changes: changes?.join('; ') ?? null,
	};
}

function withoutBlanks(columns: Json, read: readonly string[] = []): Json {
	const isShown = ([name, value]: [string, unknown]) => !isBlank(value) || read.includes(name);
	return Object.fromEntries(Object.entries(columns).filter(isShown));
}

function prefixed<Value>(fields: Readonly<Record<string, Value>>): Record<string, Value> {
	return Object.fromEntries(Object.entries(fields).map(([name, value]) => [PREFIX + name, value]));
}
