import type { OperationCase } from '../operationCase';
import { KEY_STATUS } from './records';

export const apiRequestCases: OperationCase[] = [
	{
		operation: 'apiRequest.send',
		parameters: { method: 'GET', path: '/api/v1/status' },
		exchanges: [{ request: 'GET /api/v1/status', response: { success: true, ...KEY_STATUS } }],
		output: [{ success: true, ...KEY_STATUS }],
	},
];
