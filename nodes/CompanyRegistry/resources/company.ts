import { inQuery } from '../../shared/node/inputs';
import { showFor } from '../../shared/node/options';
import type { Resource } from '../../shared/node/resource';
import { enriched, enrichedRow } from '../enrich/enrich';
import { SEARCHES } from '../collections';
import { q, searchPaging } from '../fields';
import { dossierOfIdno, searchedUnversioned, searchedV1, suggestions } from '../outputs';
import { composed, endpoint } from '../service';

/** Spec, "Endpoints", and the enrichment of rows, which puts several of them together. */
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
					action: 'Get a company dossier',
					description: 'Get everything the registry has on a company by its IDNO (V1 API only)',
					routing: endpoint('GET', { v1: ['/api/v1/company/:idno', dossierOfIdno] }),
				},
				{
					name: 'Search',
					value: 'search',
					action: 'Search companies',
					description:
						'Find companies by name or IDNO; in the V1 API by class code and region, too',
					routing: endpoint('GET', {
						v1: [SEARCHES.v1.path, searchedV1],
						unversioned: [SEARCHES.unversioned.path, searchedUnversioned],
					}),
				},
			],
		},
		q,
		{
			displayName: 'IDNO',
			name: 'companyIdno',
			type: 'string',
			default: '',
			placeholder: 'e.g. 1003600015231',
			description: 'Company identification number. Where a row has one, it is looked up by it.',
			displayOptions: showFor('company', 'enrich'),
		},
		{
			displayName: 'Name',
			name: 'companyName',
			type: 'string',
			default: '',
			placeholder: 'e.g. Agro Nord SRL',
			description:
				'Company name, for rows without an IDNO. Case, diacritics, quotes and legal forms do not matter; an IDNO in this field is taken as one.',
			displayOptions: showFor('company', 'enrich'),
		},
		{
			displayName: 'Minimum Match Score',
			name: 'minScore',
			type: 'number',
			typeOptions: { minValue: 0, maxValue: 1, numberPrecision: 2 },
			default: 0.8,
			description:
				'How alike the names must be, from 0 to 1. Below it a row counts as not found, rather than getting the data of a wrong company.',
			displayOptions: showFor('company', 'enrich'),
		},
		{
			displayName: 'Add Credit Recommendation',
			name: 'addCredit',
			type: 'boolean',
			default: false,
			description:
				'Whether to add rating, score, insolvency risk and recommended credit limit (V1 API only). Costs one more request for each company.',
			displayOptions: showFor('company', 'enrich'),
		},
		{
			displayName:
				'Each company costs one search, however many rows name it; the rows wait where the limit per minute requires it.',
			name: 'enrichNotice',
			type: 'notice',
			default: '',
			displayOptions: showFor('company', 'enrich'),
		},
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
					description: 'Only companies of this economic activity, by its CAEN code',
				}),
				inQuery({
					displayName: 'Region',
					name: 'region',
					type: 'string',
					default: '',
					placeholder: 'e.g. Chișinău',
					description: 'Only companies of this district or municipality',
				}),
			],
		},
	],
};
