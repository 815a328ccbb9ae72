import { unexpectedShape } from '../../shared/http/envelope';
import { ServiceError } from '../../shared/http/errors';
import { nextPageOf } from '../../shared/http/pagination';
import type { OperationCall } from '../../shared/node/operation';
import { SEARCHES } from '../collections';
import { companiesIn, hasNameField } from '../records';
import { MAX_RESULTS } from '../service';
import type { Variant } from '../service';
import type { Search } from './searchByName';

/** The company search of the credential's variant. */
export function companySearch(call: OperationCall, variant: Variant): Search {
	const { path, query, singlePage } = SEARCHES[variant];
	return async (q, page) => {
		const body = await unlessUnknown(
			call.send({ method: 'GET', path, query: { q, ...query(page) } }),
		);
		if (body === undefined) return { rows: [], total: 0, more: 'none' };
		const results = companiesIn(body);
		const { rows, total = rows.length } = results;
		if (rows.length > 0 && !rows.some(hasNameField)) {
			throw unexpectedShape('companies with a "name"', rows[0]);
		}
		const hasMore = nextPageOf(results, page, MAX_RESULTS) !== undefined;
		const next = singlePage ? 'cut off' : 'next page';
		return { rows, total: Math.max(total, rows.length), more: hasMore ? next : 'none' };
	};
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
