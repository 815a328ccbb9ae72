import { ServiceError } from './errors';
import { readId, shorten, single } from './values';

/** A JSON object. */
export type Json = Record<string, unknown>;

/** One page of a list, with the service's counters. */
export interface Page {
	rows: Json[];
	/** Rows per page, as the service counts. */
	perPage?: number;
	/** Number of this page, as the service counts. */
	currentPage?: number;
	/** Number of the next page; null when the service says that there is none. */
	nextPage?: number | null;
	/** Number of the last page. */
	lastPage?: number;
	/** Rows on all pages. */
	total?: number;
}

export function isJson(value: unknown): value is Json {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a JSON text; undefined if it isn't one. */
export function parseJson(text: string): { value: unknown } | undefined {
	try {
		return { value: JSON.parse(text.replace(/^\uFEFF/, '')) as unknown };
	} catch {
		return undefined;
	}
}

/** Whether a field says yes. Services write `true`, 1, or either as text. */
export function isYes(value: unknown): boolean {
	return [true, 'true', 1, '1'].includes(value as string);
}

/**
 * Whether a body that doesn't say if the request succeeded looks like content: a list, a record, a
 * number, or at least no message.
 */
export function hasContent(body: unknown): boolean {
	if (!isJson(body)) return Array.isArray(body);
	const content = without(body, 'error', 'errors', 'code', 'status');
	const holds = (value: unknown) =>
		typeof value === 'number' || (typeof value === 'object' && value !== null);
	if (readId(content.id) !== undefined || Object.values(content).some(holds)) return true;
	return Object.keys(body).length > 0 && explanation(body) === undefined;
}

/** Levels of a body that are searched for an explanation. */
const DEEPEST_EXPLANATION = 8;
/** The usual names of an explanation, the best first. */
const EXPLAINING_KEYS = [
	...['message', 'error', 'detail', 'details', 'title', 'reason', 'msg', 'errors', 'code'],
];
/** Those that can hold texts by field: `{"errors": {"name": ["The name is taken."]}}`. */
const BY_FIELD = ['message', 'errors'];
const LONGEST_EXPLANATION = 300;

/**
 * The text in which a body explains a failure, in any of the usual places, or at least a code.
 *
 * @param mask hides secrets; called before the text is cut off, so that no part of one remains
 */
export function explanation(
	body: unknown,
	mask: (text: string) => string = (text) => text,
): string | undefined {
	// The rows of a list explain nothing.
	const [first = '', ...others] = new Set(Array.isArray(body) ? [] : textsIn(body));
	const all = others.reduce(
		(text, next) => `${text}${/[.!?]$/.test(text) ? '' : ';'} ${next}`,
		first,
	);
	const line = mask(all).replace(/\s+/g, ' ');
	return line === '' ? undefined : shorten(line, LONGEST_EXPLANATION);
}

/** @param byField of an object, every value is a text about the field of this name */
function textsIn(value: unknown, depth = 0, byField = false): string[] {
	if (typeof value === 'string') return /^\d*$/.test(value.trim()) ? [] : [value.trim()];
	if (depth > DEEPEST_EXPLANATION) return [];
	if (Array.isArray(value) || (byField && isJson(value))) {
		return Object.values(value).flatMap((each) => textsIn(each, depth + 1));
	}
	if (!isJson(value)) return [];
	const found = EXPLAINING_KEYS.map((key) =>
		textsIn(value[key], depth + 1, BY_FIELD.includes(key)),
	);
	const [message = []] = found;
	const byFields = isJson(value.errors) ? textsIn(value.errors, depth + 1, true) : [];
	if (message.length > 0) return [...message, ...byFields];
	return found.find((texts) => texts.length > 0) ?? [];
}

/** What an entry of a list becomes; undefined for an entry that is not a row. */
type RowOf = (entry: unknown) => Json | undefined;

const objects: RowOf = (entry) => (isJson(entry) ? entry : undefined);

/** For lists that may hold plain names: a name becomes a record with a `name`. */
export const objectsOrNames: RowOf = (entry) =>
	typeof entry === 'string' ? { name: entry } : objects(entry);

/**
 * The page of a list response. Its rows are under one of `keys`, in `data` or in the body; or `data` or
 * the body is the list; or it's the only list in either. Entries that aren't rows are left out, so one
 * odd entry doesn't hide the rest. A missing list is empty if the counters say that nothing was found.
 *
 * @param keys names under which the rows may be, the documented one first
 * @returns undefined when there is no list, or several that could be meant
 */
export function readPage(
	body: unknown,
	keys: readonly string[] = [],
	rowOf = objects,
): Page | undefined {
	const data = isJson(body) ? body.data : undefined;
	const levels = [data, body].filter(isJson);
	const listIn = (value: unknown) =>
		Array.isArray(value) && (value.length === 0 || value.some(rowOf)) ? value : undefined;
	const named = keys
		.flatMap((key) => levels.map((level) => listIn(level[key]) ?? numberedIn(level[key])))
		.find((list) => list !== undefined);
	const [only, ...others] = levels
		.flatMap((level) => Object.values(level).map(listIn))
		.filter((list) => list !== undefined);
	// An empty list with an undocumented name could be anything.
	const isIt = others.length === 0 && (keys.length === 0 || only?.length !== 0);
	const list = named ?? listIn(body) ?? listIn(data) ?? (isIt ? only : undefined);
	return list ? pageOf(list.map(rowOf), levels) : emptyPage(body, keys);
}

/** PHP encodes a list with gaps as an object with numeric keys. */
function numberedIn(value: unknown): unknown[] | undefined {
	if (!isJson(value)) return undefined;
	const names = Object.keys(value);
	const isList = names.length > 0 && names.every((name) => /^\d+$/.test(name));
	return isList ? Object.values(value) : undefined;
}

/**
 * The counters are in `data` or in the body (docs/services.md, "Link Management: lists": most lists keep
 * both inside `data`, the file list at the top level).
 */
function pageOf(entries: Array<Json | undefined>, levels: Json[]): Page {
	const counters: Json = Object.assign({}, ...levels.toReversed());
	const next = counters.nextpage;
	return {
		rows: entries.filter((row) => row !== undefined),
		perPage: counter(counters.perpage ?? counters.per_page),
		currentPage: counter(counters.currentpage ?? counters.page),
		nextPage: [null, false, 0, '0'].includes(next as null) ? null : counter(next),
		lastPage: counter(counters.maxpage),
		total: counter(counters.total) ?? totalFrom(counter(counters.result), entries),
	};
}

/** A list without rows may be null. Next to a counter of 0, it may also be absent or `{}`. */
function emptyPage(body: unknown, keys: readonly string[]): Page | undefined {
	if (!isJson(body)) return undefined;
	const fields: Json = { ...body, ...(isJson(body.data) ? body.data : {}) };
	const { result, total } = fields;
	const isNone = [result, total].some((count) => count === 0 || count === '0');
	const isNull = keys.length > 0 && ['data', ...keys].some((key) => fields[key] === null);
	return isNone || isNull ? { rows: [], nextPage: null } : undefined;
}

/**
 * The API's documentation doesn't say what `result` counts. If it exceeds the page's rows, it's the total.
 */
function totalFrom(result: number | undefined, rows: unknown[]): number | undefined {
	return result !== undefined && result > rows.length ? result : undefined;
}

function counter(value: unknown): number | undefined {
	const number = typeof value === 'string' && value !== '' ? Number(value) : value;
	return typeof number === 'number' && Number.isInteger(number) && number > 0 ? number : undefined;
}

/**
 * The page of a list response, see {@link readPage}.
 *
 * @param what the list in an error, e.g. `a list of companies`
 * @throws ServiceError when there is no list
 */
export function requirePage(
	body: unknown,
	keys: readonly string[],
	rowOf?: RowOf,
	what = `a list under "${keys[0]}"`,
): Page {
	const page = readPage(body, keys, rowOf);
	if (!page) throw unexpectedShape(what, body);
	return page;
}

const ENVELOPE_FIELDS = ['error', 'success', 'message'];

/**
 * The single record of a response, without the envelope: the object under one of `keys`, the only field
 * of the response, or the response itself. It may be the only entry of a list. If the response has
 * several groups of fields, all of them belong to the record.
 *
 * @param keys names under which the record may be, the documented one first
 * @returns undefined when the response has nothing but the envelope
 */
export function readRecord(body: unknown, keys: readonly string[] = []): Json | undefined {
	return isJson(body) ? recordIn(without(body, ...ENVELOPE_FIELDS), keys) : undefined;
}

function recordIn(content: Json, keys: readonly string[]): Json | undefined {
	const [first, ...others] = Object.keys(content);
	if (first === undefined) return undefined;
	const groups = Object.keys(content).filter((name) => typeof content[name] === 'object');
	const wrapper = keys.find((name) => {
		const inner = single(content[name]);
		return isJson(inner) && groups.length === 1 && (isIdentified(inner) || !isIdentified(content));
	});
	const isGroup = others.length === 0 && !isIdentified(content);
	const key = wrapper ?? (isGroup ? first : undefined);
	if (key === undefined) return content;
	const inner = single(content[key]);
	if (isJson(inner)) return recordIn(inner, keys);
	// A record can have a single field, e.g. a status, but a list or null is not a record.
	return typeof inner === 'object' || keys.includes(key) ? undefined : content;
}

function isIdentified({ id, idno }: Json): boolean {
	return (id ?? idno) !== undefined;
}

/** The error for a JSON body that is not what the API documents. */
export function unexpectedShape(expected: string, body: unknown): ServiceError {
	return new ServiceError('The response has an unexpected format', {
		description: `Expected ${expected}, but got ${describeShape(body)}. Check the Base URL of the credential, and the API Variant if it has one. If they're correct, contact the service's administrator.`,
		failure: { cause: 'node-defect' },
	});
}

/** What a value is, in a few words, for an error that says what was expected and received. */
export function describeShape(body: unknown): string {
	if (Array.isArray(body)) return body.length === 0 ? 'an empty list' : 'a list';
	if (body === null) return 'null';
	if (!isJson(body)) return `a ${typeof body}`;
	const keys = Object.keys(body);
	if (keys.length === 0) return 'an empty object';
	const named = keys.slice(0, 8).join(', ');
	return `an object with ${named}${keys.length > 8 ? ', …' : ''}`;
}

/** A copy of an object without some of its fields. */
export function without(object: Json, ...fields: string[]): Json {
	return Object.fromEntries(Object.entries(object).filter(([key]) => !fields.includes(key)));
}
