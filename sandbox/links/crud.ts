import { z } from 'zod';
import { found } from '../shared/checks';
import { type Endpoint, endpoint, type Exchange } from '../shared/endpoint';
import { idParams, type ListQuery, listQuery } from './records';
import type { Rows, RowStore } from './rowStore';
import type { LinkSettings, ListName } from './settings';
import type { LinkState } from './state';

/** The service, as far as its endpoints use it. */
export interface LinkBackend {
	readonly state: LinkState;
	readonly settings: LinkSettings;
	/** A page of the list, under its key in the response. */
	listPage(
		list: [name: ListName, key: string],
		rows: Rows<object>,
		query: ListQuery,
		exchange: Exchange,
	): unknown;
}

/** The endpoints of one resource. */
export type Endpoints = (service: LinkBackend) => Endpoint[];

type Row = { id: number };

/** A resource: the paths of its list and records, and the fields that its documentation shows. */
interface Resource<T extends Row, C extends z.ZodTypeAny, U extends z.ZodTypeAny> {
	/** In messages: "Pixel has been successfully deleted". */
	name: string;
	list: ListName & keyof LinkState;
	listPath: string;
	/** Key of the list in the response, and what it holds. */
	key: string;
	record: z.ZodTypeAny;
	/** The record as the list shows it. */
	listed?: (row: T, settings: LinkSettings) => object;
	/** e.g. `/api/pixel`, before `/add`, `/:id/update` and `/:id/delete`. Absent: read only. */
	path?: string;
	createBody?: C;
	create?: (body: z.infer<C>, id: number, state: LinkState) => T;
	updateBody?: U;
	/** The response of a create, and of an update if `updateReturnsRecord`; default: the ID alone. */
	written?: { schema: z.ZodTypeAny; show: (row: T) => object };
	updateReturnsRecord?: boolean;
}

const message = z.object({ message: z.string() });

/** List, create, update and delete, if the resource has them. */
export function crud<T extends Row, C extends z.ZodTypeAny, U extends z.ZodTypeAny>(
	resource: Resource<T, C, U>,
): Endpoints {
	const { name, list, listPath, key, record, listed, path, createBody, updateBody } = resource;
	const { schema, show } = resource.written ?? { schema: idOnly, show: ({ id }: T) => ({ id }) };
	return (service) => {
		const store = () => service.state[list] as unknown as RowStore<T>;
		const endpoints = [
			endpoint({
				method: 'get',
				path: listPath,
				does: `List: ${name}`,
				query: listQuery,
				response: listResponse(key, record),
				handle: ({ query }, exchange) =>
					service.listPage([list, key], shown(store(), listed, service.settings), query, exchange),
			}),
		];
		if (path === undefined || !createBody || !updateBody) return endpoints;
		return [
			...endpoints,
			endpoint({
				method: 'post',
				path: `${path}/add`,
				does: `Create: ${name}`,
				body: createBody,
				response: schema,
				handle: ({ body }) =>
					show(store().insert((id) => resource.create!(body as z.infer<C>, id, service.state))),
			}),
			endpoint({
				method: 'put',
				path: `${path}/:id/update`,
				does: `Update: ${name}`,
				params: idParams,
				body: updateBody,
				response: resource.updateReturnsRecord ? schema : message,
				handle: ({ params, body }) => {
					const row = found(store().get(params.id), `${name} does not exist`);
					Object.assign(row, body);
					return resource.updateReturnsRecord ? show(row) : done(name, 'updated');
				},
			}),
			endpoint({
				method: 'delete',
				path: `${path}/:id/delete`,
				does: `Delete: ${name}`,
				params: idParams,
				response: message,
				handle: ({ params: { id } }) => {
					const { state } = service;
					const deleted = list === 'channels' ? state.deleteChannel(id) : store().delete(id);
					found(deleted, `${name} does not exist`);
					return done(name, 'deleted');
				},
			}),
		];
	};
}

const idOnly = z.object({ id: z.number().int() });

function done(name: string, what: string) {
	return { message: `${name} has been successfully ${what}` };
}

/** The rows, each as the list shows it. */
export function shown<T extends object>(
	rows: Rows<T>,
	show: ((row: T, settings: LinkSettings) => object) | undefined,
	settings: LinkSettings,
): Rows<object> {
	if (!show) return rows;
	return {
		size: rows.size,
		slice: (...part) => rows.slice(...part).map((row) => show(row, settings)),
	};
}

const integer = z.number().int();
const counters = {
	...{ result: integer, perpage: integer, currentpage: integer },
	...{ nextpage: integer.nullable(), maxpage: integer },
};

/** A page of a list: the counters and the rows, inside `data` for all lists but the files. */
export function listResponse(key: string, record: z.ZodTypeAny): z.ZodTypeAny {
	const content = z.object({ ...counters, [key]: z.array(record) });
	return key === 'list' ? content : z.object({ data: content });
}
