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
import type { RateLimiter, Turn } from './rateLimit/rateLimiter';
import { networkProblem, rateProblem, readAnswer } from './response';
import type { Reading } from './response';
import { backOff, MAX_ATTEMPTS, mayRetry } from './retry';

/** Refusals in a row, each waited out as the service asked, after which waiting makes no sense. */
const MAX_REFUSALS = 8;

/**
 * What n8n sets where the user sets no timeout. It covers the sending of the body, too, so a large
 * file needs more: as much as a slow line takes.
 */
export const ENGINE_TIMEOUT_MS = 300_000;
/** 256 kbit/s. */
const SLOWEST_BYTES_PER_MS = 32;

/** A credential is read anew when a request has waited longer. */
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
	/** Sent as it is. Called for every attempt, since a stream can be read only once. */
	upload?: () => Promise<Upload>;
}

export interface Upload {
	content: NonNullable<IHttpRequestOptions['body']>;
	contentType: string;
	/** Bytes. */
	size: number;
	/** Called when the attempt is over, since an answer may come before all was read. */
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
	/** The request does not count against the daily quota, so a used-up quota does not block it. */
	outsideQuota?: boolean;
	/**
	 * Called before every attempt is sent, retries included. If it throws, the attempt is not sent
	 * and the error is the result.
	 */
	beforeAttempt?: () => void;
	/** Called when the request is over with its total wait for the rate limit in ms, if it waited. */
	onRateLimitWait?: (ms: number) => void;
	/** What n8n wants on every request of the node: proxy, timeout, certificates. */
	engineOptions?: Partial<IHttpRequestOptions>;
}

/**
 * Sends one request and returns the parsed body. The only way out to the network: waits for its
 * turn at the rate limiter, repeats what may be repeated, and checks the answer.
 *
 * @throws ServiceError for whatever the service or the network did wrong
 * @throws CancelledError when the signal fires while the request waits
 */
export async function sendRequest(
	host: Host,
	connection: Connection,
	request: ApiRequest,
	sending: SendOptions = {},
): Promise<unknown> {
	const { limiter } = connection;
	const turn = limiter.turn();
	const deadline = systemClock.now() + (sending.patienceMs ?? Infinity);
	for (let attempt = 1; ;) {
		const patienceMs = Math.max(0, deadline - systemClock.now());
		await takeTurn(connection, turn, { ...sending, patienceMs });
		const result = await attemptOnce(host, connection, request, turn, sending);
		if ('refused' in result) {
			if (limiter.refusals < MAX_REFUSALS) continue;
			throw rateProblem(connection, limiter.giveUp());
		}
		if ('answer' in result) return result.answer.body;
		const { problem, failed } = result;
		if (!failed || attempt >= MAX_ATTEMPTS || !mayRetry(request.method, failed)) throw problem;
		const pause = backOff(++attempt, failed);
		if (sending.patienceMs && systemClock.now() + pause > deadline) throw problem;
		await systemClock.sleep(pause, sending.signal);
	}
}

async function takeTurn(
	connection: Connection,
	turn: Turn,
	{ signal, patienceMs }: SendOptions,
): Promise<void> {
	try {
		await connection.limiter.admit(turn, { signal, patienceMs });
	} catch (error) {
		throw asProblem(connection, error);
	}
}

function asProblem(connection: Connection, error: unknown): unknown {
	return error instanceof RateLimitError ? rateProblem(connection, error) : error;
}

/** One attempt. Whatever happens, the limiter hears how it ended. */
async function attemptOnce(
	host: Host,
	connection: Connection,
	request: ApiRequest,
	turn: Turn,
	sending: SendOptions,
): Promise<Reading> {
	const { limiter, service } = connection;
	let allowed = false;
	try {
		sending.beforeAttempt?.();
		allowed = true;
	} finally {
		if (!allowed) limiter.settle({ turn });
	}
	const upload = await openUpload(request, limiter, turn);
	let response: IN8nHttpFullResponse;
	try {
		response = (await host.helpers.httpRequestWithAuthentication.call(
			host as IAllExecuteFunctions,
			service.credential,
			httpOptions(connection, request, upload, sending),
			ownCredential(connection),
		)) as IN8nHttpFullResponse;
	} catch (error) {
		limiter.settle({ turn });
		if (sending.signal?.aborted) return { problem: new CancelledError() };
		return networkProblem(connection, error);
	} finally {
		upload?.release?.();
	}
	const report = readRateHeaders(response.headers, systemClock.now());
	const reading = readAnswer(connection, response, report);
	limiter.settle({ turn, report, refused: 'refused' in reading ? reading.refused : undefined });
	return reading;
}

/** What is wrong with the user's file is not the fault of the network. */
async function openUpload(
	{ upload }: ApiRequest,
	limiter: RateLimiter,
	turn: Turn,
): Promise<Upload | undefined> {
	const opening = upload?.();
	opening?.catch(() => limiter.settle({ turn }));
	return await opening;
}

/**
 * The credential that was read for the connection, so that n8n need not read and decrypt it once
 * more for every request. One that waited for its turn may have been changed meanwhile.
 */
function ownCredential({ service, credentials, readAt }: Connection) {
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
		// As text: a body that is not JSON must be seen to be explained.
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
