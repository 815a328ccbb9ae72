import { apiRequest as apiRequestTo } from '../../shared/apiRequest';
import { MAX_RESULTS } from '../service';

export const apiRequest = apiRequestTo({
	examplePath: '/api/v1/status',
	purpose: 'also to those that the other operations do not cover',
	pageSize: MAX_RESULTS,
});
