import type { INodeProperties } from 'n8n-workflow';

import { showFor } from '../../shared/node/options';
import { ENRICHING_FIELDS } from '../companyFields';

/** Distinguishes the company's fields from those of the row. */
export const DEFAULT_PREFIX = 'company_';

/** Default maximum of search requests per name. */
export const DEFAULT_SEARCHES = 2;

/**
 * An expression for the first of these columns that the row has. The field shows it, and rows with such
 * columns need no mapping.
 */
const firstOf = (...columns: string[]) =>
	`={{ ${columns.map((column) => (/^\w+$/.test(column) ? `$json.${column}` : `$json['${column}']`)).join(' || ')} || '' }}`;

/** A field of the API as a label: `recommended_limit_mdl` is "Recommended Limit MDL". */
const titleOf = (field: string) =>
	field
		.replace(/^\w|(?<=_)\w/g, (letter) => letter.toUpperCase())
		.replace(/Idno|Caen|Mdl/g, (word) => word.toUpperCase())
		.replaceAll('_', ' ');

/** The parameters of Company: Enrich. */
export const enrichFields: INodeProperties[] = [
	{
		displayName: 'IDNO',
		name: 'companyIdno',
		type: 'string',
		default: firstOf('idno', 'IDNO', 'cod_fiscal', 'Cod fiscal', 'ИДНО'),
		placeholder: 'e.g. 1003600015231',
		description: 'Company identification number. Rows that have one are looked up by it.',
		displayOptions: showFor('company', 'enrich'),
	},
	{
		displayName: 'Name',
		name: 'companyName',
		type: 'string',
		default: firstOf(
			...['company', 'Company', 'companie', 'Companie', 'denumire', 'Denumire'],
			...['name', 'Name', 'Компания', 'Название'],
		),
		placeholder: 'e.g. Agro Nord SRL',
		description:
			'Company name, for rows without an IDNO. Notes, phone numbers and other text around the name are ignored if the name alone is found.',
		displayOptions: showFor('company', 'enrich'),
	},
	{
		displayName: 'City or Region',
		name: 'companyCity',
		type: 'string',
		default: firstOf('city', 'City', 'oras', 'Oraș', 'Город', 'region', 'Region', 'raion', 'Район'),
		placeholder: 'e.g. Chișinău',
		description:
			'Used to choose between companies with the same name. A company in another place is at most a likely match.',
		displayOptions: showFor('company', 'enrich'),
	},
	{
		displayName: 'Legal Form',
		name: 'companyLegalForm',
		type: 'string',
		default: '',
		placeholder: 'e.g. SRL',
		description:
			'Used to choose between companies with the same name. A company with another form does not match.',
		displayOptions: showFor('company', 'enrich'),
	},
	{
		displayName: 'Minimum Match',
		name: 'minScore',
		type: 'options',
		default: 'strong',
		description: 'How closely the name must match. Other rows are marked as not found.',
		displayOptions: showFor('company', 'enrich'),
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
					'Strong matches, and names with a misspelled or abbreviated word or in a different place; review these rows',
			},
			{
				name: 'Strong',
				value: 'strong',
				description:
					'Exact matches, and names with other text around them, different spacing or word order, or a branch',
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
		displayOptions: showFor('company', 'enrich'),
	},
];

const onlyEnrich = { show: { '/operation': ['enrich'] } };

/** The options that only Company: Enrich has. */
export const enrichOptions: INodeProperties[] = [
	{
		displayName: 'Checked At Field',
		name: 'checkedAtField',
		type: 'string',
		default: 'company_checkedAt',
		requiresDataPath: 'single',
		description: 'Input field with the date of the last check, for Skip Rows Checked Within',
		displayOptions: onlyEnrich,
	},
	{
		displayName: 'Compare With',
		name: 'compareWith',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		default: {},
		placeholder: 'Add Field',
		description:
			'Input fields to compare with the fields of the company. The output shows what changed.',
		displayOptions: onlyEnrich,
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
						description: 'Field of the company, by its name in the API',
						options: [...ENRICHING_FIELDS].sort().map((value) => ({ name: titleOf(value), value })),
					},
					{
						displayName: 'Input Field',
						name: 'rowField',
						type: 'string',
						default: '',
						placeholder: 'e.g. crm_status',
						requiresDataPath: 'single',
						description: 'Name of the input field to compare it with',
					},
				],
			},
		],
	},
	{
		displayName: 'Fall Back to Name',
		name: 'nameAsFallback',
		type: 'boolean',
		default: false,
		description: 'Whether to look up a row by its name if its IDNO is wrong or unknown',
		displayOptions: onlyEnrich,
	},
	{
		displayName: 'Field Prefix',
		name: 'prefix',
		type: 'string',
		default: DEFAULT_PREFIX,
		placeholder: 'e.g. registry_',
		description: 'Prefix for added fields. Overwrites input fields with the same name.',
		displayOptions: onlyEnrich,
	},
	{
		displayName: 'Include Input Fields',
		name: 'includeInputFields',
		type: 'boolean',
		default: true,
		description: 'Whether the output includes the fields of the input item',
		displayOptions: onlyEnrich,
	},
	{
		displayName: 'Max Searches per Name',
		name: 'requestsPerRow',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 10 },
		default: DEFAULT_SEARCHES,
		description: 'Maximum number of search requests per name. Rows with the same name share them.',
		displayOptions: onlyEnrich,
	},
	{
		displayName: 'Only Changed Rows',
		name: 'onlyChangedRows',
		type: 'boolean',
		default: false,
		description: 'Whether to return only rows with a change in a field of Compare With',
		displayOptions: onlyEnrich,
	},
	{
		displayName: 'Replace Input Fields',
		name: 'replaceInputFields',
		type: 'boolean',
		default: false,
		description:
			'Whether found, reason and the other result fields replace input fields with the same name. Otherwise the result fields get the field prefix.',
		displayOptions: onlyEnrich,
	},
	{
		displayName: 'Skip Rows Checked Within',
		name: 'skipRowsCheckedWithin',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 30,
		description:
			'Days for which a checked row is not looked up again, so the next run resumes a list that is bigger than the daily quota',
		displayOptions: onlyEnrich,
	},
];
