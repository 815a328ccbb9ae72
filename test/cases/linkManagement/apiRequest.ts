import type { OperationCase } from '../operationCase';

const data = { maxpage: 60, channels: [{ id: 60, name: 'Partners' }] };

export const apiRequestCases: OperationCase[] = [
	{
		operation: 'apiRequest.send',
		parameters: { method: 'GET', path: '/api/channels?limit=1' },
		exchanges: [{ request: 'GET /api/channels?limit=1', response: { error: '0', data } }],
		output: [{ data }],
	},
];
