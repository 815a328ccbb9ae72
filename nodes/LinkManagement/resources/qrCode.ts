import { inPath } from '../../shared/node/inputs';
import { endpoint } from '../../shared/node/operation';
import type { Resource } from '../../shared/node/resource';
import { getRecord } from '../../shared/node/outputs';
import { showFor } from '../../shared/node/options';
import { qrCodes, pickQrCode, qrCodeRecord } from '../api';
import { getMany } from '../operations';
import { watchedRecord } from '../panel';

export const qrCode: Resource = {
	name: 'QR Code',
	value: 'qrCode',
	description: 'A QR code with a scan count',
	operations: [
		{
			name: 'Get',
			value: 'get',
			action: 'Get QR code with scans',
			description: 'Get a QR code with its scan count, and statistics if the service returns them',
			routing: endpoint('GET', '/api/qr/:qrCodeId', getRecord(qrCodeRecord, pickQrCode)),
		},
		getMany(qrCodes, 'QR codes', 'scan'),
	],
	properties: [
		inPath(
			watchedRecord(
				{ displayName: 'QR Code', name: 'qrCodeId', displayOptions: showFor('qrCode', 'get') },
				'searchQrCodes',
			),
		),
	],
};
