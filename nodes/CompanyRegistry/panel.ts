import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodeProperties,
} from 'n8n-workflow';

import { hostOf } from '../shared/http/connection';
import type { Json } from '../shared/http/json';
import { inQuery } from '../shared/node/inputs';
import { readOptions, type PickerList } from '../shared/node/listSearch';
import { showFor, transportOptions } from '../shared/node/options';
import { invalid, text, type Validator } from '../shared/node/validators';
import { asText } from '../shared/node/values';
import { companyRegistry, variantOf } from './api';
import { readCompany, unlessActive } from './company';
import { checkIdno, idnoWithin, readIdno } from './idno';
import { findCompanies, MAX_RESULTS } from './search';

/** The editor searches whenever the user stops typing, and each search uses quota. */
const LEAST_LETTERS = 3;

/**
 * Searches companies by part of the name or the start of the IDNO. Only companies are options, since any
 * other text in the list could be selected by mistake.
 */
export async function searchCompanies(
	this: ILoadOptionsFunctions,
	filter = '',
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const q = readIdno(filter) ?? filter.trim();
	if (q.length < LEAST_LETTERS) return { results: [] };
	const list: PickerList = {
		key: `search ${q}`,
		fetchPage: async (account, page, size) => {
			const search = { variant: variantOf(account.settings), query: { q }, page };
			return await findCompanies(account, { ...search, limit: size && MAX_RESULTS });
		},
		toOption,
	};
	return await readOptions(hostOf(this), companyRegistry, list, paginationToken);
}

function toOption(company: Json): INodeListSearchItems | undefined {
	const { idno, name = '', city, status } = readCompany(company);
	if (idno === undefined) return undefined;
	const label = [`${name} (${idno})`.trim(), city, unlessActive(status)];
	return { name: label.filter((each) => each !== undefined).join(', '), value: idno };
}

/** Also within a text, as in "Agro Nord SRL (1003600015231)". Whether the check digit matters depends on an option. */
export const thirteenDigits: Validator<string> = (value, label) => {
	const check = checkIdno(value, { checkDigit: false });
	if (check.valid) return check.idno;
	const within = idnoWithin(asText(value) ?? '');
	if (within !== undefined) return within;
	throw invalid(
		value,
		label,
		'must be a company identification number',
		`${check.reason} Enter a number such as 1003600015231. To find a company by its name, select "By Name" or use Company: Search.`,
	);
};

/** Shared by both resources, because n8n evaluates every declaration of a parameter. */
export const idno: INodeProperties = {
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
			placeholder: `Type at least ${LEAST_LETTERS} letters…`,
			hint: `Shows up to ${MAX_RESULTS} companies. Type more to find others. Each search costs one request.`,
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
			hint: "The exact name. Capitals and diacritics don't matter. Costs one or two extra requests. You can also enter an IDNO.",
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
						regex: '^[^0-9０-９]*([0-9０-９][^0-9０-９]*){13}([.,]0+)?$',
						errorMessage: 'An IDNO has 13 digits, e.g. 1003600015231',
					},
				},
			],
		},
	],
	displayOptions: {
		show: { resource: ['company', 'creditRecommendation'], operation: ['get'] },
	},
};

/**
 * Two to four digits: 62.01 is a class, 62 the division above it. The API doesn't document whether it
 * expects the dot, so the code is sent as entered. A sheet drops the zero of 0111 and 01.11.
 */
const caenCode: Validator<string> = (value, label) => {
	const code = String(value)
		.trim()
		.padStart(typeof value === 'number' && value > 99 ? 4 : 0, '0')
		.replace(/^\d\./, '0$&');
	if (/^\d{2,4}$/.test(code.replace(/[\s.]/g, ''))) return code;
	throw invalid(
		value,
		label,
		'must be a CAEN code of up to four digits',
		'Enter a code such as 6201.',
	);
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
	// Any other text than an IDNO is sent as entered.
	(value, label) => readIdno(value) ?? text(value, label),
);

export const caen = inQuery(
	{
		displayName: 'CAEN Code',
		name: 'caen',
		type: 'string',
		default: '',
		placeholder: 'e.g. 6201',
		description: 'Only companies with this CAEN (economic activity) code. V1 API only.',
	},
	caenCode,
);

export const region = inQuery({
	displayName: 'Region',
	name: 'region',
	type: 'string',
	default: '',
	placeholder: 'e.g. Chișinău',
	description: 'Only companies in this district or municipality. V1 API only.',
});

export const checkDigit: INodeProperties = {
	displayName: 'Validate Check Digit',
	name: 'checkDigit',
	type: 'boolean',
	default: true,
	description:
		"Whether to reject an IDNO with a wrong check digit, so typos don't use quota. A few very old companies have IDNOs without a check digit.",
	displayOptions: { hide: { '/operation': ['autocomplete', 'enrich', 'getStatus', 'send'] } },
};

/** The collection "Options" with those of single operations. Each is shown where it's used. */
export function optionsWith(own: INodeProperties[]): INodeProperties {
	const displayOptions = { hide: { '/resource': ['idno'] } };
	const ofRequests = (transportOptions.options ?? []) as INodeProperties[];
	const all = [...own, checkDigit, ...ofRequests.map((each) => ({ ...each, displayOptions }))];
	const inOrder = all.sort((a, b) => a.displayName.localeCompare(b.displayName));
	return { ...transportOptions, options: inOrder };
}
