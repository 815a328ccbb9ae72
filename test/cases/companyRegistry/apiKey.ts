import type { OperationCase } from '../operationCase';
import { KEY_STATUS } from './records';

export const apiKeyCases: OperationCase[] = [
	{
		operation: 'apiKey.getStatus',
		documented: { endpoint: 'GET /api/v1/status' },
		parameters: {},
		exchanges: [{ request: 'GET /api/v1/status', response: { success: true, ...KEY_STATUS } }],
		output: [KEY_STATUS],
	},
];
