import { objectsOrNames, readRecord, requirePage, unexpectedShape } from '../shared/http/envelope';
import type { Json, Page } from '../shared/http/envelope';
import { ServiceError } from '../shared/http/errors';
import { NO_SUCH_PAGE, NO_SUCH_ROUTE } from '../shared/http/response';
import type { Fields, RecordSchema } from '../shared/node/records';
import { checkIdno } from './idno';

/** docs/services.md, "Company Registry: records": a search result. V1 does not document its own. */
export const companyRecord = {
	fields: {
		idno: 'string',
		name: 'string',
		legal_form: 'string',
		status: 'string',
		city: 'string',
		region: 'string',
		caen_code: 'string',
		caen_description: 'string',
	},
} satisfies RecordSchema;

const SCORE = { rating: 'string', score: 'integer', insolvency_risk: 'string' } as const;

const ADVICE = {
	recommended_limit_mdl: 'number',
	currency: 'string',
	recommended_payment_terms_days: 'integer',
	advisory_notes: 'string',
} as const;

/** Fields of a simplified dossier; the API's documentation does not show those of a raw one. */
export const SIMPLE_DOSSIER: Fields = {
	...companyRecord.fields,
	...SCORE,
	recommended_limit_mdl: 'number',
};

/** n8n allows one schema per operation, so it has the fields of both outputs. */
export const RAW_OR_SIMPLE_CREDIT = {
	idno: 'string',
	name: 'string',
	status: 'string',
	scoring: SCORE,
	trade_credit_recommendation: ADVICE,
	...SCORE,
	...ADVICE,
} satisfies Fields;

/**
 * Names under which a list can be found. The first is documented for the unversioned search; that
 * of the V1 search is not documented.
 */
export const LIST_KEYS: readonly [string, ...string[]] = ['data', 'results', 'companies', 'items'];

/** The shape of suggestions is not documented either. */
const SUGGESTION_KEYS = [...LIST_KEYS, 'suggestions'];

/** Names of a group that wraps a single record. */
const RECORD_KEYS = ['data', 'company', 'result', 'dossier'];

/**
 * Undefined if an HTTP status says that there is no record for a company that exists; which status is
 * not documented. A failure in a response with status 200 can have any cause, so it is thrown.
 */
export async function unlessNone<T>(response: Promise<T>): Promise<T | undefined> {
	return await response.catch((error: unknown) => {
		if (isRejection(error, ['400', '404', '410', '422'])) return undefined;
		throw error;
	});
}

/**
 * The response to a search. With 404, the service says that it found nothing, unless these can be the
 * words of a server that has no such page.
 */
export async function resultsOf<T>(response: Promise<T>, none: T): Promise<T> {
	return await response.catch((error: unknown) => {
		if (!isRejection(error, ['404', '410']) || NO_SUCH_ROUTE.test(error.message)) throw error;
		if (!error.hasEnvelope && NO_SUCH_PAGE.test(error.message)) throw error;
		return none;
	});
}

function isRejection(error: unknown, statuses: string[]): error is ServiceError {
	if (!(error instanceof ServiceError) || error.failure) return false;
	return statuses.includes(error.httpCode ?? '');
}

/** A body without results. */
export const NO_RESULTS: unknown = { total: 0 };

/** A page of companies, as the service returned it. */
export function companiesIn(body: unknown): Page {
	const page = requirePage(body, LIST_KEYS, undefined, 'a list of companies');
	return { ...page, rows: page.rows.map(withTextIdno) };
}

/** The suggestions of an autocomplete. One that is only text becomes a record with its name. */
export function suggestionsIn(body: unknown): Json[] {
	return requirePage(body, SUGGESTION_KEYS, objectsOrNames, 'a list of suggestions').rows;
}

/** The single record of a response. Its fields are not documented, so all are kept. */
export function companyIn(body: unknown): Json {
	const found = readRecord(body, RECORD_KEYS);
	if (!found) throw unexpectedShape('a record', body);
	return withTextIdno(found);
}

/** The API documents an IDNO as text; as a number, it would not equal that of a CRM. */
function withTextIdno(company: Json): Json {
	return typeof company.idno === 'number' ? { ...company, idno: String(company.idno) } : company;
}

/** The V1 search does not document its fields; these are the likely names of the IDNO. */
export const IDNO_KEYS = ['idno', 'fiscal_code', 'cod_fiscal'];

/**
 * The IDNO of a company. Without such a field, the first text with thirteen digits and a right check
 * digit: a number can be a time, and another field can hold the IDNO of a parent company.
 */
export function idnoOf(company: Json): string | undefined {
	const key = IDNO_KEYS.find((name) => name in company);
	const texts = Object.values(company).filter((value) => typeof value === 'string');
	return (key === undefined ? texts : [company[key]])
		.map((value) => checkIdno(value, { checkDigit: key === undefined }))
		.find(({ valid }) => valid)?.idno;
}

/** The likely names of the name. */
export const NAME_KEYS = ['name', 'company_name', 'companyName', 'full_name', 'denumire', 'title'];

export function nameOf(company: Json): string | undefined {
	return NAME_KEYS.map((key) => company[key]).find((value) => typeof value === 'string') as
		string | undefined;
}

/** Whether a row has a field for the name, which may be empty. */
export function hasNameField(company: Json): boolean {
	return NAME_KEYS.some((key) => key in company);
}

/** `active` is the only documented status (docs/services.md, "Company Registry: records"). */
export function isActive({ status }: Json): boolean {
	return typeof status === 'string' && status.trim().toLowerCase() === 'active';
}

/** The API's statuses are identifiers, e.g. `in_liquidation`. */
export function inWords(status: unknown): string | undefined {
	return typeof status === 'string' ? status.replaceAll('_', ' ') : undefined;
}

/** A field by its name, or by its path with dots. */
export function valueAt(record: unknown, path: string): unknown {
	if (typeof record !== 'object' || record === null) return undefined;
	if (Object.hasOwn(record, path)) return (record as Json)[path];
	const [first = '', ...rest] = path.split('.');
	if (rest.length === 0 || !Object.hasOwn(record, first)) return undefined;
	return valueAt((record as Json)[first], rest.join('.'));
}
