import type { IDataObject } from 'n8n-workflow';

import { systemClock } from '../../shared/http/clock';
import { without } from '../../shared/http/envelope';
import type { Json } from '../../shared/http/envelope';
import type { Fields } from '../../shared/node/records';
import { isBlank } from '../../shared/node/validators';
import { companyRecord, inWords, isActive, readCompany, recommendationFields } from '../company';
import { changesOf, isSameValue } from '../output/changes';
import type { Change } from '../output/changes';
import type { MatchQuality } from '../names/compare';
import type { Candidate } from '../names/decide';
import { CHECKED_AT, PREFIX } from './row';
import type { Row } from './row';

/** What happened to a row. The first three are results of a check. */
export type RowResult = 'found' | 'ambiguous' | 'notFound' | 'skipped' | 'waiting' | 'failed';

/** What looking up a row found. */
export interface RowOutcome {
	result: RowResult;
	/** Why the match isn't exact, or why there's none; empty for an exact match. */
	reason: string;
	/** The company as the service returned it, if one was found. */
	company?: Json;
	/** The company's credit recommendation as the service returned it, if there's one. */
	recommendation?: Json;
	quality: MatchQuality;
	/** Other possible companies, most similar first, a line of text each. */
	alternatives: string;
	/** How well the best company matches that "Minimum Match" doesn't accept. */
	refused?: MatchQuality;
	/** Whether the row has neither an IDNO nor a name. */
	isUnmapped?: boolean;
	/** Whether the service rejected the search. */
	isRejected?: boolean;
}

export function notFound(reason: string | null, more: Partial<RowOutcome> = {}): RowOutcome {
	const none = { result: 'notFound', quality: 'none', alternatives: '' } as const;
	return { ...none, reason: reason ?? '', ...more };
}

/** As many as a person can compare at a glance. */
const MOST_ALTERNATIVES = 5;

/** Lines such as "Agro Nord SRL, Orhei, 1003600015231". */
export function alternativesOf(candidates: readonly Candidate[]): string {
	const lines = candidates.slice(0, MOST_ALTERNATIVES).map(({ company, title }) => {
		const { idno, status, city, region, address } = readCompany(company);
		const place = city ?? region ?? address;
		const state = status === undefined || isActive(status) ? undefined : inWords(status);
		return [title, place, state, idno].filter((each) => each !== undefined).join(', ');
	});
	return lines.join('\n');
}

/** A company's data for the output. */
export interface CompanyColumns {
	/** The columns, by the API's names. All are `null` if there's no company. */
	fields: Json;
	/** What the service sent, by the API's names. */
	sent: Json;
}

/** Company fields that come before the row's other columns. */
const FIRST_FIELDS = ['name', 'idno', 'status'];

/**
 * Builds a row's item. Every row gets the same columns, and the row's own are never changed. A row that
 * wasn't checked keeps what an earlier run wrote, so all rows can be written back.
 */
export function outputItem(row: Row, outcome: RowOutcome, company: CompanyColumns): IDataObject {
	const { input, earlier, columns = {} } = row;
	const isChecked = wasChecked(outcome);
	const fields = isChecked ? withUnread(row, company) : company.fields;
	const changes = isChecked && outcome.company ? changesIn(row, { ...company, fields }) : null;
	const results: Json = {
		match_status: isChecked ? outcome.result : 'notChecked',
		match_reason: outcome.reason,
		match_quality: outcome.quality,
		match_alternatives: outcome.alternatives,
		...prefixed(fields),
		[CHECKED_AT]: isChecked ? new Date(systemClock.now()).toISOString() : null,
	};
	const valueOf = (name: string): unknown => {
		const before = earlier.values.get(name);
		const isKept = earlier.wasChecked
			? before !== undefined
			: name.startsWith(PREFIX) && !isBlank(before);
		return !isChecked && isKept ? before : results[name];
	};
	const of = (...names: string[]) => Object.fromEntries(names.map((name) => [name, valueOf(name)]));
	const inFields = (names: string[]) =>
		names.filter((name) => name in fields).map((name) => PREFIX + name);
	const used = [columns.name, columns.idno].filter((column) => column !== undefined);
	const first = {
		...of('match_status'),
		...Object.fromEntries(used.map((column) => [column, input[column]])),
		...of(...inFields(FIRST_FIELDS)),
		registry_changed: changes && changes.length > 0,
		registry_changes: changes && changes.map(changeText).join('; '),
		...of('match_reason'),
	};
	const rest = Object.keys(without(fields, ...FIRST_FIELDS));
	const last = of(...inFields(rest), CHECKED_AT, 'match_quality', 'match_alternatives');
	const isReplaced = (name: string) => name in first || name in last;
	const others = Object.entries(input).filter(
		([column]) => !isReplaced(column) && !isReplaced(earlier.columns.get(column) ?? ''),
	);
	return { ...first, ...Object.fromEntries(others), ...last } as IDataObject;
}

/** Whether an outcome is that of a finished check. */
export function wasChecked({ result }: RowOutcome): boolean {
	return result === 'found' || result === 'ambiguous' || result === 'notFound';
}

/** The company's fields. One that the service didn't send keeps the value of the earlier run. */
function withUnread({ earlier }: Row, { fields, sent }: CompanyColumns): Json {
	const before = (name: string) => earlier.values.get(PREFIX + name);
	if (isBlank(sent.idno) || !isSameValue(before('idno'), sent.idno)) return fields;
	const valueOf = (name: string, value: unknown) =>
		value === null && !(name in sent) ? (before(name) ?? null) : value;
	return Object.fromEntries(
		Object.entries(fields).map(([name, value]) => [name, valueOf(name, value)]),
	);
}

/** These say when the data was read, not what's in it. */
const READ_AT = /_at$|^(?:timestamp|omitted_fields)$/;

/**
 * What differs from the columns of the earlier run, and from those that the user named. In a row that
 * was never checked, the columns of a table or CRM are there, but empty: that's no change.
 */
function changesIn(
	{ input, earlier, compareWith }: Row,
	{ fields, sent }: CompanyColumns,
): Change[] {
	const shown = Object.entries(sent).map(([name, value]) => [name, fields[name] ?? value]);
	const sinceThen = Object.entries(fields)
		.filter(([name]) => earlier.values.has(PREFIX + name) && !READ_AT.test(name))
		.map(([name, to]) => ({ field: name, from: earlier.values.get(PREFIX + name), to }))
		.filter(({ from }) => earlier.wasChecked || !isBlank(from))
		.filter(({ from, to }) => !isSameValue(from, to));
	return [...sinceThen, ...changesOf(compareWith, input, Object.fromEntries(shown) as Json)];
}

/** For example, "status: active → in_liquidation". */
function changeText({ field, from, to }: Change): string {
	const inWords = (value: unknown) => {
		if (isBlank(value)) return 'none';
		return typeof value === 'object' ? JSON.stringify(value) : String(value as string);
	};
	return `${field}: ${inWords(from)} → ${inWords(to)}`;
}

function prefixed<Value>(fields: Readonly<Record<string, Value>>): Record<string, Value> {
	return Object.fromEntries(Object.entries(fields).map(([name, value]) => [PREFIX + name, value]));
}

const { idno, name, status, ...furtherFields } = companyRecord.fields;

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
};
