import { ServiceError } from '../../shared/errors';
import { domainCreateBody, domainUpdateBody, idParams, listQuery } from '../schemas';
import type { AddRoutes } from './addRoutes';
import { found } from './found';

/** Hosts that can never resolve (RFC 2606), as examples of domains that do not point here. */
const POINTS_NOWHERE = /\.invalid$/i;

export const addDomainRoutes: AddRoutes = (service, add) => {
	add({
		method: 'get',
		path: '/api/domains',
		query: listQuery,
		handle: ({ query }, exchange) =>
			service.answerList('domains', service.state.domains, query, exchange),
	});

	add({
		method: 'post',
		path: '/api/domain/add',
		body: domainCreateBody,
		handle: ({ body }) => {
			const domain = body.domain.replace(/\/$/, '');
			if (POINTS_NOWHERE.test(new URL(domain).hostname)) {
				throw new ServiceError('badRequest', 'The domain does not point to our server');
			}
			if (service.state.domains.all().some((other) => other.domain === domain)) {
				throw new ServiceError('badRequest', 'The domain has already been added');
			}
			const { redirectroot = '', redirect404 = '' } = body;
			return {
				id: service.state.domains.insert((id) => ({ id, domain, redirectroot, redirect404 })).id,
			};
		},
	});

	add({
		method: 'put',
		path: '/api/domain/:id/update',
		params: idParams,
		body: domainUpdateBody,
		handle: ({ params, body }) => {
			Object.assign(found(service.state.domains.get(params.id), 'Domain'), body);
			return { message: 'Domain has been successfully updated' };
		},
	});

	add({
		method: 'delete',
		path: '/api/domain/:id/delete',
		params: idParams,
		handle: ({ params }) => {
			found(service.state.domains.delete(params.id) || undefined, 'Domain');
			return { message: 'Domain has been successfully deleted' };
		},
	});
};
