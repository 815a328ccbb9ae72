import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IDataObject,
	IHttpRequestOptions,
	INodeParameters,
	IPollFunctions,
} from 'n8n-workflow';

/** What a poll needs to know of the workflow around it. */
export interface PollSetting {
	id: string;
	parameters: INodeParameters;
	credentialType: ICredentialType;
	credentials: ICredentialDataDecryptedObject;
}

/**
 * n8n's side of a poll without n8n, which polls once a minute at most and keeps no record of a
 * poll that found nothing: parameters, static data, and requests over HTTP.
 */
export class PollContext {
	private readonly staticData: IDataObject = {};

	constructor(private readonly setting: PollSetting) {}

	/** Bytes of what is stored in n8n's database between polls. */
	get stateBytes(): number {
		return Buffer.byteLength(JSON.stringify(this.staticData));
	}

	get functions(): IPollFunctions {
		const { id, parameters, credentials, credentialType } = this.setting;
		const functions = {
			getMode: () => 'trigger',
			getActivationMode: () => 'activate',
			getNode: () => ({ id, name: id, type: 'linkCompanyTrigger', typeVersion: 1, parameters }),
			getNodeParameter: (name: string, fallback?: unknown) => parameters[name] ?? fallback,
			getWorkflow: () => ({ id, name: id, active: true }),
			getWorkflowStaticData: () => this.staticData,
			getTimezone: () => 'UTC',
			getCredentials: async () => ({ ...credentials }),
			logger: { warn: console.warn, info() {}, debug() {}, error: console.error },
			helpers: {
				httpRequestWithAuthentication: async (_type: string, options: IHttpRequestOptions) =>
					await send(credentialType, credentials, options),
			},
		};
		return functions as unknown as IPollFunctions;
	}
}

async function send(
	{ authenticate }: ICredentialType,
	credentials: ICredentialDataDecryptedObject,
	options: IHttpRequestOptions,
) {
	if (typeof authenticate !== 'function') throw new Error('The credential cannot authenticate');
	const { baseURL, url, qs, method, headers } = await authenticate(credentials, options);
	const query = new URLSearchParams(qs as Record<string, string>).toString();
	const response = await fetch(`${baseURL}${url}${query && `?${query}`}`, {
		method,
		headers: headers as Record<string, string>,
	});
	return {
		statusCode: response.status,
		headers: Object.fromEntries(response.headers),
		body: await response.text(),
	};
}
