import { listQuery } from '../schemas';
import type { AddRoutes } from './addRoutes';

/** CTA overlays and custom splash pages. */
export const addReadOnlyRoutes: AddRoutes = (service, add) => {
	add({
		method: 'get',
		path: '/api/overlay',
		query: listQuery,
		handle: ({ query }, exchange) =>
			service.answerList('overlays', service.state.overlays, query, exchange),
	});

	add({
		method: 'get',
		path: '/api/splash',
		query: listQuery,
		handle: ({ query }, exchange) =>
			service.answerList('splash', service.state.splash, query, exchange),
	});
};
