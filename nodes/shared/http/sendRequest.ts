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
import { RateLimitError } from './rateLimit/limiter';
import type { Outcome, Slot } from './rateLimit/limiter';
import { readResponse } from './response';
import type { Result } from './response';
import { backOff, MAX_ATTEMPTS, mayRetry } from './retry';
import { fillPath } from './url';

/**
 * n8n's timeout if the user sets none. It includes sending the body, so a large file gets more: the
 * time that it takes on a slow connection.
 */
export const ENGINE_TIMEOUT_MS = 300_000;
/** 256 kbit/s. */
const SLOWEST_BYTES_PER_MS = 32;

/** After a longer wait, n8n reads the credential again. */
const CREDENTIAL_FRESH_MS = 60_000;

export interface ApiRequest {
	method: IHttpRequestMethods;
	/** Path from `/api` on, with `:placeholders`. */
	path: string;
	/** The user entered the path, so an error about the address is about the path first. */
	isTypedPath?: boolean;
	/** What fills the placeholders; each becomes one encoded segment. */
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
	/** Called when the attempt is over: the response can arrive before the content was read. */
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
	/** The request does not count against the daily quota, so an exhausted quota does not block it. */
	outsideQuota?: boolean;
	/**
	 * Called before every attempt is sent, retries included. If it throws, the attempt is not sent
	 * and the error is the result.
	 */
	beforeAttempt?: () => void;
	/** Called when the request is over with its total wait for the rate limit in ms, if it waited. */
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
	const { signal, maxWaitMs = Infinity, onRateLimitWait } = options;
	const deadline = systemClock.now() + maxWaitMs;
	const fail = (limit: RateLimitError, said?: string) =>
		rateLimitFailure(connection, limit, { said, couldWait: maxWaitMs === 0 });
	let attempts = 0;
	let waitedMs = 0;
	let refused: { slot: Slot; said?: string } | undefined;
	try {
		for (;;) {
			const slot = await acquireSlot(connection, options, deadline, refused?.slot).catch(
				(error: unknown) => {
					throw error instanceof RateLimitError ? fail(error, refused?.said) : error;
				},
			);
			waitedMs += slot.waitedMs;
			const result = await sendOnce(host, connection, request, slot, options);
			if ('body' in result) return result.body;
			if ('refusal' in result) {
				refused = { slot, said: result.explanation };
				const limit = connection.limiter.giveUp(slot);
				if (limit) throw fail(limit, refused.said);
				continue;
			}
			refused = undefined;
			const { error, failed } = result;
			if (!failed || ++attempts >= MAX_ATTEMPTS || !mayRetry(request.method, failed)) throw error;
			const pause = backOff(attempts + 1, failed);
			// 0 only applies to the rate limit.
			if (maxWaitMs > 0 && systemClock.now() + pause > deadline) throw error;
			await systemClock.sleep(pause, signal);
		}
	} finally {
		if (waitedMs > 0) onRateLimitWait?.(waitedMs);
	}
}

/**
 * Waits for the rate limiter until the deadline, or fails immediately if the limit lasts longer.
 *
 * @throws RateLimitError when the deadline ends the wait
 */
async function acquireSlot(
	{ limiter }: Connection,
	{ signal, maxWaitMs = Infinity, ...wait }: SendOptions,
	deadline: number,
	refused: Slot | undefined,
): Promise<Slot> {
	if (maxWaitMs === Infinity) return await limiter.acquire({ ...wait, signal }, refused);
	const expired = new AbortController();
	const admitted = new AbortController();
	let reached = new RateLimitError(deadline, false, true);
	const stopWatching = limiter.watch((limit) => {
		reached = limit;
		if (limit.opensAt > deadline) expired.abort();
	});
	// With a maximum of 0, a pending response is still awaited.
	if (maxWaitMs > 0) {
		const left = Math.max(0, deadline - systemClock.now());
		void systemClock.sleep(left, admitted.signal).then(() => expired.abort());
	}
	try {
		const either = signal ? AbortSignal.any([signal, expired.signal]) : expired.signal;
		return await limiter.acquire({ ...wait, signal: either }, refused);
	} catch (error) {
		throw expired.signal.aborted && !signal?.aborted ? reached : error;
	} finally {
		stopWatching();
		admitted.abort();
	}
}

/** One attempt. The rate limiter always gets its slot back. */
async function sendOnce(
	host: Host,
	connection: Connection,
	request: ApiRequest,
	slot: Slot,
	options: SendOptions,
): Promise<Result> {
	const outcome: Outcome = {};
	let upload: Upload | undefined;
	try {
		options.beforeAttempt?.();
		upload = await request.upload?.();
		const response = await callService(
			host,
			connection,
			request,
			httpOptions(connection, request, upload, options),
		);
		if ('error' in response) {
			return options.signal?.aborted ? { error: new CancelledError() } : response;
		}
		outcome.report = readRateHeaders(response.headers, connection.rate, systemClock.now());
		const result = readResponse(connection, request, response, outcome.report);
		if ('refusal' in result) outcome.refusal = result.refusal;
		return result;
	} finally {
		connection.limiter.release(slot, outcome);
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
			'Content-Type': upload.contentType,
			'Content-Length': upload.size,
		};
	} else if (body) {
		options.body = JSON.stringify(body);
		options.headers = { ...options.headers, 'Content-Type': 'application/json' };
	}
	return options;
}
