import { ServiceError } from './errors';
import { readId, shorten, single } from './values';

export type Json = Record<string, unknown>;

/** A page of a list, with the service's counters. */
export interface Page {
	rows: Json[];
	/** Rows per page, according to the service. */
	perPage?: number;
	/** Number of this page, according to the service. */
	currentPage?: number;
	/** Number of the next page, or null if the service says that there isn't one. */
	nextPage?: number | null;
	/** Number of the last page. */
	lastPage?: number;
	/** Rows on all pages together. */
	total?: number;
}

export function isJson(value: unknown): value is Json {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Matches a JSON string, so that digits in it are skipped, or an integer of 16 digits or more. */
const STRING_OR_LONG_INTEGER = /"(?:\\.|[^"\\])*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;

/** An integer that JavaScript can't hold exactly becomes text. As a number, it could be another record's ID. */
function withExactIntegers(text: string): string {
	if (!/\d{16}/.test(text)) return text;
	const isExact = (token: string) => token.startsWith('"') || Number.isSafeInteger(Number(token));
	return text.replace(STRING_OR_LONG_INTEGER, (token) => (isExact(token) ? token : `"${token}"`));
}

/** Parses JSON. Undefined if the text isn't valid; wrapped in an object because the value can be null. */
export function parseJson(text: string): { value: unknown } | undefined {
	try {
		return { value: JSON.parse(withExactIntegers(text.replace(/^\uFEFF/, ''))) as unknown };
	} catch {
		return undefined;
	}
}

/** Whether a field means "yes". Services send `true`, 1, or either of them as text. */
export function isYes(value: unknown): boolean {
	return [true, 'true', 1, '1'].includes(value as string);
}

/**
 * Whether a body looks like content, if it doesn't say whether the request succeeded. Content is a
 * list, a record or a number, or at least not a message.
 */
export function hasContent(body: unknown): boolean {
	if (!isJson(body)) return Array.isArray(body);
	const content = without(body, 'error', 'errors', 'code', 'status');
	const holds = (value: unknown) =>
		typeof value === 'number' || (typeof value === 'object' && value !== null);
	if (readId(content.id) !== undefined || Object.values(content).some(holds)) return true;
	return Object.keys(body).length > 0 && explanation(body) === undefined;
}

/** How many levels of a body are searched for an explanation. */
const DEEPEST_EXPLANATION = 8;
/** The fields that usually hold an explanation, in order of preference. */
const EXPLAINING_KEYS = [
	...['message', 'error', 'detail', 'details', 'title', 'reason', 'msg', 'errors', 'code'],
];
/** Fields that can group messages by input field: `{"errors": {"name": ["The name is taken."]}}`. */
const BY_FIELD = ['message', 'errors'];
const LONGEST_EXPLANATION = 300;

/**
 * How a body explains a failure: the message in any of the usual places, or else an error code.
 *
 * @param mask hides secrets. It runs before the text is shortened, so no part of a secret remains.
 */
export function explanation(
	body: unknown,
	mask: (text: string) => string = (text) => text,
): string | undefined {
	// A list contains rows, not explanations.
	const [first = '', ...others] = new Set(Array.isArray(body) ? [] : textsIn(body));
	const all = others.reduce(
		(text, next) => `${text}${/[.!?]$/.test(text) ? '' : ';'} ${next}`,
		first,
	);
	const line = mask(all).replace(/\s+/g, ' ');
	return line === '' ? undefined : shorten(line, LONGEST_EXPLANATION);
}

/** @param byField whether an object's fields group messages by input field */
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

/** Converts an entry of a list to a row; undefined if it isn't one. */
type RowOf = (entry: unknown) => Json | undefined;

const objects: RowOf = (entry) => (isJson(entry) ? entry : undefined);

/** For lists that may contain plain names: `'x'` becomes `{ name: 'x' }`. */
export const objectsOrNames: RowOf = (entry) =>
	typeof entry === 'string' ? { name: entry } : objects(entry);

/**
 * Reads the page from a list response. The rows are under one of `keys`, in `data` or in the body.
 * Otherwise `data` or the body is the list itself, or contains only one list. Entries that aren't
 * rows are left out, so one odd entry doesn't hide the rest. If there's no list but the counters
 * say that nothing was found, the page is empty.
 *
 * @param keys the names that the rows can have, the documented one first
 * @returns undefined if there's no list, or several that could be meant
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
	const isOnlyList = others.length === 0 && (keys.length === 0 || only?.length !== 0);
	const list = named ?? listIn(body) ?? listIn(data) ?? (isOnlyList ? only : undefined);
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
 * Reads the counters from `data` or the body. In most lists they're next to the rows inside `data`,
 * but for files they're at the top level (docs/services.md, "Link Management: lists").
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

/**
 * A page without rows may have null instead of a list. If a counter is 0, the list can also be `{}`
 * or missing.
 */
function emptyPage(body: unknown, keys: readonly string[]): Page | undefined {
	if (!isJson(body)) return undefined;
	const fields: Json = { ...body, ...(isJson(body.data) ? body.data : {}) };
	const { result, total } = fields;
	const isNone = [result, total].some((count) => count === 0 || count === '0');
	const isNull = keys.length > 0 && ['data', ...keys].some((key) => fields[key] === null);
	return isNone || isNull ? { rows: [], nextPage: null } : undefined;
}

/** The documentation doesn't say what `result` counts. If it exceeds the page's rows, it's the total. */
function totalFrom(result: number | undefined, rows: unknown[]): number | undefined {
	return result !== undefined && result > rows.length ? result : undefined;
}

function counter(value: unknown): number | undefined {
	const number = typeof value === 'string' && value !== '' ? Number(value) : value;
	return typeof number === 'number' && Number.isInteger(number) && number > 0 ? number : undefined;
}

/**
 * Like {@link readPage}, but throws if there's no list.
 *
 * @param what the expected list, for the error, e.g. `a list of companies`
 * @throws ServiceError
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
 * Reads the single record from a response, without the envelope. It's the object under one of
 * `keys`, the only field of the response, or the response itself. A list with one entry counts as
 * the entry. If the response has several groups of fields, all of them belong to the record.
 *
 * @param keys the names that the record can have, the documented one first
 * @returns undefined if there's nothing but the envelope
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
	// A record may have only one field, e.g. a status. A list or null isn't a record, though.
	return typeof inner === 'object' || keys.includes(key) ? undefined : content;
}

function isIdentified({ id, idno }: Json): boolean {
	return (id ?? idno) !== undefined;
}

/** The error for JSON that doesn't look as documented. */
export function unexpectedShape(expected: string, body: unknown): ServiceError {
	return new ServiceError('The response has an unexpected format', {
		description: `Expected ${expected}, but got ${describeShape(body)}. Check the Base URL of the credential, and the API Variant if it has one. If they're correct, contact the service's administrator.`,
		failure: { cause: 'node-defect' },
	});
}

/** Describes a value in a few words, for an error that says what was received. */
export function describeShape(body: unknown): string {
	if (Array.isArray(body)) return body.length === 0 ? 'an empty list' : 'a list';
	if (body === null) return 'null';
	if (!isJson(body)) return `a ${typeof body}`;
	const keys = Object.keys(body);
	if (keys.length === 0) return 'an empty object';
	const named = keys.slice(0, 8).join(', ');
	return `an object with ${named}${keys.length > 8 ? ', …' : ''}`;
}

/** Copies an object without some of its fields. */
export function without(object: Json, ...fields: string[]): Json {
	return Object.fromEntries(Object.entries(object).filter(([key]) => !fields.includes(key)));
}
