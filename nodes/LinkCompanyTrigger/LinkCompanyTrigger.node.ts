import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import * as events from './events';
import { credentialsOf, listSearchOf, panelOf } from './panel';
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
			'Starts the workflow when a file is uploaded, a QR code is scanned, or a company changes its status',
		defaults: { name: 'Link & Company Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: credentialsOf(Object.values(events)),
		properties: panelOf(Object.values(events)),
	};

	methods = { listSearch: listSearchOf(Object.values(events)) };

	poll = pollOnce;
}
