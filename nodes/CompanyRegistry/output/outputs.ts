import type { OperationCall, Output } from '../../shared/node/operation';
import { InputError } from '../../shared/http/errors';
import { listRecords, rowsWanted } from '../../shared/node/outputs';
import type { Fields } from '../../shared/node/records';
import { emptyParameter, isBlank, readFlag } from '../../shared/node/validators';
import type { ApiRequest } from '../../shared/http/request';
import { isJson, readRecord, unexpectedShape } from '../../shared/http/envelope';
import { LIST_KEYS, MAX_RESULTS, RECORD_KEYS, suggestionsIn } from '../api';
import type { Variant } from '../api';
import {
	COMPANY_FIELDS,
	companyRecord,
	CREDIT_FIELDS,
	creditFields,
	DOSSIER_FIELDS,
	dossierFields,
} from '../company';
import { findCompanies, requireCompanyRecord, requireFilter, resultsOf } from '../search';
import type { FoundCompanies, RecordKind, SearchQuery } from '../search';
import { adviceOn, checkIdno, isWholeIdno } from '../idno';
import { checkShape, shapeOutput } from './selectFields';

/** The option "Validate Check Digit". */
export function wantsCheckDigit(call: OperationCall): boolean {
	const { checkDigit } = call.parameter<{ checkDigit?: unknown }>('options', {});
	return readFlag(checkDigit, true, 'Validate Check Digit');
}

/** Makes sure that a request isn't wasted on an invalid IDNO. @throws InputError */
export function requireIdno(call: OperationCall, value: unknown, label: string): void {
	const check = checkIdno(value, { checkDigit: wantsCheckDigit(call) });
	if (check.valid) return;
	throw new InputError(
		`The parameter "${label}" is not a valid IDNO: ${String(value)}`,
		adviceOn(check),
	);
}

/** The IDNO counts even if it's entered as a name. One that's found by name is real, so it isn't checked. */
function checkCompany(call: OperationCall): void {
	const { path, named, labels } = call.inputs;
	const given = path.idno ?? named.idno?.name;
	if (isWholeIdno(given)) requireIdno(call, given, labels.idno ?? 'IDNO');
	checkShape(call);
}

/** The operation Get: a company's full record or its credit recommendation. */
function recordOutput(kind: RecordKind, fields: Fields, leading: readonly string[]): Output {
	return {
		fields,
		check: checkCompany,
		async run(request, call) {
			const send = async (each: ApiRequest) => await call.send(each);
			const idno = String(request.values?.idno);
			return [shapeOutput(call, await requireCompanyRecord(send, kind, idno), leading)];
		},
	};
}

export const dossier = recordOutput('dossier', dossierFields, DOSSIER_FIELDS);

export const credit = recordOutput('credit', creditFields, CREDIT_FIELDS);

/**
 * The status of the key, which doesn't count against the quota. The API doesn't document its fields, so
 * even a response with nothing but a message is output.
 */
export const statusOfKey: Output = {
	async run(request, call) {
		const body = await call.send(request, { outsideQuota: true });
		const status = readRecord(body, RECORD_KEYS) ?? body;
		if (!isJson(status)) throw unexpectedShape('a record', body);
		// The service may name the key that it reports on.
		return [(await call.connection()).account.mask(status)];
	},
};

export const suggestions: Output = {
	check({ inputs }) {
		if (isBlank(inputs.query.q)) throw emptyParameter('Query');
	},
	async run(request, call) {
		return suggestionsIn(await resultsOf(call.send(request)));
	},
};

/** The companies that a search finds. The V1 API returns one page; the Unversioned API can have more. */
export function searchOutput(variant: Variant): Output {
	const list = listRecords({
		keys: LIST_KEYS,
		pageSize: MAX_RESULTS,
		async fetchPage(call, { query = {} }) {
			const { limit, page, ...search } = query as SearchQuery & { limit?: number; page?: number };
			const found = await findCompanies(async (each) => await call.send(each), { variant, query: search, page, limit });
			// Without a total, only a page of exactly the requested size suggests that there are more companies: a
			// larger or smaller one comes from a service that doesn't go by `limit`.
			const isLikely = found.matches !== undefined || found.rows.length === limit;
			if (found.more === 'cut off' && isLikely) noteHidden(call, found);
			return found;
		},
	});
	return {
		...(variant === 'unversioned' && { fields: companyRecord.fields }),
		check(call) {
			const { query } = call.inputs;
			requireFilter(query);
			if (isWholeIdno(query.q)) requireIdno(call, query.q, 'Query');
			list.check?.(call);
			checkShape(call);
		},
		async run(request, call) {
			const rows = await list.run(request, call);
			return rows.map((row) => shapeOutput(call, row, COMPANY_FIELDS));
		},
	};
}

const makeHinted = () => ({ hinted: false });

/** Shows a notice, once per run, that the service has more companies than it returned. */
function noteHidden(call: OperationCall, { rows, matches }: FoundCompanies): void {
	call.noteCut(matches);
	const returned = Math.min(rows.length, rowsWanted(call));
	const run = call.shared('hidden', makeHinted);
	// If the output has exactly as many items as "Limit", n8n shows a notice of its own.
	if (run.hinted || returned === rowsWanted(call)) return;
	run.hinted = true;
	const outOf = matches === undefined ? '' : ` of ${matches}`;
	call.notice(
		`A search returned ${returned}${outOf} companies. The V1 API doesn't return more, even with "Return All" or a higher "Limit". To get the rest, narrow the search with a longer "Query", a "CAEN Code" or a "Region".`,
		'warning',
	);
}
