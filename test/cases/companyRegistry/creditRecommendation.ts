import type { OperationCase } from '../operationCase';
import { CREDIT, idno } from './records';

export const creditRecommendationCases: OperationCase[] = [
	{
		operation: 'creditRecommendation.get',
		documented: { endpoint: 'GET /api/v1/credit/:idno' },
		parameters: { idno },
		exchanges: [{ request: `GET /api/v1/credit/${idno}`, response: { success: true, ...CREDIT } }],
		output: [CREDIT],
	},
];
