import { ServiceError } from './errors';

/** A JSON object. */
export type Json = Record<string, unknown>;

/** One page of a list, with the counters that the service put beside it. */
export interface Page {
	rows: Json[];
	/** Rows per page that the service honoured. */
	perPage?: number;
	/** Number of this page, as the service counts. */
	currentPage?: number;
	/** Number of the next page; null when the service says that there is none. */
	nextPage?: number | null;
	/** Number of the last page. */
	lastPage?: number;
	/** Rows on all pages together. */
	total?: number;
}

export function isJson(value: unknown): value is Json {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Whether a body says that the request failed, although HTTP may say 200: `error` 1, "1" or true
 * (docs/services.md, "Link Management: errors"), `success` false, or nothing but a `detail` (docs/services.md,
 * "Company Registry: errors": their shape is not shown). An `error` of 0, "0" or none is a success.
 */
export function saysFailure(body: unknown): boolean {
	if (!isJson(body)) return false;
	const { error, success } = body;
	if (success === false || success === 'false' || success === 0 || success === '0') return true;
	if (Object.keys(body).length === 1 && typeof body.detail === 'string') return true;
	if (error === undefined || error === null || error === false) return false;
	return error !== 0 && error !== '0' && error !== '';
}

/** Levels of objects that are searched for an explanation. */
const DEEPEST_EXPLANATION = 5;
const EXPLAINING_KEYS = ['message', 'error', 'detail', 'details', 'title', 'reason', 'errors'];

/**
 * The text in which a body explains a failure, in any of the usual places, or at least a code.
 *
 * @param redact removes secrets; called before the text is cut off, so that no part of one remains
 */
export function explanation(
	body: unknown,
	redact: (text: string) => string = (text) => text,
	depth = 0,
): string | undefined {
	if (typeof body === 'string') return clean(redact(body));
	if (!isJson(body) || depth > DEEPEST_EXPLANATION) return undefined;
	for (const key of [...EXPLAINING_KEYS, 'code']) {
		const value = body[key];
		if (typeof value === 'string' && !/^\d*$/.test(value)) return clean(redact(value));
		if (isJson(value)) {
			const inner = explanation(value, redact, depth + 1);
			if (inner) return inner;
		}
		if (Array.isArray(value) && value.length > 0) {
			const inner = value.map((entry) => explanation(entry, redact, depth + 1)).filter(Boolean);
			if (inner.length > 0) return clean(inner.join('; '));
		}
	}
	return undefined;
}

const LONGEST_EXPLANATION = 300;

function clean(text: string): string | undefined {
	const line = text.replace(/\s+/g, ' ').trim();
	if (line === '') return undefined;
	return line.length > LONGEST_EXPLANATION ? `${line.slice(0, LONGEST_EXPLANATION)}…` : line;
}

/**
 * Finds the rows of a list response and the counters beside them. The rows may be the body itself,
 * be under one of `keys` in the body or in its `data`, or be `data`; the counters are read where
 * the rows are and one level above (docs/services.md, "Link Management: lists": most lists
 * keep both inside `data`, the file list at the top level).
 *
 * @returns undefined when there is no list of objects
 */
export function readPage(body: unknown, keys: readonly string[]): Page | undefined {
	if (Array.isArray(body)) return rowsOnly(body);
	if (!isJson(body)) return undefined;
	const { data } = body;
	const holders = isJson(data) ? [data, body] : [body];
	for (const holder of holders) {
		for (const key of keys) {
			const rows = holder[key];
			if (Array.isArray(rows)) return withCounters(rows, { ...body, ...holder });
		}
	}
	return Array.isArray(data) ? withCounters(data, body) : undefined;
}

function rowsOnly(rows: unknown[]): Page | undefined {
	return rows.every(isJson) ? { rows } : undefined;
}

function withCounters(rows: unknown[], holder: Json): Page | undefined {
	const page = rowsOnly(rows);
	if (!page) return undefined;
	const next = holder.nextpage;
	return {
		...page,
		perPage: counter(holder.perpage ?? holder.per_page),
		currentPage: counter(holder.currentpage ?? holder.page),
		nextPage: next === null || next === false || next === 0 ? null : counter(next),
		lastPage: counter(holder.maxpage),
		total: counter(holder.total) ?? totalFrom(counter(holder.result), rows),
	};
}

/**
 * The document does not say what `result` counts; if it exceeds the returned rows, it is the total.
 */
function totalFrom(result: number | undefined, rows: unknown[]): number | undefined {
	return result !== undefined && result > rows.length ? result : undefined;
}

function counter(value: unknown): number | undefined {
	const number = typeof value === 'string' && value !== '' ? Number(value) : value;
	return typeof number === 'number' && Number.isInteger(number) && number > 0 ? number : undefined;
}

/**
 * The page of a list response.
 *
 * @param keys names under which the rows may be, the documented one first
 * @throws ServiceError when there is no list
 */
export function requirePage(body: unknown, keys: readonly string[]): Page {
	const page = readPage(body, keys);
	if (!page) throw unexpectedShape(`a list under "${keys[0]}"`, body);
	return page;
}

/** The error for a JSON body that is not what the API documents. */
export function unexpectedShape(expected: string, body: unknown): ServiceError {
	return new ServiceError('The response has an unexpected shape', {
		description: `Expected ${expected}, but got ${describeShape(body)}.`,
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
