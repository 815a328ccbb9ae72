import { inQuery } from '../../shared/node/inputs';
import { pagingFields, showFor } from '../../shared/node/options';
import type { Resource } from '../../shared/node/resource';
import { enrich } from '../enrich/enrich';
import { enrichFields } from '../enrich/panel';
import { variantEndpoint } from '../api';
import { RECORD_PATHS, SEARCH_PATHS } from '../search';
import { caenCode, q } from '../panel';
import { dossier, searchOutput, suggestions } from '../output/outputs';

/** The endpoints for companies (docs/services.md, "Company Registry: requests"), and Enrich, which combines them. */
export const company: Resource = {
	name: 'Company',
	value: 'company',
	description:
		'A company in the Moldovan registry: search for it, get its data, or add its data to rows',
	defaultOperation: 'search',
	operations: [
		{
			name: 'Autocomplete',
			value: 'autocomplete',
			action: 'Autocomplete company name',
			description: 'Get up to 10 suggestions for the start of a name (Unversioned API only)',
			routing: variantEndpoint({ unversioned: ['/api/autocomplete', suggestions] }),
		},
		{
			name: 'Enrich',
			value: 'enrich',
			action: 'Enrich rows with company data',
			description: 'Find the company for each row by IDNO or name, and add its data (both APIs)',
			routing: { operation: enrich },
		},
		{
			name: 'Get',
			value: 'get',
			action: 'Get company by name or IDNO',
			description: "Get a company's full record by IDNO or exact name (V1 API only)",
			routing: variantEndpoint({ v1: [RECORD_PATHS.dossier, dossier] }),
		},
		{
			name: 'Search',
			value: 'search',
			action: 'Search companies by name',
			description: 'Find companies by name or IDNO, or with the V1 API by CAEN code and region',
			routing: variantEndpoint({
				v1: [SEARCH_PATHS.v1, searchOutput('v1')],
				unversioned: [SEARCH_PATHS.unversioned, searchOutput('unversioned')],
			}),
		},
	],
	properties: [
		q,
		...enrichFields,
		...pagingFields({ resource: ['company'], operation: ['search'] }),
		{
			displayName: 'Filters (V1 API Only)',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add filter',
			default: {},
			displayOptions: showFor('company', 'search'),
			options: [
				inQuery(
					{
						displayName: 'CAEN Code',
						name: 'caen',
						type: 'string',
						default: '',
						placeholder: 'e.g. 6201',
						description: 'Only companies with this CAEN (economic activity) code',
					},
					caenCode,
				),
				inQuery({
					displayName: 'Region',
					name: 'region',
					type: 'string',
					default: '',
					placeholder: 'e.g. Chișinău',
					description: 'Only companies in this district or municipality',
				}),
			],
		},
	],
};
