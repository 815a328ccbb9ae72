import type { IHttpRequestMethods } from 'n8n-workflow';

/** Attempts at one request, not counting refusals by the rate limit. */
export const MAX_ATTEMPTS = 4;

const FIRST_PAUSE_MS = 500;

/** Statuses of a gateway whose service did not respond. */
const GATEWAY_STATUSES = new Set([502, 503, 504]);

/** What the code of a network error says about the request. */
interface NetworkError {
	/** It never left this machine, so it cannot have been carried out. */
	neverSent?: boolean;
	/** It may work a moment later. */
	passes?: boolean;
}

const NETWORK_ERRORS = new Map<string, NetworkError>([
	['ECONNREFUSED', { neverSent: true, passes: true }],
	['EAI_AGAIN', { neverSent: true, passes: true }],
	['ENOTFOUND', { neverSent: true }],
	['ECONNRESET', { passes: true }],
	['ECONNABORTED', { passes: true }],
	['EPIPE', { passes: true }],
	['EHOSTUNREACH', { passes: true }],
	['ENETUNREACH', { passes: true }],
	['ERR_BAD_RESPONSE', { passes: true }],
]);

/** The certificate was not accepted, or the server doesn't speak TLS. */
export function isTlsError(code: string): boolean {
	return /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY|EPROTO/.test(code);
}

/** The service has responded, but its response cannot be decoded. */
export function isBrokenResponse(code: string): boolean {
	return /^(Z|HPE)_/.test(code);
}

/** No request could be made of what was to be sent. */
export function isUnsendable(code: string): boolean {
	return /^ERR_(INVALID|UNESCAPED)_/.test(code);
}

/** Whether an error shows that the request never left, so it cannot have been carried out. */
export function wasNeverSent(code: string): boolean {
	const { neverSent = false } = NETWORK_ERRORS.get(code) ?? {};
	return neverSent || isTlsError(code) || isUnsendable(code);
}

/** If the service asks for a longer pause, the request is not repeated. */
const LONGEST_PAUSE_MS = 60_000;

/** How an attempt failed: a status, or the code of a network error. */
export type FailedAttempt =
	| {
			status: number;
			/** The pause that the service asked for (`Retry-After`), in ms. */
			retryAfterMs?: number;
	  }
	| { code: string; timedOut: boolean };

/**
 * Whether another attempt is safe and may help. GET and PUT can be repeated, since a second time
 * changes nothing; POST and DELETE only when the first attempt can't have been carried out. A
 * request that timed out has already taken minutes, so it is not repeated.
 */
export function mayRetry(method: IHttpRequestMethods, failed: FailedAttempt): boolean {
	const repeatable = method === 'GET' || method === 'PUT';
	if ('status' in failed) {
		const { status, retryAfterMs = 0 } = failed;
		return repeatable && GATEWAY_STATUSES.has(status) && retryAfterMs <= LONGEST_PAUSE_MS;
	}
	const passes = NETWORK_ERRORS.get(failed.code)?.passes === true && !failed.timedOut;
	return passes && (repeatable || wasNeverSent(failed.code));
}

/**
 * Pause in ms before attempt `next` (2 is the first retry). It doubles each time, varies by half so
 * that workflows that failed together do not retry together, and is at least as long as the service
 * asked for.
 */
export function backOff(
	next: number,
	failed: FailedAttempt,
	random: () => number = Math.random,
): number {
	const pause = FIRST_PAUSE_MS * 2 ** (next - 2) * (0.5 + random());
	return 'status' in failed ? Math.max(pause, failed.retryAfterMs ?? 0) : pause;
}
