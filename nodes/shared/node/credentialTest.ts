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

import { SECOND_MS } from '../http/clock';
import { connect, type Connection, type Host, type Service } from '../http/connection';
import { isOutOfRequests, isRefused, isUnlikeApi } from '../http/errors';
import { failureOf } from '../http/failureOf';
import { isJson } from '../http/json';
import { RateLimiter } from '../http/limiter';
import { sendRequest, type ApiRequest } from '../http/request';
import { toNodeError, withRemedy } from './nodeError';

type TestedCredential = Pick<ICredentialType, 'displayName'> & {
	authenticate: Exclude<IAuthenticate, { type: string }>;
};

const PASSED = 'Connection successful!';

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
		const host = testHostOf(this, credential, data);
		const request = { method: 'GET', path: path(data) } as const;
		let connection: Connection | undefined;
		try {
			const shared = await connect(host, service);
			// With its own limiter, the test neither waits for workflows that use the key nor delays them.
			connection = { ...shared, limiter: new RateLimiter(shared.limiter.rate) };
			const body = await sendRequest(host, connection, request, {
				// The user waits for the result in the editor, so there's no retry.
				waits: false,
				retries: false,
				engineOptions: { timeout: 30 * SECOND_MS },
			});
			if (isJson(body) && answersWith in body) return { status: 'OK', message: PASSED };
			throw failureOf(connection, request, 'address');
		} catch (error) {
			// If the API itself says that the key has made too many requests, it knows the key.
			if (isOutOfRequests(error) && error.hasEnvelope) {
				return { status: 'OK', message: `${PASSED} The key has no requests left at the moment.` };
			}
			const problem = connection ? aboutCredential(error, connection, request) : error;
			const thrown = toNodeError(host.getNode(), problem, undefined, connection?.account.mask);
			return { status: 'Error', message: withRemedy(thrown) };
		}
	};
}

/** What an error says about the credential. The request contains nothing else that could be wrong. */
function aboutCredential(error: unknown, connection: Connection, request: ApiRequest): unknown {
	if (isUnlikeApi(error)) return failureOf(connection, request, 'address');
	if (!isRefused(error) || error.kind === 'denied') return error;
	const { reason, httpCode } = error;
	if (error.kind === 'key' || httpCode === '200') {
		return failureOf(connection, request, 'key', { reason });
	}
	// The plan, or something in front of the service, can deny the request even if the key is right.
	return failureOf(connection, request, 'denied', { reason, status: Number(httpCode) });
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
		getNode: () => ({ name: credential.displayName, type: '' }) as INode,
		getCredentials: async () => data,
		helpers: { httpRequestWithAuthentication: send } as unknown as IAllExecuteFunctions['helpers'],
	};
}
