import type { ICredentialType, Icon, INodeProperties } from 'n8n-workflow';

import { baseUrl, ignoreSslIssues, sendingKey } from './settings';

/** An API key for one of the two APIs, and its plan (docs/maintainers/services.md, "Company Registry: requests"). */
export class CompanyRegistryApi implements ICredentialType {
	name = 'companyRegistryApi';

	displayName = 'Company Registry API';

	icon: Icon = {
		light: 'file:../icons/companyRegistry.svg',
		dark: 'file:../icons/companyRegistry.dark.svg',
	};

	documentationUrl =
		'https://github.com/link-company/n8n-nodes-link-company/blob/main/docs/company-registry.md#credential';

	properties: INodeProperties[] = [
		{
			displayName: 'API Variant',
			name: 'variant',
			type: 'options',
			default: 'v1',
			description: 'Which of the two APIs the key is for',
			hint: 'See the example requests that came with the key: /api/v1/search is V1, /api/search is Unversioned',
			options: [
				{
					name: 'Unversioned: Search and Autocomplete (/api/…)',
					value: 'unversioned',
					description: "Search and autocomplete, with each company's main fields. Supports Enrich.",
				},
				{
					name: 'V1: Search, Full Records, Credit and Quota (/api/v1/…)',
					value: 'v1',
					description:
						'Search, plus full company records, credit recommendations and the quota status',
				},
			],
		},
		baseUrl,
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: "The key for your plan. It's sent only in the X-API-Key header.",
		},
		{
			displayName: 'Plan',
			name: 'plan',
			type: 'options',
			default: 'developerFree',
			description:
				"The plan your key belongs to. Sets the trigger's daily request budget, and the rate limit until the service reports its own. If you aren't sure, pick the smallest.",
			displayOptions: { show: { variant: ['v1'] } },
			options: [
				{ name: 'Developer Free (10 per Minute, 100 per Day)', value: 'developerFree' },
				{ name: 'Starter B2B (30 per Minute, 1,000 per Day)', value: 'starterB2b' },
				{ name: 'Business Pro (100 per Minute, 10,000 per Day)', value: 'businessPro' },
				{ name: 'Enterprise or Custom (Enter Your Limits)', value: 'enterprise' },
			],
		},
		{
			displayName: 'Plan',
			name: 'plan',
			type: 'options',
			default: 'free',
			description:
				"The plan your key belongs to. Sets the trigger's daily request budget, and the rate limit until the service reports its own. If you aren't sure, pick the smallest.",
			displayOptions: { show: { variant: ['unversioned'] } },
			options: [
				{ name: 'Free (60 per Minute, 100 per Day)', value: 'free' },
				{ name: 'Premium (60 per Minute, 5,000 per Day)', value: 'premium' },
				{ name: 'Custom (Enter Your Limits)', value: 'custom' },
			],
		},
		{
			displayName: 'Requests per Minute',
			name: 'requestsPerMinute',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 100,
			description: 'How many requests the key can make per minute',
			displayOptions: { show: { plan: ['custom', 'enterprise'] } },
		},
		{
			displayName: 'Requests per Day',
			name: 'requestsPerDay',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 100000,
			description: 'How many requests the key can make per day',
			displayOptions: { show: { plan: ['custom', 'enterprise'] } },
		},
		ignoreSslIssues,
	];

	// A property, because the editor gets a spread copy of the type. Without it, HTTP Request leaves the type out.
	authenticate = sendingKey((key) => ({ 'X-API-Key': key }));
}
