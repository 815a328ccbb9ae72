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
import { fillPath } from './path';
import { readRateHeaders } from './rateLimit/headers';
import { RateLimitError } from './rateLimit/rateLimiter';
import type { Outcome, Slot } from './rateLimit/rateLimiter';
import { networkFailure, rateLimitFailure, readResponse } from './response';
import type { Failed, Result } from './response';
import { backOff, MAX_ATTEMPTS, mayRetry } from './retry';

/**
 * What n8n sets where the user sets no timeout. It covers the sending of the body, too, so a large
 * file needs more: as much as a slow line takes.
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
	/** Called when the attempt is over: a response may come before the content was read. */
	release?(): void;
}

export interface SendOptions {
	/** Ends waiting at once when it fires. */
	signal?: AbortSignal;
	/**
	 * Longest wait in ms for everything together: the rate limit, back-off and `Retry-After`. 0 fails
	 * instead of waiting for the rate limit. Default: no limit.
	 */
	patienceMs?: number;
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
 * waits for the rate limiter, retries what is safe to repeat, and checks the response.
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
	const { signal, patienceMs = Infinity, onRateLimitWait } = options;
	const deadline = systemClock.now() + patienceMs;
	let refusals = 0;
	let attempts = 0;
	let waitedMs = 0;
	let explanation: string | undefined;
	try {
		for (;;) {
			const leftMs = Math.max(0, deadline - systemClock.now());
			const slot = await acquireSlot(connection, options, { leftMs, refusals, explanation });
			waitedMs += slot.waitedMs;
			const result = await sendOnce(host, connection, request, slot, options);
			if ('body' in result) return result.body;
			if ('refused' in result) {
				({ explanation } = result);
				const limit = connection.limiter.giveUp(++refusals);
				if (limit) throw rateLimitFailure(connection, limit, explanation);
				continue;
			}
			const { error, failed } = result;
			if (!failed || ++attempts >= MAX_ATTEMPTS || !mayRetry(request.method, failed)) throw error;
			const pause = backOff(attempts + 1, failed);
			// 0 is only about the rate limit.
			if (patienceMs > 0 && systemClock.now() + pause > deadline) throw error;
			await systemClock.sleep(pause, signal);
		}
	} finally {
		if (waitedMs > 0) onRateLimitWait?.(waitedMs);
	}
}

interface Progress {
	leftMs: number;
	refusals: number;
	explanation: string | undefined;
}

async function acquireSlot(
	connection: Connection,
	{ run, signal, outsideQuota }: SendOptions,
	{ leftMs: patienceMs, refusals, explanation }: Progress,
): Promise<Slot> {
	const wait = { run, signal, outsideQuota, patienceMs, refusals };
	try {
		return await connection.limiter.acquire(wait);
	} catch (error) {
		throw asFailure(connection, error, explanation);
	}
}

function asFailure(connection: Connection, error: unknown, explanation?: string): unknown {
	return error instanceof RateLimitError ? rateLimitFailure(connection, error, explanation) : error;
}

/** One attempt. The rate limiter always gets its slot back. */
async function sendOnce(
	host: Host,
	connection: Connection,
	request: ApiRequest,
	slot: Slot,
	options: SendOptions,
): Promise<Result> {
	let outcome: Outcome = {};
	let upload: Upload | undefined;
	try {
		options.beforeAttempt?.();
		upload = await request.upload?.();
		const response = await callService(
			host,
			connection,
			httpOptions(connection, request, upload, options),
		);
		if ('error' in response) {
			return options.signal?.aborted ? { error: new CancelledError() } : response;
		}
		outcome = { report: readRateHeaders(response.headers, systemClock.now()) };
		const result = readResponse(connection, response, outcome.report);
		if ('refused' in result) outcome.refused = result.refused;
		return result;
	} finally {
		connection.limiter.release(slot, outcome);
		upload?.release?.();
	}
}

async function callService(
	host: Host,
	connection: Connection,
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
		return networkFailure(connection, error);
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
