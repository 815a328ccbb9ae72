import { apiRequest as apiRequestTo } from '../../shared/apiRequest';
import { MAX_RESULTS } from '../api';

export const apiRequest = apiRequestTo({
	examplePath: '/api/v1/status',
	pageSize: MAX_RESULTS,
});
