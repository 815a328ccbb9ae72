import { isJson, type Json } from '../shared/http/json';
import { shorten } from '../shared/http/text';
import type { Fields } from '../shared/node/collection';
import { fold } from '../shared/node/texts';
import { isBlank } from '../shared/node/values';
import { readIdno } from './idno';

// The documented fields of a company, and how to find them in whatever shape a service returns. Output,
// matching, comparison and field selection all read companies through this file.

/** A search result of the Unversioned API; V1 documents none (docs/maintainers/services.md, "Company Registry: records"). */
export const companyFields = {
	idno: 'string',
	name: 'string',
	legal_form: 'string',
	status: 'string',
	city: 'string',
	region: 'string',
	caen_code: 'string',
	caen_description: 'string',
} satisfies Fields;

/** The two groups of a credit recommendation (docs/maintainers/services.md, "Company Registry: records"). */
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
export const dossierFields = { ...companyFields, ...SCORING, ...LIMIT } satisfies Fields;

/** Fields of both the raw and the simplified output, because n8n allows one schema per operation. */
export const creditFields = {
	idno: 'string',
	name: 'string',
	status: 'string',
	scoring: SCORING,
	trade_credit_recommendation: ADVICE,
	...recommendationFields,
} satisfies Fields;

export const COMPANY_FIELDS: readonly string[] = Object.keys(companyFields);
export const RECOMMENDATION_FIELDS: readonly string[] = Object.keys(recommendationFields);
export const DOSSIER_FIELDS: readonly string[] = Object.keys(dossierFields);
/** Fields of a simplified recommendation, which has no nested groups. */
export const CREDIT_FIELDS = ['idno', 'name', 'status', ...RECOMMENDATION_FIELDS];
/** Fields that Enrich can add to a row. */
export const ENRICHING_FIELDS: readonly string[] = [...COMPANY_FIELDS, ...RECOMMENDATION_FIELDS];

/** Nested objects that hold the company itself, so their fields don't get a prefix. */
const COMPANY_GROUPS =
	'company data dossier general registry registry_data official official_data identification general_info company_info registration'.split(
		' ',
	);
/** Nested objects that can hold the recommendation. Flattened, their fields have this prefix. */
const CREDIT_GROUPS =
	'scoring trade_credit_recommendation credit credit_score creditworthiness'.split(' ');

const IDNO_KEYS = ['idno', 'fiscal_code', 'cod_fiscal'];
const NAME_KEYS = ['name', 'company_name', 'full_name', 'denumire', 'title'];
const ADDRESS_KEYS = ['address', 'legal_address', 'full_address', 'adresa', 'sediu'];
const LIMIT_KEYS =
	'recommended_limit_mdl credit_limit_mdl credit_limit credit_ceiling commercial_credit_ceiling';

/** Keys to try where the API doesn't document a record's fields, starting with the name we use. */
const KEYS = new Map<string, readonly string[]>([
	['idno', IDNO_KEYS],
	['name', NAME_KEYS],
	['address', ADDRESS_KEYS],
	['recommended_limit_mdl', LIMIT_KEYS.split(' ')],
]);

/** A value that isn't nested. */
export type Scalar = string | number | boolean | null;

/** A field's value. Lists, and groups that are nested too deeply to be read, are kept as they are. */
type FieldValue = Scalar | readonly unknown[] | Json;

/** A record's fields by name, in `snake_case`. A field of a group has the group's name in front. */
type FieldMap = ReadonlyMap<string, FieldValue>;

/**
 * Reads a record of any shape into fields without groups. `null` is a value like any other; a field that
 * the record lacks is absent, as are the fields of a group that is `null`. A list also has its length, as
 * `…_count`, and the figures of its latest year, if its entries are years.
 */
export function fieldsOf(record: Json): FieldMap {
	const fields = new Map<string, FieldValue>();
	for (const [name, value] of flatten(record, '', 1)) {
		// If several groups have the same field, the first value counts.
		if ((fields.get(name) ?? null) !== null) continue;
		// As text, for the reason given at withTextIdno.
		const isIdno = typeof value === 'number' && IDNO_KEYS.includes(name);
		fields.set(name, isIdno ? String(value) : value);
	}
	return fields;
}

