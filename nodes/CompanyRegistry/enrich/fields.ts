import type { INodeProperties } from 'n8n-workflow';

import { showFor } from '../../shared/node/options';

/** Keeps the company's fields apart from those of the row. */
export const DEFAULT_PREFIX = 'company_';

/** Search requests that a name may cost by default. */
export const DEFAULT_REQUESTS = 2;

/** The parameters of Company: Enrich. */
export const enrichFields: INodeProperties[] = [
	{
		displayName: 'IDNO',
		name: 'companyIdno',
		type: 'string',
		default: '',
		placeholder: 'e.g. 1003600015231',
		description: 'Company identification number. A row that has one is looked up by it.',
		displayOptions: showFor('company', 'enrich'),
	},
	{
		displayName: 'Name',
		name: 'companyName',
		type: 'string',
		default: '',
		placeholder: 'e.g. Agro Nord SRL',
		description:
			'Company name, for rows without an IDNO. Case, diacritics, quotes, and â or î do not matter, and Cyrillic is transliterated. An IDNO in this field is used as one.',
		displayOptions: showFor('company', 'enrich'),
	},
	{
		displayName: 'City or Region',
		name: 'companyCity',
		type: 'string',
		default: '',
		placeholder: 'e.g. Chișinău',
		description:
			'Decides between companies of the same name. An exact sole match is never excluded.',
		displayOptions: showFor('company', 'enrich'),
	},
	{
		displayName: 'Legal Form',
		name: 'companyLegalForm',
		type: 'string',
		default: '',
		placeholder: 'e.g. SRL',
		description:
			'Decides between companies of the same name, if the name does not contain it. An exact sole match is never excluded.',
		displayOptions: showFor('company', 'enrich'),
	},
	{
		displayName: 'Minimum Match',
		name: 'minScore',
		type: 'options',
		default: 'strong',
		description:
			'How well the name must match. A row without such a match counts as not found, so it never gets the data of a wrong company.',
		displayOptions: showFor('company', 'enrich'),
		options: [
			{
				name: 'Exact',
				value: 'exact',
				description: 'The same words, and no different legal form, number or place',
			},
			{
				name: 'Strong',
				value: 'strong',
				description:
					'Also one misspelled or shortened word, other spaces, another order of words, or a branch',
			},
		],
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
			'Each different name costs one search, and a second one if it is spelled differently in the register. Rows wait when the rate limit requires it.',
		name: 'enrichNotice',
		type: 'notice',
		default: '',
		displayOptions: showFor('company', 'enrich'),
	},
];

const onlyEnrich = { show: { '/operation': ['enrich'] } };

/** The options that only Company: Enrich has. */
export const enrichOptions: INodeProperties[] = [
	{
		displayName: 'Field Prefix',
		name: 'prefix',
		type: 'string',
		default: DEFAULT_PREFIX,
		placeholder: 'e.g. registry_',
		description:
			'What the names of the company fields start with. A field of the input that has the same name is replaced.',
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
		displayName: 'Minimum Match Score',
		name: 'minMatchScore',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 1, numberPrecision: 2 },
		default: 0.8,
		description:
			'Match score that is enough, instead of Minimum Match: 1 is exact, from 0.8 on a match is strong. Lower scores accept names with other words.',
		displayOptions: onlyEnrich,
	},
	{
		displayName: 'Requests per Row',
		name: 'requestsPerRow',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 10 },
		default: DEFAULT_REQUESTS,
		description:
			'Maximum number of searches for a name that the first search does not find: its other spelling, its rarest word, further pages. Rows with the same name share them.',
		displayOptions: onlyEnrich,
	},
	{
		displayName: 'Replace Input Fields',
		name: 'replaceInputFields',
		type: 'boolean',
		default: false,
		description:
			'Whether found, reason and the other result fields replace input fields of the same name. Otherwise the input fields stay, and the result fields get the field prefix.',
		displayOptions: onlyEnrich,
	},
	{
		displayName: 'Use Name if IDNO Fails',
		name: 'nameAsFallback',
		type: 'boolean',
		default: false,
		description:
			'Whether a row whose IDNO is wrong or unknown is looked up by its name, if it has one',
		displayOptions: onlyEnrich,
	},
];
