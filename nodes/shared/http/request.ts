import type {
	IAllExecuteFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import { systemClock } from './clock';
import type { Connection, Host } from './connection';
import type { Json } from './envelope';
import { CancelledError, limitError, networkError } from './errors';
import type { ServiceError } from './errors';
import { readRateHeaders } from './headers';
import type { RateReport } from './headers';
import { RateLimitError } from './limiter';
import type { Attempt, Wait } from './limiter';
import { readResponse } from './response';
import type { Failed, Result, Success } from './response';
import { backOff, MAX_ATTEMPTS, mayRetry, networkCode } from './retry';
import { encodeSegment } from './values';

/** n8n's default timeout. It includes sending the body, so uploads get more time. */
export const ENGINE_TIMEOUT_MS = 300_000;
/** The slowest connection on which an upload succeeds: 256 kbit/s. */
const SLOWEST_BYTES_PER_MS = 32;

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

export interface SendOptions extends Wait {
	/** Called before each attempt. If it throws, nothing is sent and the request fails with that error. */
	onAttempt?: () => void;
	/** Called when an attempt has failed, before the limiter lets other requests through. */
	onFailure?: (error: ServiceError) => void;
	/** The user's proxy, timeout and certificate settings. */
	engineOptions?: Partial<IHttpRequestOptions>;
}

/**
 * Sends a request and returns the parsed body. Every request of this package goes through here. It
 * waits for the rate limiter, retries idempotent requests, and checks the response.
 *
 * @throws ServiceError for any failure of the service or the network
 * @throws CancelledError when `signal` fires, or the host's own signal, which ends the connection
 */
export async function sendRequest(
	host: Host,
	connection: Connection,
	request: ApiRequest,
	options: SendOptions = {},
): Promise<unknown> {
	const { signal, deadline = Infinity } = options;
	const neverWaits = deadline <= systemClock.now();
	let reason: string | undefined;
	const send = async (): Promise<Attempt<Success | Failed>> => {
		const { result, report } = await sendOnce(host, connection, request, options);
		if ('error' in result) options.onFailure?.(result.error);
		if (!('rejectedFor' in result)) return { value: result, report };
		({ reason } = result);
		return { rejectedFor: result.rejectedFor, report };
	};
	for (let attempt = 1; ; attempt++) {
		const result = await connection.limiter.schedule(send, options).catch((error: unknown) => {
			if (!(error instanceof RateLimitError)) throw error;
			throw limitError(connection, error, { reason, couldWait: deadline === 0 });
		});
		if ('body' in result) return result.body;
		const { error, failed } = result;
		if (!failed || attempt === MAX_ATTEMPTS || !mayRetry(request.method, failed)) throw error;
		const pause = backOff(attempt + 1, failed);
		if (!neverWaits && systemClock.now() + pause > deadline) throw error;
		await systemClock.sleep(pause, signal);
	}
}

/** Sends the request once, without waiting for the rate limit. */
async function sendOnce(
	host: Host,
	connection: Connection,
	request: ApiRequest,
	options: SendOptions,
): Promise<{ result: Result; report?: RateReport }> {
	const { credential: type } = connection.service;
	options.onAttempt?.();
	const upload = await request.upload?.();
	try {
		const sent = host.helpers.httpRequestWithAuthentication.call(
			host as unknown as IAllExecuteFunctions,
			type,
			httpOptions(connection, request, upload, options),
			// So that n8n doesn't read and decrypt it again for each request.
			{ credentialsDecrypted: { id: '', name: type, type, data: connection.credentials } },
		) as Promise<IN8nHttpFullResponse>;
		const response = await sent.catch((error: unknown): Failed => {
			const signals = [options.signal, host.getExecutionCancelSignal?.()];
			if (signals.some((signal) => signal?.aborted)) throw new CancelledError();
			const code = networkCode(error);
			const failed = code === undefined ? undefined : { code };
			return { error: networkError(connection, request, error, code), failed };
		});
		if ('error' in response) return { result: response };
		const report = readRateHeaders(response.headers, connection.rate, systemClock.now());
		return { result: readResponse(connection, request, response, report), report };
	} finally {
		upload?.release?.();
	}
}

function httpOptions(
	{ allowedDomains }: Connection,
	{ method, path, values = {}, query, body }: ApiRequest,
	upload: Upload | undefined,
	{ engineOptions }: SendOptions,
): IHttpRequestOptions {
	const options: IHttpRequestOptions = {
		...engineOptions,
		allowedDomains,
		method,
		url: path.replace(/:(\w+)/g, (_, name: string) => encodeSegment(values[name] ?? '')),
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
			'Content-Type': upload.contentType,
			'Content-Length': upload.size,
		};
	} else if (body) {
		options.body = JSON.stringify(body);
		options.headers = { ...options.headers, 'Content-Type': 'application/json' };
	}
	return options;
}
