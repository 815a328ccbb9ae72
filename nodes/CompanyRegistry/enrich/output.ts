import type { IDataObject } from 'n8n-workflow';

import type { Json } from '../../shared/http/envelope';
import type { Fields } from '../../shared/node/records';
import { companyRecord, recommendationFields } from '../companyFields';
import type { Change } from '../output/changes';
import { LEAST_SCORE } from './match/compare';
import type { DifferenceKind, MatchQuality } from './match/compare';
import type { ComparedCandidate } from './match/decide';
import { DEFAULT_PREFIX } from './panel';

export type MatchStatus = 'found' | 'ambiguous' | 'notFound' | 'notChecked';

/** The result of looking up a row. */
export interface RowOutcome {
	matchStatus: MatchStatus;
	/** The company as the service returned it; absent if no company matches for certain. */
	company?: Json;
	matchQuality: MatchQuality;
	/** 1 for an exact match, less than 0.6 if no company was found. */
	matchScore: number;
	matchedBy: 'idno' | 'name' | null;
	/** How many companies the searches found. */
	candidates: number;
	/** Other possible companies, the most similar first. */
	alternatives: IDataObject[];
	/** Why the match, or the most similar company, is not exact. */
	differences: DifferenceKind[];
	/** The same as a sentence, or why no company was found. */
	reason: string | null;
	/** Path of the last request; null if nothing was sent. */
	source: string | null;
}

/** Number of alternatives that a person can compare at a glance. */
const MOST_ALTERNATIVES = 5;

/** Scores of rows without a company stay below this, regardless of similarity. */
const MOST_WITHOUT_MATCH = LEAST_SCORE.likely - 0.01;

const EMPTY = {
	matchQuality: 'none',
	matchScore: 0,
	matchedBy: null,
	candidates: 0,
	alternatives: [],
	differences: [],
	source: null,
} as const;

export function notFound(reason: string | null, more: Partial<RowOutcome> = {}): RowOutcome {
	const outcome = { ...EMPTY, alternatives: [], differences: [], ...more };
	const matchScore = Math.min(outcome.matchScore, MOST_WITHOUT_MATCH);
	return { matchStatus: 'notFound', ...outcome, matchScore, reason };
}

/** A row that was skipped, or for which no request was left. */
export function notChecked(reason: string): RowOutcome {
	return { ...notFound(reason), matchStatus: 'notChecked' };
}

export function alternativesOf(candidates: readonly ComparedCandidate[]): IDataObject[] {
	return candidates.slice(0, MOST_ALTERNATIVES).map(({ company, idno, title, ...compared }) => ({
		idno: idno ?? null,
		name: title,
		...Object.fromEntries(
			['legal_form', 'status', 'city', 'region'].map((field) => [field, company[field] ?? null]),
		),
		...(company.address !== undefined && { address: company.address }),
		matchScore: roundedScore(compared.score),
		differences: kindsOf(compared),
	}));
}

export function kindsOf({ differences }: Pick<ComparedCandidate, 'differences'>): DifferenceKind[] {
	return [...new Set(differences.map(({ kind }) => kind))];
}

/** Rounded down, so that only an exact match has the score 1. */
export function roundedScore(score: number): number {
	return Math.floor(score * 1000 + 1e-6) / 1000;
}

/** The format of a row's output; see fields.ts. */
export interface OutputSettings {
	prefix: string;
	includeInputFields: boolean;
	replaceInputFields: boolean;
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
 * The item of a row: its own fields, the status, the company, how it was found. Every row has the
 * same columns. The row's fields stay: a result field of the same name gets the prefix. A row that
 * was not checked keeps what it has of a company, and without a prefix so does one without a company.
 */
export function outputItem(
	{ prefix, includeInputFields, replaceInputFields }: OutputSettings,
	input: IDataObject,
	{ company, matchStatus, source, ...details }: RowOutcome,
	{ fields, checkedAt, changes }: CompanyColumns,
): IDataObject {
	const own = includeInputFields ? input : {};
	const isTaken = (name: string) => !replaceInputFields && Object.hasOwn(own, name);
	const resultName = (name: string) =>
		isTaken(name) ? `${prefix || DEFAULT_PREFIX}${name}` : name;
	const added = renamed(
		{
			...fields,
			checkedAt,
			source,
			...(changes !== undefined && { changed: changes && changes.length > 0, changes }),
		},
		(name) => prefix + name,
	);
	const keepsOwn = matchStatus === 'notChecked' || (prefix === '' && !company);
	const kept = Object.fromEntries(
		Object.keys(added)
			.filter((name) => keepsOwn && Object.hasOwn(own, name))
			.map((name) => [name, own[name]]),
	);
	const { matchQuality, matchScore, matchedBy, candidates, alternatives, ...why } = details;
	const found = company !== undefined;
	const ambiguous = matchStatus === 'ambiguous';
	const result = {
		...{ found, matchQuality, matchScore, matchedBy, candidates, ambiguous, alternatives },
		...why,
	};
	return {
		...own,
		[resultName('matchStatus')]: matchStatus,
		...added,
		...kept,
		...renamed(result, resultName),
	};
}

function renamed(fields: Json, rename: (name: string) => string): IDataObject {
	return Object.fromEntries(
		Object.entries(fields).map(([name, value]) => [rename(name), value]),
	) as IDataObject;
}

const { idno, name, legal_form, status, city, region } = companyRecord.fields;

/** The fields added to those of the row, with the default prefix. */
export const ENRICHED_ROW: Fields = {
	matchStatus: 'string',
	...prefixed({
		...companyRecord.fields,
		...recommendationFields,
		checkedAt: 'string',
		source: 'string',
		changed: 'boolean',
		changes: [{ field: 'string', from: 'string', to: 'string' }],
	}),
	found: 'boolean',
	matchQuality: 'string',
	matchScore: 'number',
	matchedBy: 'string',
	candidates: 'number',
	ambiguous: 'boolean',
	alternatives: [
		{
			...{ idno, name, legal_form, status, city, region },
			matchScore: 'number',
			differences: ['string'],
		},
	],
	differences: ['string'],
	reason: 'string',
};

function prefixed(fields: Fields): Fields {
	return Object.fromEntries(
		Object.entries(fields).map(([name, type]) => [DEFAULT_PREFIX + name, type]),
	);
}
