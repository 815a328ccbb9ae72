import type { Resource } from '../../shared/node/resource';
import { credit } from '../output/operations';
import { variantEndpoint } from '../api';
import { RECORD_PATHS } from '../search';

/** docs/maintainers/services.md, "Company Registry: records". */
export const creditRecommendation: Resource = {
	name: 'Credit Recommendation',
	value: 'creditRecommendation',
	description: 'Rating, insolvency risk and recommended limit of a company (V1 API only)',
	defaultOperation: 'get',
	operations: [
		{
			name: 'Get',
			value: 'get',
			action: 'Get credit rating and limit',
			description:
				'Get rating, score, insolvency risk, recommended limit and payment term of a company (V1 API only)',
			routing: variantEndpoint({ v1: RECORD_PATHS.credit }, credit),
		},
	],
	properties: [],
};
