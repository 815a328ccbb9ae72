import type { IHttpRequestMethods } from 'n8n-workflow';

import type { ServiceError } from './errors';

/** Attempts per request, not counting those that the service rejects because of the rate limit. */
export const MAX_ATTEMPTS = 4;

const FIRST_PAUSE_MS = 500;
/** If `Retry-After` is longer than this, the request isn't retried. */
const LONGEST_PAUSE_MS = 60_000;

/**
 * Whether a retry is safe and may help. GET and PUT are idempotent. Other methods are only retried if
 * the service can't have carried out the attempt.
 */
export function mayRetry(
	method: IHttpRequestMethods,
	{ facts: { carriedOut, passesSoon }, retryAfterMs = 0 }: ServiceError,
): boolean {
	const isSafe = method === 'GET' || method === 'PUT' || carriedOut === 'no';
	return isSafe && passesSoon === true && retryAfterMs <= LONGEST_PAUSE_MS;
}

/**
 * Pause in ms before attempt `next`, where 2 is the first retry. It doubles with each retry, varies
 * by up to 50% so that workflows that failed together don't retry together, and is never shorter
 * than `Retry-After`.
 */
export function backOff(next: number, { retryAfterMs = 0 }: ServiceError): number {
	return Math.max(FIRST_PAUSE_MS * 2 ** (next - 2) * (0.5 + Math.random()), retryAfterMs);
}
