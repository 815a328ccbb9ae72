import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import type { TriggerService } from '../shared/poll/event';
import { eventHints, eventSubtitle, panelOf } from '../shared/poll/panel';
import { pollOf } from '../shared/poll/poll';
import * as events from './events';
import { searchCompanies } from './panel';
import { companyRegistry, testCompanyRegistryKey, variantOf } from './api';

const watched: TriggerService = {
	service: companyRegistry,
	events,
	defaultEvent: 'companyStatusChanged',
	owner: ({ baseUrl, settings }) => `${baseUrl} ${variantOf(settings)}`,
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
		// The palette shows this text for the action node as well.
		description: 'Look up and watch Moldovan companies',
		defaults: { name: 'Company Registry Trigger' },
		builderHint: {
			searchHint:
				"Starts a workflow when a Moldovan company's status, rating, score, insolvency risk or recommended limit changes, or when a search finds a new company. A trigger has no input: to watch companies in a sheet or CRM, use a Schedule Trigger and company.enrich instead; its registry_changed says which rows changed. Poll every 15 minutes: each poll checks some of the companies, within a daily request budget.",
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-link-company.companyRegistry',
					relationHint: "Gets more data about the company, by the event's idno",
				},
			],
			extraTypeDefContent: eventHints(watched),
		},
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{ name: 'companyRegistryApi', required: true, testedBy: 'testCompanyRegistryKey' },
		],
		properties: panelOf(watched),
	};

	methods = {
		credentialTest: { testCompanyRegistryKey },
		listSearch: { searchCompanies },
	};

	poll = pollOf(watched);
}
