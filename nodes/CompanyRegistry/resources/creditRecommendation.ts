import { showFor } from '../../shared/node/options';
import type { Resource } from '../../shared/node/resource';
import { creditOfIdno } from '../outputs';
import { endpoint } from '../service';

/** Spec, "Credit recommendation". */
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
					action: 'Get a credit recommendation',
					description:
						'Get rating, score, insolvency risk, credit limit and payment term of a company by its IDNO (V1 API only)',
					routing: endpoint('GET', { v1: ['/api/v1/credit/:idno', creditOfIdno] }),
				},
			],
		},
	],
	lastProperties: [
		{
			displayName: 'Simplify',
			name: 'simplify',
			type: 'boolean',
			default: false,
			description: 'Whether to return a simplified version of the response instead of the raw data',
			displayOptions: showFor('creditRecommendation', 'get'),
		},
	],
};
