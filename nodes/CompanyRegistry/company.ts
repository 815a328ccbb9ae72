import { isJson } from '../shared/http/envelope';
import type { Json } from '../shared/http/envelope';
import type { Fields, RecordSchema } from '../shared/node/records';
import { isBlank } from '../shared/node/validators';
import { checkIdno } from './idno';

/**
 * The documented fields of a company, and how to find them in whatever shape a service returns. Output,
 * matching, comparison and field selection all read companies through this file.
 */

/** A search result of the Unversioned API; V1 documents none (docs/services.md, "Company Registry: records"). */
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

/** The two groups of a credit recommendation (docs/services.md, "Company Registry: records"). */
const SCORING = { rating: 'string', score: 'integer', insolvency_risk: 'string' } as const;
const LIMIT = { recommended_limit_mdl: 'number' } as const;
const ADVICE = {
	...LIMIT,
	currency: 'string',
	recommended_payment_terms_days: 'integer',
	advisory_notes: 'string',
} as const;

/** Fields that come with a credit recommendation, as opposed to those of the company itself. */
export const recommendationFields = { ...SCORING, ...ADVICE } satisfies Fields;

/** The API names the parts of a dossier (registry data, score, credit limit), but not its fields. */
export const dossierFields = { ...companyRecord.fields, ...SCORING, ...LIMIT } satisfies Fields;

/** Fields of both the raw and the simplified output, because n8n allows one schema per operation. */
export const creditFields = {
	idno: 'string',
	name: 'string',
	status: 'string',
	scoring: SCORING,
	trade_credit_recommendation: ADVICE,
	...recommendationFields,
} satisfies Fields;

export const COMPANY_FIELDS: readonly string[] = Object.keys(companyRecord.fields);
export const RECOMMENDATION_FIELDS: readonly string[] = Object.keys(recommendationFields);
export const DOSSIER_FIELDS: readonly string[] = Object.keys(dossierFields);
/** Fields of a simplified recommendation, which has no nested groups. */
export const CREDIT_FIELDS: readonly string[] = [
	'idno',
	'name',
	'status',
	...RECOMMENDATION_FIELDS,
];
/** Fields that Enrich can add to a row. */
export const ENRICHING_FIELDS: readonly string[] = [...COMPANY_FIELDS, ...RECOMMENDATION_FIELDS];

/** Nested objects that hold the company itself, so their fields don't get a prefix. */
const COMPANY_GROUPS = new Set([
	'company',
	'data',
	'dossier',
	'general',
	'registry',
	'registry_data',
]);
/** Nested objects that can hold the recommendation. Flattened, their fields have this prefix. */
const CREDIT_GROUPS = [
	...['scoring', 'trade_credit_recommendation', 'credit', 'credit_score', 'creditworthiness'],
];

const IDNO_KEYS = ['idno', 'fiscal_code', 'cod_fiscal'];
const NAME_KEYS = ['name', 'company_name', 'full_name', 'denumire', 'title'];

/** Keys to try where the API doesn't document a record's fields, starting with the name we use. */
const KEYS = new Map<string, readonly string[]>([
	['idno', IDNO_KEYS],
	['name', NAME_KEYS],
	['address', ['address', 'legal_address', 'full_address', 'adresa', 'sediu']],
	[
		'recommended_limit_mdl',
		[
			...['recommended_limit_mdl', 'credit_limit_mdl', 'credit_limit'],
			...['credit_ceiling', 'commercial_credit_ceiling'],
		],
	],
]);

/** A value that isn't nested. */
export type Scalar = string | number | boolean | null;

/** A record without nested values, with keys in `snake_case`. */
export interface FlatRecord {
	fields: Map<string, Scalar>;
	/** How many fields were dropped because they can't be flattened or their key is already in use. */
	omitted: number;
}

/** If several groups have the same key, the first value that isn't null wins. */
export function flattenRecord(record: Json): FlatRecord {
	const fields = new Map<string, Scalar>();
	let omitted = 0;
	for (const [name, value] of flatten(record, '', 1)) {
		if (value === undefined || (fields.get(name) ?? null) !== null) omitted += 1;
		// As text, for the reason given at withTextIdno.
		else
			fields.set(
				name,
				typeof value === 'number' && IDNO_KEYS.includes(name) ? String(value) : value,
			);
	}
	return { fields, omitted };
}

/** The key of a documented field in this record. If no key has a value, it's the documented name. */
export function keyOfField(fields: FlatRecord['fields'], name: string): string {
	const groups = RECOMMENDATION_FIELDS.includes(name) ? CREDIT_GROUPS : [];
	const keys = (KEYS.get(name) ?? [name]).flatMap((key) => [
		key,
		...groups.map((group) => `${group}_${key}`),
	]);
	return keys.find((key) => !isBlank(fields.get(key))) ?? name;
}

/** Those of the named fields that the record has, even if they're empty. */
export function sentFields<Name extends string>(
	record: Json,
	names: readonly Name[],
): Partial<Record<Name, Scalar>> {
	const { fields } = flattenRecord(record);
	const keys = names.map((name) => [name, keyOfField(fields, name)] as const);
	const sent = keys.filter(([, key]) => fields.has(key));
	return Object.fromEntries(sent.map(([name, key]) => [name, fields.get(key)])) as Partial<
		Record<Name, Scalar>
	>;
}

/** All of the named fields, `null` if the record doesn't have them. */
export function readFields<Name extends string>(
	record: Json,
	names: readonly Name[],
): Record<Name, Scalar> {
	const none = Object.fromEntries(names.map((name) => [name, null]));
	return { ...none, ...sentFields(record, names) } as Record<Name, Scalar>;
}

