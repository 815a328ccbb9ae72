import { byId } from '../operationCase';
import type { OperationCase } from '../operationCase';
import { allListed, deleteOne, getMany, getOne } from './lists';

const record = {
	type: 'linkedinpixel',
	name: 'Recruiting',
	tag: 'LIN-961641',
	date: '2025-09-30 09:04:11',
};

export const pixelCases: OperationCase[] = [
	{
		operation: 'pixel.create',
		documented: { endpoint: 'POST /api/pixel/add', fields: ['type', 'name', 'tag'] },
		parameters: { type: 'tiktok', name: 'Shop visitors', tag: 'T-ABC123' },
		exchanges: [
			{
				request: 'POST /api/pixel/add',
				body: { type: 'tiktok', name: 'Shop visitors', tag: 'T-ABC123' },
				response: { error: 0, id: 71 },
			},
		],
		output: [{ id: 71 }],
	},
	deleteOne('pixel', 5, 'Pixel has been deleted'),
	getOne('pixel', '/api/pixels', 'pixels', { id: 5, ...record }),
	getMany('pixel', '/api/pixels', 'pixels', { id: 70, ...record }),
	{
		operation: 'pixel.update',
		documented: { endpoint: 'PUT /api/pixel/:id/update', fields: ['name', 'tag'] },
		parameters: { pixelId: byId(5), tag: 'GTM-ABC123', pixelFields: { name: 'Shop' } },
		exchanges: [
			{
				request: 'PUT /api/pixel/5/update',
				body: { tag: 'GTM-ABC123', name: 'Shop' },
				response: { error: 0, message: 'Pixel has been updated' },
			},
		],
		output: [{ id: 5, message: 'Pixel has been updated' }],
	},
	{
		operation: 'pixel.upsert',
		parameters: { type: 'gtmpixel', name: 'Shop visitors', tag: 'GTM-ABC123' },
		exchanges: [
			allListed('/api/pixels', 'pixels', [{ id: 5, type: 'linkedinpixel', tag: 'LIN-961641' }]),
			{
				request: 'POST /api/pixel/add',
				body: { type: 'gtmpixel', name: 'Shop visitors', tag: 'GTM-ABC123' },
				response: { error: 0, id: 71 },
			},
		],
		output: [{ id: 71, type: 'gtmpixel', name: 'Shop visitors', tag: 'GTM-ABC123', created: true }],
	},
];
