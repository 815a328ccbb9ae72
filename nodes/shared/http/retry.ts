import type { IHttpRequestMethods } from 'n8n-workflow';

/** Attempts per request, not counting those that the service rejects because of the rate limit. */
export const MAX_ATTEMPTS = 4;

const FIRST_PAUSE_MS = 500;
/** If `Retry-After` is longer than this, the request isn't retried. */
const LONGEST_PAUSE_MS = 60_000;

/** Network errors after which the service can't have carried out the request. */
export const NEVER_SENT = ['ECONNREFUSED', 'EAI_AGAIN'];
const BROKEN = /^(ECONNRESET|ECONNABORTED|EPIPE|EHOSTUNREACH|ENETUNREACH|ERR_BAD_RESPONSE)$/;

/** How an attempt failed. */
export interface FailedAttempt {
	status?: number;
	/** The `Retry-After` header, in ms. */
	retryAfterMs?: number;
	/** The code of a network error. */
	code?: string;
}

/** What a gateway returns if the service behind it doesn't respond. Cloudflare uses 520 to 530. */
export function isFromGateway(status: number): boolean {
	return status === 502 || status === 504 || (status >= 520 && status <= 530);
}

/**
 * Whether a retry is safe and may help. GET and PUT are idempotent. Other methods are only retried if
 * the service can't have carried out the attempt.
 */
export function mayRetry(
	method: IHttpRequestMethods,
	{ status = 0, retryAfterMs = 0, code = '' }: FailedAttempt,
): boolean {
	if (NEVER_SENT.includes(code)) return true;
	const isIdempotent = method === 'GET' || method === 'PUT';
	const isPassing = BROKEN.test(code) || status === 503 || isFromGateway(status);
	return isIdempotent && isPassing && retryAfterMs <= LONGEST_PAUSE_MS;
}

/**
 * Pause in ms before attempt `next`, where 2 is the first retry. It doubles with each retry, varies
 * by up to 50% so that workflows that failed together don't retry together, and is never shorter
 * than `Retry-After`.
 */
export function backOff(next: number, { retryAfterMs = 0 }: FailedAttempt): number {
	return Math.max(FIRST_PAUSE_MS * 2 ** (next - 2) * (0.5 + Math.random()), retryAfterMs);
}

/**
 * The code of a network error. n8n wraps errors, so it can be a cause. A timeout, which has already
 * taken minutes, isn't retried.
 */
export function networkCode(error: unknown): string | undefined {
	if (!(error instanceof Error)) return undefined;
	const { code, message } = error as Error & { code?: unknown };
	const isOwn = typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code);
	if (!isOwn) return networkCode(error.cause);
	return code === 'ECONNABORTED' && /timeout/i.test(message) ? 'ETIMEDOUT' : code;
}
