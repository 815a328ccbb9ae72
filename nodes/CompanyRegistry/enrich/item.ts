import type { IDataObject } from 'n8n-workflow';

import { systemClock } from '../../shared/http/clock';
import type { Json } from '../../shared/http/json';
import type { Fields } from '../../shared/node/collection';
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
import type { Row } from './row';
import { CHECKED_AT, PREFIX, STATE, writeState } from './state';

/** What happened to a row. The first three are results of a check. */
export type RowResult = 'found' | 'ambiguous' | 'notFound' | 'skipped' | 'waiting' | 'failed';

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
	/**
	 * The row has neither an IDNO nor a name, the service rejected its search, or the company that was found
	 * matches less closely than *Minimum Match* asks for.
	 */
	note?: 'unmapped' | 'rejected' | 'belowMinimum';
	/** Why the row is waiting, or why the service rejected its search. */
	error?: unknown;
}

/** An outcome, of a row without a company if nothing else is given. */
export function notFound(reason: string, more: Partial<RowOutcome> = {}): RowOutcome {
	return { result: 'notFound', reason, quality: 'none', alternatives: '', ...more };
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
	...prefixed({ name, idno, status }),
	registry_changed: 'boolean',
	registry_changes: 'string',
	match_reason: 'string',
	...prefixed({ ...furtherFields, ...recommendationFields }),
	[CHECKED_AT]: 'string',
	match_quality: 'string',
	match_alternatives: 'string',
	match_input: 'string',
	[STATE]: 'string',
};

/** These come before the row's other columns. */
const LEADING = Object.keys(ENRICHED_ROW).slice(1, 7);

/**
 * Builds a row's item. Every row gets the same columns, and the row's own are never changed. A row that
 * wasn't checked keeps what an earlier run wrote, so all rows can be written back.
 */
export function outputItem(shape: Shape, row: Row, outcome: RowOutcome): IDataObject {
	const { input, earlier, columns } = row;
	const isChecked = ['found', 'ambiguous', 'notFound'].includes(outcome.result);
	const { fields, changes } = companyColumns(shape, row, outcome);
	const added: Json = {
		match_status: isChecked ? outcome.result : 'notChecked',
		match_reason: outcome.reason,
		...prefixed(fields),
		[CHECKED_AT]: isChecked ? new Date(systemClock.now()).toISOString() : null,
		match_quality: outcome.quality,
		match_alternatives: outcome.alternatives,
		match_input: isChecked ? row.matchInput : null,
		[STATE]: null,
	};
	if (!isChecked) {
		for (const [column, value] of earlier.values) {
			const isKept = earlier.checkedAt !== undefined || column.startsWith(PREFIX);
			if (isKept && column in added) added[column] = value;
		}
	}
	added.registry_changed = isChecked && changes ? changes.length > 0 : null;
	added.registry_changes = isChecked && changes ? changes.join('; ') : null;
	added[STATE] = writeState(isChecked ? added : Object.fromEntries(earlier.written));
	const isReplaced = (column: string) => (earlier.columns.get(column) ?? column) in added;
	const own = Object.entries(input).filter(([column]) => !isReplaced(column));
	const all: Json = { ...Object.fromEntries(own), ...added };
	const first = ['match_status', columns.name ?? '', columns.idno ?? '', ...LEADING];
	const inOrder = new Set([...first.filter((column) => column in all), ...Object.keys(all)]);
	return Object.fromEntries([...inOrder].map((column) => [column, all[column]])) as IDataObject;
}

/**
 * The company's fields by the API's names, all `null` if there's no company, and what has changed since the
 * earlier run. A field that the service didn't send keeps its value.
 */
function companyColumns(
	shape: Shape,
	{ addCredit, earlier, input, compareWith }: Row,
	{ company }: RowOutcome,
): { fields: Json; changes?: string[] } {
	const names = [...COMPANY_FIELDS, ...(addCredit ? RECOMMENDATION_FIELDS : [])];
	const sent: Json = sentFields(company ?? {}, names);
	const none = Object.fromEntries(names.map((name) => [name, null]));
	const fields = shape(company ?? {}, names, { ...none, ...company, ...sent });
	if (!company) return { fields };
	const before = (field: string) => earlier.values.get(PREFIX + field);
	const isSameCompany = !isBlank(sent.idno) && isUnchanged(before('idno'), sent.idno);
	for (const [field, value] of Object.entries(fields)) {
		const isUnread = isSameCompany && isBlank(value) && !(field in sent);
		if (isUnread) fields[field] = before(field) ?? null;
	}
	const changes = Object.entries({ ...sent, ...fields }).flatMap(([field, to]) => {
		const own = compareWith[field];
		if (own) return field in sent ? (changeOf(field, readCell(input, own) ?? null, to) ?? []) : [];
		// Only what is written is compared. A table's columns can be there, but empty, before a row is
		// checked for the first time.
		const from = before(field);
		const isUnread = earlier.checkedAt === undefined && isBlank(from);
		return field in fields && !isUnread ? (changeOf(field, from, to) ?? []) : [];
	});
	return { fields, changes };
}

function prefixed<Value>(fields: Readonly<Record<string, Value>>): Record<string, Value> {
	return Object.fromEntries(Object.entries(fields).map(([name, value]) => [PREFIX + name, value]));
}
