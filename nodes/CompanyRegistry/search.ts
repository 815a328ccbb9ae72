import {
	explanation,
	objectsOrNames,
	readPage,
	readRecord,
	requirePage,
	unexpectedShape,
} from '../shared/http/envelope';
import type { Page } from '../shared/http/envelope';
import { isNotFound, isInvalidInput, ServiceError } from '../shared/http/errors';
import { InputError } from '../shared/http/inputError';
import { isJson, type Json } from '../shared/http/json';
import type { Sender } from '../shared/http/request';
import { plain } from '../shared/http/words';
import { isBlank } from '../shared/node/values';
import { otherVariant, type Variant } from './api';
import { idnoOf, isBranch, isIdentified, nameOf, withTextIdno } from './company';

/** docs/maintainers/services.md, "Company Registry: requests". */
export const SEARCH_PATHS: Record<Variant, string> = {
	v1: '/api/v1/search',
	unversioned: '/api/search',
};

/** The highest `limit` that a search accepts (docs/maintainers/services.md, "Company Registry: requests"). */
export const MAX_RESULTS = 50;

export interface SearchQuery {
	q?: unknown;
	caen?: unknown;
	region?: unknown;
}

export interface CompanySearch {
	variant: Variant;
	query: SearchQuery;
	/** From 1. A V1 search has only one page. */
	page?: number;
	/** Companies per page. If undefined, the service decides. */
	limit: number | undefined;
}

/**
 * Sends one search request. `nextPage` is null if the next page can't be requested, so code that reads pages never
 * asks the V1 API for a second one.
 *
 * @throws InputError if no filter is set, or the variant doesn't support one of them
 */
export async function findCompanies(
	sender: Sender,
	{ variant, query, page: number = 1, limit }: CompanySearch,
): Promise<Page> {
	requireSearchable(variant, query);
	// The V1 API doesn't document a `page` parameter.
	const paging = { limit, page: variant === 'v1' ? undefined : number };
	const path = SEARCH_PATHS[variant];
	const response = sender.send({ method: 'GET', path, query: { ...query, ...paging } });
	const read = companiesIn(await resultsOf(response));
	const isFull = read.rows.length === limit;
	// Some services count the page's rows, so on a full page, only a larger total says something.
	const isLargest = isFull && limit === MAX_RESULTS;
	const isOfPage = variant === 'unversioned' && isLargest && (read.total ?? 0) <= read.rows.length;
	const page = isOfPage ? { ...read, total: undefined } : read;
	const { rows, total, perPage = limit ?? rows.length } = page;
	const before = (number - 1) * perPage;
	// Most searches have few results, so without a total, only a full page suggests that there are more.
	const hasMore = total === undefined ? isFull : total > before + rows.length;
	if (rows.length === 0 || !hasMore) return { ...page, nextPage: null, lastPage: undefined };
	return variant === 'v1' ? { rows, nextPage: null, hidden: { total } } : page;
}

/** An IDNO doesn't identify a row, because a company and its branches share one. */
const companyKey = (row: Json) => (idnoOf(row) === undefined ? undefined : JSON.stringify(row));

/** @throws ServiceError if there's no list, with the service's own words if it has sent any */
function companiesIn(body: unknown): Page {
	// Status 204 has no content.
	const page = readPage(body, LIST_KEYS);
	if (page) return { ...page, rows: page.rows.map(withTextIdno), keyOf: companyKey };
	const words = explanation(body);
	if (words === undefined) throw unexpectedShape('a list of companies', body);
	if (saysNothingFound(words)) return { rows: [], nextPage: null };
	throw new ServiceError(words, {
		description:
			'The registry answered the search with this message instead of a list of companies.',
		httpCode: '200',
	});
}

/** Returns a search by text, for matching companies by name. Results without names are an error. */
export function searchByText(sender: Sender, variant: Variant) {
	return async (q: string, page: number) => {
		const search = { variant, query: { q }, page, limit: MAX_RESULTS };
		const { rows, nextPage, hidden } = await findCompanies(sender, search);
		if (rows.length > 0 && rows.every((row) => nameOf(row) === undefined)) {
			throw unexpectedShape('companies with a "name"', rows[0]);
		}
		const next = nextPage === null ? 'none' : 'next page';
		return { rows, more: hidden ? 'cut off' : next } as const;
	};
}

/**
 * @param variant undefined if it isn't known yet
 * @throws InputError if no filter is set, or the variant doesn't support one of them
 */
export function requireSearchable(variant: Variant | undefined, query: SearchQuery): void {
	const { q, caen, region } = query;
	if ([q, caen, region].every((each) => isBlank(each))) {
		throw new InputError(
			'There is nothing to search for',
			'Enter a "Query". With the V1 API, you can also enter a "CAEN Code" or a "Region" instead.',
		);
	}
	if (variant !== 'unversioned' || (isBlank(caen) && isBlank(region))) return;
	const filter = isBlank(caen) ? 'Region' : 'CAEN Code';
	throw otherVariant(`The filter "${filter}"`, variant, 'remove the filter');
}

/**
 * The company with an IDNO. Branches share it, so the head office comes first. Of several head offices,
 * such as a record under a former name, the one with the highest score counts.
 */
