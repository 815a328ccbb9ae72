import type { Json } from '../../shared/http/envelope';
import { InputError, ServiceError } from '../../shared/http/errors';
import { isBlank } from '../../shared/node/validators';
import { otherVariant } from '../api';
import type { Variant } from '../api';
import { cellOf, fieldsOf, nameOf, readFields } from '../company';
import { findByIdno, readCompanyRecord } from '../search';
import type { RecordKind } from '../search';
import type { Checks } from './budget';

export type Value = string | number | boolean;

/** The fields that can be watched without the full record, named as in the API. */
export const WATCHABLE = [
	'status',
	'rating',
	'score',
	'insolvency_risk',
	'recommended_limit_mdl',
] as const;

/** A company's values, by field. Lacks fields that are empty or that no response has. */
export type Values = Readonly<Record<string, Value>>;

/** Where the {@link WATCHABLE} fields are read. The API calls the full record a dossier. */
export const SOURCES = ['credit', 'dossier', 'search'] as const;
export type Source = (typeof SOURCES)[number];

/** What a check of a company reads. */
export interface CheckPlan {
	source: Source;
	/** Other fields of the full record, named as in the simplified output. */
	others: readonly string[];
}

/** A company as the registry shows it. */
export interface ShownCompany {
	idno: string;
	name?: string;
	values: Values;
	/** The record as returned, preferably the full one. */
	details: Json;
}

/**
 * How to read the fields in a variant of the API.
 *
 * @throws InputError if it doesn't have them
 */
export function planCheck(
	variant: Variant,
	wanted: Source | 'automatic',
	fields: readonly string[],
	others: readonly string[],
): CheckPlan {
	const automatic = () => {
		if (variant !== 'v1') return 'search';
		// The full record has the status too. The other fields are only documented in the recommendation.
		const needsCredit = fields.some((field) => field !== 'status');
		return others.length > 0 && !needsCredit ? 'dossier' : 'credit';
	};
	const source = wanted === 'automatic' ? automatic() : wanted;
	if (variant !== 'v1' && others.length > 0) {
		const advice = 'Remove the fields, or select a credential whose API Variant is V1.';
		throw otherVariant('The parameter "Other Fields to Watch"', variant, ['v1'], advice);
	}
	if (variant !== 'v1' && source !== 'search') {
		const advice =
			'Set "Status Source" to Automatic or Search, or select a credential whose API Variant is V1.';
		throw otherVariant('The selected "Status Source"', variant, ['v1'], advice);
	}
	if (source === 'search' && fields.some((field) => field !== 'status')) {
		throw new InputError(
			"A search returns a company's status, but not its rating, score, insolvency risk or limit",
			'In "Fields to Watch", select only Status and Disappearance. Or set "Status Source" to Automatic and use a credential for the V1 API.',
		);
	}
	return { source, others };
}

/** Requests that a check takes. */
export function requestsPerCheck({ source, others }: CheckPlan): number {
	return source !== 'dossier' && others.length > 0 ? 2 : 1;
}

/** What companies are read with. `mask` hides the API key in them. */
export interface Client extends Pick<Checks, 'variant' | 'send'> {
	mask<T>(value: T): T;
}

/**
 * Reads one company.
 *
 * @returns undefined if the registry says that it doesn't exist
 * @throws ServiceError
 */
export async function lookUp(
	idno: string,
	plan: CheckPlan,
	client: Client,
): Promise<ShownCompany | undefined> {
	const { source, others } = plan;
	const record = async (kind: RecordKind) => await readCompanyRecord(client.send, kind, idno);
	const main = source === 'search' ? await searchFor(idno, client) : await record(source);
	if (!main) return undefined;
	// A company that only lacks a full record hasn't disappeared.
	const full = (requestsPerCheck(plan) > 1 ? await record('dossier') : undefined) ?? main;
	const fields = fieldsOf(full);
	const all = [
		...Object.entries(readFields(main, WATCHABLE)),
		...others.map((name) => [name, cellOf(fields.get(name)) ?? null] as const),
	];
	const values = all.filter((entry): entry is [string, Value] => !isBlank(entry[1]));
	const name = nameOf(main) ?? nameOf(full);
	return client.mask({
		idno,
		...(name !== undefined && { name }),
		values: Object.fromEntries(values),
		details: full,
	});
}

export function isMissing({ httpCode }: ServiceError): boolean {
	return httpCode === '404' || httpCode === '410';
}

/** Something other than the API has answered: the base URL is wrong, or only this address is. */
export function isOtherPage({ httpCode, failure }: ServiceError): boolean {
	return httpCode !== undefined && failure?.cause === 'configuration-invalid';
}

/** @param idnos checked companies, none of which the registry has */
export function noneFound(idnos: readonly string[]): ServiceError {
	const [first, ...others] = idnos;
	return new ServiceError(
		others.length === 0
			? `The registry doesn't have the company ${first}`
			: `The registry doesn't have any of the ${idnos.length} companies checked so far`,
		{
			description: `Check the ${others.length > 0 ? `IDNOs, e.g. ${first},` : 'IDNO'} and the credential's API Variant.`,
		},
	);
}

async function searchFor(idno: string, { variant, send }: Client): Promise<Json | undefined> {
	const { company, isCutOff } = await findByIdno(send, variant, idno);
	if (!isCutOff) return company;
	throw new ServiceError(`The first search results don't include the company ${idno}`, {
		description:
			'Set "Status Source" to Credit Recommendation (V1 API), or check the IDNO with Company: Search.',
	});
}
