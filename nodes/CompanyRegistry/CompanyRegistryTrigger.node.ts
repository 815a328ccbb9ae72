import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import type { TriggerEvents } from '../shared/poll/event';
import { panelOf, eventSubtitle } from '../shared/poll/panel';
import { pollOf } from '../shared/poll/poll';
import * as events from './events';
import { searchCompanies } from './pickers';
import { companyRegistry } from './api';

const watched: TriggerEvents = {
	service: companyRegistry,
	events,
	defaultEvent: events.companyStatusChanged,
};

export class CompanyRegistryTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Company Registry Trigger',
		name: 'companyRegistryTrigger',
		icon: {
			light: 'file:../../icons/companyRegistry.svg',
			dark: 'file:../../icons/companyRegistry.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle: eventSubtitle(watched),
		// The palette shows this text for the action node, too.
		description:
			"Search, enrich and credit-check companies in Moldova's registry, or start a workflow when a company's status changes or a new company appears",
		defaults: { name: 'Company Registry Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'companyRegistryApi', required: true }],
		properties: panelOf(watched),
	};

	methods = { listSearch: { searchCompanies } };

	poll = pollOf(watched);
}
