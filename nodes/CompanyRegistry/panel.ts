import type { INodeProperties } from 'n8n-workflow';

import { inPath, inQuery } from '../shared/node/inputs';
import { showFor, transportOptions } from '../shared/node/options';
import { butGot, text, ValidationFailure } from '../shared/node/validators';
import type { Validator } from '../shared/node/validators';
import { checkIdno, readIdno } from './idno';
import { LEAST_LETTERS } from './pickers';

/** Accepts 13 digits in any grouping. Whether the check digit matters depends on an option. */
const thirteenDigits: Validator = (value) => {
	const check = checkIdno(value, { checkDigit: false });
	if (check.valid) return check.idno;
	return new ValidationFailure(
		`must be a company identification number, ${butGot(value)}`,
		`${check.reason} Enter a number such as 1003600015231. To find a company by its name, select "By Name" or use Company: Search.`,
	);
};

/** Shared by both resources, because n8n evaluates a parameter once per declaration. */
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
				hint: 'The exact name, in any case, with or without diacritics. Costs one or two extra requests. You can also enter an IDNO.',
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
 * Two to four digits: 62.01 is a class, 62 the division above it. The API doesn't document whether it
 * expects the dot, so the code is sent as entered.
 */
export const caenCode: Validator = (value) => {
	const code = String(value).trim();
	if (/^\d{2,4}$/.test(code.replace(/[\s.]/g, ''))) return code;
	return new ValidationFailure(
		`must be a CAEN code of up to four digits, ${butGot(value)}`,
		'Enter a code such as 6201.',
	);
};

/** Removes the separators from an IDNO. Any other text is sent as entered. */
const searchText: Validator = (value) => readIdno(value) ?? text(value);

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

export const checkDigit: INodeProperties = {
	displayName: 'Validate Check Digit',
	name: 'checkDigit',
	type: 'boolean',
	default: true,
	description:
		"Whether to reject an IDNO with a wrong check digit, so typos don't use quota. A few very old companies have IDNOs without a check digit.",
	displayOptions: { hide: { '/operation': ['autocomplete', 'enrich', 'getStatus', 'send'] } },
};

const requestOptions = ((transportOptions.options ?? []) as INodeProperties[]).map((option) => ({
	...option,
	displayOptions: { hide: { ...option.displayOptions?.hide, '/resource': ['idno'] } },
}));

/**
 * Each option is only shown for operations that use it.
 *
 * @param own those of single operations
 */
export function optionsWith(own: INodeProperties[]): INodeProperties {
	const options = [...own, checkDigit, ...requestOptions];
	const inOrder = options.sort((one, other) => (one.displayName < other.displayName ? -1 : 1));
	return { ...transportOptions, options: inOrder };
}
