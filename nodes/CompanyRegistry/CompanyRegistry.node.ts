import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { operationHints } from '../shared/node/builderHint';
import { customOperations } from '../shared/node/entryPoints';
import { nodeProperties, subtitleOf } from '../shared/node/resource';
import { idno, options } from './panel';
import { searchCompanies } from './pickers';
import { outputFields } from './output/selectFields';
import { testCompanyRegistryKey } from './credentialTest';
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
		description: 'Look up and watch Moldovan companies',
		defaults: { name: 'Company Registry' },
		builderHint: {
			searchHint:
				"Data about Moldovan companies. For rows in a sheet or CRM, use company.enrich, which finds each row's company by IDNO or name in one node; don't loop over search and get. For one company, use company.get or creditRecommendation.get, which take a name or an IDNO. Validating an IDNO sends no request. The node waits for the rate limit by itself, so don't add Wait nodes or batching.",
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-link-company.companyRegistryTrigger',
					relationHint: 'Starts a workflow when a company changes or a new one appears',
				},
				{
					nodeType: 'n8n-nodes-base.filter',
					relationHint: "After company.enrich, to keep rows with matchStatus 'found'",
				},
				{
					nodeType: 'n8n-nodes-base.switch',
					relationHint: "After company.enrich, to route 'found', 'ambiguous' and 'notFound' rows",
				},
			],
			extraTypeDefContent: operationHints(resources, {
				'company.enrich':
					"Returns one item per input item, including the input fields. matchStatus is 'found', 'ambiguous' (several companies match: let a person choose from alternatives), 'notFound' or 'notChecked' (skipped, or no quota left). If no company was found, the company_ fields are null.",
				'company.search': 'Returns one item per company, with the V1 API up to 50.',
				'creditRecommendation.get':
					"If output is 'raw', the fields are nested in scoring and trade_credit_recommendation. With the default, 'simple', they aren't nested.",
			}),
		},
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		// Optional, because IDNO: Validate works without it and n8n doesn't run a node whose required
		// credential is hidden. All other operations fail if it's missing.
		credentials: [
			{
				name: 'companyRegistryApi',
				testedBy: 'testCompanyRegistryKey',
				displayOptions: { hide: { resource: ['idno'] } },
			},
		],
		// Makes n8n treat the node as declarative. The requests themselves are sent by runOperation.ts.
		requestDefaults: {},
		properties: nodeProperties({
			service: companyRegistry,
			resources,
			defaultResource: 'company',
			sharedFields: [idno],
			lastFields: [...outputFields, options],
		}),
	};

	methods = { credentialTest: { testCompanyRegistryKey }, listSearch: { searchCompanies } };

	customOperations = customOperations(companyRegistry, this.description.properties);
}
