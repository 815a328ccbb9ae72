import { byId } from '../operationCase';
import type { OperationCase } from '../operationCase';
import { getMany } from './lists';

const record = {
	id: 20,
	link: 'https://lnk.example/qr/VDZcsva',
	scans: 504,
	name: 'Referral',
	date: '2025-08-05 11:21:06',
};

export const qrCodeCases: OperationCase[] = [
	{
		operation: 'qrCode.get',
		documented: { endpoint: 'GET /api/qr/:id' },
		parameters: { qrCodeId: byId(20) },
		exchanges: [{ request: 'GET /api/qr/20', response: { error: 0, data: record } }],
		output: [record],
	},
	getMany('qrCode', '/api/qr', 'qrs', {
		id: 90,
		link: 'https://lnk.example/qr/L2CNJZY',
		scans: 850,
		name: 'Black Friday',
		date: '2025-09-30 06:33:39',
	}),
];
