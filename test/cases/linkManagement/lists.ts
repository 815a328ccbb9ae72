import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { byId } from '../operationCase';
import type { Exchange, OperationCase } from '../operationCase';

/** Get Many returns `record` and a second row like it. */
export function getMany(
	resource: string,
	path: string,
	key: string,
	record: IDataObject & { id: number },
): OperationCase {
	const rows = [record, { ...record, id: record.id - 1 }];
	return {
		operation: `${resource}.getAll`,
		documented: { endpoint: `GET ${path}` },
		parameters: { limit: 50 },
		exchanges: [onlyPage(path, key, rows, 50)],
		output: rows,
	};
}

/** Get reads the list to find `record`, because the API has no endpoint for a single one. */
export function getOne(resource: string, record: IDataObject & { id: number }): OperationCase {
	const rows = [{ ...record, id: record.id + 1 }, record];
	return {
		operation: `${resource}.get`,
		parameters: { [`${resource}Id`]: byId(record.id) },
		exchanges: [allListed(`${resource}s`, rows)],
		output: [record],
	};
}

/** A list of one page, as the node requests it to read all rows. */
function allListed(key: string, rows: object[]): Exchange {
	return onlyPage(`/api/${key}`, key, rows, 100);
}

function onlyPage(path: string, key: string, rows: object[], perpage: number): Exchange {
	const counters = { result: rows.length, perpage, currentpage: 1, nextpage: null, maxpage: 1 };
	return {
		request: `GET ${path}?limit=${perpage}&page=1`,
		response: { error: '0', data: { ...counters, [key]: rows } },
	};
}

/** What the user enters for a write, and the JSON body that the node must send. */
interface Write {
	parameters: INodeParameters;
	body: IDataObject;
}

/** Create. `response` is given without its `error: 0`. */
export function createOne(
	resource: string,
	{ parameters, body }: Write,
	response: IDataObject,
	output = response,
): OperationCase {
	const endpoint = `POST /api/${resource}/add`;
	return {
		operation: `${resource}.create`,
		documented: { endpoint },
		parameters,
		exchanges: [{ request: endpoint, body, response: { error: 0, ...response } }],
		output: [output],
	};
}

/** Update by ID. By default, the response only confirms the update. */
export function updateOne(
	resource: string,
	id: number,
	{ parameters, body }: Write,
	response: IDataObject = { message: messageOf(resource, 'updated') },
	output: IDataObject = { id, ...response },
): OperationCase {
	const path = `PUT /api/${resource}`;
	return {
		operation: `${resource}.update`,
		documented: { endpoint: `${path}/:id/update` },
		parameters: { [`${resource}Id`]: byId(id), ...parameters },
		exchanges: [{ request: `${path}/${id}/update`, body, response: { error: 0, ...response } }],
		output: [output],
	};
}

/** Create or Update creates the record, because the list contains only `row`. */
export function upsertOne(
	resource: string,
	row: IDataObject,
	{ parameters, body }: Write,
	response: IDataObject & { id: number },
): OperationCase {
	const request = `POST /api/${resource}/add`;
	const created = { request, body, response: { error: 0, ...response } };
	return {
		operation: `${resource}.upsert`,
		parameters,
		exchanges: [allListed(`${resource}s`, [row]), created],
		output: [{ id: response.id, ...body, created: true }],
	};
}

/** Delete by ID. */
export function deleteOne(resource: string, id: number): OperationCase {
	const path = `DELETE /api/${resource}`;
	const message = messageOf(resource, 'deleted');
	return {
		operation: `${resource}.delete`,
		documented: { endpoint: `${path}/:id/delete` },
		parameters: { [`${resource}Id`]: byId(id) },
		exchanges: [{ request: `${path}/${id}/delete`, response: { error: 0, message } }],
		output: [{ deleted: true, id }],
	};
}

function messageOf(resource: string, done: string): string {
	return `${resource[0]!.toUpperCase()}${resource.slice(1)} has been ${done}`;
}
