import { describeApiRequest } from '../../shared/apiRequest';
import { MAX_RESULTS } from '../search';

export const customRegistryRequest = describeApiRequest('/api/v1/status', MAX_RESULTS);
