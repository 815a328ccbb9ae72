import { isJson, listNames, pageUnder, readPage, without } from '../http/envelope';
import type { Json, Page } from '../http/envelope';
import { ServiceError } from '../http/errors';
import { collectRows, nextPageOf } from '../http/pagination';
import type { ApiRequest } from '../http/sendRequest';
import type { OperationCall, RunOperation } from '../node/operation';
import { isBlank, readFlag, required, text } from '../node/validators';
import { typedRequest } from './request';
import type { QueryPart, TypedRequest } from './request';

/** @param pageSize rows per page to request, if the service documents a maximum */
export function apiRequestOperation(pageSize?: number): RunOperation {
	return async (call) => {
		// Before the first await, so that every item is checked before anything is sent.
		const typed = typedRequest(call);
		const flag = (name: string, label: string) =>
			typed.method === 'GET' && readFlag(call.parameter(name, false), false, label);
		const readsAll = flag('returnAllPages', 'Return All');
		const splits = flag('splitIntoItems', 'Split Into Items');
		const field = listFieldOf(call);
		if (readsAll) return (await allRows(call, typed, field, pageSize)) as never;
		const body = await call.send(requestOf(typed));
		// A write has already been carried out, so any response to it is a success.
		if (!splits) return [wholeResponse(body)] as never;
		const page = pageIn(body, field);
		noteOtherPages(call, page);
		return page.rows as never;
	};
}

/** Without counters, nothing is known of other pages. */
function noteOtherPages(call: OperationCall, page: Page): void {
	const { nextPage, lastPage, total, currentPage = 1 } = page;
	const isCounted = [nextPage, lastPage, total].some((counter) => counter !== undefined);
	if (isCounted && nextPageOf(page, currentPage)) call.noteCut(total);
}

function listFieldOf(call: OperationCall): string | undefined {
	const value = call.parameter<unknown>('listKey', '');
	return isBlank(value) ? undefined : required<string>(text, value, 'List Field');
}

function requestOf({ method, path, query, body }: TypedRequest): ApiRequest {
	const typed = query.map((part) => part.text).join('&');
	// n8n's HTTP client would rename and merge parameters.
	return { method, path: typed === '' ? path : `${path}?${typed}`, isTypedPath: true, body };
}

const PAGING = ['limit', 'page'];

async function allRows(
	call: OperationCall,
	typed: TypedRequest,
	field: string | undefined,
	pageSize: number | undefined,
): Promise<Json[]> {
	const request = requestOf({
		...typed,
		query: typed.query.filter(({ name }) => !PAGING.includes(name)),
	});
	return await collectRows(
		async (page, limit, fresh) => {
			const query = { limit, page };
			return pageIn(await call.send({ ...request, query }, { fresh }), field);
		},
		{ rows: Infinity, pageSize: typedLimit(typed.query) ?? pageSize },
	);
}

function typedLimit(query: QueryPart[]): number | undefined {
	const part = query.find(({ name }) => name === 'limit');
	const limit = Math.floor(Number(part?.text.split('=')[1]));
	return limit >= 1 ? limit : undefined;
}

/** A response as one item, without the `error: 0` that n8n's error output would take for a failure. */
function wholeResponse(body: unknown): Json {
	return isJson(body) ? without(body, 'error') : { data: body };
}

const NO_LIST = {
	description:
		'Turn off "Return All" and "Split Into Items" to see the whole response, then enter the field that holds the list in "List Field", e.g. data.urls',
};

/**
 * The list of records in a response.
 *
 * @param field its name, with dots between levels; absent for the only list
 * @throws ServiceError when there is none, or several could be meant
 */
function pageIn(body: unknown, field: string | undefined): Page {
	const page = field === undefined ? readPage(body) : pageUnder(body, field);
	if (page) return page;
	const names = listNames(body);
	if (field === undefined && names.length > 1) {
		throw new ServiceError(`The response has several lists: ${names.join(', ')}`, {
			description: 'Enter the one that you need in "List Field".',
		});
	}
	throw new ServiceError(
		field === undefined
			? 'The response has no list of records'
			: `The response has no list of records under "${field}"`,
		NO_LIST,
	);
}
