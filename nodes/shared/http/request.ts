import type { IAllExecuteFunctions, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { systemClock } from './clock';
import type { Connection, Host } from './connection';
import { CanceledError } from './errors';
import { limitError, networkError, sentPath, type Sent } from './failureOf';
import { readRateHeaders } from './headers';
import type { Json } from './json';
import { RateLimitError, type Wait } from './limiter';
import { readResponse, type Outcome } from './response';
import { backOff, MAX_ATTEMPTS, mayRetry } from './retry';

/** n8n's default timeout. It includes sending the body, so uploads get more time. */
export const ENGINE_TIMEOUT_MS = 300_000;
/** The slowest connection on which an upload succeeds: 256 kbit/s. */
const SLOWEST_BYTES_PER_MS = 32;

export interface ApiRequest extends Sent {
	query?: Json;
	/** Sent as JSON. */
	body?: Json | unknown[];
	/** Sent even if the run has the response to an identical GET, or if *Retry On Fail* repeats a write that succeeded. */
	fresh?: boolean;
	/** It doesn't count against the daily quota. */
	outsideQuota?: boolean;
	/** Sent as it is. Called for each attempt, because a stream can only be read once. */
	upload?: () => Promise<Upload>;
}

/** What sends a request and returns the parsed response: an item, a poll, or a list in the editor. */
export interface Sender {
	send(request: ApiRequest): Promise<unknown>;
}

export interface Upload {
	content: NonNullable<IHttpRequestOptions['body']>;
	contentType: string;
	/** In bytes. */
	size: number;
	/** Called when the attempt is over. The response can arrive before all content has been read. */
	release?(): void;
}

export interface SendOptions extends Omit<Wait, 'outsideQuota'> {
	/** Whether the request may wait for the rate limit. Default: true */
	waits?: boolean;
	/** Whether a request that failed may be sent again. Default: true */
	retries?: boolean;
	/** The user's proxy, timeout and certificate settings. */
	engineOptions?: Partial<IHttpRequestOptions>;
}

/**
 * Sends a request and returns the parsed body. Every request of this package goes through here. It
 * waits for the rate limiter, retries idempotent requests, and checks the response.
 *
 * @throws ServiceError for any failure of the service or the network
 * @throws CanceledError when `signal` fires, or the host's own signal, which ends the connection
 */
export async function sendRequest(
	host: Host,
	connection: Connection,
	request: ApiRequest,
	options: SendOptions = {},
): Promise<unknown> {
	const { signal, waits = true, retries = true, deadline = Infinity } = options;
	const { outsideQuota } = request;
	const wait = { ...options, outsideQuota, deadline: waits ? deadline : 0 };
	let rejection: Outcome | undefined;
	const send = async () => {
		const outcome = await sendOnce(host, connection, request, options);
		if (outcome.error) options.traffic?.failed?.(outcome.error);
		rejection = outcome.rejectedFor ? outcome : undefined;
		return outcome;
	};
	for (let attempt = 1; ; attempt++) {
		const outcome = await connection.limiter.schedule(send, wait).catch((error: unknown) => {
			if (!(error instanceof RateLimitError)) throw error;
			// A credential test has no options.
			throw limitError(connection, request, error, rejection, retries && !waits);
		});
		// The limiter has dealt with rejections.
		const { body, error } = outcome;
		if (!error) return body;
		if (!retries || attempt === MAX_ATTEMPTS || !mayRetry(request.method, error)) throw error;
		const pause = backOff(attempt + 1, error);
		if (systemClock.now() + pause > deadline) throw error;
		await systemClock.sleep(pause, signal);
	}
}

async function sendOnce(
	host: Host,
	connection: Connection,
	request: ApiRequest,
	options: SendOptions,
): Promise<Outcome> {
	const { credential: type } = connection.service;
	const upload = await request.upload?.();
	try {
		const sent = host.helpers.httpRequestWithAuthentication.call(
			host as unknown as IAllExecuteFunctions,
			type,
			httpOptions(connection, request, upload, options),
			// So that n8n doesn't read and decrypt it again for each request.
			{ credentialsDecrypted: { id: '', name: type, type, data: connection.credentials } },
		) as Promise<IN8nHttpFullResponse>;
		const response = await sent.catch((error: unknown): Outcome => {
			if (host.getExecutionCancelSignal?.()?.aborted) throw new CanceledError();
			return { error: networkError(connection, request, error) };
		});
		if (!('statusCode' in response)) return response;
		const report = readRateHeaders(response.headers, connection.limiter.rate, systemClock.now());
		return { ...readResponse(connection, request, response, report), report };
	} finally {
		upload?.release?.();
	}
}

function httpOptions(
	{ allowedDomains }: Connection,
	request: ApiRequest,
	upload: Upload | undefined,
	{ engineOptions }: SendOptions,
): IHttpRequestOptions {
	const { method, query, body } = request;
	const options: IHttpRequestOptions = {
		...engineOptions,
		allowedDomains,
		method,
		url: sentPath(request),
		qs: query as IHttpRequestOptions['qs'],
		headers: { Accept: 'application/json' },
		// Don't let n8n parse the body, because error messages describe bodies that aren't JSON.
		encoding: 'text',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// Following a redirect would drop a POST's body, or send the key to another address.
		disableFollowRedirect: true,
	};
	if (upload) {
		const { content, contentType, size } = upload;
		Object.assign(options.headers!, { 'Content-Type': contentType, 'Content-Length': size });
		options.body = content;
		if (options.timeout === ENGINE_TIMEOUT_MS) {
			options.timeout += Math.ceil(size / SLOWEST_BYTES_PER_MS);
		}
	} else if (body) {
		Object.assign(options.headers!, { 'Content-Type': 'application/json' });
		options.body = JSON.stringify(body);
	}
	return options;
}
