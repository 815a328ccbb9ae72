import { describeApiRequest } from '../../shared/node/customRequest';
import { MAX_RESULTS } from '../search';

export const customRegistryRequest = describeApiRequest('/api/v1/status', MAX_RESULTS);
