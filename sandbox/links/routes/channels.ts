import { rowsOf } from '../lists';
import {
	channelAssignParams,
	channelCreateBody,
	channelUpdateBody,
	idParams,
	listQuery,
} from '../schemas';
import type { AddRoutes } from './addRoutes';
import { found } from './found';

const DEFAULT_COLOR = '#000000';

export const addChannelRoutes: AddRoutes = (service, add) => {
	add({
		method: 'get',
		path: '/api/channels',
		query: listQuery,
		handle: ({ query }, exchange) =>
			service.answerList('channels', service.state.channels, query, exchange),
	});

	add({
		method: 'get',
		path: '/api/channel/:id',
		params: idParams,
		query: listQuery,
		handle: ({ params, query }, exchange) => {
			const { id } = found(service.state.channels.get(params.id), 'Channel');
			return service.answerList('items', rowsOf(service.state.channelItems(id)), query, exchange);
		},
	});

	add({
		method: 'post',
		path: '/api/channel/add',
		body: channelCreateBody,
		handle: ({ body }) =>
			service.state.channels.insert((id) => ({
				id,
				name: body.name,
				description: body.description ?? '',
				color: body.color ?? DEFAULT_COLOR,
				starred: body.starred ?? false,
			})),
	});

	add({
		method: 'post',
		path: '/api/channel/:channelid/assign/:type/:itemid',
		params: channelAssignParams,
		handle: ({ params: { channelid, type, itemid } }) => {
			found(service.state.channels.get(channelid), 'Channel');
			found(service.state.assign(channelid, type, itemid) || undefined, 'Item');
			return { message: 'Item has been successfully added to the channel' };
		},
	});

	add({
		method: 'put',
		path: '/api/channel/:id/update',
		params: idParams,
		body: channelUpdateBody,
		handle: ({ params, body }) => {
			Object.assign(found(service.state.channels.get(params.id), 'Channel'), body);
			return { message: 'Channel has been successfully updated' };
		},
	});

	add({
		method: 'delete',
		path: '/api/channel/:id/delete',
		params: idParams,
		handle: ({ params }) => {
			found(service.state.deleteChannel(params.id) || undefined, 'Channel');
			return { message: 'Channel has been successfully deleted' };
		},
	});
};
