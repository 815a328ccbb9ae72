import {
	companiesIn,
	flatCredit,
	idnoOf,
	nameOf,
	recordIn,
} from '../../../CompanyRegistry/records';
import { SEARCHES } from '../../../CompanyRegistry/collections';
import { MAX_RESULTS } from '../../../CompanyRegistry/service';
import type { Variant } from '../../../CompanyRegistry/service';
import { isJson } from '../../../shared/http/envelope';
import type { Json } from '../../../shared/http/envelope';
import { InputError, ServiceError } from '../../../shared/http/errors';
import type { RegistryClient } from '../../registryClient';

type Client = Pick<RegistryClient, 'variant' | 'send'>;

export type Value = string | number | boolean | null;

/** The fields that can be watched, in the order in which the state keeps their values. */
export const WATCHABLE = [
	'status',
	'rating',
	'score',
	'insolvencyRisk',
	'recommendedLimitMdl',
] as const;

export type Field = (typeof WATCHABLE)[number];

/** Where the status of a company is read. */
export type StatusSource = 'credit' | 'dossier' | 'search';

/** A company as the registry shows it now. */
export interface ShownCompany {
	idno: string;
	name?: string;
	/** A field that the response does not have is absent. */
	values: Partial<Record<Field, Value>>;
	/** The record as it came. */
	details: Json;
}

/** Reads one company with one request; undefined if the registry reports that it does not exist. */
export type LookUp = (idno: string) => Promise<ShownCompany | undefined>;

/**
 * The source for a credential's variant.
 *
 * @throws InputError when the variant does not have it, or it does not show the fields
 */
export function sourceFor(
	variant: Variant,
	wanted: StatusSource | 'automatic',
	fields: readonly Field[],
): StatusSource {
	const source = wanted !== 'automatic' ? wanted : variant === 'v1' ? 'credit' : 'search';
	if (variant !== 'v1' && source !== 'search') {
		throw new InputError(
			'The selected Status Source is only available in the V1 API, but the credential is for the Unversioned API',
			'Set Status Source to Automatic or Search, or select a credential whose API Variant is V1.',
		);
	}
	if (source === 'search') requireSearchable(fields);
	return source;
}

/** @throws InputError when a search does not show the fields */
export function requireSearchable(fields: readonly Field[]): void {
	if (fields.every((field) => field === 'status')) return;
	throw new InputError(
		'A search shows the status of a company, but not its rating, score, insolvency risk or limit',
		'Watch only the status, or a list of companies with the Status Source Credit Recommendation.',
	);
}

export function lookUpIn(source: StatusSource, client: Client): LookUp {
	if (source === 'search') return async (idno) => await searchFor(idno, client);
	const path = source === 'credit' ? '/api/v1/credit/:idno' : '/api/v1/company/:idno';
	return async (idno) => {
		const record = recordIn(await client.send({ method: 'GET', path, values: { idno } }));
		const shown = shownCompany(record, idno);
		if ((idnoOf({ idno: record.idno }) ?? idno) !== idno) {
			throw new ServiceError(`The registry sent another company than ${idno}`, {
				failure: { cause: 'node-defect' },
			});
		}
		if (shown.values.status === undefined) throw missingField('a status');
		return shown;
	};
}

async function searchFor(idno: string, client: Client): Promise<ShownCompany | undefined> {
	const { path, query } = SEARCHES[client.variant];
	const body = await client.send({ method: 'GET', path, query: { ...query?.(1), q: idno } });
	const { rows, total } = companiesIn(body);
	const company = rows.find((row) => idnoOf(row) === idno);
	if (company) {
		const shown = shownCompany(company, idno);
		if (shown.values.status === undefined) throw missingField('a status');
		return shown;
	}
	const all = total === undefined ? rows.length < MAX_RESULTS : rows.length >= total;
	if (!all) {
		throw new ServiceError(`The search does not show the company ${idno} among its first results`);
	}
	return undefined;
}

/** A record of any of the sources. */
export function shownCompany(record: Json, idno: string): ShownCompany {
	const flat = flatCredit(record);
	const values: ShownCompany['values'] = {};
	for (const field of WATCHABLE) {
		const value = field === 'status' ? statusOf(record) : (flat[field] ?? limitOf(field, record));
		if (isValue(value)) values[field] = value;
	}
	return { idno, name: nameOf(record) ?? nameIn(record), values, details: record };
}

/** The dossier's fields are not shown; its status may be among the registry data. */
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

function isValue(value: unknown): value is NonNullable<Value> {
	return ['string', 'number', 'boolean'].includes(typeof value);
}

export function missingField(what: string): ServiceError {
	return new ServiceError(`The response of the registry does not show ${what}`, {
		description: 'Select another Status Source.',
		failure: { cause: 'node-defect' },
	});
}
