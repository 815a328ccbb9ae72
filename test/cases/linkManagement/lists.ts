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
	const counters = { result: 2, perpage: 50, currentpage: 1, nextpage: null, maxpage: 1 };
	return {
		request: `GET ${path}?limit=50&page=1`,
		response: { error: '0', data: { ...counters, [key]: rows } },
	};
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
	const counters = {
		result: rows.length,
		perpage: 100,
		currentpage: 1,
		nextpage: null,
		maxpage: 1,
	};
	return {
		request: `GET ${path}?limit=100&page=1`,
		response: { error: '0', data: { ...counters, [key]: rows } },
	};
}
