import type { OperationCase } from '../operationCase';

export const apiRequestCases: OperationCase[] = [
	{
		operation: 'apiRequest.send',
		parameters: { method: 'GET', path: '/api/channels?limit=1' },
		exchanges: [
			{
				request: 'GET /api/channels?limit=1',
				response: { error: '0', data: { maxpage: 60, channels: [{ id: 60, name: 'Partners' }] } },
			},
		],
		output: [{ data: { maxpage: 60, channels: [{ id: 60, name: 'Partners' }] } }],
	},
];
