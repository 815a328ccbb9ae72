import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { customOperations } from '../shared/node/entryPoints';
import { pagingFields, transportOptions } from '../shared/node/options';
import { nodeProperties, operationHints, subtitleOf } from '../shared/node/resource';
import * as listSearch from './pickers';
import * as resources from './resources';
import { fileFilters } from './resources/file';
import { linkManagement, testLinkManagementKey } from './api';

export class LinkManagement implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Link Management',
		name: 'linkManagement',
		icon: {
			light: 'file:../../icons/linkManagement.svg',
			dark: 'file:../../icons/linkManagement.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: subtitleOf(resources),
		description: 'Manage campaigns and channels, upload files, and track QR code scans',
		defaults: { name: 'Link Management' },
		builderHint: {
			searchHint:
				"Campaigns, channels, branded domains, pixels, QR codes and files in a link-management service. To turn a file into a short link, use file.upload. For writes that may run again, use upsert, which updates the record if it already exists. The API documents no endpoint that creates or lists plain short links; if the service has one, use apiRequest.send. The node waits for the rate limit by itself, so don't add Wait nodes or batching.",
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-link-company.linkManagementTrigger',
					relationHint:
						'Starts a workflow when a file is uploaded or downloaded, or a QR code is created or scanned',
				},
			],
			extraTypeDefContent: operationHints(resources, {
				'file.upload':
					'The input item needs the file as binary data. shorturl is the link to share.',
				'campaign.upsert': 'created says whether the campaign is new.',
			}),
		},
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'linkManagementApi', required: true, testedBy: 'testLinkManagementKey' }],
		// Makes n8n treat the node as declarative. The credential adds the Base URL.
		requestDefaults: {},
		properties: nodeProperties({
			service: linkManagement,
			resources,
			defaultResource: 'campaign',
			sharedFields: [
				...pagingFields({ operation: ['getAll', 'getItems'] }),
				fileFilters,
				transportOptions,
			],
		}),
	};

	methods = { credentialTest: { testLinkManagementKey }, listSearch };

	customOperations = customOperations(linkManagement, this.description.properties);
}