/** The name under which a record has a documented field. If no name has a value, it's the documented one. */
function keyIn(fields: FieldMap, name: string): string {
	const groups = RECOMMENDATION_FIELDS.includes(name) ? CREDIT_GROUPS : [];
	const keys = (KEYS.get(name) ?? [name]).flatMap((key) => [
		key,
		...groups.map((group) => `${group}_${key}`),
	]);
	const isFilled = (key: string) => !isBlank(fields.get(key));
	return keys.find(isFilled) ?? keys.find((key) => fields.has(key)) ?? name;
}

/** A documented field of a record, or any other one. `undefined` if the record doesn't have it. */
export function fieldIn(fields: FieldMap, name: string): FieldValue | undefined {
	return fields.get(keyIn(fields, name));
}

/** Documented fields as cells; `undefined` for those that the record lacks. */
function cellsIn(fields: FieldMap, names: readonly string[]) {
	return names.map((name) => [name, cellOf(fieldIn(fields, name))] as const);
}

/** The documented fields that a record has, even if they're empty. */
export function sentFields(record: Json, names: readonly string[]): Record<string, Scalar> {
	const sent = cellsIn(fieldsOf(record), names).filter(([, cell]) => cell !== undefined);
	return Object.fromEntries(sent) as Record<string, Scalar>;
}

/** Limit for the JSON of all fields after the leading ones. */
const MAX_CHARACTERS = 4_000;
const LONGEST_VALUE = 300;
/** How many entries of a list are shown by name. */
const NAMED_ENTRIES = 5;
const ENTRY_NAMES = ['name', 'full_name', 'denumire', 'title', 'activity', 'type', 'number'];

/**
 * Turns a company or a credit recommendation into a flat record of limited size, whatever fields the
 * service sends. docs/company-registry.md, "Output", explains the rules to users.
 *
 * @param leading fields that come first, `null` if the record doesn't have them
 */
export function simplify(record: Json, leading: readonly string[]): Record<string, Scalar> {
	const fields = fieldsOf(record);
	const simple = cellsIn(fields, leading).map(([name, cell]) => [name, short(cell ?? null)]);
	const used = new Set(leading.flatMap((name) => [name, keyIn(fields, name)]));
	let characters = 0;
	let omitted = 0;
	for (const [name, value] of fields) {
		const cell = cellOf(value);
		// A list without names is shown by its length alone.
		if (used.has(name) || (cell === undefined && Array.isArray(value))) continue;
		const field = [name, short(cell ?? null)];
		characters += JSON.stringify(field).length;
		if (cell !== undefined && characters <= MAX_CHARACTERS) simple.push(field);
		else omitted += 1;
	}
	if (omitted > 0) simple.push(['omitted_fields', omitted]);
	return Object.fromEntries(simple) as Record<string, Scalar>;
}

function short(cell: Scalar): Scalar {
	return typeof cell === 'string' ? shorten(cell, LONGEST_VALUE) : cell;
}

/** A value as one cell of a table. `undefined` if it can't be shown in one. */
function cellOf(value: FieldValue | undefined): Scalar | undefined {
	if (typeof value !== 'object' || value === null) return value;
	if (isJson(value)) return undefined;
	const names = value.map(nameOfEntry).filter((each) => each !== undefined);
	if (names.length === 0) return undefined;
	const listed = names.slice(0, NAMED_ENTRIES).join(', ');
	return listed + (names.length > NAMED_ENTRIES ? ', …' : '');
}

function nameOfEntry(entry: unknown): string | undefined {
	const values = isJson(entry) ? ENTRY_NAMES.map((key) => entry[key]) : [entry];
	const name = values.find((value) => typeof value === 'string' || typeof value === 'number');
	return name === undefined ? undefined : String(name as Scalar);
}

const IDENTIFYING = ['name', 'legal_form', 'status', 'city', 'region', 'address'] as const;

/** What identifies a company and tells it apart from others. Unknown fields are left out. */
export type ReadCompany = Partial<Record<'idno' | (typeof IDENTIFYING)[number], string>>;

