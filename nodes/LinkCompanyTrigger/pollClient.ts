import type { IPollFunctions } from 'n8n-workflow';

import { connect } from '../shared/http/connection';
import type { Host, Service } from '../shared/http/connection';
import { requirePage } from '../shared/http/envelope';
import type { Json, Page } from '../shared/http/envelope';
import { PAGE_SIZE } from '../shared/http/pagination';
import { sendRequest } from '../shared/http/sendRequest';
import type { ApiRequest } from '../shared/http/sendRequest';
import type { Collection } from '../shared/node/collection';
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
	 * @throws ServiceError, also when the response is not a page of such records
	 */
	page(list: Collection, page: number, query?: Json): Promise<Page>;
}

export async function openPollClient(
	context: IPollFunctions,
	service: Service,
	deadline: PollDeadline,
): Promise<PollClient> {
	const host = context as unknown as Host;
	const connection = await connect(host, service);
	const { baseUrl, settings, identity } = connection.account;
	const client: PollClient = {
		baseUrl,
		settings,
		identity,
		apiKey: String(connection.credentials.apiKey ?? '').trim(),
		perMinute: () => connection.limiter.perMinute,
		beforeAttempt: () => {},
		send: async (request) =>
			await sendRequest(host, connection, request, {
				// 0 would mean something else: a back-off without an end.
				patienceMs: Math.max(1, deadline.leftMs),
				engineOptions: { timeout: deadline.timeoutMs },
				beforeAttempt: () => client.beforeAttempt(),
			}),
		page: async ({ path, keys, record }, page, query) => {
			const body = await client.send({
				method: 'GET',
				path,
				query: { ...query, limit: PAGE_SIZE, page },
			});
			const read = requirePage(body, keys);
			return { ...read, rows: record ? read.rows.map((row) => recordOf(record, row)) : read.rows };
		},
	};
	return client;
}
