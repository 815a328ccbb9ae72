import type { INodeProperties } from 'n8n-workflow';

import { inPath, inQuery } from '../shared/node/inputs';
import { pagingFields, showFor, transportOptions } from '../shared/node/options';
import { butGot, text, ValidationFailure } from '../shared/node/validators';
import type { Validator } from '../shared/node/validators';
import { enrichOptions } from './enrich/panel';
import { checkIdno } from './idno';
import { LEAST_LETTERS } from './pickers';
import { MAX_RESULTS } from './api';

/** 13 digits, grouped in any way. The option "Validate Check Digit" applies to the last one. */
const thirteenDigits: Validator = (value) => {
	const check = checkIdno(value, { checkDigit: false });
	if (check.valid) return check.idno;
	return new ValidationFailure(
		`must be a company identification number, ${butGot(value)}`,
		`${check.reason} For example 1003600015231. To find a company by its name, select "By Name" or use Company: Search.`,
	);
};

/** Declared once for both resources: n8n evaluates a parameter once per declaration. */
export const idno = inPath(
	{
		displayName: 'Company Name or IDNO',
		name: 'idno',
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		description: 'Select from the list, or enter the exact name or the 13-digit IDNO',
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Search by name…',
				hint: `Type at least ${LEAST_LETTERS} letters. Each search costs one request.`,
				typeOptions: {
					searchListMethod: 'searchCompanies',
					searchable: true,
					searchFilterRequired: true,
					slowLoadNotice: {
						message:
							'The search is slow or is waiting for the rate limit. You can enter the IDNO instead.',
						timeout: 5_000,
					},
				},
			},
			{
				displayName: 'By Name',
				name: 'name',
				type: 'string',
				placeholder: 'e.g. Agro Nord SRL',
				hint: 'The exact name, in any case, with or without diacritics. Costs one extra request. An IDNO works as well.',
			},
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
		],
		displayOptions: { show: { resource: ['company', 'creditRecommendation'], operation: ['get'] } },
	},
	thirteenDigits,
	'by operation',
);

/**
 * A class of activities has four digits, e.g. 62.01; the groups above it have fewer. The documentation
 * does not show whether the registry expects the dot, so the code is sent as it was entered.
 */
export const caenCode: Validator = (value) => {
	const code = String(value).trim();
	if (/^\d{2,4}$/.test(code.replace(/[\s.]/g, ''))) return code;
	return new ValidationFailure(
		`must be a CAEN code of up to four digits, ${butGot(value)}`,
		'For example 6201',
	);
};

/** What to search for. An IDNO is sent as its digits, in whichever way it is grouped. */
const searchText: Validator = (value) => {
	const check = checkIdno(value, { checkDigit: false });
	return check.valid ? check.idno : text(value);
};

export const q = inQuery(
	{
		displayName: 'Query',
		name: 'q',
		type: 'string',
		default: '',
		placeholder: 'e.g. Agro or 1003600',
		description:
			'Words from the name, an IDNO, or the start of an IDNO. Optional if you set a filter.',
		displayOptions: showFor('company', 'autocomplete', 'search'),
	},
	searchText,
);

/** The V1 search documents no pages, so one request returns everything. */
const PAGING_NOTES: Record<string, string> = {
	returnAll: `The V1 API has no further pages: it returns the first ${MAX_RESULTS} results`,
	limit: `The V1 API returns at most ${MAX_RESULTS}`,
};

/** "Return All" and "Limit" of the search, with their meaning for V1. */
export const searchPaging: INodeProperties[] = pagingFields({
	resource: ['company'],
	operation: ['search'],
}).map((field) => ({
	...field,
	hint: PAGING_NOTES[field.name],
}));

export const checkDigit: INodeProperties = {
	displayName: 'Validate Check Digit',
	name: 'checkDigit',
	type: 'boolean',
	default: true,
	description:
		"Whether to reject an IDNO with a wrong check digit, so typos don't use quota. A few very old companies have IDNOs without one.",
	displayOptions: { hide: { '/operation': ['autocomplete', 'getStatus', 'send'] } },
};

const requestOptions = ((transportOptions.options ?? []) as INodeProperties[]).map((option) => ({
	...option,
	displayOptions: { hide: { ...option.displayOptions?.hide, '/resource': ['idno'] } },
}));

/** The node's collection "Options". Each option is only shown where it has an effect. */
export const options: INodeProperties = {
	...transportOptions,
	options: [...enrichOptions, checkDigit, ...requestOptions],
};
