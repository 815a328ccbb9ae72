import type { IDataObject } from 'n8n-workflow';

import { without } from '../../shared/http/envelope';
import type { Json } from '../../shared/http/envelope';
import type { Fields } from '../../shared/node/records';
import { companyRecord, inWords, isActive, readCompany, recommendationFields } from '../company';
import type { Change } from '../output/changes';
import { LEAST_SCORE } from '../names/compare';
import type { DifferenceKind, MatchQuality } from '../names/compare';
import type { ComparedCandidate } from '../names/decide';
import { DEFAULT_PREFIX } from './panel';

export type MatchStatus = 'found' | 'ambiguous' | 'notFound' | 'notChecked';

/** Why a row has no company, if that changes what happens next. */
export type MissCause = 'invalidIdno' | 'unknownIdno' | 'unmapped' | 'outOfRequests';

/** What looking up a row found. */
export interface RowOutcome {
	matchStatus: MatchStatus;
	/** Why the match isn't exact, or why no company was found; null for an exact match. */
	reason: string | null;
	cause?: MissCause;
	/** The company as the service returned it, if one was found. */
	company?: Json;
	/** The company's credit recommendation as the service returned it, if there's one. */
	recommendation?: Json;
	matchQuality: MatchQuality;
	/** Other possible companies, most similar first, one line of text each. */
	alternatives: string[];
	/** 1 for an exact match, below 0.6 for a miss. */
	matchScore: number;
	matchedBy: 'idno' | 'name' | null;
	/** How many companies the searches found. */
	candidates: number;
	/** The kinds of differences that `reason` describes. */
	differences: DifferenceKind[];
	/** Paths of the requests; null if none were sent. */
	source: string | null;
}

/** Columns before the row's own fields. */
const FIRST_COLUMNS = { matchStatus: 'string', reason: 'string' } satisfies Fields;

/** Columns after the company's fields. */
const LAST_COLUMNS = { matchQuality: 'string', alternatives: ['string'] } satisfies Fields;

/** The contents of the column that "Match Details" adds. */
const DETAILS = {
	found: 'boolean',
	ambiguous: 'boolean',
	matchScore: 'number',
	matchedBy: 'string',
	candidates: 'number',
	differences: ['string'],
	source: 'string',
} satisfies Fields;

/** Company fields that come before the row's own fields. */
const FIRST_FIELDS = ['idno', 'name', 'status'];

/** As many as a person can compare at a glance. */
const MOST_ALTERNATIVES = 5;

/** The highest score of a row without a company. */
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

/** For a row that was skipped, or that ran out of requests. */
export function notChecked(reason: string, cause?: MissCause): RowOutcome {
	return { ...notFound(reason, { cause }), matchStatus: 'notChecked' };
}

/** Lines such as "Agro Nord SRL, Orhei, 1003600015231". */
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

/** Rounds down, so only an exact match scores 1. */
export function roundedScore(score: number): number {
	return Math.floor(score * 1000 + 1e-6) / 1000;
}

/** The options that shape a row's output. */
export interface OutputSettings {
	prefix: string;
	includeInputFields: boolean;
	replaceInputFields: boolean;
	matchDetails: boolean;
}

/** A row's company fields, all `null` if there's no company. */
export interface CompanyColumns {
	fields: Json;
	/** When the row was looked up, in ISO format; null if it wasn't. */
	checkedAt: string | null;
	/** Undefined without "Compare With", null without a company. */
	changes?: Change[] | null;
}

/**
 * Builds a row's item: the result, the row's own fields, the rest of the company. Every row gets the
 * same columns. If an added column has the name of one of the row's fields, it gets the prefix. A row
 * that wasn't checked keeps the company columns it already has.
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
				const keeps = matchStatus === 'notChecked' && (values[name] ?? null) === null;
				return [column, keeps && Object.hasOwn(own, column) ? own[column] : values[name]];
			}),
		);
	const { matchStatus } = outcome;
	const results: Json = {
		...outcome,
		found: matchStatus === 'found',
		ambiguous: matchStatus === 'ambiguous',
	};
	const resultsOf = (columns: Fields, rename = free): Json =>
		Object.fromEntries(Object.keys(columns).map((name) => [rename(name), results[name]]));
	const others: Json = {
		...without(fields, ...FIRST_FIELDS),
		checkedAt,
		...(changes !== undefined && { changed: changes && changes.length > 0, changes }),
	};
	const first = {
		...resultsOf(FIRST_COLUMNS),
		...ofCompany(
			FIRST_FIELDS.filter((name) => name in fields),
			fields,
		),
	};
	const last = {
		...ofCompany(Object.keys(others), others),
		...resultsOf(LAST_COLUMNS),
		...(matchDetails && { [free('matchDetails')]: resultsOf(DETAILS, (name) => name) }),
	};
	return { ...first, ...without(own, ...Object.keys(first)), ...last } as IDataObject;
}

const { idno, name, status, ...furtherFields } = companyRecord.fields;

/** The columns that Enrich adds, with the default prefix. */
export const ENRICHED_ROW: Fields = {
	...FIRST_COLUMNS,
	...prefixed({ idno, name, status }),
	...prefixed({
		...furtherFields,
		...recommendationFields,
		checkedAt: 'string',
		changed: 'boolean',
		changes: [{ field: 'string', from: 'string', to: 'string' }],
	}),
	...LAST_COLUMNS,
	matchDetails: DETAILS,
};

function prefixed(fields: Fields): Fields {
	return Object.fromEntries(
		Object.entries(fields).map(([field, type]) => [DEFAULT_PREFIX + field, type]),
	);
}
