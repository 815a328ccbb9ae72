import type {
	IAllExecuteFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import { onAbort, systemClock } from './clock';
import type { Connection, Host } from './connection';
import type { Json } from './envelope';
import { CancelledError } from './errors';
import { networkFailure, rateLimitFailure, tooSlow } from './failures';
import type { Failed } from './failures';
import { readRateHeaders } from './rateLimit/headers';
import type { RateReport } from './rateLimit/headers';
import { RateLimitError } from './rateLimit/limiter';
import type { Attempt, Wait } from './rateLimit/limiter';
import { readResponse } from './response';
import type { Result, Success } from './response';
import { backOff, MAX_ATTEMPTS, mayRetry } from './retry';
import { fillPath } from './url';

/** n8n's default timeout. It includes sending the body, so uploads get more time. */
export const ENGINE_TIMEOUT_MS = 300_000;
/** The slowest connection on which an upload succeeds: 256 kbit/s. */
const SLOWEST_BYTES_PER_MS = 32;
/** Node.js timers that are longer than this fire immediately. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * n8n tries to parse a body of exactly this type. Types are case-insensitive, so another case
 * avoids that.
 */
const FORM = 'application/x-www-form-urlencoded';
const UNREAD_FORM = 'application/X-WWW-Form-Urlencoded';

/** After waiting longer than this, let n8n read the credential again, in case it has changed. */
const CREDENTIAL_FRESH_MS = 60_000;

export interface ApiRequest {
	method: IHttpRequestMethods;
	/** Path, starting with `/api`. It can contain `:placeholders`. */
	path: string;
	/** The user typed the path, so errors about the address suggest checking the path first. */
	isTypedPath?: boolean;
	/** Values for the placeholders. Each becomes a single encoded segment. */
	values?: Record<string, string>;
	query?: Json;
	/** Sent as JSON. */
	body?: Json;
	/** Sent as it is. Called for each attempt, because a stream can only be read once. */
	upload?: () => Promise<Upload>;
}

export interface Upload {
	content: NonNullable<IHttpRequestOptions['body']>;
	contentType: string;
	/** In bytes. */
	size: number;
	/** Called when the attempt is over. The response can arrive before all content has been read. */
	release?(): void;
}

export interface SendOptions {
	/** Cancels the request when it fires. */
	signal?: AbortSignal;
	/**
	 * In ms since the epoch. A request that would have to wait beyond it, for the rate limit or before
	 * a retry, fails at once. If it's in the past, the request never waits for the rate limit, but is
	 * still retried; 0 means that the user chose that. Default: none
	 */
	deadline?: number;
	/** Identifies the run of the node. The rate limiter takes turns between runs. */
	run?: object;
	/** Within a run, requests with a lower number go first. */
	order?: number;
	/** The request doesn't count against the daily quota, so it's sent even if the quota is used up. */
	outsideQuota?: boolean;
	/** Called before each attempt. If it throws, nothing is sent and the request fails with that error. */
	onAttempt?: () => void;
	/** Called when the rate limit delays the request, with the end of the delay in ms since the epoch. */
	onWait?: (until: number) => void;
	/** Called after each delay by the rate limit, with its length in ms. */
	onWaited?: (ms: number) => void;
	/** The user's proxy, timeout and certificate settings. */
	engineOptions?: Partial<IHttpRequestOptions>;
}

/**
 * Sends a request and returns the parsed body. Every request of this package goes through here. It
 * waits for the rate limiter, retries idempotent requests, and checks the response.
 *
 * @throws ServiceError for any failure of the service or the network
 * @throws CancelledError when the signal fires
 */
export async function sendRequest(
	host: Host,
	connection: Connection,
	request: ApiRequest,
	options: SendOptions = {},
): Promise<unknown> {
	const { signal, deadline = Infinity, run, order, outsideQuota } = options;
	const neverWaits = deadline <= systemClock.now();
	const { onWait: onLimit, onWaited: onWait } = options;
	const wait = { run, order, signal, deadline, outsideQuota, onLimit, onWait };
	for (let attempt = 1; ; attempt++) {
		const result = await sendInTurn(host, connection, request, options, wait);
		if ('body' in result) return result.body;
		const { error, failed } = result;
		if (!failed || attempt === MAX_ATTEMPTS || !mayRetry(request.method, failed)) throw error;
		const pause = backOff(attempt + 1, failed);
		if (!neverWaits && systemClock.now() + pause > deadline) throw error;
		await systemClock.sleep(pause, signal);
	}
}

/** Makes an attempt, and repeats it as long as the service rejects it because of the rate limit. */
async function sendInTurn(
	host: Host,
	connection: Connection,
	request: ApiRequest,
	options: SendOptions,
	wait: Wait,
): Promise<Success | Failed> {
	let reason: string | undefined;
	const attempt = async (): Promise<Attempt<Success | Failed>> => {
		const { result, report } = await sendOnce(host, connection, request, options);
		if (!('refusal' in result)) return { value: result, report };
		reason = result.reason;
		return { refusal: result.refusal, report };
	};
	return await connection.limiter.schedule(attempt, wait).catch((error: unknown) => {
		throw error instanceof RateLimitError
			? rateLimitFailure(connection, error, { reason, couldWait: wait.deadline === 0 })
			: error;
	});
}

/** Sends the request once, without waiting for the rate limit. */
async function sendOnce(
	host: Host,
	connection: Connection,
	request: ApiRequest,
	options: SendOptions,
): Promise<{ result: Result; report?: RateReport }> {
	options.onAttempt?.();
	let upload: Upload | undefined;
	try {
		upload = await request.upload?.();
		const http = httpOptions(connection, request, upload, options);
		const longest = longestAttempt(http, upload);
		const response = await callService(host, connection, request, http, longest);
		if ('error' in response) {
			return { result: options.signal?.aborted ? { error: new CancelledError() } : response };
		}
		const report = readRateHeaders(response.headers, connection.rate, systemClock.now());
		return { result: readResponse(connection, request, response, report), report };
	} finally {
		upload?.release?.();
	}
}

/**
 * Calls the service through n8n. n8n's timeout doesn't end a response that keeps arriving bit by bit, so
 * the whole attempt ends after {@link longestAttempt}.
 */
async function callService(
	host: Host,
	connection: Connection,
	request: ApiRequest,
	options: IHttpRequestOptions,
	longestMs: number,
): Promise<IN8nHttpFullResponse | Failed> {
	// Each attempt has a signal of its own. n8n's HTTP client adds a listener per request, and Node warns of
	// a leak if more than ten requests, e.g. of parallel tool calls, listen to the execution's signal.
	const attempt = new AbortController();
	const end = () => attempt.abort();
	const ended = new Promise<never>((_, reject) => {
		onAbort(attempt.signal, () => reject(new CancelledError()));
	});
	const cancel = host.getExecutionCancelSignal?.();
	const tooLate = AbortSignal.timeout(longestMs);
	const stops = [cancel, tooLate].map((signal) => signal && onAbort(signal, end));
	if (cancel?.aborted) end();
	const context = Object.assign(Object.create(host) as IAllExecuteFunctions, {
		getExecutionCancelSignal: () => attempt.signal,
	});
	try {
		const sent = host.helpers.httpRequestWithAuthentication.call(
			context,
			connection.service.credential,
			options,
			knownCredential(connection),
		);
		// The helper of a credential test can't be cancelled.
		return (await Promise.race([sent, ended])) as IN8nHttpFullResponse;
	} catch (error) {
		return tooLate.aborted
			? tooSlow(connection, request, longestMs)
			: networkFailure(connection, request, error);
	} finally {
		for (const stop of stops) stop?.();
	}
}

/** The longest that an attempt may take, in ms. The end of the response gets as long as its beginning. */
function longestAttempt({ timeout = ENGINE_TIMEOUT_MS }: IHttpRequestOptions, upload?: Upload) {
	const sendingMs = Math.ceil((upload?.size ?? 0) / SLOWEST_BYTES_PER_MS);
	return Math.min(2 * timeout + sendingMs, LONGEST_TIMER_MS);
}

/**
 * The credential that was read for the connection, so that n8n doesn't read and decrypt it again
 * for each request. Undefined after a long wait, because it may have changed.
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
		// Don't let n8n parse the body, because error messages describe bodies that aren't JSON.
		encoding: 'text',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// Following a redirect would drop a POST's body, or send the key to another address.
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
