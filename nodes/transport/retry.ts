import type { IHttpRequestMethods } from 'n8n-workflow';

/** Attempts at one request altogether, refusals by the rate limit not counted. */
export const MAX_ATTEMPTS = 4;

const FIRST_PAUSE_MS = 500;

/** Statuses that a gateway answers when the service behind it did not. */
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
const NEVER_SENT = new Set(['ECONNREFUSED', 'EAI_AGAIN']);

/** How an attempt failed: a status, or the code of a network error. */
export type FailedAttempt = { status: number } | { code: string; timedOut: boolean };

/**
 * Whether another attempt is safe and may help. GET and PUT can be repeated, since a second time
 * changes nothing; POST and DELETE only when the first attempt was certainly not carried out. A
 * request that timed out already had minutes, so it is not repeated.
 */
export function mayRetry(method: IHttpRequestMethods, failed: FailedAttempt): boolean {
	const repeatable = method === 'GET' || method === 'PUT';
	if ('status' in failed) return repeatable && GATEWAY_STATUSES.has(failed.status);
	if (failed.timedOut) return false;
	return NEVER_SENT.has(failed.code) || (repeatable && BROKEN_CONNECTION.has(failed.code));
}

/**
 * Pause in ms before attempt `next` (2 is the first repetition): doubles each time, and varies
 * by half so that workflows that failed together do not come back together.
 */
export function backOff(next: number, random: () => number = Math.random): number {
	return FIRST_PAUSE_MS * 2 ** (next - 2) * (0.5 + random());
}
