import {
	companiesIn,
	flatCredit,
	idnoOf,
	nameOf,
	recordIn,
} from '../../../CompanyRegistry/records';
import { SEARCHES } from '../../../CompanyRegistry/collections';
import { MAX_RESULTS, variantOf } from '../../../CompanyRegistry/service';
import type { Variant } from '../../../CompanyRegistry/service';
import { isJson } from '../../../shared/http/envelope';
import type { Json } from '../../../shared/http/envelope';
import { InputError, ServiceError } from '../../../shared/http/errors';
import type { PollClient } from '../../pollClient';
import { WATCHABLE } from './poll';
import type { Field, Search, Shown, WatchList } from './poll';
import type { Value } from './state';

/** Where the status of a company on a watch list is read from. */
export type StatusSource = 'automatic' | 'credit' | 'dossier' | 'search';

/** What a search asks for; the fields are named as the API names them. */
export interface SearchQuery {
	q?: string;
	caen?: string;
	region?: string;
}

/**
 * The companies of a watch list, one request each.
 *
 * @throws InputError when the credential's variant does not have the source, or the source does
 * not have the watched fields
 */
export function watchListSource(
	access: PollClient,
	companies: readonly string[],
	wanted: StatusSource,
	fields: readonly Field[],
): WatchList {
	const variant = variantIn(access);
	const source = sourceFor(variant, wanted);
	requireFields(source, fields);
	const look = {
		credit: async (idno: string) =>
			shownOf(
				recordIn(await access.send({ ...GET, path: '/api/v1/credit/:idno', values: { idno } })),
				idno,
			),
		dossier: async (idno: string) =>
			shownOf(
				recordIn(await access.send({ ...GET, path: '/api/v1/company/:idno', values: { idno } })),
				idno,
			),
		search: async (idno: string) => await found(access, variant, idno),
	}[source];
	return { kind: 'list', companies, look };
}

const GET = { method: 'GET' } as const;

function variantIn({ settings }: PollClient): Variant {
	return variantOf(settings as Parameters<typeof variantOf>[0]);
}

function sourceFor(variant: Variant, wanted: StatusSource): Exclude<StatusSource, 'automatic'> {
	if (variant === 'v1') return wanted === 'automatic' ? 'credit' : wanted;
	if (wanted === 'automatic' || wanted === 'search') return 'search';
	throw new InputError(
		'The Status Source that is selected exists in the V1 API only, but the credential is for the Unversioned API',
		'Set Status Source to Automatic or Search, or select a credential whose API Variant is V1.',
	);
}

function requireFields(source: string, fields: readonly Field[]): void {
	if (source !== 'search' || fields.every((field) => field === 'status')) return;
	throw new InputError(
		'A search shows the status of a company, but not its rating, score, insolvency risk or limit',
		'Watch the status alone, or a watch list with the Status Source Credit Recommendation.',
	);
}

async function found(access: PollClient, variant: Variant, idno: string): Promise<Shown> {
	const query = { q: idno, limit: MAX_RESULTS };
	const { rows } = companiesIn(await access.send({ ...GET, path: SEARCHES[variant].path, query }));
	const company = rows.find((row) => idnoOf(row) === idno);
	if (!company) throw new ServiceError(`The search does not find a company with the IDNO ${idno}`);
	return shownOf(company, idno);
}

/**
 * The companies that a search finds.
 *
 * @throws InputError when the credential's variant cannot search so
 */
export function searchSource(
	access: PollClient,
	query: SearchQuery,
	fields: readonly Field[],
	onePage: boolean,
): Search {
	const variant = variantIn(access);
	requireFields('search', fields);
	if (variant === 'unversioned' && (query.caen || query.region)) {
		throw new InputError(
			`The filter ${query.caen ? 'Class Code' : 'Region'} exists in the V1 API only, but the credential is for the Unversioned API`,
			'Remove the filter, or select a credential whose API Variant is V1.',
		);
	}
	if (variant === 'unversioned' && !query.q) {
		throw new InputError(
			'The Unversioned API cannot search without a query',
			'Add the filter Query, or select a credential whose API Variant is V1.',
		);
	}
	return {
		kind: 'search',
		async page(page) {
			// The V1 search is not documented to have pages, so the first is asked for without it.
			const paging = variant === 'v1' && page === 1 ? {} : { page };
			const request = {
				...GET,
				path: SEARCHES[variant].path,
				query: { ...query, limit: MAX_RESULTS, ...paging },
			};
			const body = await access.send(request).catch((error: unknown) => refusedPage(error, page));
			if (body === NO_PAGES) return { companies: [], last: true, noPages: true };
			const { rows, perPage, total } = companiesIn(body);
			const companies = rows.flatMap((row) => shownIn(row) ?? []);
			if (rows.length > 0 && companies.length === 0) throw noField('IDNO and status');
			const size = Math.min(MAX_RESULTS, perPage ?? MAX_RESULTS);
			const all = total !== undefined && page * size >= total;
			return { companies, last: onePage || all || rows.length < size };
		},
	};
}

const NO_PAGES = Symbol('no pages');

/** A refusal of the second page says that there are no pages, not that something failed. */
function refusedPage(error: unknown, page: number): typeof NO_PAGES | Promise<never> {
	const refused = error instanceof ServiceError && error.failure === undefined;
	return refused && page > 1 ? NO_PAGES : Promise.reject(error as Error);
}

/** Brings a record of any of the three sources to one form; undefined without IDNO or status. */
function shownIn(record: Json, idno = idnoOf(record)): Shown | undefined {
	const flat = flatCredit(record);
	const values: Shown['values'] = {};
	for (const field of WATCHABLE) {
		const value = field === 'status' ? statusOf(record) : (flat[field] ?? limitOf(field, record));
		if (isValue(value)) values[field] = value;
	}
	if (values.status === undefined || idno === undefined) return undefined;
	return { idno, name: nameOf(record) ?? nameIn(record), values, details: record };
}

/** @throws ServiceError when the record shows no status */
function shownOf(record: Json, idno: string): Shown {
	const shown = shownIn(record, idno);
	if (!shown) throw noField('a status');
	return shown;
}

/** The dossier's fields are not shown; its status may stand among the registry data. */
function statusOf(record: Json): unknown {
	return record.status ?? parts(record).find(({ status }) => isValue(status))?.status;
}

function nameIn(record: Json): string | undefined {
	return parts(record)
		.map(nameOf)
		.find((name) => name !== undefined);
}

function parts(record: Json): Json[] {
	return Object.values(record).filter(isJson);
}

/** The dossier's credit ceiling; its name is not shown, this is the likely one. */
function limitOf(field: Field, record: Json): unknown {
	return field === 'recommendedLimitMdl' ? record.credit_limit_mdl : undefined;
}

function isValue(value: unknown): value is Value {
	return ['string', 'number', 'boolean'].includes(typeof value);
}

function noField(what: string): ServiceError {
	return new ServiceError(`The answer of the registry does not show ${what}`, {
		description: 'Select another Status Source.',
		failure: { cause: 'node-defect' },
	});
}
