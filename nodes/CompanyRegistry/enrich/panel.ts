import type { INodeProperties } from 'n8n-workflow';

import { showFor } from '../../shared/node/options';
import { ENRICHING_FIELDS } from '../company';

/** Tells the company's fields from the row's own. */
export const DEFAULT_PREFIX = 'company_';

/** Default of "Max Searches per Name". */
export const DEFAULT_SEARCHES = 2;

/** A label for an API field, e.g. "Recommended Limit MDL" for `recommended_limit_mdl`. */
const titleOf = (field: string) =>
	field
		.replace(/^\w|(?<=_)\w/g, (letter) => letter.toUpperCase())
		.replace(/Idno|Caen|Mdl/g, (word) => word.toUpperCase())
		.replaceAll('_', ' ');

const onlyForEnrich = showFor('company', 'enrich');

const whenChosen = { show: { ...onlyForEnrich.show, columns: ['choose'] } };

const COLUMNS: INodeProperties = {
	displayName: 'Columns',
	name: 'columns',
	type: 'options',
	default: 'auto',
	description: 'How to find the IDNO, name, city and legal form in your rows',
	hint: 'Find Automatically looks for columns such as IDNO, Company, Name, City and Legal Form, in English, Romanian or Russian',
	options: [
		{
			name: 'Find Automatically',
			value: 'auto',
			description: 'Recognize the columns by their names',
		},
		{ name: 'Choose', value: 'choose', description: 'Map the columns yourself' },
	],
	displayOptions: { ...onlyForEnrich, hide: { '@tool': [true] } },
};

/** The parameters of Company: Enrich. */
export const enrichFields: INodeProperties[] = [
	COLUMNS,
	// An agent's tool has no columns, so it always shows the fields.
	{
		displayName: 'Columns',
		name: 'columns',
		type: 'hidden',
		default: 'choose',
		description: 'An agent fills the fields below',
		displayOptions: { show: { ...onlyForEnrich.show, '@tool': [true] } },
	},
	{
		displayName: 'IDNO',
		name: 'companyIdno',
		type: 'string',
		default: '',
		placeholder: 'e.g. 1003600015231',
		description:
			"The company's identification number. If a row has one, it's used for the lookup instead of the name.",
		displayOptions: whenChosen,
	},
	{
		displayName: 'Name',
		name: 'companyName',
		type: 'string',
		default: '',
		placeholder: 'e.g. Agro Nord SRL',
		description:
			'Company name, for rows without an IDNO. Text around the name, such as notes or phone numbers, is ignored.',
		displayOptions: whenChosen,
	},
	{
		displayName: 'City or Region',
		name: 'companyCity',
		type: 'string',
		default: '',
		placeholder: 'e.g. Chișinău',
		description:
			'Used to tell companies with the same name apart. Companies located elsewhere are only likely matches.',
		displayOptions: whenChosen,
	},
	{
		displayName: 'Legal Form',
		name: 'companyLegalForm',
		type: 'string',
		default: '',
		placeholder: 'e.g. SRL',
		description:
			"Used to tell companies with the same name apart. Companies with a different legal form don't match.",
		displayOptions: whenChosen,
	},
	{
		displayName: 'Minimum Match',
		name: 'minScore',
		type: 'options',
		default: 'strong',
		description: 'How closely the name must match. Rows below this level are marked as not found.',
		hint: 'matchStatus in the output is found, ambiguous, notFound or notChecked',
		displayOptions: onlyForEnrich,
		options: [
			{
				name: 'Exact',
				value: 'exact',
				description: 'The same name, and nothing in the row contradicts the company',
			},
			{
				name: 'Likely',
				value: 'likely',
				description:
					'Also accepts a misspelled word, an initial or a different location. Review these rows.',
			},
			{
				name: 'Strong',
				value: 'strong',
				description:
					'Also accepts extra text around the name, common abbreviations, and different spacing or word order',
			},
		],
	},
	{
		displayName: 'Add Credit Recommendation',
		name: 'addCredit',
		type: 'boolean',
		default: false,
		description:
			'Whether to add rating, score, insolvency risk and recommended credit limit (V1 API only). Costs one extra request per company.',
		displayOptions: onlyForEnrich,
	},
];

