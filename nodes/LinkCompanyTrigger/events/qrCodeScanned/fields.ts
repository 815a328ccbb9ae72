import type { INodeProperties } from 'n8n-workflow';

export const qrCodeScannedFields: INodeProperties[] = [
	{
		displayName:
			'Emits one item for each QR code with new scans. A poll costs one request per 100 codes. If the time of a poll is not enough, the next poll continues.',
		name: 'qrNotice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'QR Codes',
		name: 'qrCodes',
		type: 'options',
		default: 'all',
		options: [
			{ name: 'All', value: 'all', description: 'Every QR code of the account' },
			{ name: 'Chosen', value: 'chosen', description: 'Only the codes that you select' },
		],
		description: 'Which QR codes to watch',
	},
	{
		displayName: 'Chosen QR Codes',
		name: 'chosenQrCodes',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add QR code',
		default: {},
		displayOptions: { show: { qrCodes: ['chosen'] } },
		options: [
			{
				displayName: 'QR Code',
				name: 'code',
				values: [
					{
						displayName: 'QR Code',
						name: 'qrCodeId',
						type: 'resourceLocator',
						default: { mode: 'list', value: '' },
						description: 'The QR code to watch',
						modes: [
							{
								displayName: 'From List',
								name: 'list',
								type: 'list',
								typeOptions: { searchListMethod: 'searchQrCodes', searchable: true },
							},
							{
								displayName: 'By ID',
								name: 'id',
								type: 'string',
								placeholder: 'e.g. 42',
								validation: [
									{
										type: 'regex',
										properties: {
											regex: '^\\s*[1-9][0-9]*\\s*$',
											errorMessage: 'An ID is a positive whole number, e.g. 42',
										},
									},
								],
							},
						],
					},
				],
			},
		],
	},
	{
		displayName: 'Minimum New Scans',
		name: 'minimumScans',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 1,
		description: 'Scans accumulate until this minimum is reached',
	},
];
