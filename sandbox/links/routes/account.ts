import { ServiceError } from '../../shared/errors';
import { accountUpdateBody } from '../schemas';
import type { AddRoutes } from './addRoutes';

export const addAccountRoutes: AddRoutes = (service, add) => {
	add({
		method: 'get',
		path: '/api/account',
		handle: () => ({ data: service.state.account }),
	});

	add({
		method: 'put',
		path: '/api/account/update',
		body: accountUpdateBody,
		handle: ({ body: { email, password } }) => {
			const incomplete = email === undefined || password === undefined;
			if (service.settings.accountUpdateNeedsBoth && incomplete) {
				throw new ServiceError('badRequest', "The fields 'email' and 'password' are required");
			}
			if (email !== undefined) service.state.account.email = email;
			if (password !== undefined) service.state.password = password;
			return { message: 'Account has been successfully updated' };
		},
	});
};
