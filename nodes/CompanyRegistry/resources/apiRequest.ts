import { describeApiRequest } from '../../shared/node/customRequest';
import { companyKey, MAX_RESULTS } from '../search';

export const customRegistryRequest = describeApiRequest('/api/v1/status', {
	pageSize: MAX_RESULTS,
	keyOf: companyKey,
});
