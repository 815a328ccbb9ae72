import type {
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestOptions,
	Icon,
	INodeProperties,
} from 'n8n-workflow';

import { normaliseKey } from '../nodes/shared/http/apiKey';
import { baseUrlOrRemedy, forEach, testRules, type TestVerdicts } from './credentialRules';

/** Bearer key of the link-management service (docs/services.md, "Link Management: requests"). */
export class LinkManagementApi implements ICredentialType {
	name = 'linkManagementApi';

	displayName = 'Link Management API';

	icon: Icon = {
		light: 'file:../icons/linkManagement.svg',
		dark: 'file:../icons/linkManagement.dark.svg',
	};

	documentationUrl = 'https://github.com/link-company/n8n-nodes-link-company#link-management-api';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://example.com',
			description: "The service's URL, without /api. It can include a path prefix.",
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'The key that the service generated when you registered',
		},
	];

	/** A function: n8n would evaluate a template's expressions for every request. */
	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		return {
			...requestOptions,
			baseURL: baseUrlOrRemedy(credentials.baseUrl),
			headers: {
				...requestOptions.headers,
				Authorization: `Bearer ${normaliseKey(credentials.apiKey)}`,
			},
		};
	}

	test: ICredentialTestRequest = {
		request: { method: 'GET', url: '/api/account', disableFollowRedirect: true, json: true },
		rules: testRules(verdicts),
	};
}

const KEY_REFUSED =
	"The service did not accept the API key. Check the key. If it's correct, a web server or proxy may be stripping the Authorization header.";
const WRONG_ADDRESS =
	"No Link Management API was found at this Base URL. Enter the service's URL, e.g. https://example.com";

const verdicts: TestVerdicts = {
	statuses: {
		...forEach([401, 403], KEY_REFUSED),
		...forEach([404, 405, 410], WRONG_ADDRESS),
		429: 'The key has reached its rate limit. Wait a minute, then test again.',
	},
	bodies: [
		// Errors can have status 200, and `error` can be a string (docs/services.md, "Link Management: errors").
		{ field: 'error', value: 1, message: KEY_REFUSED },
		{ field: 'error', value: '1', message: KEY_REFUSED },
		{ field: 'error', value: true, message: KEY_REFUSED },
		// A web page, an empty body, or another service's JSON.
		{ field: 'data', value: undefined, message: WRONG_ADDRESS },
	],
};
