import type { INodeProperties } from 'n8n-workflow';

import { dailyRequestsOption, hiddenDailyRequests, searchFilters } from '../../registryFields';

export const companyStatusChangedFields: INodeProperties[] = [
	{
		displayName:
			'The registry publishes weekly, so poll every hour. Each check of a company costs one request; a search shows up to 50 companies per request (with the V1 API, only the first 50). With 80 requests a day, 500 companies are checked about every 7 days, 50 companies once a day. The log shows your numbers when you publish the workflow.',
		name: 'companyNotice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Watch',
		name: 'watch',
		type: 'options',
		default: 'list',
		options: [
			{ name: 'List', value: 'list', description: 'Select companies by name or IDNO' },
			{
				name: 'IDNOs From an Expression',
				value: 'text',
				description: 'Paste many IDNOs, or use an expression',
			},
			{
				name: 'Search Results',
				value: 'search',
				description: 'All companies with a name, an activity or a region',
			},
		],
		description: 'Which companies to watch',
	},
	{
		displayName: 'Companies',
		name: 'companies',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add company',
		default: {},
		displayOptions: { show: { watch: ['list'] } },
		options: [
			{
				displayName: 'Company',
				name: 'company',
				values: [
					{
						displayName: 'Company',
						name: 'idno',
						type: 'resourceLocator',
						default: { mode: 'list', value: '' },
						description: 'The company to watch',
						modes: [
							{
								displayName: 'From List',
								name: 'list',
								type: 'list',
								typeOptions: { searchListMethod: 'searchCompanies', searchable: true },
							},
							{
								displayName: 'By IDNO',
								name: 'id',
								type: 'string',
								placeholder: 'e.g. 1003600015231',
							},
						],
					},
				],
			},
		],
	},
	// The list of workflows that were made before companies could be selected by name.
	{
		displayName: 'IDNOs',
		name: 'watchList',
		type: 'hidden',
		default: [],
		displayOptions: { show: { watch: ['list'] } },
	},
	{
		displayName: 'IDNOs',
		name: 'watchListText',
		type: 'string',
		typeOptions: { rows: 6 },
		default: '',
		placeholder: 'e.g. 1003600015231, 1008600038413',
		description:
			'One IDNO per line, or several separated by commas. An expression can return an array of IDNOs or of records with an idno field.',
		displayOptions: { show: { watch: ['text'] } },
	},
	{ ...searchFilters, displayOptions: { show: { watch: ['search'] } } },
	{
		displayName: 'Fields to Watch',
		name: 'fieldsToWatch',
		type: 'multiOptions',
		default: ['status'],
		options: [
			{
				name: 'Disappearance',
				value: 'disappearance',
				description:
					'The company has been missing from the registry or the search for more than a day',
			},
			{ name: 'Insolvency Risk', value: 'insolvencyRisk', description: 'V1 API only, for lists' },
			{ name: 'Rating', value: 'rating', description: 'V1 API only, for lists' },
			{
				name: 'Recommended Limit',
				value: 'recommendedLimitMdl',
				description: 'V1 API only, for lists',
			},
			{ name: 'Score', value: 'score', description: 'V1 API only, for lists' },
			{ name: 'Status', value: 'status', description: 'Both APIs, for lists and searches' },
		],
		description: 'A change of any of these is an event',
	},
	// The option of the same name, in workflows that were made before it was one.
	{
		displayName: 'Status Source',
		name: 'statusSource',
		type: 'hidden',
		default: 'automatic',
	},
	hiddenDailyRequests,
];

export const companyStatusChangedOptions: INodeProperties[] = [
	{
		displayName: 'Check Digit',
		name: 'checkDigit',
		type: 'boolean',
		default: true,
		description:
			'Whether to reject an IDNO whose last digit is wrong. Some very old companies have numbers without a check digit.',
	},
	dailyRequestsOption,
	{
		displayName: 'Status Source',
		name: 'statusSource',
		type: 'options',
		default: 'automatic',
		options: [
			{
				name: 'Automatic',
				value: 'automatic',
				description: 'Credit recommendation with the V1 API, search with the Unversioned API',
			},
			{
				name: 'Company Dossier',
				value: 'dossier',
				description: 'V1 API only. Its fields are not documented.',
			},
			{
				name: 'Credit Recommendation',
				value: 'credit',
				description: 'V1 API only. Shows rating, score, risk and limit as well.',
			},
			{ name: 'Search', value: 'search', description: 'By the IDNO. Shows only the status.' },
		],
		description: 'Where the status of a company on a list is read',
	},
];
