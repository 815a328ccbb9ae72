import { describeApiRequest } from '../../shared/node/customRequest';

export const customLinkRequest = describeApiRequest('/api/account');
