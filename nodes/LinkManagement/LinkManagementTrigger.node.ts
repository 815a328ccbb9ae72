import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import type { TriggerService } from '../shared/poll/event';
import { eventHints, eventSubtitle, panelOf } from '../shared/poll/panel';
import { pollOf } from '../shared/poll/poll';
import { accountId, linkManagement, testLinkManagementKey } from './api';
import * as events from './events';
import { searchChannels, searchQrCodes } from './pickers';

const watched: TriggerService = {
	service: linkManagement,
	events,
	defaultEvent: 'fileCreated',
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
		// The palette shows this text for the action node as well.
		description: 'Manage campaigns and channels, upload files, and track QR code scans',
		defaults: { name: 'Link Management Trigger' },
		builderHint: {
			searchHint:
				'Starts a workflow when a file is uploaded or downloaded, a QR code is created or scanned, or an item is added to a channel. Polls the service; there are no webhooks.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-link-company.linkManagement',
					relationHint: 'Gets or changes the record from the event, by its id',
				},
			],
			extraTypeDefContent: eventHints(watched),
		},
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'linkManagementApi', required: true, testedBy: 'testLinkManagementKey' }],
		properties: panelOf(watched),
	};

	methods = {
		credentialTest: { testLinkManagementKey },
		listSearch: { searchChannels, searchQrCodes },
	};

	poll = pollOf(watched);
}
