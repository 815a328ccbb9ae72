import type { Resource } from '../../shared/node/resource';
import { creditOfIdno } from '../outputs';
import { endpoint } from '../service';

/** docs/services.md, "Company Registry: records". */
export const creditRecommendation: Resource = {
	name: 'Credit Recommendation',
	value: 'creditRecommendation',
	properties: [
		{
			displayName: 'Operation',
			name: 'operation',
			type: 'options',
			noDataExpression: true,
			displayOptions: { show: { resource: ['creditRecommendation'] } },
			default: 'get',
			options: [
				{
					name: 'Get',
					value: 'get',
					action: 'Get credit recommendation',
					description:
						'Get rating, score, insolvency risk, credit limit and payment term of a company by its IDNO (V1 API only)',
					routing: endpoint('GET', { v1: ['/api/v1/credit/:idno', creditOfIdno] }),
				},
			],
		},
	],
};
