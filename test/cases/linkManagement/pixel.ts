import type { OperationCase } from '../operationCase';
import { createOne, deleteOne, getMany, getOne, updateOne, upsertOne } from './lists';

const record = {
	type: 'linkedinpixel',
	name: 'Recruiting',
	tag: 'LIN-961641',
	date: '2025-09-30 09:04:11',
};

const created = { type: 'tiktok', name: 'Shop visitors', tag: 'T-ABC123' };
const upserted = { type: 'gtmpixel', name: 'Shop visitors', tag: 'GTM-ABC123' };

export const pixelCases: OperationCase[] = [
	createOne('pixel', { parameters: created, body: created }, { id: 71 }),
	deleteOne('pixel', 5),
	getOne('pixel', { id: 5, ...record }),
	getMany('pixel', '/api/pixels', 'pixels', { id: 70, ...record }),
	updateOne('pixel', 5, {
		parameters: { tag: 'GTM-ABC123', pixelFields: { name: 'Shop' } },
		body: { tag: 'GTM-ABC123', name: 'Shop' },
	}),
	upsertOne(
		'pixel',
		{ id: 5, type: 'linkedinpixel', tag: 'LIN-961641' },
		{ parameters: upserted, body: upserted },
		{ id: 71 },
	),
];
