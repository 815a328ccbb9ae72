import type { Output } from '../shared/node/endpoint';
import type { OperationCall } from '../shared/node/operation';
import { InputError } from '../shared/http/errors';
import { recordOf } from '../shared/node/recordSchema';
import { list, rowsWanted } from '../shared/node/outputs';
import { emptyParameter, isBlank } from '../shared/node/validators';
import type { ApiRequest } from '../shared/http/sendRequest';
import type { Json } from '../shared/http/envelope';
import { SEARCHES } from './collections';
import { checkIdno, IDNO_LENGTH } from './idno';
import {
	companiesIn,
	creditRecord,
	rawOrSimpleCredit,
	recordIn,
	simpleDossier,
	suggestionsIn,
	withoutKey,
} from './records';
import { shapeOutput } from './outputMode';
import { MAX_RESULTS } from './service';
import { COMPANY_FIELDS, CREDIT_FIELDS, DOSSIER_FIELDS } from './simplify';

/** The option "Check Digit": whether an IDNO with a wrong last digit is rejected. */
export function wantsCheckDigit(call: OperationCall): boolean {
	const { checkDigit } = call.parameter<{ checkDigit?: boolean }>('options', {});
	return checkDigit !== false;
}

/** @throws InputError, so that a number that cannot be an IDNO costs no request */
function requireIdno(call: OperationCall, value: unknown, label: string): void {
	const check = checkIdno(value, { checkDigit: wantsCheckDigit(call) });
	if (check.valid) return;
	throw new InputError(
		`The parameter "${label}" is not a valid IDNO: ${String(value)}`,
		`${check.reason} For a very old number without a check digit, turn off the option Check Digit.`,
	);
}

async function recordOfIdno(request: ApiRequest, call: OperationCall): Promise<Json> {
	requireIdno(call, request.values?.idno, 'Company');
	return recordIn(await call.send(request));
}

export const dossierOfIdno: Output = {
	schema: simpleDossier,
	async run(request, call) {
		return [shapeOutput(call, await recordOfIdno(request, call), DOSSIER_FIELDS)];
	},
};

export const creditOfIdno: Output = {
	schema: rawOrSimpleCredit,
	async run(request, call) {
		const credit = recordOf(creditRecord, await recordOfIdno(request, call));
		return [shapeOutput(call, credit, CREDIT_FIELDS)];
	},
};

/**
 * The state of the key, which the API does not count against the quota. Its fields are not
 * documented; the key itself is never among them.
 */
export const statusOfKey: Output = {
	async run(request, call) {
		const { account } = await call.connection();
		const body = await call.send(request, { outsideQuota: true });
		return [withoutKey(recordIn(body), account) as Json];
	},
};

export const suggestions: Output = {
	async run(request, call) {
		if (isBlank(request.query?.q)) throw emptyParameter('Query');
		return suggestionsIn(await call.send(request));
	},
};

/** V1: one request, by at least one of query, class code and region. */
export const searchedV1: Output = {
	async run(request, call) {
		const { q, caen, region } = request.query ?? {};
		if ([q, caen, region].every(isBlank)) {
			throw new InputError(
				'There is nothing to search for',
				'Fill in the Query, or add the filter Class Code or Region.',
			);
		}
		requireIdnoIfWhole(call, q);
		const wanted = rowsWanted(call);
		const limit = Math.min(wanted, MAX_RESULTS);
		const body = await call.send({ ...request, query: { ...request.query, limit } });
		const { rows, total } = companiesIn(body);
		if (wanted >= MAX_RESULTS) hintAtMore(call, Math.min(rows.length, wanted), total);
		return companies(call, rows.slice(0, wanted));
	},
};

const makeHinted = () => ({ hinted: false });

/** n8n's own notice advises Return All, which does not help: the search has no further pages. */
function hintAtMore(call: OperationCall, returned: number, total: number | undefined): void {
	const hasMore = total === undefined ? returned >= MAX_RESULTS : total > returned;
	const run = call.shared(makeHinted);
	if (!hasMore || run.hinted) return;
	run.hinted = true;
	const outOf = total === undefined ? '' : ` of ${total}`;
	call.hint(
		`A search returned ${returned}${outOf} companies: a V1 search has no further pages. To get the others, narrow the search with a longer Query, a Class Code or a Region.`,
		'warning',
	);
}

const allPages = list(SEARCHES.unversioned);

/** Unversioned: page by page, by the query alone. */
export const searchedUnversioned: Output = {
	schema: allPages.schema,
	async run(request, call) {
		const { q, caen, region } = request.query ?? {};
		if (!isBlank(caen) || !isBlank(region)) {
			throw new InputError(
				`The filter "${isBlank(caen) ? 'Region' : 'Class Code'}" is only available in the V1 API, but the credential is for the Unversioned API`,
				'Remove the filter, or select a credential whose API Variant is V1.',
			);
		}
		if (isBlank(q)) throw emptyParameter('Query');
		requireIdnoIfWhole(call, q);
		return companies(call, await allPages.run(request, call));
	},
};

function companies(call: OperationCall, rows: Json[]): Json[] {
	return rows.map((row) => shapeOutput(call, row, COMPANY_FIELDS));
}

/** Thirteen digits can only be a whole IDNO; fewer are the beginning of one. */
function requireIdnoIfWhole(call: OperationCall, q: unknown): void {
	const isWholeIdno = new RegExp(`^\\d{${IDNO_LENGTH}}$`).test(String(q).trim());
	if (isWholeIdno) requireIdno(call, String(q).trim(), 'Query');
}
