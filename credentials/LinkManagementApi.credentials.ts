import type {
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestOptions,
	Icon,
	INodeProperties,
} from 'n8n-workflow';

import { normaliseBaseUrl } from '../nodes/transport/baseUrl';

/** Bearer key of the link-management service (spec, "Authentication"). */
export class LinkManagementApi implements ICredentialType {
	name = 'linkManagementApi';

	displayName = 'Link Management API';

	icon: Icon = {
		light: 'file:../icons/linkManagement.svg',
		dark: 'file:../icons/linkManagement.dark.svg',
	};

	documentationUrl =
		'https://github.com/link-company/n8n-nodes-link-company#link-management-api';

	properties: INodeProperties[] = [
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
			description: 'The key that the service generated when you registered',
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
				Authorization: `Bearer ${String(credentials.apiKey).trim()}`,
			},
		};
	}

	test: ICredentialTestRequest = {
		request: { method: 'GET', url: '/api/account', disableFollowRedirect: true, json: true },
		rules: testRules as ICredentialTestRequest['rules'],
	};
}

const KEY_REFUSED =
	'The service did not accept the API key. Check the key; if it is right, the server may drop the Authorization header before it reaches the service.';
const WRONG_ADDRESS =
	'There is no Link Management API at this Base URL. Enter the address of the service, e.g. https://example.com';
const MOVED = 'The Base URL redirects to another address. Enter the address it redirects to.';
const DOWN = 'The service is not working right now. Try again later.';

const testRules = [
	...[401, 403].map((value) => onStatus(value, KEY_REFUSED)),
	...[404, 405, 410].map((value) => onStatus(value, WRONG_ADDRESS)),
	...[301, 302, 303, 307, 308].map((value) => onStatus(value, MOVED)),
	...[500, 502, 503, 504].map((value) => onStatus(value, DOWN)),
	onStatus(429, 'The rate limit of the key is reached. Wait a minute and test again.'),
	// Errors come with status 200 too, and `error` may be a string (spec, "Errors").
	onBody('error', 1, KEY_REFUSED),
	onBody('error', '1', KEY_REFUSED),
	// A web page, an empty body, or another service's JSON.
	onBody('data', undefined, WRONG_ADDRESS),
];

function onStatus(value: number, message: string) {
	return { type: 'responseCode', properties: { value, message } };
}

/** Fails the test when the body's `key` is `value`. */
function onBody(key: string, value: unknown, message: string) {
	return { type: 'responseSuccessBody', properties: { key, value, message } };
}
