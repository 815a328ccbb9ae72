import type { Output } from '../shared/node/endpoint';
import type { OperationCall } from '../shared/node/operation';
import { InputError } from '../shared/http/errors';
import { recordOf } from '../shared/node/recordSchema';
import { list } from '../shared/node/outputs';
import { emptyParameter, isBlank, required, wholeNumber } from '../shared/node/validators';
import { SEARCHES } from './collections';
import { checkIdno, IDNO_LENGTH } from './idno';
import {
	companiesIn,
	creditRecord,
	flatCredit,
	recordIn,
	suggestionsIn,
	withoutKey,
} from './records';
import { MAX_RESULTS } from './service';

/** The option "Check Digit": whether an IDNO whose last digit is wrong is refused. */
export function wantsCheckDigit(call: OperationCall): boolean {
	const { checkDigit } = call.parameter<{ checkDigit?: boolean }>('options', {});
	return checkDigit !== false;
}

/** A number that cannot be an IDNO costs no request. */
function refuseImpossible(call: OperationCall, value: unknown, label: string): void {
	const check = checkIdno(value, { checkDigit: wantsCheckDigit(call) });
	if (check.valid) return;
	throw new InputError(
		`The parameter "${label}" is no valid IDNO: ${String(value)}`,
		`${check.reason} If the company is so old that its number has no check digit, turn off the option Check Digit.`,
	);
}

/** The record that an IDNO in the path names, with whatever fields it has. */
export const recordOfIdno: Output = {
	async run(request, call) {
		refuseImpossible(call, request.values?.idno, 'Company');
		return [recordIn(await call.send(request))];
	},
};

/** The credit recommendation, nested as it came or flat. */
export const creditOfIdno: Output = {
	schema: creditRecord.schema,
	async run(request, call) {
		const records = await recordOfIdno.run(request, call);
		const credits = records.map((record) => recordOf(creditRecord, record));
		return call.parameter('simplify', false) ? credits.map(flatCredit) : credits;
	},
};

/** State of the key. The body is not shown; should it repeat the key, that stays inside. */
export const statusOfKey: Output = {
	async run(request, call) {
		const { account } = await call.connection();
		return [withoutKey(recordIn(await call.send(request)), account)];
	},
};

export const suggestions: Output = {
	async run(request, call) {
		if (isBlank(request.query?.q)) throw emptyParameter('Query');
		return suggestionsIn(await call.send(request));
	},
};

/** V1: one request of at most 50 rows, by at least one of query, class code and region. */
export const searchedV1: Output = {
	async run(request, call) {
		const { q, caen, region } = request.query ?? {};
		if ([q, caen, region].every(isBlank)) {
			throw new InputError(
				'There is nothing to search for',
				'Fill in the Query, or add the filter Class Code or Region.',
			);
		}
		refuseImpossibleQuery(call, q);
		const limit = call.parameter('returnAll', false)
			? MAX_RESULTS
			: required<number>(
					wholeNumber(1, MAX_RESULTS),
					call.parameter('limit', MAX_RESULTS),
					'Limit',
				);
		const { rows } = companiesIn(
			await call.send({ ...request, query: { ...request.query, limit } }),
		);
		return rows.slice(0, limit);
	},
};

const allPages = list(SEARCHES.unversioned);

/** Unversioned: page by page, by the query alone. */
export const searchedUnversioned: Output = {
	schema: allPages.schema,
	async run(request, call) {
		const { q, caen, region } = request.query ?? {};
		if (!isBlank(caen) || !isBlank(region)) {
			throw new InputError(
				`The filter "${isBlank(caen) ? 'Region' : 'Class Code'}" exists in the V1 API only, but the credential is for the Unversioned API`,
				'Remove the filter, or select a credential whose API Variant is V1.',
			);
		}
		if (isBlank(q)) throw emptyParameter('Query');
		refuseImpossibleQuery(call, q);
		return await allPages.run(request, call);
	},
};

/** Thirteen digits can only be a whole IDNO; fewer are the beginning of one. */
function refuseImpossibleQuery(call: OperationCall, q: unknown): void {
	const isWholeIdno = new RegExp(`^\\d{${IDNO_LENGTH}}$`).test(String(q).trim());
	if (isWholeIdno) refuseImpossible(call, String(q).trim(), 'Query');
}
