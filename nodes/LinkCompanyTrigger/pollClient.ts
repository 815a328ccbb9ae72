import type { IPollFunctions } from 'n8n-workflow';

import { connect } from '../shared/http/connection';
import type { Connection, Host, Service } from '../shared/http/connection';
import { readPage } from '../shared/http/envelope';
import type { Json, Page } from '../shared/http/envelope';
import { PAGE_SIZE } from '../shared/http/pagination';
import { sendRequest } from '../shared/http/sendRequest';
import type { ApiRequest } from '../shared/http/sendRequest';
import type { Collection } from '../shared/node/collection';
import { unexpected } from '../shared/node/outputs';
import { recordOf } from '../shared/node/recordSchema';
import type { PollDeadline } from './pollDeadline';

/** Sends a poll's requests, each within the time of the poll. */
export interface PollClient {
	baseUrl: string;
	/** The credential's fields beside the key. */
	settings: Readonly<Record<string, unknown>>;
	/** The API key. It must never be stored. */
	apiKey: string;
	/** Identifies the key at its service; reveals neither. */
	identity: string;
	/** Requests per minute that the service lets through, as far as its responses tell. */
	perMinute(): number;
	/**
	 * Called before every attempt of a request, repetitions included. What it throws keeps the
	 * attempt from being sent.
	 */
	beforeAttempt: () => void;
	/** Returns the parsed body. @throws ServiceError */
	send(request: ApiRequest): Promise<unknown>;
	/**
	 * Reads a page of a list, always of the same size: with another one a service may order rows
	 * with equal sort keys differently.
	 *
	 * @throws ServiceError, also when the response is no page of such records
	 */
	page(list: Collection, page: number, query?: Json): Promise<Page>;
}

export async function openPollClient(
	context: IPollFunctions,
	service: Service,
	deadline: PollDeadline,
): Promise<PollClient> {
	const connection = await connect(context as unknown as Host, service);
	const { baseUrl, settings, identity } = connection.account;
	const client: PollClient = {
		baseUrl,
		settings,
		identity,
		apiKey: String(connection.credentials.apiKey ?? '').trim(),
		perMinute: () => connection.limiter.perMinute,
		beforeAttempt: () => {},
		send: async (request) =>
			await send(context, connection, request, deadline, () => client.beforeAttempt()),
		page: async ({ path, keys, record }, page, query) => {
			const body = await client.send({
				method: 'GET',
				path,
				query: { ...query, limit: PAGE_SIZE, page },
			});
			const read = readPage(body, keys);
			if (!read) throw unexpected(`a list under "${keys[0]}"`, body);
			return { ...read, rows: record ? read.rows.map((row) => recordOf(record, row)) : read.rows };
		},
	};
	return client;
}

async function send(
	context: IPollFunctions,
	connection: Connection,
	request: ApiRequest,
	deadline: PollDeadline,
	beforeAttempt: () => void,
): Promise<unknown> {
	let refusal: unknown;
	const host: Host = {
		getNode: () => context.getNode(),
		getCredentials: async (type) => await context.getCredentials(type),
		helpers: {
			httpRequestWithAuthentication: async (credential, options, more) => {
				refusal = refusalOf(beforeAttempt);
				if (refusal) throw refusal as Error;
				return (await context.helpers.httpRequestWithAuthentication.call(
					context,
					credential,
					options,
					more,
				)) as unknown;
			},
		},
	};
	const options = {
		patienceMs: deadline.leftMs,
		engineOptions: { timeout: deadline.timeoutMs },
	};
	return await sendRequest(host, connection, request, options).catch(
		async (error: unknown) => await Promise.reject((refusal ?? error) as Error),
	);
}

function refusalOf(beforeAttempt: () => void): unknown {
	try {
		beforeAttempt();
		return undefined;
	} catch (error) {
		return error;
	}
}
