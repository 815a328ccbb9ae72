import { z } from 'zod';

import type { Account } from '../shared/http/connection';
import { isJson, readPage, without } from '../shared/http/envelope';
import type { Json, Page } from '../shared/http/envelope';
import { field } from '../shared/node/recordSchema';
import type { RecordSchema, Schema } from '../shared/node/recordSchema';
import { unexpected } from '../shared/node/outputs';
import { checkIdno } from './idno';

/** Spec, "Search result record (variant B)". Variant A does not document its own. */
export const companyRecord: RecordSchema = {
	name: 'a company',
	schema: () =>
		z.object({
			idno: field.text(),
			name: field.text(),
			legal_form: field.text(),
			status: field.text(),
			city: field.text(),
			region: field.text(),
			caen_code: field.text(),
			caen_description: field.text(),
		}),
};

/** Spec, "Credit recommendation (variant A)", without the envelope's `success`. */
export const creditRecord: RecordSchema = {
	name: 'a credit recommendation',
	schema: () =>
		z.object({
			idno: field.text(),
			name: field.text(),
			status: field.text(),
			scoring: z.object(score()).nullish(),
			trade_credit_recommendation: z.object(advice()).nullish(),
		}),
};

const score = () => ({
	rating: field.text(),
	score: field.whole(),
	insolvency_risk: field.text(),
});

const advice = () => ({
	recommended_limit_mdl: field.number(),
	currency: field.text(),
	recommended_payment_terms_days: field.whole(),
	advisory_notes: field.text(),
});

/** Fields of a simplified dossier; the spec does not show those of a raw one. */
export const simpleDossier: Schema = () =>
	companyRecord.schema().extend({ ...score(), credit_limit_mdl: field.number() });

/** n8n knows one schema per operation, so it has the fields of both outputs. */
export const rawOrSimpleCredit: Schema = () =>
	creditRecord.schema().extend({ ...score(), ...advice() });

/**
 * Names under which a list can be found. The first is documented for the unversioned search; that
 * of the V1 search is not documented.
 */
export const LIST_KEYS: readonly [string, ...string[]] = ['data', 'results', 'companies', 'items'];

/** The shape of suggestions is not documented either. */
const SUGGESTION_KEYS = [...LIST_KEYS, 'suggestions'];

/** Names of a group that wraps a single record. */
const RECORD_KEYS = ['data', 'company', 'result', 'dossier', 'status'];

/** A page of companies, as the service sent it. */
export function companiesIn(body: unknown): Page {
	const page = readPage(body, LIST_KEYS);
	if (!page)
		throw unexpected(`a list of companies (at the root or in ${LIST_KEYS.join(', ')})`, body);
	return page;
}

/** The suggestions of an autocomplete. One that is only text becomes a record with its name. */
export function suggestionsIn(body: unknown): Json[] {
	const lists = isJson(body) ? [body, body.data].flatMap((holder) => listsOf(holder)) : [body];
	const found = lists.find((list) => Array.isArray(list)) as unknown[] | undefined;
	const isUsable = found?.every((entry) => isJson(entry) || typeof entry === 'string');
	if (!found || !isUsable) throw unexpected('a list of suggestions', body);
	return found.map((entry) => (isJson(entry) ? entry : { name: entry }));
}

function listsOf(holder: unknown): unknown[] {
	return isJson(holder) ? SUGGESTION_KEYS.map((key) => holder[key]) : [];
}

/**
 * The single record of a response: everything but the envelope's `success`, `error` and `message`.
 * If `data` or the like is all there is, its value, which can be a list of one. The record's fields
 * are not documented, so all are kept.
 */
export function recordIn(body: unknown): Json {
	if (!isJson(body)) throw unexpected('a record', body);
	const content = without(body, 'success', 'error', 'message');
	const [first, ...others] = Object.entries(content);
	if (!first) throw unexpected('a record', body);
	const [key, wrapped] = first;
	if (others.length > 0 || !RECORD_KEYS.includes(key)) return content;
	const value: unknown = Array.isArray(wrapped) && wrapped.length === 1 ? wrapped[0] : wrapped;
	if (isJson(value)) return value;
	if (key === 'status') return content;
	throw unexpected('a record', body);
}

/** A number with fewer digits is a counter, not the key. */
const SHORTEST_NUMERIC_KEY = 8;

/** A copy of a value in which the key is redacted, in case the service repeats it. */
export function withoutKey(value: unknown, account: Account): unknown {
	const { redact } = account;
	if (typeof value === 'string') return redact(value);
	if (typeof value === 'number') {
		const text = redact(String(value));
		return text === '***' && String(value).length >= SHORTEST_NUMERIC_KEY ? text : value;
	}
	if (Array.isArray(value)) return value.map((entry) => withoutKey(entry, account));
	if (!isJson(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, entry]) => [redact(key), withoutKey(entry, account)]),
	);
}

/** Fields of a credit recommendation by the names that the trigger watches. */
export function flatCredit(record: Json): Json {
	const scoring = isJson(record.scoring) ? record.scoring : {};
	const advice = isJson(record.trade_credit_recommendation)
		? record.trade_credit_recommendation
		: {};
	return {
		idno: record.idno ?? null,
		name: record.name ?? null,
		status: record.status ?? null,
		rating: scoring.rating ?? null,
		score: scoring.score ?? null,
		insolvencyRisk: scoring.insolvency_risk ?? null,
		recommendedLimitMdl: advice.recommended_limit_mdl ?? null,
		currency: advice.currency ?? null,
		recommendedPaymentTermsDays: advice.recommended_payment_terms_days ?? null,
		advisoryNotes: advice.advisory_notes ?? null,
	};
}

/** The IDNO of a company: the documented field, or else the first value that looks like one. */
export function idnoOf(company: Json): string | undefined {
	return [company.idno, ...Object.values(company)]
		.map((value) => checkIdno(value, { checkDigit: false }))
		.find(({ valid }) => valid)?.idno;
}

/** The V1 search does not document its fields; these are the likely names. */
const NAME_KEYS = ['name', 'company_name', 'companyName', 'full_name', 'denumire', 'title'];

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
