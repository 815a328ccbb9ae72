import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { customOperations } from '../shared/node/entryPoints';
import { inPath } from '../shared/node/inputs';
import { nodeProperties, operationHints, subtitleOf } from '../shared/node/resource';
import { idnoOfName } from './enrich/byName';
import { enrichHints, enrichOptions } from './enrich/panel';
import { idno, optionsWith, searchCompanies, thirteenDigits } from './panel';
import * as resources from './resources';
import { outputFields } from './resources/company';
import { companyRegistry, testCompanyRegistryKey } from './api';

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
				"Data about Moldovan companies. For rows in a sheet or CRM, use company.enrich, which finds each row's company by IDNO or name in one node. Never put it in a loop, and don't loop over search and get: pass all rows at once, so the rows that have waited longest go first when the daily quota is short. For one company, use company.get or creditRecommendation.get, which take a name or an IDNO. The node waits for the rate limit by itself, so don't add Wait nodes or batching.",
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-link-company.companyRegistryTrigger',
					relationHint: 'Starts a workflow when a company changes or a new one appears',
				},
				{
					nodeType: 'n8n-nodes-base.switch',
					relationHint:
						"After company.enrich, to route rows by match_status: 'found', 'ambiguous' and 'notFound', one rule each, without a fallback",
				},
				{
					nodeType: 'n8n-nodes-base.filter',
					relationHint: 'After company.enrich, to keep rows where registry_changed is true',
				},
			],
			extraTypeDefContent: operationHints(resources, {
				'company.enrich':
					"Returns one item per input item, with all input fields. match_status is 'found', 'ambiguous' (several companies match: let a person choose from match_alternatives), 'notFound' or 'notChecked' (not looked up, for example because the quota ran out: see match_reason). The company's data is in registry_name, registry_idno, registry_status and other registry_ fields, which are null without a company, and missing if they aren't known. The next run knows what registry_state says: write it back for each row whose registry_state differs from the one that came in. registry_changed is then true if the registry shows something else about the same company. registry_changes says what has changed, or why a row has another company now.",
				'company.search': 'Returns one item per company (up to 50 with the V1 API).',
				'creditRecommendation.get':
					"If output is 'raw', the fields are nested in scoring and trade_credit_recommendation. With the default, 'simple', they aren't nested.",
			}),
		},
		hints: enrichHints,
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		// IDNO: Validate asks for it as well, although it sends nothing: n8n doesn't run an agent's tool
		// whose required credential is hidden.
		credentials: [
			{ name: 'companyRegistryApi', required: true, testedBy: 'testCompanyRegistryKey' },
		],
		// Makes n8n treat the node as declarative. The credential adds the Base URL.
		requestDefaults: {},
		properties: nodeProperties({
			service: companyRegistry,
			resources,
			defaultResource: 'company',
			sharedFields: [
				inPath(idno, thirteenDigits, idnoOfName),
				...outputFields,
				optionsWith(enrichOptions),
			],
		}),
	};

	methods = { credentialTest: { testCompanyRegistryKey }, listSearch: { searchCompanies } };

	customOperations = customOperations(companyRegistry, this.description.properties);
}
