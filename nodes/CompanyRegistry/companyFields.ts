import { isJson } from '../shared/http/envelope';
import type { Json } from '../shared/http/envelope';
import type { Fields, RecordSchema } from '../shared/node/records';
import { isBlank } from '../shared/node/validators';
import { checkIdno } from './idno';

/**
 * The fields of a company: their documented names, and the one reader that finds them in whatever
 * shape a service returns them. Output, matching, comparison and selection all use both.
 */

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

/** docs/services.md, "Company Registry: records": the two groups of a credit recommendation. */
const SCORING = { rating: 'string', score: 'integer', insolvency_risk: 'string' } as const;
const LIMIT = { recommended_limit_mdl: 'number' } as const;
const ADVICE = {
	...LIMIT,
	currency: 'string',
	recommended_payment_terms_days: 'integer',
	advisory_notes: 'string',
} as const;

/** The fields that only a recommendation has. */
export const recommendationFields = { ...SCORING, ...ADVICE } satisfies Fields;

/** A dossier's fields are not documented, only its parts: registry data, score, credit limit. */
export const dossierFields = { ...companyRecord.fields, ...SCORING, ...LIMIT } satisfies Fields;

/** n8n allows one schema per operation, so it has the fields of the raw and the simplified output. */
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
/** Without the recommendation's groups. */
export const CREDIT_FIELDS: readonly string[] = [
	'idno',
	'name',
	'status',
	...RECOMMENDATION_FIELDS,
];
/** The fields that a row can get from a company and its recommendation. */
export const ENRICHING_FIELDS: readonly string[] = [...COMPANY_FIELDS, ...RECOMMENDATION_FIELDS];

/** Groups that hold the company or its recommendation, so their fields need no prefix. */
const COMPANY_GROUPS = new Set([
	'company',
	'data',
	'dossier',
	'general',
	'registry',
	'registry_data',
]);
const CREDIT_GROUPS = [
	...['scoring', 'trade_credit_recommendation', 'credit', 'credit_score', 'creditworthiness'],
];

const IDNO_KEYS = ['idno', 'fiscal_code', 'cod_fiscal'];
const NAME_KEYS = ['name', 'company_name', 'full_name', 'denumire', 'title'];

/** Likely names of fields that are not documented in every record, the documented one first. */
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

/** A value without levels. */
export type Scalar = string | number | boolean | null;

/** A record's fields without levels, in `snake_case`. */
export interface FlatRecord {
	fields: Map<string, Scalar>;
	/** How many fields can't be flattened, or have a name that is taken. */
	omitted: number;
}

/** If two groups have a field of the same name, the first one with a value keeps it. */
export function flattenRecord(record: Json): FlatRecord {
	const fields = new Map<string, Scalar>();
	let omitted = 0;
	for (const [name, value] of flatten(record, '', 1)) {
		if (value === undefined || (fields.get(name) ?? null) !== null) omitted += 1;
		// The API documents an IDNO as text; as a number, it wouldn't match a CRM's text value.
		else
			fields.set(
				name,
				typeof value === 'number' && IDNO_KEYS.includes(name) ? String(value) : value,
			);
	}
	return { fields, omitted };
}

/** The name under which a flat record has a documented field. */
export function keyOfField(fields: FlatRecord['fields'], name: string): string {
	const groups = RECOMMENDATION_FIELDS.includes(name) ? CREDIT_GROUPS : [];
	const keys = (KEYS.get(name) ?? [name]).flatMap((key) => [
		key,
		...groups.map((group) => `${group}_${key}`),
	]);
	return keys.find((key) => !isBlank(fields.get(key))) ?? name;
}

/** The documented fields that a record has, empty ones included. */
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

/** The documented fields of a record, `null` where it has none. */
export function readFields<Name extends string>(
	record: Json,
	names: readonly Name[],
): Record<Name, Scalar> {
	const none = Object.fromEntries(names.map((name) => [name, null]));
	return { ...none, ...sentFields(record, names) } as Record<Name, Scalar>;
}

/** The fields that tell a company from others; undefined where unknown. */
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
 * The IDNO of a company. Without such a field, the first text with thirteen digits and a right check
 * digit: a number can be a time, and a group can hold the IDNO of a parent company.
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

/** The API documents an IDNO as text; as a number, it wouldn't match a CRM's text value. */
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

/** Whether a record has a field for the name, which may be empty. */
export function hasNameField(company: Json): boolean {
	if ('name' in company) return true;
	const { fields } = flattenRecord(company);
	return NAME_KEYS.some((key) => fields.has(key));
}

/** `active` is the only documented status (docs/services.md, "Company Registry: records"). */
export function isActive(status: unknown): boolean {
	return typeof status === 'string' && status.trim().toLowerCase() === 'active';
}

/** The API's statuses are identifiers, e.g. `in_liquidation`. */
export function inWords(status: unknown): string | undefined {
	return typeof status === 'string' ? status.replaceAll('_', ' ') : undefined;
}

/** Levels of objects and lists that are read. */
const MAX_DEPTH = 4;
/** Entries of a list whose names are included. */
const NAMED_ENTRIES = 5;
const ENTRY_NAMES = ['name', 'full_name', 'denumire', 'title', 'activity', 'type', 'number'];
const ENTRY_YEARS = ['year', 'an', 'fiscal_year', 'period', 'date'];

/** Undefined for a value that can't be flattened. */
type Field = [name: string, value: Scalar | undefined];

/** Fields of a record come before those of its groups, so they keep their names. */
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
	// A list: the number of entries, and the figures of the latest year or the names of the entries.
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
