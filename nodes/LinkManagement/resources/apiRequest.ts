import { apiRequest as apiRequestTo } from '../../shared/apiRequest';

export const apiRequest = apiRequestTo({
	examplePath: '/api/account',
	purpose: 'also to those that the other operations do not cover, such as short links',
});
