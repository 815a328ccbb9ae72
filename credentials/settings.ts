import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { cleanUrl, headersOf } from '../nodes/shared/http/credential';
import { isYes } from '../nodes/shared/http/json';

export const baseUrl: INodeProperties = {
	displayName: 'Base URL',
	name: 'baseUrl',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. https://example.com',
	description: "The service's URL, without /api. It can include a path prefix.",
};

/** The fields that both credentials have for the connection to the service. */
export const settings: INodeProperties[] = [
	{
		displayName: 'Ignore SSL Issues (Insecure)',
		name: 'allowUnauthorizedCerts',
		type: 'boolean',
		default: false,
		description:
			"Whether to connect even if the server's certificate isn't valid, for example because it's self-signed. Anyone between n8n and the server could then read the key.",
	},
	{
		displayName: 'Headers',
		name: 'headers',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		default: {},
		placeholder: 'Add Header',
		description:
			'Headers to send with every request, such as an access token for a proxy in front of the service',
		options: [
			{
				displayName: 'Header',
				name: 'values',
				values: [
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						default: '',
						placeholder: 'e.g. CF-Access-Client-Id',
					},
					{
						displayName: 'Value',
						name: 'value',
						type: 'string',
						typeOptions: { password: true },
						default: '',
					},
				],
			},
		],
	},
];

/**
 * A request with the credential's address and settings. n8n's declarative `authenticate` would evaluate
 * expressions for every request.
 *
 * @param key the header with the key
 */
export function authenticated(
	credentials: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
	key: IDataObject,
): IHttpRequestOptions {
	const own = { ...request.headers, ...key };
	const names = Object.keys(own).map((name) => name.toLowerCase());
	const more = headersOf(credentials).filter(({ name }) => !names.includes(name.toLowerCase()));
	const headers = { ...Object.fromEntries(more.map(({ name, value }) => [name, value])), ...own };
	const options = { ...request, baseURL: cleanUrl(credentials.baseUrl), headers };
	if (!isYes(credentials.allowUnauthorizedCerts)) return options;
	// n8n's older helper, which tests credentials and sends HTTP Request's requests, has another name for it.
	return Object.assign(options, { skipSslCertificateValidation: true, rejectUnauthorized: false });
}
