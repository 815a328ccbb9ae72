import type { Json } from '../../shared/http/envelope';
import { ServiceError } from '../../shared/http/errors';
import { unexpected } from '../../shared/node/outputs';
import type { OperationCall } from '../../shared/node/runOperation';
import { SEARCHES } from '../collections';
import { companiesIn, hasNameField } from '../records';
import { MAX_RESULTS } from '../service';
import type { Variant } from '../service';
import type { ResultPage, Search } from './searchByName';

/** The company search of the credential's variant. */
export function companySearch(call: OperationCall, variant: Variant): Search {
	const { path, query, singlePage } = SEARCHES[variant];
	return async (q, page) => {
		const body = await unlessUnknown(
			call.send({ method: 'GET', path, query: { q, ...query(page) } }),
		);
		if (body === undefined) return { rows: [], total: 0, more: 'none' };
		const { rows, total = 0, perPage = rows.length, nextPage } = companiesIn(body);
		if (rows.length > 0 && !rows.some(hasNameField)) {
			throw unexpected('companies with a "name"', rows[0]);
		}
		const read = (page - 1) * perPage + rows.length;
		const hasMore = total > 0 ? total > read : rows.length >= MAX_RESULTS || Boolean(nextPage);
		return {
			rows,
			total: Math.max(total, read),
			more: moreOf(hasMore && rows.length > 0, singlePage === true),
		};
	};
}

function moreOf(hasMore: boolean, isSinglePage: boolean): ResultPage['more'] {
	if (!hasMore) return 'none';
	return isSinglePage ? 'cut off' : 'next page';
}

/** Undefined where the service says with an HTTP status that there is no such record. */
export async function unlessUnknown(response: Promise<unknown>): Promise<unknown> {
	return await response.catch((error: unknown) =>
		isUnknown(error) ? undefined : Promise.reject(error as Error),
	);
}

/**
 * How the service reports an unknown record is not documented. A failure in a response with status
 * 200 can be anything, so it is one.
 */
function isUnknown(error: unknown): boolean {
	if (!(error instanceof ServiceError) || error.failure) return false;
	return ['404', '410'].includes(error.httpCode ?? '');
}

/** The recommendation's own fields under the names of the API; null where there is none. */
export function creditFields(record: Json): Json {
	const parts = [record.scoring, record.trade_credit_recommendation] as Array<Json | undefined>;
	const values = Object.assign({}, ...parts) as Json;
	return Object.fromEntries(CREDIT_FIELDS.map((name) => [name, values[name] ?? null]));
}

export const CREDIT_FIELDS = [
	'rating',
	'score',
	'insolvency_risk',
	'recommended_limit_mdl',
	'currency',
	'recommended_payment_terms_days',
	'advisory_notes',
] as const;
