import { byId } from '../operationCase';
import type { Exchange, OperationCase } from '../operationCase';

/** The list of a resource: the given record, and another one like it. */
export function getMany(
	resource: string,
	path: string,
	key: string,
	record: { id: number } & Record<string, string | number | boolean>,
): OperationCase {
	const rows = [record, { ...record, id: record.id - 1 }];
	return {
		operation: `${resource}.getAll`,
		documented: { endpoint: `GET ${path}`, fields: ['limit', 'page'] },
		parameters: { limit: 50 },
		exchanges: [listed(path, key, rows)],
		output: rows,
	};
}

/** The first page of a list that has no other. */
export function listed(path: string, key: string, rows: object[]): Exchange {
	return onlyPage(path, key, rows, 50);
}

/** A record that the API only lists: the list is read to find it. */
export function getOne(
	resource: string,
	path: string,
	key: string,
	record: { id: number } & Record<string, string | number | boolean>,
): OperationCase {
	const rows = [{ ...record, id: record.id + 1 }, record];
	return {
		operation: `${resource}.get`,
		parameters: { [`${resource}Id`]: byId(record.id) },
		exchanges: [allListed(path, key, rows)],
		output: [record],
	};
}

/** The only page of a list that is read to the end. */
export function allListed(path: string, key: string, rows: object[]): Exchange {
	return onlyPage(path, key, rows, 100);
}

function onlyPage(path: string, key: string, rows: object[], perpage: number): Exchange {
	const counters = { result: rows.length, perpage, currentpage: 1, nextpage: null, maxpage: 1 };
	return {
		request: `GET ${path}?limit=${perpage}&page=1`,
		response: { error: '0', data: { ...counters, [key]: rows } },
	};
}

/** Deletes a record, given by its id. */
export function deleteOne(resource: string, id: number, message: string): OperationCase {
	const path = `/api/${resource}`;
	return {
		operation: `${resource}.delete`,
		documented: { endpoint: `DELETE ${path}/:id/delete` },
		parameters: { [`${resource}Id`]: byId(id) },
		exchanges: [{ request: `DELETE ${path}/${id}/delete`, response: { error: 0, message } }],
		output: [{ deleted: true, id }],
	};
}
