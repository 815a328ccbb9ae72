import type { Failure } from 'n8n-workflow';

import { FAILURES, type FailureKind, type FailureTexts } from './failures';

type ErrorDetails = Partial<Omit<ServiceError, keyof Error | 'facts' | 'failure'>>;

/** The service, or the connection to it, failed. */
export class ServiceError extends Error {
	readonly kind: FailureKind = 'rejected';
	readonly description?: string;
	/** What else to do, where someone edits the workflow. An agent can't. */
	readonly inEditor?: string;
	/** The HTTP status as a string, as n8n expects it. Undefined if there was no response. */
	readonly httpCode?: string;
	readonly reason?: string;
	/** The API itself has answered, and not a server in front of it. */
	readonly hasEnvelope?: boolean;
	/** A write that must not be sent again, because the service may have carried it out. */
	readonly mayBeCarriedOut?: boolean;
	/** When the limit or quota ends, in ms since the epoch, if the service has announced it. */
	readonly resetsAt?: number;
	readonly retryAfterMs?: number;

	/** @param message what happened, with the service's words in full; `shown` masks and shortens it */
	constructor(message: string, details: ErrorDetails = {}) {
		super(message);
		Object.assign(this, details);
	}

	get facts(): FailureTexts {
		return FAILURES[this.kind];
	}

	get failure(): Failure | undefined {
		const { retryAfterMs, resetsAt: resetsAtEpochMs } = this;
		const { cause } = this.facts;
		return cause && { cause, retryAfterMs, resetsAtEpochMs };
	}
}

/** The request's signal fired before there was a response. */
export class CanceledError extends Error {
	constructor() {
		// n8n recognizes a canceled execution by this word, spelled with one "l".
		super('The execution was canceled');
	}
}

function ofKind(...kinds: FailureKind[]) {
	return (error: unknown): error is ServiceError =>
		error instanceof ServiceError && kinds.includes(error.kind);
}

/** The record or company doesn't exist, as opposed to a wrong address. */
export const isNotFound = ofKind('notFound');

/** Like {@link isNotFound}, or in words that may also be about the address. */
export const isMissing = ofKind('notFound', 'noSuchPage');

/** The key or its plan doesn't allow this request. */
export const isDenied = ofKind('denied');

/** The rate limit or the quota keeps the key from sending requests. */
export const isOutOfRequests = ofKind('rateLimit', 'quota');

export function isTemporary(error: unknown): error is ServiceError {
	const isPassing =
		error instanceof ServiceError && error.failure?.cause === 'temporarily-unavailable';
	return isPassing || isOutOfRequests(error);
}

/** No request reaches the service until somebody changes the credential, the proxy or the server. */
export const isSetupFailure = ofKind('credential', 'proxyLogin', 'plainPort', 'certificate');

/** Other requests with the key fail as well: it's rejected, or out of requests. */
export const concernsKey = ofKind('key', 'rateLimit', 'quota');

/** The service has answered that it won't carry out this request. It's only about this request. */
export function isRefused(error: unknown): error is ServiceError {
	return error instanceof ServiceError && error.failure === undefined;
}

/** For what only goes on after a failure of the service. @throws any other error */
export function serviceErrorOf(error: unknown): ServiceError {
	if (error instanceof ServiceError) return error;
	throw error;
}

function hasStatus({ httpCode = '' }: ServiceError, ...statuses: string[]): boolean {
	return statuses.includes(httpCode);
}

/** Like {@link isRefused}, because of what the request contains. */
export function isInvalidInput(error: unknown): error is ServiceError {
	return ofKind('rejected')(error) && hasStatus(error, '200', '400', '422');
}

const NOTHING_MORE =
	/\bno (?:more|results?|records?|data|rows|\p{L}+ found)\b|\bnothing\b|\bnot found\b|\bniciun|\bnicio\b|не найден|нет (?:данных|результатов)/iu;

/** How services reject the number of a page that their list doesn't have. */
export function isNoSuchPage(error: unknown): boolean {
	const isSaid = isRefused(error) && hasStatus(error, '200') && NOTHING_MORE.test(error.message);
	const isRejected = isSaid || (isRefused(error) && hasStatus(error, '400', '404', '422'));
	return isRejected || (ofKind('address')(error) && hasStatus(error, '404'));
}

const PAGE_SIZE_WORDS = /\b(limit|per.?page|page.?size)\b/i;

export function isPageSizeError(error: unknown): boolean {
	if (!isRefused(error)) return false;
	return hasStatus(error, '400', '422') || PAGE_SIZE_WORDS.test(error.message);
}

/** What has answered doesn't look like the API, so the address may be wrong. */
export function isUnlikeApi(error: unknown): boolean {
	const isForeign = ofKind('page', 'unconfirmed', 'notFound', 'noSuchPage')(error);
	const isUnread = ofKind('undecodable')(error) && error.httpCode !== undefined;
	return isForeign || isUnread || (ofKind('rejected')(error) && hasStatus(error, '400', '405'));
}
