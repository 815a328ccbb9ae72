import type { IDataObject } from 'n8n-workflow';

import { without } from '../../shared/http/envelope';
import type { Json } from '../../shared/http/envelope';
import type { Fields, FieldType } from '../../shared/node/records';
import {
	companyRecord,
	inWords,
	isActive,
	readCompany,
	recommendationFields,
} from '../companyFields';
import type { Change } from '../output/changes';
import { LEAST_SCORE } from './match/compare';
import type { DifferenceKind, MatchQuality } from './match/compare';
import type { ComparedCandidate } from './match/decide';
import { DEFAULT_PREFIX } from './panel';

export type MatchStatus = 'found' | 'ambiguous' | 'notFound' | 'notChecked';

/** Why a row has no company, if that changes what happens next. */
export type MissCause = 'invalidIdno' | 'unknownIdno' | 'unmapped' | 'outOfRequests';

/** The result of looking up a row. */
export interface RowOutcome {
	matchStatus: MatchStatus;
	/** Why the match isn't exact, or why no company was found; null for an exact match. */
	reason: string | null;
	cause?: MissCause;
	/** The company as the service returned it; absent if no company was found. */
	company?: Json;
	/** The company's credit recommendation as the service returned it. */
	recommendation?: Json;
	matchQuality: MatchQuality;
	/** Other possible companies, one line each, the most similar first. */
	alternatives: string[];
	/** 1 for an exact match, less than 0.6 if no company was found. */
	matchScore: number;
	matchedBy: 'idno' | 'name' | null;
	/** How many companies the searches found. */
	candidates: number;
	/** The kinds of differences that `reason` describes. */
	differences: DifferenceKind[];
	/** Paths of the requests; null if nothing was sent. */
	source: string | null;
}

/** A column that says how the company was found. */
interface ResultColumn {
	type: FieldType;
	read(outcome: RowOutcome): unknown;
}

/** In front of the row's own fields. */
const FIRST_COLUMNS: Record<string, ResultColumn> = {
	matchStatus: { type: 'string', read: (outcome) => outcome.matchStatus },
	reason: { type: 'string', read: (outcome) => outcome.reason },
};

/** Behind the company's fields. */
const LAST_COLUMNS: Record<string, ResultColumn> = {
	matchQuality: { type: 'string', read: (outcome) => outcome.matchQuality },
	alternatives: { type: ['string'], read: (outcome) => outcome.alternatives },
};

/** Together in one column, with the option "Match Details". */
const DETAILS: Record<string, ResultColumn> = {
	found: { type: 'boolean', read: ({ matchStatus }) => matchStatus === 'found' },
	ambiguous: { type: 'boolean', read: ({ matchStatus }) => matchStatus === 'ambiguous' },
	matchScore: { type: 'number', read: (outcome) => outcome.matchScore },
	matchedBy: { type: 'string', read: (outcome) => outcome.matchedBy },
	candidates: { type: 'number', read: (outcome) => outcome.candidates },
	differences: { type: ['string'], read: (outcome) => outcome.differences },
	source: { type: 'string', read: (outcome) => outcome.source },
};

/** The company's fields in front of the row's own. */
const FIRST_FIELDS = ['idno', 'name', 'status'];

/** Number of alternatives that a person can compare at a glance. */
const MOST_ALTERNATIVES = 5;

/** Scores of rows without a company stay below this, regardless of similarity. */
const MOST_WITHOUT_MATCH = LEAST_SCORE.likely - 0.01;

export function notFound(reason: string | null, more: Partial<RowOutcome> = {}): RowOutcome {
	const { matchScore = 0, ...others } = more;
	return {
		...{ matchStatus: 'notFound', reason, matchQuality: 'none', alternatives: [] },
		...{ matchedBy: null, candidates: 0, differences: [], source: null },
		...others,
		matchScore: Math.min(matchScore, MOST_WITHOUT_MATCH),
	};
}

/** A row that was skipped, or for which no request was left. */
export function notChecked(reason: string, cause?: MissCause): RowOutcome {
	return { ...notFound(reason, { cause }), matchStatus: 'notChecked' };
}

