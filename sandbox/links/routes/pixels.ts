import { idParams, listQuery, pixelCreateBody, pixelUpdateBody } from '../schemas';
import type { AddRoutes } from './addRoutes';
import { found } from './found';

export const addPixelRoutes: AddRoutes = (service, add) => {
	add({
		method: 'get',
		path: '/api/pixels',
		query: listQuery,
		handle: ({ query }, exchange) =>
			service.answerList('pixels', service.state.pixels, query, exchange),
	});

	add({
		method: 'post',
		path: '/api/pixel/add',
		body: pixelCreateBody,
		handle: ({ body }) => {
			const date = service.state.dateTime();
			return { id: service.state.pixels.insert((id) => ({ id, ...body, date })).id };
		},
	});

	add({
		method: 'put',
		path: '/api/pixel/:id/update',
		params: idParams,
		body: pixelUpdateBody,
		handle: ({ params, body }) => {
			Object.assign(found(service.state.pixels.get(params.id), 'Pixel'), body);
			return { message: 'Pixel has been successfully updated' };
		},
	});

	add({
		method: 'delete',
		path: '/api/pixel/:id/delete',
		params: idParams,
		handle: ({ params }) => {
			found(service.state.pixels.delete(params.id) || undefined, 'Pixel');
			return { message: 'Pixel has been successfully deleted' };
		},
	});
};
