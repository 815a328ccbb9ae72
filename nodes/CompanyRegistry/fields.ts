import type { INodeProperties } from 'n8n-workflow';

import { inPath, inQuery } from '../shared/node/inputs';
import { pagingFields, showFor, transportOptions } from '../shared/node/options';
import { got, text, ValidationFailure } from '../shared/node/validators';
import type { Validator } from '../shared/node/validators';
import { enrichOptions } from './enrich/fields';
import { checkIdno } from './idno';
import { LEAST_LETTERS } from './listSearch';
import { MAX_RESULTS } from './service';

/** 13 digits, grouped in any way. The option "Check Digit" decides about the last one. */
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
		description: 'The company to look up, by its 13-digit identification number',
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
			'Words of the name, an IDNO, or the beginning of an IDNO. Optional if a filter is set.',
		displayOptions: showFor('company', 'autocomplete', 'search'),
	},
	text,
);

/** The V1 search documents no pages, so one request returns everything. */
const PAGING_NOTES: Record<string, string> = {
	returnAll: `A V1 search has no further pages: it returns the first ${MAX_RESULTS} results.`,
	limit: `A V1 search returns at most ${MAX_RESULTS}.`,
};

/** "Return All" and "Limit" of the search, with what they mean for V1. */
export const searchPaging: INodeProperties[] = pagingFields({
	resource: ['company'],
	operation: ['search'],
}).map((field) => ({
	...field,
	description: `${field.description}. ${PAGING_NOTES[field.name]}`,
}));

const checkDigit: INodeProperties = {
	displayName: 'Check Digit',
	name: 'checkDigit',
	type: 'boolean',
	default: true,
	description:
		'Whether to reject an IDNO with a wrong check digit, so a typo costs no request. Some very old companies have numbers without a check digit.',
	displayOptions: { hide: { '/operation': ['autocomplete', 'getStatus'] } },
};

const requestOptions = ((transportOptions.options ?? []) as INodeProperties[]).map((option) => ({
	...option,
	displayOptions: { hide: { '/resource': ['idno'] } },
}));

/** The node's collection "Options". Each option is offered only where it has an effect. */
export const options: INodeProperties = {
	...transportOptions,
	options: [checkDigit, ...enrichOptions, ...requestOptions].sort((a, b) =>
		a.displayName.localeCompare(b.displayName, 'en'),
	),
};