/** What identifies a company and tells it apart from others. Unknown fields are left out. */
export interface ReadCompany {
	idno?: string;
	name?: string;
	legal_form?: string;
	status?: string;
	city?: string;
	region?: string;
	address?: string;
}

const IDENTIFYING = ['name', 'legal_form', 'status', 'city', 'region', 'address'] as const;

export function readCompany(record: Json): ReadCompany {
	const fields = Object.entries(readFields(record, IDENTIFYING));
	const known = fields.filter(([, value]) => !isBlank(value));
	return {
		idno: idnoOf(record),
		...Object.fromEntries(known.map(([name, value]) => [name, String(value)])),
	};
}

/**
 * The company's IDNO. If no key looks like one, it's the first text with 13 digits and a valid check digit.
 * Numbers don't count, since they can be timestamps. Neither do nested objects, which can describe a parent
 * company.
 */
export function idnoOf(company: Json): string | undefined {
	const own = readIdno(company.idno, false);
	if (own !== undefined) return own;
	const { fields } = flattenRecord(company);
	const key = keyOfField(fields, 'idno');
	if (fields.has(key)) return readIdno(fields.get(key), false);
	const texts = Object.values(company).filter((value) => typeof value === 'string');
	return texts.map((value) => readIdno(value, true)).find((idno) => idno !== undefined);
}

/** The API documents IDNOs as text. A number wouldn't match the text in a CRM. */
export function withTextIdno(company: Json): Json {
	return typeof company.idno === 'number' ? { ...company, idno: String(company.idno) } : company;
}

function readIdno(value: unknown, checkDigit: boolean): string | undefined {
	const check = checkIdno(value, { checkDigit });
	return check.valid ? check.idno : undefined;
}

export function nameOf(company: Json): string | undefined {
	const { name: own } = company;
	if (typeof own === 'string' && own.trim() !== '') return own;
	const { name } = readFields(company, ['name']);
	return isBlank(name) ? undefined : String(name);
}

/** Whether the record has a field for the name, even an empty one. */
export function hasNameField(company: Json): boolean {
	if ('name' in company) return true;
	const { fields } = flattenRecord(company);
	return NAME_KEYS.some((key) => fields.has(key));
}

/** `active` is the only documented status (docs/services.md, "Company Registry: records"). */
export function isActive(status: unknown): boolean {
	return typeof status === 'string' && status.trim().toLowerCase() === 'active';
}

/** "in liquidation" for the API's `in_liquidation`. */
export function inWords(status: unknown): string | undefined {
	return typeof status === 'string' ? status.replaceAll('_', ' ') : undefined;
}

/** How many levels of nested objects and lists are read. */
const MAX_DEPTH = 4;
/** How many entries of a list are shown by name. */
const NAMED_ENTRIES = 5;
const ENTRY_NAMES = ['name', 'full_name', 'denumire', 'title', 'activity', 'type', 'number'];
const ENTRY_YEARS = ['year', 'an', 'fiscal_year', 'period', 'date'];

/** The value is undefined if it can't be flattened. */
type Field = [name: string, value: Scalar | undefined];

/** A record's own fields come first, so they win over nested fields with the same key. */
function flatten(record: Json, prefix: string, depth: number): Field[] {
	const entries = Object.entries(record).map(([key, value]) => [snakeCase(key), value] as const);
	const own = entries.filter(([, value]) => !isJson(value));
	const groups = entries.filter((entry): entry is [string, Json] => isJson(entry[1]));
	return [
		...own.flatMap(([name, value]) => fieldsOf(prefix + name, value, depth)),
		...groups.flatMap(([name, group]): Field[] => {
			if (depth === MAX_DEPTH) return [[prefix + name, undefined]];
			const isCompany = COMPANY_GROUPS.has(name);
			return flatten(group, isCompany ? prefix : `${prefix}${name}_`, depth + 1);
		}),
	];
}

function fieldsOf(name: string, value: unknown, depth: number): Field[] {
	if (!Array.isArray(value)) return [[name, isScalar(value) ? value : undefined]];
	// A list becomes its length, plus either the latest year's figures or the names of its first entries.
	const count: Field = [`${name}_count`, value.length];
	if (depth === MAX_DEPTH) return [count];
	const latest = latestOf(value.filter(isJson));
	if (latest) return [count, ...flatten(latest, `${name}_latest_`, depth + 1)];
	const names = value.map(nameOfEntry).filter((each) => each !== undefined);
	const listed = names.slice(0, NAMED_ENTRIES).join(', ');
	const more = names.length > NAMED_ENTRIES ? ', …' : '';
	return names.length === 0 ? [count] : [[name, listed + more], count];
}

function latestOf(records: Json[]): Json | undefined {
	const key = ENTRY_YEARS.find((each) =>
		records.every((record) => /^(19|20)\d\d/.test(String(record[each]))),
	);
	if (key === undefined || records.length === 0) return undefined;
	return records.reduce((a, b) => (String(b[key]) > String(a[key]) ? b : a));
}

function nameOfEntry(entry: unknown): string | undefined {
	const values = isJson(entry) ? ENTRY_NAMES.map((key) => entry[key]) : [entry];
	const name = values.find((value) => typeof value === 'string' || typeof value === 'number');
	return name === undefined ? undefined : String(name as Scalar);
}

function isScalar(value: unknown): value is Scalar {
	return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function snakeCase(key: string): string {
	if (/^[a-z\d_]+$/.test(key)) return key;
	const words = key.trim().replace(/([a-z\d])([A-Z])/g, '$1_$2');
	return words.replace(/[\s.-]+/g, '_').toLowerCase();
}
