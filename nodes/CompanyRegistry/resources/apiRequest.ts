import { describeApiRequest } from '../../shared/apiRequest';
import { MAX_RESULTS } from '../api';

export const customRegistryRequest = describeApiRequest({
	examplePath: '/api/v1/status',
	pageSize: MAX_RESULTS,
});
