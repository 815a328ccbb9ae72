import type {
	IAllExecuteFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import { systemClock } from './clock';
import type { Connection, Host } from './connection';
import type { Json } from './envelope';
import { CancelledError } from './errors';
import { networkFailure, rateLimitFailure } from './failures';
import type { Failed } from './failures';
import { readRateHeaders } from './rateLimit/headers';
import type { RateReport } from './rateLimit/headers';
import { RateLimitError } from './rateLimit/limiter';
import type { Attempt, Wait } from './rateLimit/limiter';
import { readResponse } from './response';
import type { Result, Success } from './response';
import { backOff, MAX_ATTEMPTS, mayRetry } from './retry';
import { fillPath } from './url';

/**
 * n8n's timeout if the user sets none. It covers sending the body, so a large file gets more: as much
 * as it needs on a slow connection.
 */
export const ENGINE_TIMEOUT_MS = 300_000;
/** 256 kbit/s. */
const SLOWEST_BYTES_PER_MS = 32;

/** n8n parses a body of exactly this type. Media types aren't case-sensitive. */
const FORM = 'application/x-www-form-urlencoded';
const UNREAD_FORM = 'application/X-WWW-Form-Urlencoded';

/** After a longer wait, n8n reads the credential again. */
const CREDENTIAL_FRESH_MS = 60_000;

export interface ApiRequest {
	method: IHttpRequestMethods;
	/** Path from `/api` on, with `:placeholders`. */
	path: string;
	/** The user entered the path, so errors about the address blame the path first. */
	isTypedPath?: boolean;
	/** Values for the placeholders. Each becomes one encoded segment. */
	values?: Record<string, string>;
	query?: Json;
	/** Sent as JSON. */
	body?: Json;
	/** Sent as is. Called for every attempt, since a stream can be read only once. */
	upload?: () => Promise<Upload>;
}

export interface Upload {
	content: NonNullable<IHttpRequestOptions['body']>;
	contentType: string;
	/** Bytes. */
	size: number;
	/** Called when the attempt is over. The response can arrive before all content has been read. */
	release?(): void;
}

export interface SendOptions {
	/** Ends all waiting when it fires. */
	signal?: AbortSignal;
	/**
	 * Longest wait in ms for everything together: the rate limit, back-off and `Retry-After`. 0 fails
	 * instead of waiting for the rate limit. Default: no limit.
	 */
	maxWaitMs?: number;
	/** Requests of one node run share one object; the rate limiter serves runs in turn. */
	run?: object;
	/** A run's requests with a lower number go first. */
	order?: number;
	/** The request does not count against the daily quota, so an exhausted quota does not block it. */
	outsideQuota?: boolean;
	/**
	 * Called before every attempt is sent, retries included. If it throws, the attempt is not sent
	 * and the error is the result.
	 */
	beforeAttempt?: () => void;
	/** Called when the rate limit delays the request, with the end of the wait in ms since the epoch. */
	onRateLimit?: (until: number) => void;
	/** Called after each wait for the rate limit, with its ms. */
	onRateLimitWait?: (ms: number) => void;
	/** What n8n sets on every request of the node: proxy, timeout, certificates. */
	engineOptions?: Partial<IHttpRequestOptions>;
}

/**
 * Sends one request and returns the parsed body. Every request of the package goes through here: it
 * waits for the rate limiter, retries idempotent requests, and checks the response.
 *
 * @throws ServiceError for every failure of the service or the network
 * @throws CancelledError when the signal fires while the request waits
 */
export async function sendRequest(
	host: Host,
	connection: Connection,
	request: ApiRequest,
	options: SendOptions = {},
): Promise<unknown> {
	const { signal, maxWaitMs = Infinity, run, order, outsideQuota } = options;
	const deadline = systemClock.now() + maxWaitMs;
	const { onRateLimit: onLimit, onRateLimitWait: onWait } = options;
	const wait = { run, order, signal, deadline, outsideQuota, onLimit, onWait };
	for (let attempt = 1; ; attempt++) {
		const result = await sendInTurn(host, connection, request, options, wait);
		if ('body' in result) return result.body;
		const { error, failed } = result;
		if (!failed || attempt === MAX_ATTEMPTS || !mayRetry(request.method, failed)) throw error;
		const pause = backOff(attempt + 1, failed);
		// 0 only applies to the rate limit.
		if (maxWaitMs > 0 && systemClock.now() + pause > deadline) throw error;
		await systemClock.sleep(pause, signal);
	}
}

/** One attempt, not counting those that the service rejects because of the limit. */
async function sendInTurn(
	host: Host,
	connection: Connection,
	request: ApiRequest,
	options: SendOptions,
	wait: Wait,
): Promise<Success | Failed> {
	let said: string | undefined;
	const attempt = async (): Promise<Attempt<Success | Failed>> => {
		const { result, report } = await sendOnce(host, connection, request, options);
		if (!('refusal' in result)) return { value: result, report };
		said = result.explanation;
		return { refusal: result.refusal, report };
	};
	return await connection.limiter.schedule(attempt, wait).catch((error: unknown) => {
		throw error instanceof RateLimitError
			? rateLimitFailure(connection, error, { said, couldWait: options.maxWaitMs === 0 })
			: error;
	});
}

/** Sends the request once, without waiting. */
async function sendOnce(
	host: Host,
	connection: Connection,
	request: ApiRequest,
	options: SendOptions,
): Promise<{ result: Result; report?: RateReport }> {
	options.beforeAttempt?.();
	const upload = await request.upload?.();
	try {
		const http = httpOptions(connection, request, upload, options);
		const response = await callService(host, connection, request, http);
		if ('error' in response) {
			return { result: options.signal?.aborted ? { error: new CancelledError() } : response };
		}
		const report = readRateHeaders(response.headers, connection.rate, systemClock.now());
		return { result: readResponse(connection, request, response, report), report };
	} finally {
		upload?.release?.();
	}
}

async function callService(
	host: Host,
	connection: Connection,
	request: ApiRequest,
	options: IHttpRequestOptions,
): Promise<IN8nHttpFullResponse | Failed> {
	try {
		return (await host.helpers.httpRequestWithAuthentication.call(
			host as IAllExecuteFunctions,
			connection.service.credential,
			options,
			knownCredential(connection),
		)) as IN8nHttpFullResponse;
	} catch (error) {
		return networkFailure(connection, request, error);
	}
}

/**
 * The credential that was read for the connection, so that n8n does not read and decrypt it again
 * for every request. After a long wait it may have been changed.
 */
function knownCredential({ service, credentials, readAt }: Connection) {
	if (systemClock.now() - readAt > CREDENTIAL_FRESH_MS) return undefined;
	const { credential: type } = service;
	return { credentialsDecrypted: { id: '', name: type, type, data: credentials } };
}

function httpOptions(
	{ allowedDomains }: Connection,
	{ method, path, values, query, body }: ApiRequest,
	upload: Upload | undefined,
	{ engineOptions }: SendOptions,
): IHttpRequestOptions {
	const options: IHttpRequestOptions = {
		...engineOptions,
		allowedDomains,
		method,
		url: fillPath(path, values),
		qs: query as IHttpRequestOptions['qs'],
		headers: { Accept: 'application/json' },
		// As text, because errors describe a body that is not JSON.
		encoding: 'text',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// A redirect would drop a POST's body, or carry the key to another address.
		disableFollowRedirect: true,
	};
	if (upload) {
		if (options.timeout === ENGINE_TIMEOUT_MS) {
			options.timeout += Math.ceil(upload.size / SLOWEST_BYTES_PER_MS);
		}
		options.body = upload.content;
		options.headers = {
			...options.headers,
			'Content-Type': upload.contentType === FORM ? UNREAD_FORM : upload.contentType,
			'Content-Length': upload.size,
		};
	} else if (body) {
		options.body = JSON.stringify(body);
		options.headers = { ...options.headers, 'Content-Type': 'application/json' };
	}
	return options;
}
