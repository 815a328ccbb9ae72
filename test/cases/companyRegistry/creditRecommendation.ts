import type { OperationCase } from '../operationCase';
import { CREDIT, found, idno, SIMPLE_CREDIT } from './records';

export const creditRecommendationCases: OperationCase[] = [
	{
		operation: 'creditRecommendation.get',
		documented: { endpoint: 'GET /api/v1/credit/:idno' },
		parameters: { idno },
		exchanges: [{ request: `GET /api/v1/credit/${idno}`, response: { success: true, ...CREDIT } }],
		output: [SIMPLE_CREDIT],
	},
	{
		operation: 'creditRecommendation.get',
		parameters: { idno: { __rl: true, mode: 'name', value: 'Ruscăteza Vin' } },
		exchanges: [
			{ request: 'GET /api/v1/search?q=rusc%C4%83teza%20vin&limit=50', response: found },
			{ request: `GET /api/v1/credit/${idno}`, response: { success: true, ...CREDIT } },
		],
		output: [SIMPLE_CREDIT],
	},
];
