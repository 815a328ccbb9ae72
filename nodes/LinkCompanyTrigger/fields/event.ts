import type { INodeProperties } from 'n8n-workflow';

/** Shows a field for some of the events. */
export function showFor(event: string, more: Record<string, string[]> = {}) {
	return { show: { event: [event], ...more } };
}

export const eventField: INodeProperties = {
	displayName: 'Event',
	name: 'event',
	type: 'options',
	noDataExpression: true,
	default: 'fileCreated',
	options: [
		{
			name: 'Company Status Changed',
			value: 'companyStatusChanged',
			action: 'On company status changed',
			description: 'When a watched company changes its status, or its rating, score, risk or limit',
		},
		{
			name: 'File Created',
			value: 'fileCreated',
			action: 'On file created',
			description: 'When a file was uploaded to the Link Management account',
		},
		{
			name: 'QR Code Scanned',
			value: 'qrCodeScanned',
			action: 'On QR code scanned',
			description: 'When a QR code of the Link Management account was scanned',
		},
	],
};

export const optionsField: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [
		{
			displayName: 'Check Digit',
			name: 'checkDigit',
			type: 'boolean',
			default: true,
			description:
				'Whether an IDNO whose last digit is wrong is refused. Some very old companies have numbers without a check digit.',
			displayOptions: { show: { '/event': ['companyStatusChanged'] } },
		},
		{
			displayName: 'Emit What Is There',
			name: 'emitExisting',
			type: 'boolean',
			default: false,
			description:
				'Whether the first poll emits what there is already: all files, all QR codes with scans, all companies. Otherwise it only remembers them.',
		},
	],
};
