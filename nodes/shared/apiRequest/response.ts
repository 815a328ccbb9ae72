import { isJson, readPage, without } from '../http/envelope';
import type { Json, Page } from '../http/envelope';
import { ServiceError } from '../http/errors';

const NO_LIST = {
	description:
		'Turn off Return All and Split Into Items to see the whole response, then enter the name of the list in List Key, e.g. data.urls',
};

/** A response as one item, without the `error: 0` that n8n's error output would take for a failure. */
export function wholeResponse(body: unknown): Json {
	return isJson(body) ? without(body, 'error') : { data: body };
}

/**
 * The key of the only list of records at the top level of a response or in its `data`.
 *
 * @throws ServiceError when there is none, or several could be meant
 */
export function findListKey(body: unknown): string {
	if (Array.isArray(body)) return '';
	const [key, ...others] = [...listsOf(fieldOf(body, 'data')), ...listsOf(body)];
	if (key === undefined) throw new ServiceError('The response has no list of records', NO_LIST);
	if (others.length === 0) return key;
	throw new ServiceError(`The response has several lists: ${[key, ...others].join(', ')}`, {
		description: 'Enter the name of the one that you need in List Key.',
	});
}

/**
 * The list of records in a response, with the counters beside it.
 *
 * @param listKey its name, with dots between levels; empty for a response that is a list
 * @throws ServiceError when there is no such list
 */
export function listIn(body: unknown, listKey: string): Page {
	const page = Array.isArray(body) ? readPage(body, []) : listUnder(body, listKey.split('.'));
	if (page) return page;
	throw new ServiceError(`The response has no list of records under "${listKey}"`, NO_LIST);
}

function listUnder(body: unknown, path: string[]): Page | undefined {
	const parents = path.slice(0, -1);
	const key = path.at(-1) ?? '';
	const parent = parents.reduce<unknown>((value, each) => fieldOf(value, each), body);
	const isThere = [parent, fieldOf(parent, 'data')].some((each) =>
		Array.isArray(fieldOf(each, key)),
	);
	if (!isJson(parent) || !isThere) return undefined;
	// The counters of a nested list can be next to it or at the top level.
	return readPage(parents.length > 0 ? { ...scalarsOf(body), ...parent } : parent, [key]);
}

function fieldOf(value: unknown, key: string): unknown {
	return isJson(value) ? value[key] : undefined;
}

function scalarsOf(body: unknown): Json {
	if (!isJson(body)) return {};
	return Object.fromEntries(Object.entries(body).filter(([, value]) => !isJson(value)));
}

function listsOf(holder: unknown): string[] {
	if (!isJson(holder)) return [];
	const lists = Object.entries(holder).filter(
		([, value]) => Array.isArray(value) && value.every(isJson),
	);
	return lists.map(([key]) => key);
}