export function readCompany(record: Json): ReadCompany {
	const known = cellsIn(fieldsOf(record), IDENTIFYING).filter(([, cell]) => !isBlank(cell));
	const texts = known.map(([name, cell]) => [name, String(cell)]);
	return { idno: idnoOf(record), ...Object.fromEntries(texts) };
}

/** The company's IDNO. Those of nested records don't count, since they can be a parent company's. */
export function idnoOf(company: Json): string | undefined {
	return readIdno(company.idno) ?? readIdno(fieldIn(fieldsOf(company), 'idno'));
}

/** The API documents IDNOs as text. A number wouldn't match the text in a CRM. */
export function withTextIdno(company: Json): Json {
	return typeof company.idno === 'number' ? { ...company, idno: String(company.idno) } : company;
}

export function nameOf(company: Json): string | undefined {
	const name = cellOf(fieldIn(fieldsOf(company), 'name'));
	return isBlank(name) ? undefined : String(name);
}

/** Whether a record of any shape has a name or an IDNO. */
export function isIdentified(record: Json): boolean {
	const isIdentity = (name: string) =>
		[...NAME_KEYS, ...IDNO_KEYS].some((key) => name === key || name.endsWith(`_${key}`));
	return [...fieldsOf(record)].some(([name, value]) => isIdentity(name) && !isBlank(value));
}

/** What a branch's name says, with the usual abbreviations. */
const BRANCH_WORDS =
	/(?<!\p{L})(?:filial|sucursal|reprezentant[ae]|филиал|представительств|branch(?!\p{L})|(?:fil|suc|repr|фил)\.)/u;

/** Whether a company's name is a branch's. Branches have the IDNO of their head office. */
export function isBranch(company: Json): boolean {
	return BRANCH_WORDS.test(fold(nameOf(company) ?? ''));
}

/**
 * "in liquidation" for the API's `in_liquidation`. Undefined for `active`, the only documented status
 * (docs/maintainers/services.md, "Company Registry: records").
 */
export function unlessActive(status = 'active'): string | undefined {
	return /^\s*active\s*$/i.test(status) ? undefined : status.replaceAll('_', ' ');
}

/** How many levels of nested groups are read. */
const MAX_DEPTH = 3;
const ENTRY_YEARS = ['year', 'an', 'fiscal_year', 'period', 'date'];

/** A record's own fields come first, so they win over nested fields with the same name. */
function* flatten(record: Json, prefix: string, depth: number): Generator<[string, FieldValue]> {
	const entries = Object.entries(record).map(([key, value]) => [snakeCase(key), value] as const);
	const isGroup = (value: unknown): value is Json => isJson(value) && depth < MAX_DEPTH;
	for (const [name, value] of entries) {
		if (isGroup(value)) continue;
		yield [prefix + name, value as FieldValue];
		if (!Array.isArray(value)) continue;
		yield [`${prefix}${name}_count`, value.length];
		const latest = latestOf(value);
		if (latest && depth < MAX_DEPTH) yield* flatten(latest, `${prefix}${name}_latest_`, depth + 1);
	}
	for (const [name, value] of entries) {
		if (!isGroup(value)) continue;
		yield* flatten(value, COMPANY_GROUPS.includes(name) ? prefix : `${prefix}${name}_`, depth + 1);
	}
}

/** The entry with the latest year, if all entries are years. */
function latestOf(entries: readonly unknown[]): Json | undefined {
	const records = entries.filter(isJson);
	const isYear = (value: unknown) => /^(19|20)\d\d/.test(String(value));
	const key = ENTRY_YEARS.find((each) => records.every((record) => isYear(record[each])));
	if (key === undefined || records.length === 0) return undefined;
	return records.reduce((a, b) => (String(b[key]) > String(a[key]) ? b : a));
}

function snakeCase(key: string): string {
	if (/^[a-z\d_]+$/.test(key)) return key;
	const words = key.trim().replace(/([a-z\d])([A-Z])/g, '$1_$2');
	return words.replace(/[\s.-]+/g, '_').toLowerCase();
}
