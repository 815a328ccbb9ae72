import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { searchQrCodes } from '../LinkManagement/listSearch';
import { companyStatusChangedFields } from './fields/companyStatusChanged';
import { eventField, optionsField } from './fields/event';
import { fileCreatedFields } from './fields/fileCreated';
import { qrCodeScannedFields } from './fields/qrCodeScanned';
import { pollOnce } from './poll';

export class LinkCompanyTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Link & Company Trigger',
		name: 'linkCompanyTrigger',
		icon: {
			light: 'file:../../icons/linkCompanyTrigger.svg',
			dark: 'file:../../icons/linkCompanyTrigger.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle: '={{ $parameter["event"] }}',
		description:
			'Starts the workflow when a file was uploaded, a QR code was scanned, or a company changed its status',
		defaults: { name: 'Link & Company Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'linkManagementApi',
				required: true,
				// With `show` here too, every event would ask for a credential by `show`; then the editor
				// takes `event` for the choice of the authentication and hides it.
				displayOptions: { hide: { event: ['companyStatusChanged'] } },
			},
			{
				name: 'companyRegistryApi',
				required: true,
				displayOptions: { show: { event: ['companyStatusChanged'] } },
			},
		],
		properties: [
			eventField,
			...fileCreatedFields,
			...qrCodeScannedFields,
			...companyStatusChangedFields,
			optionsField,
		],
	};

	methods = { listSearch: { searchQrCodes } };

	poll = pollOnce;
}
