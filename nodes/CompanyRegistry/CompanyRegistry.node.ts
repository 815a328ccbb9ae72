import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { customOperations } from '../shared/node/entryPoints';
import { nodeProperties, subtitleOf } from '../shared/node/resource';
import { idno, options } from './panel';
import { searchCompanies } from './pickers';
import { outputFields } from './output/selectFields';
import * as resources from './resources';
import { companyRegistry } from './api';

export class CompanyRegistry implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Company Registry',
		name: 'companyRegistry',
		icon: {
			light: 'file:../../icons/companyRegistry.svg',
			dark: 'file:../../icons/companyRegistry.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: subtitleOf(resources),
		description: "Search, enrich and credit-check companies in Moldova's registry",
		defaults: { name: 'Company Registry' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		// Not required: n8n doesn't run a node whose required credential is hidden, and IDNO:
		// Validate needs none. The other operations fail with an error if it is missing.
		credentials: [{ name: 'companyRegistryApi', displayOptions: { hide: { resource: ['idno'] } } }],
		// Marks the node as declarative; runOperation.ts sends every request.
		requestDefaults: {},
		properties: nodeProperties({
			service: companyRegistry,
			resources,
			defaultResource: 'company',
			sharedFields: [idno],
			lastFields: [...outputFields, options],
		}),
	};

	methods = { listSearch: { searchCompanies } };

	customOperations = customOperations(companyRegistry, this.description.properties);
}
