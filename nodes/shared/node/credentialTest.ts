import type {
	IAllExecuteFunctions,
	IAuthenticate,
	ICredentialDataDecryptedObject,
	ICredentialTestFunction,
	ICredentialTestFunctions,
	ICredentialType,
	IHttpRequestOptions,
	INode,
} from 'n8n-workflow';

import { SECOND_MS, systemClock } from '../http/clock';
import { connect } from '../http/connection';
import type { Host, Service } from '../http/connection';
import { failureOf } from '../http/errors';
import type { ServiceError } from '../http/errors';
import { isJson } from '../http/json';
import { RateLimiter } from '../http/limiter';
import { sendRequest } from '../http/request';
import { withRemedy } from './nodeError';

/** A credential type that adds the base URL and the key to a request. */
type TestedCredential = Pick<ICredentialType, 'displayName'> & {
	authenticate: Exclude<IAuthenticate, { type: string }>;
};

/** What servers return for an unknown address. */
const UNKNOWN_ADDRESS = [400, 404, 405, 410];

/**
 * Tests a credential with one request, and explains a failure as the nodes do. n8n's declarative
 * tests only show a code such as ECONNREFUSED if the server can't be reached.
 *
 * @param path an endpoint that needs nothing but the key
 * @param answersWith a field that's in every successful response
 */
export function credentialTest(
	service: Service,
	credential: TestedCredential,
	path: (fields: ICredentialDataDecryptedObject) => string,
	answersWith: string,
): ICredentialTestFunction {
	return async function ({ data = {} }) {
		try {
			const host = testHostOf(this, credential, data);
			const shared = await connect(host, service);
			// With its own limiter, the test neither waits for workflows that use the key nor delays them.
			const connection = { ...shared, limiter: new RateLimiter(shared.limiter.rate) };
			const request = { method: 'GET', path: path(data) } as const;
			const body = await sendRequest(host, connection, request, {
				// The user waits for the result in the editor, so there's no retry.
				deadline: systemClock.now() + 1,
				engineOptions: { timeout: 30 * SECOND_MS },
			}).catch((error: ServiceError) => {
				const status = Number(error.httpCode);
				const cause = error.failure?.cause;
				if (cause === 'credential-invalid') throw error;
				// A success that can't be read comes from something else at this address.
				if (UNKNOWN_ADDRESS.includes(status) || (status < 300 && cause)) {
					throw failureOf(connection, request, 'address', { status });
				}
				if (cause) throw error;
				// The request contains nothing but the key.
				throw failureOf(connection, request, 'key', { status, reason: error.message });
			});
			if (isJson(body) && answersWith in body) {
				return { status: 'OK', message: 'Connection successful!' };
			}
			throw failureOf(connection, request, 'address', { status: 200 });
		} catch (error) {
			return { status: 'Error', message: withRemedy(error as Error) };
		}
	};
}

/** n8n only gives credential tests its legacy `request` helper, so wrap it as the one of nodes. */
function testHostOf(
	{ helpers }: ICredentialTestFunctions,
	credential: TestedCredential,
	data: ICredentialDataDecryptedObject,
): Host {
	const send = async (_type: string, options: IHttpRequestOptions) => {
		const { url, disableFollowRedirect, ...rest } = await credential.authenticate(data, options);
		return (await helpers.request({
			...rest,
			uri: url,
			followRedirect: !disableFollowRedirect,
			simple: false,
			resolveWithFullResponse: true,
		})) as unknown;
	};
	return {
		getNode: () => ({ name: credential.displayName }) as INode,
		getCredentials: async () => data,
		helpers: { httpRequestWithAuthentication: send } as unknown as IAllExecuteFunctions['helpers'],
	};
}
