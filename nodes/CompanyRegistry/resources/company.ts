import { limitField, pagingFields, showFor } from '../../shared/node/options';
import type { Resource } from '../../shared/node/resource';
import { enrich } from '../enrich/enrich';
import { enrichFields } from '../enrich/panel';
import { variantEndpoint } from '../api';
import { RECORD_PATHS, SEARCH_PATHS } from '../search';
import { caen, q, region } from '../panel';
import { companySearch, dossier, suggestions } from '../output/operations';

export { outputFields } from '../output/shape';

const searching = showFor('company', 'search');

/** The endpoints for companies (docs/maintainers/services.md, "Company Registry: requests"), and Enrich, which combines them. */
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
			routing: variantEndpoint({ unversioned: '/api/autocomplete' }, suggestions),
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
			routing: variantEndpoint({ v1: RECORD_PATHS.dossier }, dossier),
		},
		{
			name: 'Search',
			value: 'search',
			action: 'Search companies by name',
			description: 'Find companies by name or IDNO (V1 API: also by CAEN code and region)',
			routing: variantEndpoint(SEARCH_PATHS, companySearch),
		},
	],
	properties: [
		q,
		...enrichFields,
		...pagingFields(searching.show, { hide: { '@tool': [true] } }),
		// A model reads every word of an answer.
		{ ...limitField({ ...searching.show, '@tool': [true] }), default: 10 },
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add filter',
			default: {},
			displayOptions: searching,
			options: [caen, region],
		},
	],
};
