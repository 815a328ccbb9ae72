import { apiRequest as apiRequestTo } from '../../shared/apiRequest';

export const apiRequest = apiRequestTo({
	examplePath: '/api/account',
});
