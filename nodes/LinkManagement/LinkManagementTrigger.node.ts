import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import type { TriggerEvents } from '../shared/poll/event';
import { panelOf, eventSubtitle } from '../shared/poll/panel';
import { pollOf } from '../shared/poll/poll';
import { accountId, linkManagement } from './api';
import * as events from './events';
import { searchChannels, searchQrCodes } from './pickers';
const watched: TriggerEvents = {
	service: linkManagement,
	events,
	defaultEvent: events.fileCreated,
	account: accountId,
};

export class LinkManagementTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Link Management Trigger',
		name: 'linkManagementTrigger',
		icon: {
			light: 'file:../../icons/linkManagement.svg',
			dark: 'file:../../icons/linkManagement.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle: eventSubtitle(watched),
		// The palette shows this text for the action node, too.
		description:
			'Manage campaigns, channels, branded domains, pixels, files and QR codes, or start a workflow when a file or QR code is created, downloaded or scanned',
		defaults: { name: 'Link Management Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'linkManagementApi', required: true }],
		properties: panelOf(watched),
	};

	methods = { listSearch: { searchChannels, searchQrCodes } };

	poll = pollOf(watched);
}
