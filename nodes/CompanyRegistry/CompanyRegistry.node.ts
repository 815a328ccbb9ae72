import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { customOperations } from '../transport/customOperations';
import { describeNode } from '../transport/gate';
import { idno, options } from './fields';
import { apiKey } from './resources/apiKey';
import { company } from './resources/company';
import { creditRecommendation } from './resources/creditRecommendation';
import { idnoResource } from './resources/idno';
import { companyRegistry } from './service';

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
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description:
			'Look up companies of the Republic of Moldova, their credit recommendations and their IDNOs',
		defaults: { name: 'Company Registry' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		// Not required: n8n refuses to run a node whose required credential is hidden, and the check
		// of an IDNO needs none. For the other operations the transport says that it is missing.
		credentials: [{ name: 'companyRegistryApi', displayOptions: { hide: { resource: ['idno'] } } }],
		// Marks the node as declarative; every request goes through the gate (resources/*).
		requestDefaults: {},
		properties: [
			{
				displayName: 'Resource',
				name: 'resource',
				type: 'options',
				noDataExpression: true,
				default: 'company',
				options: [
					{ name: 'API Key', value: 'apiKey' },
					{ name: 'Company', value: 'company' },
					{ name: 'Credit Recommendation', value: 'creditRecommendation' },
					{ name: 'IDNO', value: 'idno' },
				],
			},
			...apiKey,
			...company,
			...creditRecommendation,
			...idnoResource,
			idno,
			options,
		],
	};

	customOperations = customOperations(this.description);

	constructor() {
		describeNode(companyRegistry, this.description);
	}
}
