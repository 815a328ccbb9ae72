import { describeApiRequest } from '../../shared/apiRequest';

export const customLinkRequest = describeApiRequest({
	examplePath: '/api/account',
});
