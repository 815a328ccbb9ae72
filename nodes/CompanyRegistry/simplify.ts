import { isJson } from '../shared/http/envelope';
import type { Json } from '../shared/http/envelope';

/**
 * A company or a credit recommendation as one flat record of bounded size, whatever fields the
 * service sends. docs/company-registry.md ("Simplified output") describes the rules for users.
 */

/** Characters of JSON that fields beyond the leading ones may add. */
const MAX_CHARACTERS = 4_000;
const LONGEST_VALUE = 300;
/** Objects inside objects that are read; a record nests no deeper than that to be useful flat. */
const MAX_DEPTH = 4;
/** Entries of a list that are named. */
const NAMED_ENTRIES = 5;

/** Number of fields that were left out. */
const OMITTED = 'omitted_fields';

/** Groups that hold the company itself, so that their fields need no prefix. */
const COMPANY_GROUPS = ['company', 'data', 'dossier', 'general', 'registry', 'registry_data'];

/** Groups of a credit recommendation; a dossier may call them differently. */
const CREDIT_GROUPS = [
	...['scoring', 'trade_credit_recommendation'],
	...['credit', 'credit_score', 'creditworthiness'],
];

/** docs/services.md, "Company Registry: records": a search result. */
export const COMPANY_FIELDS = [
	...['idno', 'name', 'legal_form', 'status', 'city', 'region'],
	...['caen_code', 'caen_description'],
];

const SCORE_FIELDS = ['rating', 'score', 'insolvency_risk'];
const ADVICE_FIELDS = [
	...['recommended_limit_mdl', 'currency', 'recommended_payment_terms_days', 'advisory_notes'],
];

/** docs/services.md, "Company Registry: records": a credit recommendation, without its groups. */
export const CREDIT_FIELDS = ['idno', 'name', 'status', ...SCORE_FIELDS, ...ADVICE_FIELDS];

/** The spec names the dossier's parts but not its fields: registry data, score and credit ceiling. */
export const DOSSIER_FIELDS = [...COMPANY_FIELDS, ...SCORE_FIELDS, 'credit_limit_mdl'];

/** Likely names of a field where the spec does not show its name. */
const ALIASES: Record<string, string[]> = {
	idno: ['fiscal_code', 'cod_fiscal'],
	name: ['company_name', 'full_name', 'denumire', 'title'],
	credit_limit_mdl: [
		...['credit_limit', 'credit_ceiling', 'commercial_credit_ceiling'],
		...['recommended_limit_mdl', 'trade_credit_recommendation_recommended_limit_mdl'],
	],
	...Object.fromEntries(
		[...SCORE_FIELDS, ...ADVICE_FIELDS].map((name) => [
			name,
			CREDIT_GROUPS.map((group) => `${group}_${name}`),
		]),
	),
};

const ENTRY_NAMES = ['name', 'full_name', 'denumire', 'title', 'activity', 'type', 'number'];
const ENTRY_YEARS = ['year', 'an', 'fiscal_year', 'period', 'date'];

type Scalar = string | number | boolean | null;
/** Undefined: a value that has no flat form. */
type Fields = Array<[name: string, value: Scalar | undefined]>;

/**
 * @param leading fields that come first and are always there, `null` where the record has none
 */
export function simplify(record: Json, leading: readonly string[]): Record<string, Scalar> {
	const fields = new Map<string, Scalar>();
	let omitted = 0;
	for (const [name, value] of flatten(record)) {
		// Two groups may have a field of the same name: the first one keeps it.
		if (value === undefined || fields.has(name)) omitted += 1;
		else fields.set(name, value);
	}
	const simple = leading.map((name): [string, Scalar] => [name, take(fields, name)]);
	let characters = 0;
	for (const field of fields) {
		characters += JSON.stringify(field).length;
		if (characters <= MAX_CHARACTERS) simple.push(field);
		else omitted += 1;
	}
	if (omitted > 0) simple.push([OMITTED, omitted]);
	return Object.fromEntries(simple);
}

/** The field under its own name or a likely one, taken out so that it appears once. */
function take(fields: Map<string, Scalar>, name: string): Scalar {
	const known = [name, ...(ALIASES[name] ?? [])].find((key) => (fields.get(key) ?? null) !== null);
	const value = known === undefined ? null : (fields.get(known) ?? null);
	if (known !== undefined) fields.delete(known);
	fields.delete(name);
	return value;
}

function flatten(record: Json, prefix = '', depth = 1): Fields {
	const entries = Object.entries(record).map(([key, value]) => [snakeCase(key), value] as const);
	// Fields of a record come before those of its groups, so that they keep their names.
	const own = entries.filter(([, value]) => !isJson(value));
	const groups = entries.filter((entry): entry is [string, Json] => isJson(entry[1]));
	return [
		...own.flatMap(([name, value]) => fieldsOf(prefix + name, value, depth)),
		...groups.flatMap(([name, group]): Fields => {
			if (depth === MAX_DEPTH) return [[prefix + name, undefined]];
			return flatten(
				group,
				COMPANY_GROUPS.includes(name) ? prefix : `${prefix}${name}_`,
				depth + 1,
			);
		}),
	];
}

function fieldsOf(name: string, value: unknown, depth: number): Fields {
	if (Array.isArray(value)) return fieldsOfList(name, value, depth);
	if (typeof value === 'string') return [[name, shortened(value)]];
	const isScalar = typeof value === 'number' || typeof value === 'boolean' || value === null;
	return [[name, isScalar ? value : undefined]];
}

/** How many entries a list has, what they are called, and the figures of its latest year. */
function fieldsOfList(name: string, entries: unknown[], depth: number): Fields {
	const count: Fields = [[`${name}_count`, entries.length]];
	if (depth === MAX_DEPTH) return count;
	const latest = latestOf(entries.filter(isJson));
	if (latest) return [...count, ...flatten(latest, `${name}_latest_`, depth + 1)];
	const names = entries.map(nameOfEntry).filter((each) => each !== undefined);
	return names.length === 0 ? count : [[name, listed(names)], ...count];
}

/** The entry of the last year, where each has one. */
function latestOf(records: Json[]): Json | undefined {
	const key = ENTRY_YEARS.find((candidate) =>
		records.every((record) => yearOf(record[candidate]) !== undefined),
	);
	if (key === undefined || records.length === 0) return undefined;
	return records.reduce((latest, record) =>
		String(yearOf(record[key])) > String(yearOf(latest[key])) ? record : latest,
	);
}

/** Comparable as text: a year, or a date that begins with one. */
function yearOf(value: unknown): string | undefined {
	const text = typeof value === 'number' ? String(value) : value;
	return typeof text === 'string' && /^(19|20)\d\d/.test(text) ? text : undefined;
}

function nameOfEntry(entry: unknown): string | undefined {
	if (typeof entry === 'string' || typeof entry === 'number') return String(entry);
	if (!isJson(entry)) return undefined;
	const key = ENTRY_NAMES.find((candidate) =>
		['string', 'number'].includes(typeof entry[candidate]),
	);
	return key === undefined ? undefined : String(entry[key]);
}

function listed(names: string[]): string {
	const more = names.length > NAMED_ENTRIES ? ', …' : '';
	return shortened(names.slice(0, NAMED_ENTRIES).join(', ') + more);
}

function shortened(text: string): string {
	return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE - 1)}…` : text;
}

function snakeCase(key: string): string {
	return key
		.trim()
		.replace(/([a-z\d])([A-Z])/g, '$1_$2')
		.replace(/[\s.-]+/g, '_')
		.toLowerCase();
}
