import { isJson } from '../../shared/http/envelope';
import type { Json } from '../../shared/http/envelope';
import { IDNO_KEYS, NAME_KEYS } from '../api';

/**
 * A company or a credit recommendation as one flat record of bounded size, whatever fields the
 * service sends. docs/company-registry.md ("Simplified output") describes the rules for users.
 */

/** Maximum JSON length of the fields after the leading ones. */
const MAX_CHARACTERS = 4_000;
const LONGEST_VALUE = 300;
/** Levels of objects and lists that are read. */
const MAX_DEPTH = 4;
/** Entries of a list whose names are included. */
const NAMED_ENTRIES = 5;

/** docs/services.md, "Company Registry: records": a search result. */
export const COMPANY_FIELDS = [
	...['idno', 'name', 'legal_form', 'status', 'city', 'region'],
	...['caen_code', 'caen_description'],
];
const SCORE_FIELDS = ['rating', 'score', 'insolvency_risk'];
const LIMIT = 'recommended_limit_mdl';

/** docs/services.md, "Company Registry: records": a credit recommendation, without its groups. */
export const CREDIT_FIELDS = [
	...['idno', 'name', 'status', ...SCORE_FIELDS],
	...[LIMIT, 'currency', 'recommended_payment_terms_days', 'advisory_notes'],
];

/** The fields of a dossier are not documented, only its parts: registry data, score, credit limit. */
export const DOSSIER_FIELDS = [...COMPANY_FIELDS, ...SCORE_FIELDS, LIMIT];

/** Groups that hold the company or its recommendation, so their fields need no prefix. */
const COMPANY_GROUPS = 'company data dossier general registry registry_data'.split(' ');
const CREDIT_GROUPS =
	'scoring trade_credit_recommendation credit credit_score creditworthiness'.split(' ');

/** Likely names of fields that are not documented in every record. */
const ALIASES: Record<string, string[]> = {
	idno: IDNO_KEYS,
	name: NAME_KEYS,
	[LIMIT]: ['credit_limit_mdl', 'credit_limit', 'credit_ceiling', 'commercial_credit_ceiling'],
};
const ENTRY_NAMES = ['name', 'full_name', 'denumire', 'title', 'activity', 'type', 'number'];
const ENTRY_YEARS = ['year', 'an', 'fiscal_year', 'period', 'date'];

type Scalar = string | number | boolean | null;
/** Undefined: a value that has no flat form. */
type Field = [name: string, value: Scalar | undefined];

/**
 * @param leading fields that come first and always exist, `null` if the record has none
 */
export function simplify(record: Json, leading: readonly string[]): Record<string, Scalar> {
	const fields = new Map<string, Scalar>();
	let omitted = 0;
	for (const [name, value] of flatten(record, '', 1)) {
		// If two groups have a field of the same name, the first one with a value keeps it.
		if (value === undefined || (fields.get(name) ?? null) !== null) omitted += 1;
		else fields.set(name, value);
	}
	const simple = leading.map((name): [string, Scalar] => {
		const inGroups = CREDIT_FIELDS.slice(3).includes(name) ? CREDIT_GROUPS : [];
		const names = [name, ...inGroups.map((group) => `${group}_${name}`), ...(ALIASES[name] ?? [])];
		const known = names.find((each) => (fields.get(each) ?? null) !== null) ?? name;
		const value = fields.get(known) ?? null;
		for (const each of [name, known]) fields.delete(each);
		return [name, value];
	});
	let characters = 0;
	for (const field of fields) {
		characters += JSON.stringify(field).length;
		if (characters <= MAX_CHARACTERS) simple.push(field);
		else omitted += 1;
	}
	return Object.fromEntries(omitted > 0 ? [...simple, ['omitted_fields', omitted]] : simple);
}

/** Fields of a record come before those of its groups, so they keep their names. */
function flatten(record: Json, prefix: string, depth: number): Field[] {
	const entries = Object.entries(record).map(([key, value]) => [snakeCase(key), value] as const);
	const own = entries.filter(([, value]) => !isJson(value));
	const groups = entries.filter((entry): entry is [string, Json] => isJson(entry[1]));
	return [
		...own.flatMap(([name, value]) => fieldsOf(prefix + name, value, depth)),
		...groups.flatMap(([name, group]): Field[] => {
			if (depth === MAX_DEPTH) return [[prefix + name, undefined]];
			return flatten(
				group,
				COMPANY_GROUPS.includes(name) ? prefix : `${prefix}${name}_`,
				depth + 1,
			);
		}),
	];
}

function fieldsOf(name: string, value: unknown, depth: number): Field[] {
	if (typeof value === 'string') return [[name, shortened(value)]];
	if (!Array.isArray(value)) return [[name, isScalar(value) ? value : undefined]];
	// A list: the number of entries, and the figures of the latest year or the names of the entries.
	const count: Field = [`${name}_count`, value.length];
	if (depth === MAX_DEPTH) return [count];
	const latest = latestOf(value.filter(isJson));
	if (latest) return [count, ...flatten(latest, `${name}_latest_`, depth + 1)];
	const names = value.map(nameOfEntry).filter((each) => each !== undefined);
	const listed = names.slice(0, NAMED_ENTRIES).join(', ');
	const more = names.length > NAMED_ENTRIES ? ', …' : '';
	return names.length === 0 ? [count] : [[name, shortened(listed + more)], count];
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

function shortened(text: string): string {
	return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE - 1)}…` : text;
}

function snakeCase(key: string): string {
	const words = key.trim().replace(/([a-z\d])([A-Z])/g, '$1_$2');
	return words.replace(/[\s.-]+/g, '_').toLowerCase();
}
