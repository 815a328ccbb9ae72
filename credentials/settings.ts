import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { cleanUrl } from '../nodes/shared/http/credential';
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
 * A request with the credential's address, key and settings. n8n's declarative `authenticate` would evaluate
 * expressions for every request.
 *
 * @param key the header with the key
 */
export function authenticated(
	credentials: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
	key: IDataObject,
): IHttpRequestOptions {
	const headers = { ...request.headers, ...key };
	const options = { ...request, baseURL: cleanUrl(credentials.baseUrl), headers };
	if (yesOrNo(credentials.allowUnauthorizedCerts) !== true) return options;
	// n8n's older helper, which tests credentials and sends HTTP Request's requests, has another name for it.
	return Object.assign(options, { skipSslCertificateValidation: true, rejectUnauthorized: false });
}
