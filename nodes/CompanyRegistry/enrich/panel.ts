import type { INodeProperties, NodeHint } from 'n8n-workflow';

import { showFor } from '../../shared/node/options';

const onlyForEnrich = showFor('company', 'enrich');

/** A field that a column is dragged into. Whatever is typed instead would be the same for all rows. */
function mapped(displayName: string, name: string, description: string): INodeProperties {
	const displayOptions = { show: { ...onlyForEnrich.show, columns: ['choose'] } };
	const placeholder = 'Drag a column here';
	return {
		displayName,
		name,
		type: 'string',
		default: '',
		placeholder,
		description,
		displayOptions,
	};
}

export const enrichFields: INodeProperties[] = [
	{
		displayName: 'Columns',
		name: 'columns',
		type: 'options',
		default: 'auto',
		description: 'How to find the IDNO, name, city and legal form in your rows',
		options: [
			{
				name: 'Find Automatically',
				value: 'auto',
				description:
					'Look for columns such as IDNO, Company, Name, City and Legal Form, in English, Romanian or Russian',
			},
			{
				name: 'Choose',
				value: 'choose',
				description: 'Drag your columns into the fields below',
			},
		],
		displayOptions: { ...onlyForEnrich, hide: { '@tool': [true] } },
	},
	// An agent's tool has no columns, so it always shows the fields.
	{
		displayName: 'Columns',
		name: 'columns',
		type: 'hidden',
		default: 'choose',
		description: 'An agent fills the fields below',
		displayOptions: { show: { ...onlyForEnrich.show, '@tool': [true] } },
	},
	mapped(
		'IDNO',
		'companyIdno',
		"The company's identification number. If a row has one, it's used for the lookup instead of the name.",
	),
	mapped(
		'Name',
		'companyName',
		"Company name. It's searched for if the row has no IDNO, and compared with the company if it has one. Text around it, such as notes or phone numbers, is ignored.",
	),
	mapped(
		'City or Region',
		'companyCity',
		'Used to tell companies with the same name apart. Companies located elsewhere are only likely matches.',
	),
	mapped(
		'Legal Form',
		'companyLegalForm',
		"Used to tell companies with the same name apart. Companies with a different legal form don't match.",
	),
	{
		displayName: 'Minimum Match',
		name: 'minScore',
		type: 'options',
		default: 'strong',
		description:
			'How closely the name of a new match must fit. Anything less counts as not found. Earlier matches stay.',
		hint: 'The column match_status says found, ambiguous, notFound or notChecked',
		displayOptions: onlyForEnrich,
		options: [
			{
				name: 'Exact',
				value: 'exact',
				description: 'Same IDNO or name, and nothing in the row contradicts it',
			},
			{
				name: 'Strong',
				value: 'strong',
				description: 'Same name, even with extra text, abbreviations or a different word order',
			},
			{
				name: 'Likely',
				value: 'likely',
				description:
					'Even with a misspelled word, an initial or a different place. Review these rows.',
			},
		],
	},
	{
		displayName: 'Add Recommendation',
		name: 'addCredit',
		type: 'boolean',
		default: false,
		description:
			'Whether to add the credit recommendation: rating, score, insolvency risk and recommended limit (V1 API only). The first check of a new company costs one extra request. City, region, CAEN code and legal form are then read about once a month.',
		displayOptions: onlyForEnrich,
	},
];

const isChosen = '$parameter["operation"] === "enrich" && $parameter["columns"] === "choose"';
const IDNO_AND_NAME = '[$rawParameter["companyIdno"], $rawParameter["companyName"]]';
const beforeRun = { location: 'outputPane', whenToDisplay: 'beforeExecution' } as const;

/** Mistakes in the set-up, which the editor shows before the node runs. */
export const enrichHints: NodeHint[] = [
	{
		message: 'Fill in "IDNO" or "Name". To use a column, drag it from the input into the field.',
		type: 'warning',
		...beforeRun,
		displayCondition: `={{ ${isChosen} && ${IDNO_AND_NAME}.every((text) => !text) }}`,
	},
	{
		message:
			'You typed a text into "IDNO" or "Name". If there are several rows, none is looked up. To use a column, drag it from the input into the field.',
		type: 'warning',
		...beforeRun,
		displayCondition: `={{ ${isChosen} && ${IDNO_AND_NAME}.some((text) => text) && ${IDNO_AND_NAME}.every((text) => !text || !String(text).includes("{{")) }}`,
	},
];

export const enrichOptions: INodeProperties[] = [
	{
		displayName: 'Skip Rows Checked Within (Days)',
		name: 'skipRowsCheckedWithin',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 30,
		// The panel cuts the unit off the label.
		hint: 'Number of days',
		description:
			"Skip rows that were checked within this many days. They keep their columns, and don't cost a request. A row is due up to twelve hours early, so a weekly schedule works with 7.",
		displayOptions: { show: { '/operation': ['enrich'] }, hide: { '@tool': [true] } },
	},
	{
		displayName: 'Maximum Requests',
		name: 'maximumRequests',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 0,
		description:
			'Maximum number of requests per run, so that other programs with your key have some left. Remaining rows wait for the next run. 0 means no limit.',
		displayOptions: { show: { '/operation': ['enrich'] }, hide: { '@tool': [true] } },
	},
	{
		displayName: 'Exclude IDNOs',
		name: 'excludedIdnos',
		type: 'string',
		default: '',
		placeholder: 'e.g. 1003600015231, 1008600038413',
		description:
			"IDNOs of companies that you've ruled out for the row. Separate them with commas, or map a column that has them.",
		displayOptions: { show: { '/operation': ['enrich'] } },
	},
];
