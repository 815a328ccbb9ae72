import { ServiceError } from './errors';
import { isJson, readId, single, without, type Json } from './json';

/** A page of a list, with the service's counters. */
export interface Page {
	rows: Json[];
	perPage?: number;
	/** Number of the next page, or null if the service says that there isn't one. */
	nextPage?: number | null;
	lastPage?: number;
	/** Rows on all pages together. */
	total?: number;
	/** Set if the service has more rows that no page shows, with their number if it says so. */
	hidden?: { total?: number };
	/** Identifies a row better than its `id` does, if it can. */
	keyOf?: (row: Json) => string | undefined;
}

/** Whether a body without a success flag contains data: a list, a record, or at least not a message. */
export function hasContent(body: unknown): boolean {
	if (!isJson(body)) return Array.isArray(body);
	const { id, data } = body;
	const isThere = readId(id) !== undefined || isJson(data) || Array.isArray(data);
	return isThere || (Object.keys(body).length > 0 && explanation(body) === undefined);
}

/** The fields that usually hold an explanation, in order of preference. */
const EXPLAINING_KEYS = 'message error detail details title reason msg errors code'.split(' ');

/** How a body explains a failure: the messages in any of the usual places, or else an error code. */
export function explanation(body: unknown): string | undefined {
	// A list contains rows, not explanations.
	if (Array.isArray(body)) return undefined;
	// Some services add the errors by input field: {"errors": {"name": ["The name is taken."]}}.
	const byField = isJson(body) ? textsOrByField(body.errors) : [];
	const all = [...new Set([...textsIn(body), ...byField])].join(' ');
	return all.replace(/\s+/g, ' ') || undefined;
}

/** All texts of a list, and of an object those in the first field that explains, or else in all of them. */
function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return /^\d*$/.test(value.trim()) ? [] : [value.trim()];
	if (Array.isArray(value)) return value.flatMap(textsIn);
	if (!isJson(value)) return [];
	const keyed = EXPLAINING_KEYS.map((key) => value[key]);
	return keyed.map(textsOrByField).find((texts) => texts.length > 0) ?? [];
}

/** Validators answer by input field, which may be called like one that explains: {"title": ["Too long."]}. */
function textsOrByField(value: unknown): string[] {
	const fields = isJson(value) ? Object.values(value) : [];
	const isByField = fields.length > 0 && fields.every((field) => Array.isArray(field));
	const texts = isByField ? [] : textsIn(value);
	return texts.length > 0 ? texts : fields.flatMap(textsIn);
}

const objects = (entry: unknown) => (isJson(entry) ? entry : undefined);

/** For lists that may contain plain names: `'x'` becomes `{ name: 'x' }`. */
export const objectsOrNames: typeof objects = (entry) =>
	typeof entry === 'string' ? { name: entry } : objects(entry);

/** PHP sends a list with gaps as an object: `{"0": …, "2": …}`. */
function asList(value: unknown): unknown[] | undefined {
	if (Array.isArray(value)) return value;
	const keys = isJson(value) ? Object.keys(value) : [];
	const isNumbered = keys.length > 0 && keys.every((key) => /^\d+$/.test(key));
	return isNumbered ? Object.values(value as Json) : undefined;
}

/**
 * Reads the page from a list response. The rows are under one of `keys`, in `data` or in the body.
 * Otherwise `data` or the body is the list itself, or contains only one list. Entries that aren't
 * rows are left out. A service that found nothing may send null, or a count of 0, instead of a list.
 *
 * @param keys the names that the rows can have, the documented one first
 * @returns undefined if there's no list, or several that could be meant
 */
