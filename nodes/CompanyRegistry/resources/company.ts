import { composed } from '../../shared/node/endpoint';
import { inQuery } from '../../shared/node/inputs';
import { showFor } from '../../shared/node/options';
import type { Resource } from '../../shared/node/resource';
import { enriched } from '../enrich/enrich';
import { enrichFields } from '../enrich/fields';
import { enrichedRow } from '../enrich/output';
import { SEARCHES } from '../collections';
import { q, searchPaging } from '../fields';
import { dossierOfIdno, searchedUnversioned, searchedV1, suggestions } from '../outputs';
import { endpoint } from '../service';

/** docs/services.md, "Company Registry: requests", and Enrich, which combines several of them. */
export const company: Resource = {
	name: 'Company',
	value: 'company',
	properties: [
		{
			displayName: 'Operation',
			name: 'operation',
			type: 'options',
			noDataExpression: true,
			displayOptions: { show: { resource: ['company'] } },
			default: 'search',
			options: [
				{
					name: 'Autocomplete',
					value: 'autocomplete',
					action: 'Suggest companies',
					description:
						'Get up to 10 suggestions for the beginning of a name (Unversioned API only)',
					routing: endpoint('GET', { unversioned: ['/api/autocomplete', suggestions] }),
				},
				{
					name: 'Enrich',
					value: 'enrich',
					action: 'Enrich rows with company data',
					description:
						'Find the company of each input item by its IDNO or name, and add its fields (both APIs)',
					routing: composed(enriched, enrichedRow),
				},
				{
					name: 'Get',
					value: 'get',
					action: 'Get company dossier',
					description: 'Get all data of a company by its IDNO (V1 API only)',
					routing: endpoint('GET', { v1: ['/api/v1/company/:idno', dossierOfIdno] }),
				},
				{
					name: 'Search',
					value: 'search',
					action: 'Search companies',
					description:
						'Find companies by name or IDNO, in the V1 API also by class code and region',
					routing: endpoint('GET', {
						v1: [SEARCHES.v1.path, searchedV1],
						unversioned: [SEARCHES.unversioned.path, searchedUnversioned],
					}),
				},
			],
		},
		q,
		...enrichFields,
		...searchPaging,
		{
			displayName: 'Filters (V1 API Only)',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add filter',
			default: {},
			displayOptions: showFor('company', 'search'),
			options: [
				inQuery({
					displayName: 'Class Code',
					name: 'caen',
					type: 'string',
					default: '',
					placeholder: 'e.g. 6201',
					description: 'Only companies with this economic activity (CAEN code)',
				}),
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
