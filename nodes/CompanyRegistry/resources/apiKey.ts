import type { Resource } from '../../shared/node/resource';
import { statusOfKey } from '../output/operations';
import { variantEndpoint } from '../api';

/** docs/maintainers/services.md, "Company Registry: limits". */
export const apiKey: Resource = {
	name: 'Quota',
	value: 'apiKey',
	description: 'How many requests your API key has left today (V1 API only)',
	defaultOperation: 'getStatus',
	operations: [
		{
			name: 'Get Status',
			value: 'getStatus',
			action: 'Get remaining daily quota',
			description:
				"Get the key's status, remaining daily quota and rate limit. Doesn't count against the quota (V1 API only).",
			routing: variantEndpoint({ v1: '/api/v1/status' }, statusOfKey),
		},
	],
	properties: [],
};
