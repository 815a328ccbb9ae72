import type { INodeProperties } from 'n8n-workflow';

import { inPath, inQuery } from '../shared/node/inputs';
import { pagingFields, showFor, transportOptions } from '../shared/node/options';
import { got, text, ValidationFailure } from '../shared/node/validators';
import type { Validator } from '../shared/node/validators';
import { enrichOptions } from './enrich/fields';
import { checkIdno } from './idno';
import { LEAST_LETTERS } from './listSearch';
import { MAX_RESULTS } from './service';

/** 13 digits, however they are grouped. Whether the last must be right is the user's choice. */
const thirteenDigits: Validator = (value) => {
	const check = checkIdno(value, { checkDigit: false });
	if (check.valid) return check.idno;
	return new ValidationFailure(
		`must be a company identification number, ${got(value)}`,
		`${check.reason} For example 1003600015231`,
	);
};

/** Declared once for both resources: n8n evaluates a parameter once per declaration. */
export const idno = inPath(
	{
		displayName: 'Company',
		name: 'idno',
		type: 'resourceLocator',
		default: { mode: 'idno', value: '' },
		required: true,
		description: 'The company to look up, by its identification number of 13 digits',
		modes: [
			{
				displayName: 'By IDNO',
				name: 'idno',
				type: 'string',
				placeholder: 'e.g. 1003600015231',
				validation: [
					{
						type: 'regex',
						properties: {
							regex: '^\\D*(\\d\\D*){13}$',
							errorMessage: 'An IDNO has 13 digits, e.g. 1003600015231',
						},
					},
				],
			},
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Search by name…',
				hint: `Type at least ${LEAST_LETTERS} letters of the name. Each search costs one request of the daily quota.`,
				typeOptions: {
					searchListMethod: 'searchCompanies',
					searchable: true,
					searchFilterRequired: true,
				},
			},
		],
		displayOptions: { show: { resource: ['company', 'creditRecommendation'], operation: ['get'] } },
	},
	thirteenDigits,
);

export const q = inQuery(
	{
		displayName: 'Query',
		name: 'q',
		type: 'string',
		default: '',
		placeholder: 'e.g. Agro or 1003600',
		description:
			'Words of the name, or an IDNO or its beginning. With the V1 API it may be left empty when a filter is set.',
		displayOptions: showFor('company', 'autocomplete', 'search'),
	},
	text,
);

/** The V1 search takes no page, so what is above its largest limit cannot be had. */
const PAGING_NOTES: Record<string, string> = {
	returnAll: `The V1 API has no further pages: of all results it gives the first ${MAX_RESULTS}.`,
	limit: `The V1 API gives ${MAX_RESULTS} at most.`,
};

/** "Return All" and "Limit" of the search, with what they mean for each variant. */
export const searchPaging: INodeProperties[] = pagingFields({
	resource: ['company'],
	operation: ['search'],
}).map((field) => ({
	...field,
	description: `${field.description}. ${PAGING_NOTES[field.name]}`,
}));

/** The node's collection "Options": the transport's, and those of some operations. */
export const options: INodeProperties = {
	...transportOptions,
	options: [
		{
			displayName: 'Check Digit',
			name: 'checkDigit',
			type: 'boolean',
			default: true,
			description:
				'Whether the last digit of an IDNO must be its check digit, so that mistyped numbers cost no request. Some very old records have none.',
		},
		...enrichOptions,
		...((transportOptions.options ?? []) as INodeProperties[]).map((option) => ({
			...option,
			displayOptions: { hide: { '/resource': ['idno'] } },
		})),
	],
};
