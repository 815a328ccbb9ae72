import type { INodeProperties } from 'n8n-workflow';

export const companyStatusChangedFields: INodeProperties[] = [
	{
		displayName:
			'The registry publishes weekly, so polling every hour is plenty. Each company of a watch list costs one request; a search shows 50 companies for one (with the V1 API, the first 50 only). The budget is spread over the day.',
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
			{ name: 'Companies of a List', value: 'list', description: 'Type the IDNOs one by one' },
			{
				name: 'Companies of a Text or Expression',
				value: 'text',
				description: 'Paste many IDNOs, or give them by an expression',
			},
			{
				name: 'Companies That a Search Finds',
				value: 'search',
				description: 'All companies of a name, an activity or a region',
			},
		],
		description: 'Which companies to watch',
	},
	{
		displayName: 'Companies',
		name: 'watchList',
		type: 'string',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Company' },
		default: [],
		placeholder: 'e.g. 1003600015231',
		description: 'IDNO of each company to watch',
		displayOptions: { show: { watch: ['list'] } },
	},
	{
		displayName: 'Companies',
		name: 'watchListText',
		type: 'string',
		typeOptions: { rows: 6 },
		default: '',
		placeholder: 'e.g. 1003600015231, 1008600038413',
		description:
			'One IDNO per line, or several with commas between them. An expression may give an array of IDNOs or of records with an idno field.',
		displayOptions: { show: { watch: ['text'] } },
	},
	{
		displayName: 'Search Filters',
		name: 'searchFilters',
		type: 'collection',
		placeholder: 'Add filter',
		default: {},
		displayOptions: { show: { watch: ['search'] } },
		options: [
			{
				displayName: 'Class Code',
				name: 'caen',
				type: 'string',
				default: '',
				placeholder: 'e.g. 6201',
				description: 'Only companies of this economic activity, by its CAEN code (V1 API only)',
			},
			{
				displayName: 'Query',
				name: 'q',
				type: 'string',
				default: '',
				placeholder: 'e.g. Agro',
				description: 'Words of the name, or the beginning of an IDNO',
			},
			{
				displayName: 'Region',
				name: 'region',
				type: 'string',
				default: '',
				placeholder: 'e.g. Chișinău',
				description: 'Only companies of this district or municipality (V1 API only)',
			},
		],
	},
	{
		displayName: 'Fields to Watch',
		name: 'fieldsToWatch',
		type: 'multiOptions',
		default: ['status'],
		options: [
			{ name: 'Insolvency Risk', value: 'insolvencyRisk' },
			{ name: 'Rating', value: 'rating' },
			{ name: 'Recommended Limit', value: 'recommendedLimitMdl' },
			{ name: 'Score', value: 'score' },
			{ name: 'Status', value: 'status' },
		],
		description:
			'A change of any of these is an event. All but the status come from the credit recommendation or the dossier (V1 API only).',
	},
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
			{ name: 'Search', value: 'search', description: 'By the IDNO. Shows the status only.' },
		],
		description: 'Where the status of a company is read',
		displayOptions: { show: { watch: ['list', 'text'] } },
	},
	{
		displayName: 'Daily Request Budget',
		name: 'dailyRequests',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 0,
		description:
			'Most requests that this trigger may make in a day. 0 stands for four fifths of what the plan of the credential allows. What does not fit comes next time, the least recently checked company first.',
	},
];

export const companyStatusChangedOptions: INodeProperties[] = [
	{
		displayName: 'Check Digit',
		name: 'checkDigit',
		type: 'boolean',
		default: true,
		description:
			'Whether an IDNO whose last digit is wrong is refused. Some very old companies have numbers without a check digit.',
	},
];