/** For options about rows and columns, which make no sense for an agent. */
const onlyForRows = { show: { '/operation': ['enrich'] }, hide: { '@tool': [true] } };

const onlyEnrich = { show: { '/operation': ['enrich'] } };

/** The options that only Company: Enrich has. Related ones are next to each other. */
export const enrichOptions: INodeProperties[] = [
	{
		displayName: 'Compare With',
		name: 'compareWith',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		default: { fields: [{ companyField: 'status', rowField: '' }] },
		placeholder: 'Add Field',
		description:
			'Compare fields of your row with fields of the company. The output shows what changed.',
		displayOptions: onlyForRows,
		options: [
			{
				displayName: 'Field',
				name: 'fields',
				values: [
					{
						displayName: 'Company Field',
						name: 'companyField',
						type: 'options',
						default: 'status',
						description: 'The company field to compare',
						options: [...ENRICHING_FIELDS].sort().map((value) => ({ name: titleOf(value), value })),
					},
					{
						displayName: 'Input Field',
						name: 'rowField',
						type: 'string',
						default: '',
						placeholder: 'e.g. crm_status',
						requiresDataPath: 'single',
						description: 'The field of your row to compare it with',
					},
				],
			},
		],
	},
	{
		displayName: 'Only Changed Rows',
		name: 'onlyChangedRows',
		type: 'boolean',
		default: true,
		description: 'Whether to return only rows where a field in Compare With has changed',
		displayOptions: onlyForRows,
	},
	{
		displayName: 'Skip Rows Checked Within',
		name: 'skipRowsCheckedWithin',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 30,
		description:
			'Skip rows that were checked within this many days, so each run continues where the last one stopped',
		displayOptions: onlyForRows,
	},
	{
		displayName: 'Checked At Field',
		name: 'checkedAtField',
		type: 'string',
		default: 'company_checkedAt',
		requiresDataPath: 'single',
		description:
			'The field of your row with the date of the last check. Used by Skip Rows Checked Within.',
		displayOptions: onlyForRows,
	},
	{
		displayName: 'Fall Back to Name',
		name: 'nameAsFallback',
		type: 'boolean',
		default: true,
		description:
			"Whether to look up a row by its name if its IDNO is invalid or the registry doesn't have it",
		displayOptions: onlyEnrich,
	},
	{
		displayName: 'Not These IDNOs',
		name: 'excludedIdnos',
		type: 'string',
		default: '',
		placeholder: 'e.g. 1003600015231, 1008600038413',
		description:
			"IDNOs of companies that you've ruled out for the row. Separate them with commas, or map a column that has them.",
		displayOptions: onlyEnrich,
	},
	{
		displayName: 'Max Searches per Name',
		name: 'requestsPerRow',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 10 },
		default: DEFAULT_SEARCHES,
		description: 'How many searches each name may use. Rows with the same name share the results.',
		displayOptions: onlyEnrich,
	},
	{
		displayName: 'Match Details',
		name: 'matchDetails',
		type: 'boolean',
		default: true,
		description: "Whether to add a column with each match's score, differences and source",
		displayOptions: onlyForRows,
	},
	{
		displayName: 'Field Prefix',
		name: 'prefix',
		type: 'string',
		default: DEFAULT_PREFIX,
		placeholder: 'e.g. registry_',
		description:
			'Prefix for the company fields. An input field that already has the prefixed name is overwritten.',
		displayOptions: onlyForRows,
	},
	{
		displayName: 'Include Input Fields',
		name: 'includeInputFields',
		type: 'boolean',
		default: true,
		description: "Whether to return your row's fields as well",
		displayOptions: onlyForRows,
	},
	{
		displayName: 'Replace Input Fields',
		name: 'replaceInputFields',
		type: 'boolean',
		default: true,
		description:
			'Whether added fields replace fields of your row that have the same name. If off, those added fields get the prefix instead.',
		displayOptions: onlyForRows,
	},
];
