import type { IHttpRequestMethods } from 'n8n-workflow';

/** Attempts per request, not counting those that the service rejects because of the rate limit. */
export const MAX_ATTEMPTS = 4;

const FIRST_PAUSE_MS = 500;
/** If `Retry-After` is longer than this, the request isn't retried. */
const LONGEST_PAUSE_MS = 60_000;

/** What a gateway returns when the service behind it doesn't respond. */
const GATEWAY_STATUSES = [502, 503, 504];
/** Network errors after which the service can't have carried out the request. */
const NEVER_SENT = ['ECONNREFUSED', 'EAI_AGAIN'];
const BROKEN = [
	'ECONNRESET',
	'ECONNABORTED',
	'EPIPE',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'ERR_BAD_RESPONSE',
];

/** How an attempt failed: with an HTTP status, or with the code of a network error. */
export type FailedAttempt =
	| {
			status: number;
			/** The `Retry-After` header, in ms. */
			retryAfterMs?: number;
	  }
	| { code: string };

/**
 * Whether a retry is safe and may help. GET and PUT are idempotent. POST and DELETE are only
 * retried if the service can't have carried out the first attempt.
 */
export function mayRetry(method: IHttpRequestMethods, failed: FailedAttempt): boolean {
	const isIdempotent = method === 'GET' || method === 'PUT';
	if ('code' in failed) {
		return NEVER_SENT.includes(failed.code) || (isIdempotent && BROKEN.includes(failed.code));
	}
	const { status, retryAfterMs = 0 } = failed;
	return isIdempotent && GATEWAY_STATUSES.includes(status) && retryAfterMs <= LONGEST_PAUSE_MS;
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

/**
 * The code of a network error. n8n wraps errors, so it can be a few causes deep. A timeout, which has
 * already taken minutes, isn't retried.
 */
export function networkCode(error: unknown, deepest = 5): string | undefined {
	if (!(error instanceof Error) || deepest === 0) return undefined;
	const { code, message } = error as Error & { code?: unknown };
	const isOwn = typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code);
	if (!isOwn) return networkCode(error.cause, deepest - 1);
	return code === 'ECONNABORTED' && /timeout/i.test(message) ? 'ETIMEDOUT' : code;
}
