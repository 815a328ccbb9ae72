import type { IDataObject } from 'n8n-workflow';
import type { ZodTypeAny } from 'zod';
import { z } from 'zod';

import type { Json } from '../../shared/http/envelope';
import type { Schema } from '../../shared/node/recordSchema';
import { companyRecord, rawOrSimpleCredit } from '../records';
import { COMPANY_FIELDS, CREDIT_FIELDS } from '../simplify';
import type { MatchQuality } from './compareNames';
import type { ComparedCandidate } from './decide';
import { DEFAULT_PREFIX } from './fields';
import type { Row } from './row';

/** What the look-up of a row led to. */
export interface Outcome {
	/** The company as the service sent it; absent when none is meant for certain. */
	company?: Json;
	/** 1 for an IDNO; for a name, how similar the most similar one is, from 0 to 1. */
	matchScore: number;
	matchedBy: 'idno' | 'name' | null;
	/** How many other companies the searches found. */
	candidates: number;
	/** Why no company was found, or why the match is not exact. */
	reason: string | null;
	/** Whether several companies match equally well. */
	ambiguous: boolean;
	/** Other companies that may be meant, the most similar first. */
	alternatives: Alternative[];
	matchQuality: MatchQuality;
}

interface Alternative extends IDataObject {
	idno: string | null;
	name: string;
	city: string | null;
	matchScore: number;
}

/** Alternatives that a person can compare at a glance. */
const MOST_ALTERNATIVES = 3;

export function notFound(reason: string): Outcome {
	return {
		matchScore: 0,
		matchedBy: null,
		candidates: 0,
		reason,
		ambiguous: false,
		alternatives: [],
		matchQuality: 'none',
	};
}

export function alternativesOf(candidates: readonly ComparedCandidate[]): Alternative[] {
	return candidates.slice(0, MOST_ALTERNATIVES).map(({ idno, title, city, score }) => ({
		idno: idno ?? null,
		name: title,
		city: city ?? null,
		matchScore: roundedScore(score),
	}));
}

/** Rounded down, so that only an exact match has the score 1. */
export function roundedScore(score: number): number {
	return Math.floor(score * 1000 + 1e-6) / 1000;
}

/**
 * The item of a row: its own fields, what the look-up led to, and the company. The row's fields
 * stay: a result field of the same name gets the prefix.
 *
 * @param fields what the item shows of the company
 */
export function outputItem(
	{ prefix, includeInputFields, replaceInputFields }: Row,
	input: IDataObject,
	{ company, ...outcome }: Outcome,
	fields: Json = {},
): IDataObject {
	const own = includeInputFields ? input : {};
	const isTaken = (name: string) => !replaceInputFields && Object.hasOwn(own, name);
	const result = { found: company !== undefined, ...outcome };
	return {
		...own,
		...renamed(result, (name) => (isTaken(name) ? `${prefix || DEFAULT_PREFIX}${name}` : name)),
		...renamed(fields, (name) => prefix + name),
	};
}

function renamed(fields: Json, rename: (name: string) => string): IDataObject {
	return Object.fromEntries(
		Object.entries(fields).map(([name, value]) => [rename(name), value]),
	) as IDataObject;
}

/** The fields of a recommendation that a company does not have itself. */
const RECOMMENDATION = Object.fromEntries(
	CREDIT_FIELDS.filter((name) => !COMPANY_FIELDS.includes(name)).map((name) => [name, true]),
) as Record<string, true>;

/** The fields beside those of the row, with the prefix that they have by default. */
export const enrichedRow: Schema = () =>
	z.object({
		found: z.boolean(),
		matchScore: z.number(),
		matchedBy: z.string().nullable(),
		candidates: z.number(),
		reason: z.string().nullable(),
		ambiguous: z.boolean(),
		alternatives: z.array(
			z.object({
				idno: z.string().nullable(),
				name: z.string(),
				city: z.string().nullable(),
				matchScore: z.number(),
			}),
		),
		matchQuality: z.string(),
		...prefixed(companyRecord.schema().shape),
		...prefixed(rawOrSimpleCredit().pick(RECOMMENDATION).shape),
	});

function prefixed(shape: Record<string, ZodTypeAny>): Record<string, ZodTypeAny> {
	return Object.fromEntries(
		Object.entries(shape).map(([name, type]) => [DEFAULT_PREFIX + name, type]),
	);
}
