import type { IHttpRequestMethods } from 'n8n-workflow';

/** Attempts at one request, not counting refusals by the rate limit. */
export const MAX_ATTEMPTS = 4;

const FIRST_PAUSE_MS = 500;

/** Statuses of a gateway whose service did not respond. */
const GATEWAY_STATUSES = new Set([502, 503, 504]);

/** Broken or failed connections that may work a moment later. */
const BROKEN_CONNECTION = new Set([
	'ECONNRESET',
	'ECONNREFUSED',
	'ECONNABORTED',
	'EPIPE',
	'EAI_AGAIN',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'ERR_BAD_RESPONSE',
]);

/** The connection was never made, so the request cannot have been carried out. */
export const NEVER_SENT: ReadonlySet<string> = new Set(['ECONNREFUSED', 'EAI_AGAIN']);

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
 * changes nothing; POST and DELETE only when the first attempt was certainly not carried out. A
 * request that timed out has already taken minutes, so it is not repeated.
 */
export function mayRetry(method: IHttpRequestMethods, failed: FailedAttempt): boolean {
	const repeatable = method === 'GET' || method === 'PUT';
	if ('status' in failed) {
		const { status, retryAfterMs = 0 } = failed;
		return repeatable && GATEWAY_STATUSES.has(status) && retryAfterMs <= LONGEST_PAUSE_MS;
	}
	if (failed.timedOut) return false;
	return NEVER_SENT.has(failed.code) || (repeatable && BROKEN_CONNECTION.has(failed.code));
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
