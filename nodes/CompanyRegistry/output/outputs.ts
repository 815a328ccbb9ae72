import type { OperationCall, Output } from '../../shared/node/operation';
import { InputError, ServiceError } from '../../shared/http/errors';
import { listRecords, rowsWanted } from '../../shared/node/outputs';
import { emptyParameter, isBlank, readFlag } from '../../shared/node/validators';
import type { ApiRequest } from '../../shared/http/sendRequest';
import { unexpectedShape } from '../../shared/http/envelope';
import type { Json } from '../../shared/http/envelope';
import { companyIn, LIST_KEYS, MAX_RESULTS, suggestionsIn } from '../api';
import {
	COMPANY_FIELDS,
	companyRecord,
	CREDIT_FIELDS,
	creditFields,
	DOSSIER_FIELDS,
	dossierFields,
	nameOf,
	readFields,
} from '../companyFields';
import { requireSearchable, resultsOf, findCompanies } from '../companySearch';
import { checkIdno, isWholeIdno } from '../idno';
import { shapeOutput } from './selectFields';

/** The option "Validate Check Digit": whether an IDNO with a wrong last digit is rejected. */
export function wantsCheckDigit(call: OperationCall): boolean {
	const { checkDigit } = call.parameter<{ checkDigit?: unknown }>('options', {});
	return readFlag(checkDigit, true, 'Validate Check Digit');
}

/** @throws InputError, so that a number that cannot be an IDNO costs no request */
export function requireIdno(call: OperationCall, value: unknown, label: string): void {
	const check = checkIdno(value, { checkDigit: wantsCheckDigit(call) });
	if (check.valid) return;
	throw new InputError(
		`The parameter "${label}" is not a valid IDNO: ${String(value)}`,
		`${check.reason} For a very old number without a check digit, turn off the option "Validate Check Digit".`,
	);
}

async function recordOfCompany(request: ApiRequest, call: OperationCall): Promise<Json> {
	const { mode } = call.parameter<{ mode?: string }>('idno', {});
	// A company that a search by name has found exists, with or without a check digit.
	if (mode !== 'name') requireIdno(call, request.values?.idno, call.inputs.labels.idno ?? 'IDNO');
	const idno = request.values?.idno ?? '';
	return companyWith(checkIdno(idno, { checkDigit: false }).idno, await call.send(request));
}

/** The record of a company in a response. @throws ServiceError when it is that of another one */
export function companyWith(idno: string, body: unknown): Json {
	const record = companyIn(body);
	if (nameOf(record) === undefined && !JSON.stringify(record).includes(idno)) {
		throw unexpectedShape('a company with an "idno" or a "name"', record);
	}
	const returned = checkIdno(readFields(record, ['idno']).idno, { checkDigit: false });
	if (!returned.valid || returned.idno === idno) return record;
	throw new ServiceError(`The registry returned a different company than ${idno}`, {
		description: "Try again. If the problem persists, contact the service's administrator.",
		failure: { cause: 'node-defect' },
	});
}

export const dossier: Output = {
	fields: dossierFields,
	async run(request, call) {
		return [shapeOutput(call, await recordOfCompany(request, call), DOSSIER_FIELDS)];
	},
};

export const credit: Output = {
	fields: creditFields,
	async run(request, call) {
		return [shapeOutput(call, await recordOfCompany(request, call), CREDIT_FIELDS)];
	},
};

/** The state of the key, which the API does not count against the quota. Its fields are not documented. */
export const statusOfKey: Output = {
	async run(request, call) {
		return [companyIn(await call.send(request, { outsideQuota: true }))];
	},
};

export const suggestions: Output = {
	async run(request, call) {
		if (isBlank(request.query?.q)) throw emptyParameter('Query');
		return suggestionsIn(await resultsOf(call.send(request)));
	},
};

/** V1: one request, with at least one of query, CAEN code and region. */
export const searchV1: Output = {
	async run(request, call) {
		const { query = {} } = request;
		requireIdnoIfWhole(call, query.q);
		const wanted = rowsWanted(call);
		const limit = Math.min(wanted, MAX_RESULTS);
		const send = async (search: ApiRequest) => await call.send(search);
		const { rows, matches, more } = await findCompanies(send, { variant: 'v1', query, limit });
		const found = rows.slice(0, wanted);
		if (more !== 'none' || rows.length > wanted) {
			call.noteCut(matches);
			// With exactly that many, n8n says itself that there may be more.
			if (found.length !== wanted) hintAtMore(call, found.length, matches);
		}
		return companies(call, found);
	},
};

const makeHinted = () => ({ hinted: false });

/** n8n's own notice advises Return All, so this one says that it does not help. */
function hintAtMore(call: OperationCall, returned: number, total: number | undefined): void {
	const run = call.shared(makeHinted);
	if (run.hinted) return;
	run.hinted = true;
	const outOf = total === undefined ? '' : ` of ${total}`;
	call.hint(
		`A search returned ${returned}${outOf} companies. The V1 API doesn't return more, even with "Return All" or a higher "Limit". To get the others, narrow the search with a longer "Query", a "CAEN Code" or a "Region".`,
		'warning',
	);
}

const allPages = listRecords({
	keys: LIST_KEYS,
	record: companyRecord,
	pageSize: MAX_RESULTS,
});

/** Unversioned: page by page, only by the query. */
export const searchUnversioned: Output = {
	fields: companyRecord.fields,
	async run(request, call) {
		const { query = {} } = request;
		requireSearchable('unversioned', query);
		requireIdnoIfWhole(call, query.q);
		const send: OperationCall['send'] = async (...sent) => await resultsOf(call.send(...sent));
		return companies(call, await allPages.run(request, { ...call, send }));
	},
};

function companies(call: OperationCall, rows: Json[]): Json[] {
	return rows.map((row) => shapeOutput(call, row, COMPANY_FIELDS));
}

/** Thirteen digits are a whole IDNO; fewer are the beginning of one. */
function requireIdnoIfWhole(call: OperationCall, q: unknown): void {
	if (isWholeIdno(q)) requireIdno(call, q, 'Query');
}
