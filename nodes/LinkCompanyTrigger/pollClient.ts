import type { IPollFunctions } from 'n8n-workflow';

import { sendRequest } from '../shared/http/sendRequest';
import type { ApiRequest } from '../shared/http/sendRequest';
import { ServiceError } from '../shared/http/errors';
import type { Service, Connection, Host  } from '../shared/http/connection';
import type { Deadline } from './deadline';
import { connect } from '../shared/http/connection';

/** The way of a poll to its service. */
export interface Access {
	/** The credential's fields beside the key. */
	settings: Readonly<Record<string, unknown>>;
	/** Stands for the account: the same key at the same address. It holds the key itself. */
	secretIdentity: unknown;
	/** Requests per minute that the service lets through, as far as it has told. */
	perMinute(): number;
	/** Sends a request within the poll's time and returns the parsed body. */
	send(request: ApiRequest): Promise<unknown>;
	/** Hears of every request before it is sent; a refusal keeps it from being sent. */
	onRequest: () => ServiceError | undefined;
}

export async function openAccess(
	context: IPollFunctions,
	service: Service,
	deadline: Deadline,
): Promise<Access> {
	const connection = await connect(context as unknown as Host, service);
	const { apiKey } = connection.credentials;
	const { baseUrl, settings } = connection.account;
	const access: Access = {
		settings,
		secretIdentity: [service.credential, baseUrl, apiKey],
		onRequest: () => undefined,
		perMinute: () => connection.limiter.perMinute,
		send: async (request) => await send(context, connection, request, deadline, access),
	};
	return access;
}

async function send(
	context: IPollFunctions,
	connection: Connection,
	request: ApiRequest,
	deadline: Deadline,
	{ onRequest }: Access,
): Promise<unknown> {
	let refusal: ServiceError | undefined;
	// The transport repeats requests by itself, so they are counted where they leave.
	const host: Host = {
		getNode: () => context.getNode(),
		getCredentials: async (type) => await context.getCredentials(type),
		helpers: {
			httpRequestWithAuthentication: async (credential, options, more) => {
				refusal = onRequest();
				if (refusal) throw refusal;
				return (await context.helpers.httpRequestWithAuthentication.call(
					context,
					credential,
					options,
					more,
				)) as unknown;
			},
		},
	};
	const sending = {
		patienceMs: deadline.leftMs,
		engineOptions: { timeout: deadline.timeoutMs },
	};
	return await sendRequest(host, connection, request, sending).catch(async (error: unknown) => {
		return await Promise.reject((refusal ?? error) as Error);
	});
}
