import { readRecord, unexpectedShape, type Page } from '../../shared/http/envelope';
import { isJson } from '../../shared/http/json';
import type { Call } from '../../shared/node/call';
import type { Fields } from '../../shared/node/collection';
import type { Output } from '../../shared/node/operation';
import { recordsFrom } from '../../shared/node/outputs';
import { emptyParameter } from '../../shared/node/validators';
import { isBlank } from '../../shared/node/values';
import { callVariant } from '../api';
import {
	COMPANY_FIELDS,
	companyFields,
	CREDIT_FIELDS,
	creditFields,
	DOSSIER_FIELDS,
	dossierFields,
} from '../company';
import { checkIdno, invalidIdno, wantsCheckDigit } from '../idno';
import {
	findCompanies,
	MAX_RESULTS,
	RECORD_KEYS,
	requireCompanyRecord,
	requireSearchable,
	resultsOf,
	suggestionsIn,
} from '../search';
import type { RecordKind, SearchQuery } from '../search';
import { readShape } from './shape';

/**
 * Makes sure that a request isn't wasted on an IDNO with a typo. Any other text can be a name.
 *
 * @param digits a number with this many digits or more can only be an IDNO
 * @throws InputError
 */
function checkTyped(call: Call, value: unknown, label: string, digits: number): void {
	const check = checkIdno(value, { checkDigit: wantsCheckDigit(call.parameter) });
	if (check.valid || !/^\d+$/.test(check.idno) || check.idno.length < digits) return;
	throw invalidIdno(`The parameter "${label}" is not a valid IDNO: ${String(value)}`, check);
}

/** The operation Get: a company's full record or its credit recommendation. */
function recordOutput(kind: RecordKind, fields: Fields, leading: readonly string[]): Output {
	return {
		fields,
		prepare(call) {
			const { idno } = call.inputs.path;
			if (idno) checkTyped(call, idno.value, idno.label, 9);
			const shape = readShape(call);
			return async ({ values }) => {
				const record = await requireCompanyRecord(call, kind, String(values?.idno));
				return { records: [shape(record, leading)] };
			};
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
	prepare: (call) => async (request) => {
		const body = await call.send({ ...request, outsideQuota: true });
		const status = readRecord(body, RECORD_KEYS) ?? body;
		if (!isJson(status)) throw unexpectedShape('a record', body);
		// The service may name the key that it reports on.
		const { account } = await call.connection();
		return { records: [account.mask(status)] };
	},
};

export const suggestions: Output = {
	prepare(call) {
		if (isBlank(call.inputs.query.q)) throw emptyParameter('Query');
		return async (request) => ({ records: suggestionsIn(await resultsOf(call.send(request))) });
	},
};

const foundCompanies = recordsFrom({ pageSize: MAX_RESULTS }, (call, { query = {} }) => {
	return async (page, limit) => {
		const variant = await callVariant(call);
		const search = { variant, query: query as SearchQuery, page, limit };
		const found = await findCompanies(call, search);
		if (found.hidden) noteHidden(call, found, limit);
		return found;
	};
});

/** The companies that a search finds. The V1 API returns one page; the Unversioned API can have more. */
export const companySearch: Output = {
	fields: companyFields,
	prepare(call) {
		const { query } = call.inputs;
		requireSearchable(undefined, query);
		// A query can be the start of one.
		checkTyped(call, query.q, 'Query', 13);
		const search = foundCompanies.prepare(call);
		const shape = readShape(call);
		return async (request) => {
			const { records, cut } = await search(request);
			return { records: records.map((row) => shape(row, COMPANY_FIELDS)), cut };
		};
	},
};

/** Shows a notice that the service has more companies than it returned. */
function noteHidden(call: Call, { rows, hidden }: Page, limit = MAX_RESULTS): void {
	// Whoever sets a lower limit doesn't want the rest.
	if (limit < MAX_RESULTS && rows.length >= limit) return;
	const outOf = hidden?.total === undefined ? '' : ` of ${hidden.total}`;
	call.run.notice(
		`A search returned ${rows.length}${outOf} companies. The V1 API returns up to ${MAX_RESULTS}, even with "Return All". To get the rest, narrow the search with a longer "Query", a "CAEN Code" or a "Region".`,
		'warning',
	);
}
