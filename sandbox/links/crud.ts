import { z } from 'zod';
import { found } from '../shared/checks';
import { type Endpoint, endpoint } from '../shared/endpoint';
import { counters, idParams, listQuery } from './records';
import type { Rows, RowStore } from './rowStore';
import type { LinkService } from './service';
import type { StoredList } from './settings';
import type { LinkState } from './state';

/** The endpoints of one resource. */
export type Endpoints = (service: LinkService) => Endpoint[];

type Row = { id: number };

/** A resource: the paths of its list and records, and the fields that its documentation shows. */
interface Resource<T extends Row, C extends z.ZodTypeAny> {
	/** The name in messages such as "Pixel has been successfully deleted". */
	name: string;
	list: StoredList;
	listPath: string;
	/** The list's key in the response, and the schema of its records. */
	key: string;
	record: z.ZodTypeAny;
	/** The record as the list shows it. */
	listed?: (row: T) => object;
	/** The path before `/add`, `/:id/update` and `/:id/delete`, e.g. `/api/pixel`. Absent if read-only. */
	path?: string;
	createBody?: C;
	create?: (body: z.infer<C>, id: number, state: LinkState) => T;
	updateBody?: z.ZodTypeAny;
	/** The response of a create, and of an update if `updateReturnsRecord`; default: the ID alone. */
	written?: { schema: z.ZodTypeAny; show: (row: T) => object };
	updateReturnsRecord?: boolean;
}

export const message = z.object({ message: z.string() });
const idOnly = z.object({ id: z.number().int() });

/** The endpoints for list, create, update and delete, as far as the resource has them. */
export function crud<T extends Row, C extends z.ZodTypeAny>(resource: Resource<T, C>): Endpoints {
	const { name, list, listPath, key, record, listed, path, create, updateReturnsRecord } = resource;
	const { schema, show } = resource.written ?? { schema: idOnly, show: ({ id }: T) => ({ id }) };
	const done = (what: string) => ({ message: `${name} has been successfully ${what}` });
	return (service) => {
		const store = () => service.state.store(list) as unknown as RowStore<T>;
		const getMany = endpoint(`GET ${listPath}`, `List: ${name}`, {
			query: listQuery,
			response: listResponse(key, record),
			handle: ({ query }) => service.listPage([list, key], shown(store(), listed), query),
		});
		if (path === undefined || !create) return [getMany];
		return [
			getMany,
			endpoint(`POST ${path}/add`, `Create: ${name}`, {
				body: resource.createBody,
				response: schema,
				handle: ({ body }) => show(store().insert((id) => create(body, id, service.state))),
			}),
			endpoint(`PUT ${path}/:id/update`, `Update: ${name}`, {
				params: idParams,
				body: resource.updateBody,
				response: updateReturnsRecord ? schema : message,
				handle: ({ params, body }) => {
					const row = found(store().get(params.id), `${name} does not exist`);
					Object.assign(row, body);
					return updateReturnsRecord ? show(row) : done('updated');
				},
			}),
			endpoint(`DELETE ${path}/:id/delete`, `Delete: ${name}`, {
				params: idParams,
				response: message,
				handle: ({ params }) => {
					service.state.deleteRow(list, params.id, `${name} does not exist`);
					return done('deleted');
				},
			}),
		];
	};
}

/** The rows, each as the list shows it. */
export function shown<T extends object>(
	rows: Rows<T>,
	show: (row: T) => object = (row) => row,
): Rows<object> {
	return { size: rows.size, newest: (...part) => rows.newest(...part).map((row) => show(row)) };
}

/** A page of a list: the counters and the rows, inside `data` unless it's the list of files. */
export function listResponse(key: string, record: z.ZodTypeAny): z.ZodTypeAny {
	const content = z.object({ ...counters, [key]: z.array(record) });
	return key === 'list' ? content : z.object({ data: content });
}
