import type { Json } from '../../shared/http/envelope';
import { InputError, ServiceError } from '../../shared/http/errors';
import { isBlank } from '../../shared/node/validators';
import type { Checks } from './budget';
import { MAX_RESULTS, otherVariant } from '../api';
import { findCompanies } from '../companySearch';
import { companyOf } from '../enrich/match/decide';
import { companyWith } from '../output/outputs';
import type { Variant } from '../api';
import { simplify } from '../output/simplify';

export type Value = string | number | boolean;

/** The fields that can be watched, by the API's names. */
export const WATCHABLE = [
	'status',
	'rating',
	'score',
	'insolvency_risk',
	'recommended_limit_mdl',
] as const;

export type Field = (typeof WATCHABLE)[number];
export type Values = Partial<Record<Field, Value>>;

/** Where the fields of a company are read. */
export type Source = 'credit' | 'dossier' | 'search';

/** The current data of a company. */
export interface ShownCompany {
	idno: string;
	name?: string;
	/** Fields that the response doesn't have are absent. */
	values: Values;
	/** The record as returned. */
	details: Json;
}

/**
 * The source for a credential's variant.
 *
 * @throws InputError when the variant does not have it, or it does not show the fields
 */
export function sourceFor(
	variant: Variant,
	wanted: Source | 'automatic',
	fields: readonly Field[],
): Source {
	const source = wanted !== 'automatic' ? wanted : variant === 'v1' ? 'credit' : 'search';
	if (variant !== 'v1' && source !== 'search') {
		const advice =
			'Set "Status Source" to Automatic or Search, or select a credential whose API Variant is V1.';
		throw otherVariant('The selected "Status Source"', variant, ['v1'], advice);
	}
	if (source === 'search' && fields.some((field) => field !== 'status')) {
		throw new InputError(
			'A search shows the status of a company, but not its rating, score, insolvency risk or limit',
			'In "Fields to Watch", select only Status. Or watch a list of companies, with "Status Source" set to Automatic and a credential for the V1 API.',
		);
	}
	return source;
}

/**
 * Reads one company with one request.
 *
 * @returns undefined if the registry says that it does not exist
 * @throws ServiceError
 */
export async function lookUp(
	idno: string,
	source: Source,
	client: Pick<Checks, 'variant' | 'send'>,
): Promise<ShownCompany | undefined> {
	if (source === 'search') return await searchFor(idno, client);
	const path = source === 'credit' ? '/api/v1/credit/:idno' : '/api/v1/company/:idno';
	const body = await client.send({ method: 'GET', path, values: { idno } });
	return shownCompany(companyWith(idno, body), idno);
}

async function searchFor(idno: string, { variant, send }: Pick<Checks, 'variant' | 'send'>) {
	const query = { q: idno };
	const { rows, more } = await findCompanies(send, { variant, query, limit: MAX_RESULTS });
	const company = companyOf(rows, idno);
	if (company) return shownCompany(company, idno);
	if (more === 'none') return undefined;
	throw new ServiceError(`The search does not show the company ${idno} among its first results`, {
		description:
			'Set "Status Source" to Credit Recommendation (V1 API), or check the IDNO with Company: Search.',
	});
}

/** A record of any of the sources. Empty text counts as missing. */
export function shownCompany(record: Json, idno: string): ShownCompany {
	const { name, ...fields } = simplify(record, ['name', ...WATCHABLE]);
	const known = WATCHABLE.map((field) => [field, fields[field]]).filter(
		([, value]) => !isBlank(value),
	);
	return {
		idno,
		...(typeof name === 'string' && { name }),
		values: Object.fromEntries(known) as Values,
		details: record,
	};
}
