import type { IHttpRequestMethods } from 'n8n-workflow';

import { duration, systemClock } from './clock';
import type { Connection } from './connection';
import { ServiceError } from './errors';
import { FAILURES, type FailureKind, type FailureTexts } from './failures';
import type { RateLimitError } from './limiter';

/** The parts of a request that error messages depend on. */
export interface Sent {
	method: IHttpRequestMethods;
	/** Path, starting with `/api`. It can contain `:placeholders`. */
	path: string;
	/** The user typed the path, so errors about the address suggest checking the path first. */
	isTypedPath?: boolean;
}

/** What is known of a failure, besides its kind. */
export interface FailureDetails extends Partial<
	Pick<ServiceError, 'reason' | 'hasEnvelope' | 'inEditor' | 'resetsAt' | 'retryAfterMs'>
> {
	status?: number;
	/** For the placeholders in the texts of some kinds. */
	words?: Record<string, string>;
}

type Target = Pick<Connection, 'service' | 'account'>;

/** The error for a request that failed, in the words of the table. */
export function failureOf(
	{ service, account }: Target,
	{ method, path, isTypedPath }: Sent,
	kind: FailureKind,
	details: FailureDetails = {},
): ServiceError {
	const { status, words, ...more } = details;
	const { reason, retryAfterMs } = more;
	const [message, advice, cause, outcome]: FailureTexts = FAILURES[kind];
	const when = retryAfterMs ? `in ${duration(retryAfterMs)}` : 'later';
	const { addressFields: fields = 'Base URL' } = service;
	const setting = `${isTypedPath ? '"Path" or ' : ''}the credential's ${fields}`;
	const known: Record<string, unknown> = {
		service: service.name,
		baseUrl: account.baseUrl,
		address: account.baseUrl + (isTypedPath ? path.replace(/\?.*/s, '') : ''),
		fields,
		setting,
		correction: `Correct ${setting}.`,
		status,
		when,
		again:
			method === 'POST' && outcome !== 'none'
				? `The service may have processed the request. Check that first, then try again ${when}.`
				: `Try again ${when}.`,
		...words,
	};
	const fill = (text: string) =>
		text.replace(/\{(\w+)\}/g, (_, name: string) => String(known[name]));
	const isOwn = reason !== undefined && (cause === undefined || kind === 'unconfirmed');
	const isPart = kind === 'rateLimit' || kind === 'quota' || kind === 'notSent';
	const description = [
		isOwn && cause === undefined && `${service.name} rejected the request.`,
		fill(advice),
		kind === 'key' && service.keyHint,
		// Last, because a long text is cut at its end.
		reason !== undefined && !isOwn && !isPart && `The service said: "${reason}".`,
	];
	const parts = [fill(message), isPart && reason].filter(Boolean);
	return new ServiceError(isOwn ? reason : parts.join(': '), {
		...more,
		kind,
		description: description.filter(Boolean).join(' '),
		httpCode: status?.toString(),
		mayBeCarriedOut: method === 'POST' && outcome === 'unknown',
	});
}

/** The error for a request that didn't get a response. */
export function networkError(target: Target, sent: Sent, error: unknown): ServiceError {
	const kind = kindOfNetworkError(error);
	const reason = kind === 'notSent' ? (error as Error).message : undefined;
	return failureOf(target, sent, kind, { reason });
}

function kindOfNetworkError(error: unknown): FailureKind {
	if (!(error instanceof Error)) return 'notSent';
	const { code, message } = error as Error & { code?: unknown };
	const isCode = typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code);
	// n8n wraps errors.
	if (!isCode) return kindOfNetworkError(error.cause);
	if (/^ERR_(INVALID|UNESCAPED)/.test(code)) return 'notSent';
	if (code === 'ENOTFOUND') return 'noSuchHost';
	if (code === 'ECONNREFUSED' || code === 'EAI_AGAIN') return 'unconnected';
	if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY|EPROTO/.test(code)) return 'certificate';
	const isTimeout = code === 'ETIMEDOUT' || (code === 'ECONNABORTED' && /timeout/i.test(message));
	return isTimeout ? 'timeout' : 'connection';
}

/**
 * The error for a request that can't wait any longer for the rate limit or quota.
 *
 * @param rejection what the service said, if it rejected this very request
 * @param couldWait whether the node would wait if "On Rate Limit" were set to Wait
 */
export function limitError(
	target: Target,
	sent: Sent,
	{ opensAt, isQuota, isAnnounced }: RateLimitError,
	{ reason, hasEnvelope }: Pick<FailureDetails, 'reason' | 'hasEnvelope'>,
	couldWait: boolean,
): ServiceError {
	const retryAfterMs = Math.max(0, opensAt - systemClock.now());
	const at = new Date(opensAt).toISOString().slice(0, 16).replace('T', ' ');
	const isMonthly = /month|lunar|месяч/i.test(reason ?? '');
	const usual = isMonthly ? '' : ', but daily quotas usually reset at midnight';
	const resets = isAnnounced
		? ` in ${duration(retryAfterMs)} (${at} UTC).`
		: `. The service doesn't say when${usual}.`;
	return failureOf(target, sent, isQuota ? 'quota' : 'rateLimit', {
		status: 429,
		reason,
		hasEnvelope,
		retryAfterMs,
		resetsAt: isAnnounced || !isQuota ? opensAt : undefined,
		words: { resets },
		inEditor: couldWait ? 'To wait automatically, set "On Rate Limit" to Wait.' : undefined,
	});
}
