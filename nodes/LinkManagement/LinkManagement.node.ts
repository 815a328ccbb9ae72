import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { customOperations } from '../shared/node/entryPoints';
import { pagingFields } from '../shared/node/options';
import { nodeProperties, subtitleOf } from '../shared/node/resource';
import { options } from './panel';
import * as listSearch from './pickers';
import * as resources from './resources';
import { linkManagement } from './api';

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
		description: 'Manage campaigns, channels, branded domains, pixels, files and QR codes',
		defaults: { name: 'Link Management' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'linkManagementApi', required: true }],
		// Marks the node as declarative; runOperation.ts sends every request.
		requestDefaults: {},
		properties: nodeProperties({
			service: linkManagement,
			resources,
			defaultResource: 'campaign',
			sharedFields: pagingFields({ operation: ['getAll', 'getItems'] }),
			lastFields: [options],
		}),
	};

	methods = { listSearch };

	customOperations = customOperations(linkManagement, this.description.properties);
}
