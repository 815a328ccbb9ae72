import { apiRequest as apiRequestTo } from '../../shared/apiRequest';
import { companyRegistry, MAX_RESULTS } from '../service';

export const apiRequest = apiRequestTo(companyRegistry, {
	examplePath: '/api/v1/status',
	purpose: 'also to those that the other operations do not cover',
	pageSize: MAX_RESULTS,
});
