import type { IHttpRequestMethods } from 'n8n-workflow';

/** Attempts per request, not counting those that the service rejects because of the rate limit. */
export const MAX_ATTEMPTS = 4;

const FIRST_PAUSE_MS = 500;

/** What a gateway returns when the service behind it doesn't respond. */
const GATEWAY_STATUSES = new Set([502, 503, 504]);

/** What the code of a network error tells us about the request. */
interface NetworkError {
	/** The request never left this machine, so the service can't have carried it out. */
	neverSent?: boolean;
	/** A retry may succeed. */
	isTransient?: boolean;
}

const NETWORK_ERRORS = new Map<string, NetworkError>([
	['ECONNREFUSED', { neverSent: true, isTransient: true }],
	['EAI_AGAIN', { neverSent: true, isTransient: true }],
	['ENOTFOUND', { neverSent: true }],
	['ECONNRESET', { isTransient: true }],
	['ECONNABORTED', { isTransient: true }],
	['EPIPE', { isTransient: true }],
	['EHOSTUNREACH', { isTransient: true }],
	['ENETUNREACH', { isTransient: true }],
	['ERR_BAD_RESPONSE', { isTransient: true }],
]);

/** The server's certificate was rejected, or the server doesn't speak TLS. */
export function isTlsError(code: string): boolean {
	return /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY|EPROTO/.test(code);
}

/** The service responded, but Node's HTTP parser (HPE) or zlib (Z) can't decode the response. */
export function isBrokenResponse(code: string): boolean {
	return /^(Z|HPE)_/.test(code);
}

/** The URL or a header contains something that HTTP can't send. */
export function isUnsendable(code: string): boolean {
	return /^ERR_(INVALID|UNESCAPED)_/.test(code);
}

/** Whether a network error means that the request never left this machine. */
export function wasNeverSent(code: string): boolean {
	const { neverSent = false } = NETWORK_ERRORS.get(code) ?? {};
	return neverSent || isTlsError(code) || isUnsendable(code);
}

/** If `Retry-After` is longer than this, the request isn't retried. */
const LONGEST_PAUSE_MS = 60_000;

/** How an attempt failed: with an HTTP status, or with the code of a network error. */
export type FailedAttempt =
	| {
			status: number;
			/** The `Retry-After` header, in ms. */
			retryAfterMs?: number;
	  }
	| { code: string; timedOut: boolean };

/**
 * Whether a retry is safe and may help. GET and PUT are idempotent. POST and DELETE are only
 * retried if the service can't have carried out the first attempt. A request that timed out has
 * already taken minutes, so it isn't retried.
 */
export function mayRetry(method: IHttpRequestMethods, failed: FailedAttempt): boolean {
	const repeatable = method === 'GET' || method === 'PUT';
	if ('status' in failed) {
		const { status, retryAfterMs = 0 } = failed;
		return repeatable && GATEWAY_STATUSES.has(status) && retryAfterMs <= LONGEST_PAUSE_MS;
	}
	const isTransient = NETWORK_ERRORS.get(failed.code)?.isTransient === true && !failed.timedOut;
	return isTransient && (repeatable || wasNeverSent(failed.code));
}

/**
 * Pause in ms before attempt `next`, where 2 is the first retry. It doubles with each retry, varies
 * by up to 50% so that workflows that failed together don't retry together, and is never shorter
 * than `Retry-After`.
 */
export function backOff(
	next: number,
	failed: FailedAttempt,
	random: () => number = Math.random,
): number {
	const pause = FIRST_PAUSE_MS * 2 ** (next - 2) * (0.5 + random());
	return 'status' in failed ? Math.max(pause, failed.retryAfterMs ?? 0) : pause;
}
