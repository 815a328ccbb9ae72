import type { IHttpRequestMethods } from 'n8n-workflow';

import { duration, systemClock } from './clock';
import type { Connection } from './connection';
import { ServiceError } from './errors';
import { FAILURES, type FailureKind, type FailureTexts } from './failures';
import type { RateLimitError } from './limiter';
import { explanationOf, phaseOf } from './phase';
import { encodeSegment } from './text';
import { MONTH, plain } from './words';

/** The parts of a request that error messages depend on. */
export interface Sent {
	method: IHttpRequestMethods;
	/** Path, starting with `/api`. It can contain `:placeholders`. */
	path: string;
	/** Values for the placeholders. Each becomes a single encoded segment. */
	values?: Record<string, string>;
	/** The user typed the path, so errors about the address suggest checking the path first. */
	isTypedPath?: boolean;
}

export function sentPath({ path, values = {} }: Pick<Sent, 'path' | 'values'>): string {
	return path.replace(/:(\w+)/g, (_, name: string) => encodeSegment(values[name] ?? ''));
}

export interface FailureDetails extends Partial<
	Pick<ServiceError, 'reason' | 'hasEnvelope' | 'inEditor' | 'resetsAt' | 'retryAfterMs'>
> {
	status?: number;
	/** For the placeholders in the texts of some kinds. */
	words?: Record<string, string>;
	/** Instead of the table's. */
	advice?: string;
}

type Target = Pick<Connection, 'service' | 'account'>;

export function failureOf(
	{ service, account }: Target,
	{ method, path, isTypedPath }: Sent,
	kind: FailureKind,
	details: FailureDetails = {},
): ServiceError {
	const { message, advice, carriedOut, cause }: FailureTexts = FAILURES[kind];
	const { status, words, advice: instead, ...more } = details;
	const { reason, retryAfterMs } = more;
	// Sent twice, it could be carried out twice, or the second one could find nothing to delete.
	const isOnce = method !== 'GET' && method !== 'PUT';
	const when = retryAfterMs ? `in ${duration(retryAfterMs)}` : 'later';
	const { addressFields: fields = 'Base URL' } = service;
	const setting = `${isTypedPath ? '"Path" or ' : ''}the credential's ${fields}`;
	const known: Record<string, unknown> = {
		service: service.name,
		baseUrl: account.baseUrl,
		address: account.baseUrl + (isTypedPath ? path.replace(/\?.*/s, '') : ''),
		fields,
		setting,
		status,
		when,
		flaw: 'is damaged',
		again:
			isOnce && carriedOut !== 'no'
				? `The service may have processed the request. Check that first, then try again ${when}.`
				: `Try again ${when}.`,
		...words,
	};
	const fill = (text: string) =>
		text.replace(/\{(\w+)\}/g, (other, name: string) => String(known[name] ?? other));
	const isRefusal = cause === undefined;
	const isOwn = reason !== undefined && (isRefusal || kind === 'unconfirmed');
	const isPart = ['credential', 'rateLimit', 'quota'].includes(kind);
	const mayBeCarriedOut = isOnce && carriedOut === 'maybe';
	const told = instead ?? advice;
	const description = [
		isOwn && isRefusal && `${service.name} rejected the request.`,
		fill(told),
		mayBeCarriedOut && !told.includes('{again}') && 'The service may have processed the request.',
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
		mayBeCarriedOut,
	});
}

/** The error for a request that didn't get a response. */
export function networkError(target: Target, sent: Sent, error: unknown): ServiceError {
	const phase = phaseOf(error, target.account.baseUrl);
	if (phase !== 'credential') return failureOf(target, sent, phase);
	const { message: reason, description: advice } = explanationOf(error);
	return failureOf(target, sent, phase, { reason, advice });
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
	rejection: Pick<FailureDetails, 'reason' | 'hasEnvelope'> | undefined,
	couldWait: boolean,
): ServiceError {
	const retryAfterMs = Math.max(0, opensAt - systemClock.now());
	const at = new Date(opensAt).toISOString().slice(0, 16).replace('T', ' ');
	const { reason, hasEnvelope } = rejection ?? {};
	const isMonth = MONTH.test(plain(reason ?? ''));
	const usual = isMonth ? '' : ', but daily quotas usually reset at midnight';
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