export function companyOf(
	rows: readonly Json[],
	idno: string,
	scoreOf: (company: Json) => number = () => 0,
): Json | undefined {
	const known = rows.filter((row) => idnoOf(row) === idno);
	const offices = known.filter((row) => !isBranch(row));
	if (offices.length < 2) return offices[0] ?? known[0];
	const scores = offices.map(scoreOf);
	return offices[scores.indexOf(Math.max(...scores))];
}

export async function findByIdno(
	sender: Sender,
	variant: Variant,
	idno: string,
	scoreOf?: (company: Json) => number,
): Promise<Json | undefined> {
	const { rows } = await findCompanies(sender, { variant, query: { q: idno }, limit: MAX_RESULTS });
	return companyOf(rows, idno, scoreOf);
}

/** Keys that a response may have its list under. Only the unversioned search documents one. */
const LIST_KEYS: readonly [string, ...string[]] = ['data', 'results', 'companies', 'items'];

export const RECORD_KEYS = ['data', 'company', 'result', 'dossier'];

/** The suggestions in a response, whose shape isn't documented. Plain text becomes a record with a `name`. */
export function suggestionsIn(body: unknown): Json[] {
	const keys = [...LIST_KEYS, 'suggestions'];
	const { rows } = requirePage(body, keys, objectsOrNames, 'a list of suggestions');
	return rows.map(withTextIdno);
}

/**
 * The company in a response. Keeps all fields, since the API doesn't document them.
 *
 * @throws ServiceError if there's none
 */
export function companyIn(body: unknown): Json {
	const record = readRecord(body, RECORD_KEYS, ['id', 'idno']);
	const isNamed = record !== undefined && nameOf(record) !== undefined;
	const isNone = saysNothingFound(explanation(body));
	if (isJson(body) && (saysNone(body, isNamed) || (isNone && !isNamed))) {
		throw new ServiceError('The registry has no such company', {
			kind: 'notFound',
			hasEnvelope: true,
		});
	}
	if (record && isIdentified(record)) return withTextIdno(record);
	throw unexpectedShape('a company with an "idno" or a "name"', body);
}

/** How a service that found nothing may say so in a successful response. A company can have empty fields. */
function saysNone(body: Json, isNamed: boolean): boolean {
	if (body.exists === false || body.found === false) return true;
	return !isNamed && [body, ...RECORD_KEYS.map((key) => body[key])].some(isEmpty);
}

function isEmpty(value: unknown): boolean {
	return value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}

/** What the V1 API has about a single company. It calls the full record a dossier. */
export const RECORD_PATHS = {
	credit: '/api/v1/credit/:idno',
	dossier: '/api/v1/company/:idno',
};
export type RecordKind = keyof typeof RECORD_PATHS;

/**
 * Reads a company's credit recommendation or full record.
 *
 * @throws ServiceError, including when the registry has no such record
 */
export async function requireCompanyRecord(
	sender: Sender,
	kind: RecordKind,
	idno: string,
): Promise<Json> {
	const path = RECORD_PATHS[kind];
	const record = companyIn(await sender.send({ method: 'GET', path, values: { idno } }));
	const returned = idnoOf(record);
	if (returned !== undefined && returned !== idno) {
		throw new ServiceError(`The registry returned a different company than ${idno}`, {
			description: "Try again. If this keeps happening, contact the service's administrator.",
			kind: 'shape',
		});
	}
	return record;
}

/** Like {@link requireCompanyRecord}, but `undefined` if the registry says that it has no such record. */
export async function readCompanyRecord(
	...reading: Parameters<typeof requireCompanyRecord>
): Promise<Json | undefined> {
	return await unlessNotFound(requireCompanyRecord(...reading), undefined);
}

/**
 * How services say that they have found nothing, instead of a list or a record without entries. Romanian "nu există"
 * can also be about what the account lacks: "Nu există suficiente credite".
 */
const NOTHING_FOUND =
	/\bno such |\b(?:no|zero|0) (?:\p{L}+ ){0,2}(?:found|match\p{L}*|results?)\b|\b(?:not|nothing) (?:was )?found\b|\bnici ?(?:un|o) |\bnu (?:a|au|am|s a|s au) (?:fost )?gasit|\b(?:fara|niciun) rezultat|не на[ий]ден|нет результатов/u;
/** An account can not exist either, so a company has to stand beside it. */
const DOES_NOT_EXIST =
	/^(?=.*(?:\b(?:compan|firm|idno|entit|legal|registr|inregistr|organi[sz]a|record)|компани|фирм|организаци|предприяти))(?=.*(?:\bdoes(?: not|n't) exist\b|\bnu exista\b|\binexistent|не существует))/u;

function saysNothingFound(words = ''): boolean {
	const said = plain(words);
	return NOTHING_FOUND.test(said) || DOES_NOT_EXIST.test(said);
}

/** A search that finds nothing may be answered as if its address didn't exist. */
export async function resultsOf(response: Promise<unknown>): Promise<unknown> {
	return await unlessNotFound(response, { total: 0, data: [] });
}

async function unlessNotFound<T, None>(response: Promise<T>, none: None): Promise<T | None> {
	return await response.catch((error: unknown) => {
		const isOk = isInvalidInput(error) && error.httpCode === '200';
		const isNone = isOk && saysNothingFound(error.reason);
		if (!isNone && !isNotFound(error)) throw error;
		return none;
	});
}
