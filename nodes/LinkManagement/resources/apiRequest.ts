import { describeApiRequest } from '../../shared/apiRequest';

export const customLinkRequest = describeApiRequest('/api/account');
