import type { INodeProperties } from 'n8n-workflow';

import { showFor } from '../../shared/node/options';

/** Keeps the company's fields apart from those of the row. */
export const DEFAULT_PREFIX = 'company_';

/** The parameters of Company: Enrich. */
export const enrichFields: INodeProperties[] = [
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
			'What the names of the company’s fields begin with, so that they do not replace fields of the input. Empty: they do.',
		displayOptions: onlyEnrich,
	},
	{
		displayName: 'Include Input Fields',
		name: 'includeInputFields',
		type: 'boolean',
		default: true,
		description: 'Whether the fields of the input item come out beside those of the company',
		displayOptions: onlyEnrich,
	},
	{
		displayName: 'Search Again by Longest Word',
		name: 'searchAgain',
		type: 'boolean',
		default: false,
		description:
			'Whether a name that brought no results is searched once more by its longest word, which finds misspelled names. Costs one more request for each such name.',
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