export function readPage(
	body: unknown,
	keys: readonly string[] = [],
	rowOf = objects,
): Page | undefined {
	const levels = isJson(body) ? [body.data, body].filter(isJson) : [];
	const listIn = (value: unknown) => {
		const list = asList(value);
		return list && (list.length === 0 || list.some(rowOf)) ? list : undefined;
	};
	const named = keys.flatMap((key) => levels.map((level) => level[key]));
	const listsAmong = (values: unknown[]) => values.map(listIn).filter((list) => list !== undefined);
	const [known] = listsAmong([...named, body, isJson(body) && body.data]);
	const [only, ...others] = listsAmong(levels.flatMap((level) => Object.values(level)));
	// An empty list with an undocumented name could be anything.
	const isOnlyList = others.length === 0 && (keys.length === 0 || only?.length !== 0);
	const list = known ?? (isOnlyList ? only : undefined);
	// The counters are next to the rows, or at the top level (docs/maintainers/services.md, "Link Management: lists").
	const counters: Json = Object.assign({}, ...levels.toReversed());
	const { result, total, perpage, per_page, nextpage, maxpage } = counters;
	if (!list) {
		const isNone = [result, total].some((count) => count === 0 || count === '0');
		const isNull = keys.length > 0 && ['data', ...keys].some((key) => counters[key] === null);
		// An answer without content, HTTP 204, is read as an empty object.
		const isEmpty = isJson(body) && Object.keys(body).length === 0;
		return isNone || isNull || isEmpty ? { rows: [], nextPage: null } : undefined;
	}
	// The documentation doesn't say what `result` counts. If it exceeds the page's rows, it's the total.
	const isTotal = (counter(result) ?? 0) > list.length;
	return {
		rows: list.map(rowOf).filter((row) => row !== undefined),
		perPage: counter(perpage ?? per_page),
		nextPage: [null, false, 0, '0'].includes(nextpage as null) ? null : counter(nextpage),
		lastPage: counter(maxpage),
		total: counter(total) ?? (isTotal ? counter(result) : undefined),
	};
}

function counter(value: unknown): number | undefined {
	const number = typeof value === 'string' && value !== '' ? Number(value) : value;
	return typeof number === 'number' && Number.isInteger(number) && number > 0 ? number : undefined;
}

/** Like {@link readPage}, but throws a ServiceError if there's no list. */
export function requirePage(
	body: unknown,
	keys: readonly string[],
	rowOf?: typeof objects,
	what = `a list under "${keys[0]}"`,
): Page {
	const page = readPage(body, keys, rowOf);
	if (!page) throw unexpectedShape(what, body);
	return page;
}

/**
 * Reads the single record from a response, without the envelope. It's the object (or the only entry
 * of the list) under one of `keys`, or the response itself. If the response has several groups of
 * fields, all of them belong to the record.
 *
 * @param keys the names that the record can have, the outermost first
 * @param identifying fields that show that an object is the record
 * @returns undefined if there's nothing but the envelope
 */
export function readRecord(
	body: unknown,
	keys: readonly string[] = [],
	identifying: readonly string[] = ['id'],
): Json | undefined {
	const isIdentified = (record: Json) => identifying.some((name) => record[name] !== undefined);
	let record = isJson(body) ? without(body, 'error', 'success', 'message') : {};
	for (const key of keys) {
		const inner = single(record[key]);
		const groups = Object.values(record).filter((value) => isJson(value) || Array.isArray(value));
		if (!isJson(inner) || groups.length > 1) continue;
		if (isIdentified(inner) || !isIdentified(record)) record = inner;
	}
	const isFilled = (name: string) => !keys.includes(name) || isJson(record[name]);
	return Object.keys(record).some(isFilled) ? record : undefined;
}

export function unexpectedShape(expected: string, body: unknown): ServiceError {
	const words = explanation(body);
	const said = words === undefined ? '' : ` The service said: "${words}".`;
	return new ServiceError('The response has an unexpected format', {
		kind: 'shape',
		description: `Expected ${expected}, but got ${describeShape(body)}. Check the Base URL and the other settings of the credential. If they're correct, contact the service's administrator.${said}`,
	});
}

/** Describes a value in a few words, for an error that says what was received. */
export function describeShape(body: unknown): string {
	if (Array.isArray(body) || body === null) return body ? 'a list' : 'null';
	if (!isJson(body)) return `a ${typeof body}`;
	const fields = Object.keys(body).slice(0, 8).join(', ');
	return fields === '' ? 'an empty object' : `an object with ${fields}`;
}
