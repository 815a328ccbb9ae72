import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { cleanKey, cleanUrl } from '../nodes/shared/http/credential';
import { yesOrNo } from '../nodes/shared/node/values';

export const baseUrl: INodeProperties = {
	displayName: 'Base URL',
	name: 'baseUrl',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. https://example.com',
	description: "The service's URL, without /api. It can include a path prefix.",
};

export const ignoreSslIssues: INodeProperties = {
	displayName: 'Ignore SSL Issues (Insecure)',
	name: 'allowUnauthorizedCerts',
	type: 'boolean',
	default: false,
	description:
		"Whether to connect even if the server's certificate isn't valid, for example because it's self-signed. Anyone between n8n and the server could then read the key.",
};

/**
 * Adds the credential's address, key and settings to a request. n8n's declarative `authenticate` would evaluate
 * expressions for every request.
 *
 * @param header the header with the key
 */
export function sendingKey(header: (key: string) => IDataObject) {
	return async (
		credentials: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => {
		const headers = { ...request.headers, ...header(cleanKey(credentials.apiKey)) };
		const options = { ...request, baseURL: cleanUrl(credentials.baseUrl), headers };
		if (yesOrNo(credentials.allowUnauthorizedCerts) !== true) return options;
		// n8n's older helper, which tests credentials and sends HTTP Request's requests, has another name for it.
		const ignored = { skipSslCertificateValidation: true, rejectUnauthorized: false };
		return Object.assign(options, ignored);
	};
}
