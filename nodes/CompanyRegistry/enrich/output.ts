import type { IDataObject } from 'n8n-workflow';

import { systemClock } from '../../shared/http/clock';
import type { Json } from '../../shared/http/envelope';
import type { ServiceError } from '../../shared/http/errors';
import { namesInPath, readPath } from '../../shared/http/values';
import type { OperationCall } from '../../shared/node/operation';
import type { Fields } from '../../shared/node/records';
import { isSameValue } from '../../shared/node/texts';
import { isBlank } from '../../shared/node/validators';
import {
	COMPANY_FIELDS,
	companyRecord,
	inWords,
	isActive,
	readCompany,
	RECOMMENDATION_FIELDS,
	recommendationFields,
	sentFields,
} from '../company';
import type { MatchQuality } from '../names/compare';
import type { Candidate } from '../names/decide';
import { shapeOutput } from '../output/selectFields';
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
	/** Whether there's a match that "Minimum Match" doesn't accept. */
	isRefused?: boolean;
	/** Whether the row has neither an IDNO nor a name. */
	isUnmapped?: boolean;
	/** Why the service rejected the row's search, if it did. */
	rejection?: ServiceError;
	/** Why the row is waiting. */
	failure?: unknown;
}

export function notFound(reason: string, more: Partial<RowOutcome> = {}): RowOutcome {
	return { result: 'notFound', reason, quality: 'none', alternatives: '', ...more };
}

export function wasChecked({ result }: RowOutcome): boolean {
	return result === 'found' || result === 'ambiguous' || result === 'notFound';
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

/** The first three come before the row's other columns. */
const { name, idno, status, ...furtherFields } = companyRecord.fields;

/**
 * Builds a row's item. Every row gets the same columns, and the row's own are never changed. A row that
 * wasn't checked keeps what an earlier run wrote, so all rows can be written back.
 */
export function outputItem(call: OperationCall, row: Row, outcome: RowOutcome): IDataObject {
	const { input, earlier, columns = {} } = row;
	const isChecked = wasChecked(outcome);
	const { fields, changes } = companyColumns(call, row, outcome);
	const results: Json = {
		match_status: isChecked ? outcome.result : 'notChecked',
		match_reason: outcome.reason,
		match_quality: outcome.quality,
		match_alternatives: outcome.alternatives,
		...prefixed(fields),
		[CHECKED_AT]: isChecked ? new Date(systemClock.now()).toISOString() : null,
	};
	const of = (...names: string[]) =>
		Object.fromEntries(
			names.map((name) => {
				const isKept = !isChecked && (earlier.wasChecked || name.startsWith(PREFIX));
				return [name, (isKept ? earlier.values.get(name) : undefined) ?? results[name]];
			}),
		);
	const names = Object.keys(prefixed(fields));
	const leading = Object.keys(prefixed({ name, idno, status })).filter((each) =>
		names.includes(each),
	);
	const used = [columns.name, columns.idno].filter((column) => column !== undefined);
	const first = {
		...of('match_status'),
		...Object.fromEntries(used.map((column) => [column, input[column]])),
		...of(...leading),
		registry_changed: isChecked && changes ? changes.length > 0 : null,
		registry_changes: isChecked && changes ? changes.join('; ') : null,
		...of('match_reason'),
	};
	const rest = names.filter((each) => !leading.includes(each));
	const last = of(...rest, CHECKED_AT, 'match_quality', 'match_alternatives');
	const isReplaced = (column: string) => column in first || column in last;
	const others = Object.entries(input).filter(
		([column]) => !isReplaced(column) && !isReplaced(earlier.columns.get(column) ?? ''),
	);
	return { ...first, ...Object.fromEntries(others), ...last } as IDataObject;
}

/** These say when the data was read, not what's in it. */
const READ_AT = /_at$|^(?:timestamp|omitted_fields)$/;

/**
 * The company's fields by the API's names, all `null` if there's no company, and what has changed since the
 * earlier run. A field that the service didn't send keeps its value.
 */
function companyColumns(
	call: OperationCall,
	{ addCredit, earlier, input, compareWith }: Row,
	{ company, recommendation }: RowOutcome,
): { fields: Json; changes?: string[] } {
	const names = [...COMPANY_FIELDS, ...(addCredit ? RECOMMENDATION_FIELDS : [])];
	const record = { ...recommendation, ...company };
	const sent: Json = sentFields(record, names);
	const none = Object.fromEntries(names.map((name) => [name, null]));
	const shown = shapeOutput(call, record, names, { ...none, ...record, ...sent });
	if (!company) return { fields: shown };
	const before = (field: string) => earlier.values.get(PREFIX + field);
	const isSame = !isBlank(sent.idno) && isSameValue(before('idno'), sent.idno);
	const fields = Object.entries(shown).map(([field, value]): [string, unknown] => {
		const isUnread = isSame && isBlank(value) && !(field in sent);
		return [field, isUnread ? (before(field) ?? null) : value];
	});
	const sinceThen = fields
		.filter(([field]) => before(field) !== undefined && !READ_AT.test(field))
		// A table's columns can be there, but empty, before a row is checked for the first time.
		.filter(([field]) => earlier.wasChecked || !isBlank(before(field)))
		.map(([field, to]) => ({ field, from: before(field), to }));
	const withOwn = compareWith
		.filter(({ companyField }) => companyField in sent)
		.map(({ companyField, rowField }) => ({
			field: nameIn(rowField),
			from: readPath(input, rowField),
			to: shown[companyField] ?? sent[companyField],
		}));
	const changes = [...sinceThen, ...withOwn]
		.filter(({ from, to }) => !isSameValue(from, to))
		.map(({ field, from, to }) => `${field}: ${cellText(from)} → ${cellText(to)}`);
	return { fields: Object.fromEntries(fields), changes };
}

/** "CRM status" for `['CRM status']`, the form in which the editor enters a column. Longer paths stay as entered. */
function nameIn(path: string): string {
	const [name = path, ...others] = namesInPath(path);
	return others.length === 0 ? name : path;
}

function cellText(value: unknown): string {
	if (isBlank(value)) return 'none';
	return typeof value === 'object' ? JSON.stringify(value) : String(value as string);
}

function prefixed<Value>(fields: Readonly<Record<string, Value>>): Record<string, Value> {
	return Object.fromEntries(Object.entries(fields).map(([name, value]) => [PREFIX + name, value]));
}

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
