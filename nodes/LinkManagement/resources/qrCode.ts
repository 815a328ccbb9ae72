import { endpoint } from '../../shared/node/operation';
import type { Resource } from '../../shared/node/resource';
import { listRecords, getRecord } from '../../shared/node/outputs';
import { qrCodes, pickQrCode, qrCodeRecord } from '../api';
import { recordLocator, showFor } from '../panel';

/** docs/maintainers/services.md, "Link Management: requests". */
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
			routing: endpoint(
				'GET',
				'=/api/qr/{{$parameter["qrCodeId"]}}',
				getRecord(qrCodeRecord, pickQrCode),
			),
		},
		{
			name: 'Get Many',
			value: 'getAll',
			action: 'Get many QR codes with scans',
			description: 'List the QR codes in the account with their scan counts',
			routing: endpoint('GET', qrCodes.path, listRecords(qrCodes)),
		},
	],
	properties: [
		recordLocator(
			{
				displayName: 'QR Code',
				name: 'qrCodeId',
				displayOptions: showFor('qrCode', 'get'),
			},
			'searchQrCodes',
		),
	],
};