/** Each as a person tells it apart, e.g. "Agro Nord SRL, Orhei, 1003600015231". */
export function alternativesOf(candidates: readonly ComparedCandidate[]): string[] {
	return candidates.slice(0, MOST_ALTERNATIVES).map(({ company, title }) => {
		const { idno, status, city, region, address } = readCompany(company);
		const place = city ?? region ?? address;
		const state = status === undefined || isActive(status) ? undefined : inWords(status);
		return [title, place, state, idno].filter((each) => each !== undefined).join(', ');
	});
}

export function kindsOf({ differences }: Pick<ComparedCandidate, 'differences'>): DifferenceKind[] {
	return [...new Set(differences.map(({ kind }) => kind))];
}

/** Rounded down, so that only an exact match has the score 1. */
export function roundedScore(score: number): number {
	return Math.floor(score * 1000 + 1e-6) / 1000;
}

/** The format of a row's output; see panel.ts. */
export interface OutputSettings {
	prefix: string;
	includeInputFields: boolean;
	replaceInputFields: boolean;
	matchDetails: boolean;
}

/** The fields of the company; all `null` if there is none. */
export interface CompanyColumns {
	fields: Json;
	/** When the row was looked up, as ISO text; null if it was not. */
	checkedAt: string | null;
	/** Undefined if nothing is compared, null if there is no company. */
	changes?: Change[] | null;
}

/**
 * The item of a row: what was found, its own fields, the rest of the company. Every row has the same
 * columns. The row's fields stay: an added field of the same name gets the prefix, unless it has one.
 * A row that was not checked keeps what it has of a company.
 */
export function outputItem(
	settings: OutputSettings,
	input: IDataObject,
	outcome: RowOutcome,
	{ fields, checkedAt, changes }: CompanyColumns,
): IDataObject {
	const { prefix, includeInputFields, replaceInputFields, matchDetails } = settings;
	const own = includeInputFields ? input : {};
	const free = (name: string) =>
		!replaceInputFields && Object.hasOwn(own, name) ? `${prefix || DEFAULT_PREFIX}${name}` : name;
	const ofCompany = (names: readonly string[], values: Json): Json =>
		Object.fromEntries(
			names.map((name) => {
				const column = prefix === '' ? free(name) : prefix + name;
				const keeps = outcome.matchStatus === 'notChecked' && (values[name] ?? null) === null;
				return [column, keeps && Object.hasOwn(own, column) ? own[column] : values[name]];
			}),
		);
	const result = (columns: Record<string, ResultColumn>): Json =>
		Object.fromEntries(
			Object.entries(columns).map(([name, { read }]) => [free(name), read(outcome)]),
		);
	const others: Json = {
		...without(fields, ...FIRST_FIELDS),
		checkedAt,
		...(changes !== undefined && { changed: changes && changes.length > 0, changes }),
	};
	const details = Object.entries(DETAILS).map(([name, { read }]) => [name, read(outcome)]);
	const first = {
		...result(FIRST_COLUMNS),
		...ofCompany(
			FIRST_FIELDS.filter((name) => name in fields),
			fields,
		),
	};
	const last = {
		...ofCompany(Object.keys(others), others),
		...result(LAST_COLUMNS),
		...(matchDetails && { [free('matchDetails')]: Object.fromEntries(details) as Json }),
	};
	return { ...first, ...without(own, ...Object.keys(first)), ...last } as IDataObject;
}

const { idno, name, status, ...furtherFields } = companyRecord.fields;

/** The fields added to those of the row, with the default prefix. */
export const ENRICHED_ROW: Fields = {
	...typesOf(FIRST_COLUMNS),
	...prefixed({ idno, name, status }),
	...prefixed({
		...furtherFields,
		...recommendationFields,
		checkedAt: 'string',
		changed: 'boolean',
		changes: [{ field: 'string', from: 'string', to: 'string' }],
	}),
	...typesOf(LAST_COLUMNS),
	matchDetails: typesOf(DETAILS),
};

function typesOf(columns: Record<string, ResultColumn>): Fields {
	return Object.fromEntries(Object.entries(columns).map(([column, { type }]) => [column, type]));
}

function prefixed(fields: Fields): Fields {
	return Object.fromEntries(
		Object.entries(fields).map(([field, type]) => [DEFAULT_PREFIX + field, type]),
	);
}
