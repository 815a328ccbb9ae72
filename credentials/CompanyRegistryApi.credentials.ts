import type {
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestOptions,
	Icon,
	INodeProperties,
} from 'n8n-workflow';

import { normaliseBaseUrl } from '../nodes/shared/http/baseUrl';
import { forEach, testRules, type TestVerdicts } from '../nodes/shared/node/credentialTest';

/** Key of one variant of the company registry (company-registry spec, "Authentication"). */
export class CompanyRegistryApi implements ICredentialType {
	name = 'companyRegistryApi';

	displayName = 'Company Registry API';

	icon: Icon = {
		light: 'file:../icons/companyRegistry.svg',
		dark: 'file:../icons/companyRegistry.dark.svg',
	};

	documentationUrl = 'https://github.com/link-company/n8n-nodes-link-company#company-registry-api';

	properties: INodeProperties[] = [
		{
			displayName: 'API Variant',
			name: 'variant',
			type: 'options',
			default: 'v1',
			description: 'Which of the two APIs the key is for; its documentation shows the paths',
			options: [
				{
					name: 'Unversioned (/api/…)',
					value: 'unversioned',
					description: 'Has search and autocomplete',
				},
				{
					name: 'V1 (/api/v1/…)',
					value: 'v1',
					description: 'Has search, company dossier, credit recommendation and quota status',
				},
			],
		},
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://example.com',
			description: 'Address of the service, without /api. A path prefix is fine.',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'The key of your plan. It is sent in the X-API-Key header only.',
		},
		{
			displayName: 'Plan',
			name: 'plan',
			type: 'options',
			default: 'developerFree',
			description: 'Plan of the key. Requests are paced so that its limit per minute holds.',
			displayOptions: { show: { variant: ['v1'] } },
			options: [
				{ name: 'Business Pro (100 per Minute, 10000 per Day)', value: 'businessPro' },
				{ name: 'Developer Free (10 per Minute, 100 per Day)', value: 'developerFree' },
				{ name: 'Enterprise (Numbers of Your Contract)', value: 'enterprise' },
				{ name: 'Other Numbers', value: 'custom' },
				{ name: 'Starter B2B (30 per Minute, 1000 per Day)', value: 'starterB2b' },
			],
		},
		{
			displayName: 'Plan',
			name: 'plan',
			type: 'options',
			default: 'free',
			description: 'Plan of the key. Requests are paced so that its limit per minute holds.',
			displayOptions: { show: { variant: ['unversioned'] } },
			options: [
				{ name: 'Free (60 per Minute, 100 per Day)', value: 'free' },
				{ name: 'Other Numbers', value: 'custom' },
				{ name: 'Premium (60 per Minute, 5000 per Day)', value: 'premium' },
			],
		},
		{
			displayName: 'Requests per Minute',
			name: 'requestsPerMinute',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 100,
			description: 'How many requests the key may make in a minute',
			displayOptions: { show: { plan: ['custom', 'enterprise'] } },
		},
		{
			displayName: 'Requests per Day',
			name: 'requestsPerDay',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 100000,
			description: 'How many requests the key may make in a day',
			displayOptions: { show: { plan: ['custom', 'enterprise'] } },
		},
	];

	/** A function: as a template it would cost an expression per request. */
	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		return {
			...requestOptions,
			baseURL: normaliseBaseUrl(credentials.baseUrl),
			headers: {
				...requestOptions.headers,
				'X-API-Key': String(credentials.apiKey).trim(),
			},
		};
	}

	test: ICredentialTestRequest = {
		request: {
			method: 'GET',
			// V1 has a call outside the quota; the other variant's cheapest is a search for one row.
			url: '={{ $credentials.variant === "unversioned" ? "/api/search?q=SRL&limit=1" : "/api/v1/status" }}',
			disableFollowRedirect: true,
			json: true,
		},
		rules: testRules(verdicts),
	};
}

const KEY_REFUSED =
	'The service did not accept the API key. Check the key, and that it belongs to this API Variant.';
const FORBIDDEN =
	'The service refused access. The API key may be wrong or expired, or its daily quota is used up.';
const WRONG_ADDRESS =
	'There is no Company Registry API of this variant at this Base URL. Check the API Variant, and enter the address of the service, e.g. https://example.com';

const verdicts: TestVerdicts = {
	statuses: {
		401: KEY_REFUSED,
		403: FORBIDDEN,
		...forEach([400, 404, 405, 410], WRONG_ADDRESS),
		429: 'The limit of the key is reached: wait a minute and test again. If it stays so, the daily quota is used up.',
	},
	bodies: [
		// A failure may come with status 200, too (spec, "Errors").
		{ field: 'success', value: false, message: KEY_REFUSED },
		// Every successful answer has it: a web page, an empty body or another service's JSON has not.
		{ field: 'success', value: undefined, message: WRONG_ADDRESS },
	],
};
