import type { Failure, IHttpRequestMethods, IN8nHttpFullResponse } from 'n8n-workflow';

import { duration, systemClock } from './clock';
import type { Connection } from './connection';
import type { RateLimitError } from './limiter';
import { isTimeout, networkCode } from './retry';

/** The user's input is invalid. Usually thrown before anything is sent. */
export class InputError extends Error {
	constructor(
		/** What's wrong, naming the parameter as the panel does. */
		message: string,
		/** What to do about it. */
		readonly description?: string,
	) {
		super(message);
	}
}

interface ErrorDetails {
	/** What to do about it. */
	description?: string;
	/** The HTTP status as a string, as n8n expects it. Undefined if there was no response. */
	httpCode?: string;
	/** The cause in n8n's terms. n8n's scheduler uses it to decide when to poll again. */
	failure?: Failure;
	/** The API itself has answered, and not a server in front of it. */
	hasEnvelope?: boolean;
	/** The service may have carried out the request, so a write must not be sent again. */
	isCarriedOut?: boolean;
	/** See {@link isBareDenial}. */
	isBareDenial?: boolean;
}

/** The service, or the connection to it, failed. */
export class ServiceError extends Error implements ErrorDetails {
	readonly description?: string;
	readonly httpCode?: string;
	readonly failure?: Failure;
	readonly hasEnvelope?: boolean;
	readonly isCarriedOut?: boolean;
	readonly isBareDenial?: boolean;

	/** @param message what happened */
	constructor(message: string, details: ErrorDetails = {}) {
		super(message);
		Object.assign(this, details);
	}
}

/** The request's signal fired before there was a response. */
export class CancelledError extends Error {
	constructor() {
		super('The request was cancelled before it was sent');
	}
}

/** How web servers and frameworks report an unknown address, as opposed to an unknown record. */
export const NO_SUCH_PAGE = /^(404:? )?(page )?not found\.?$/i;
const NO_SUCH_ROUTE = /^cannot (get|post|put|delete)\b|\b(route|endpoint)\b/i;

/** The record or company doesn't exist, as opposed to a wrong address. */
export function isNotFound(error: unknown): error is ServiceError {
	if (!(error instanceof ServiceError) || error.failure) return false;
	const { httpCode, message, hasEnvelope } = error;
	if (httpCode !== '404' && httpCode !== '410') return false;
	return !NO_SUCH_ROUTE.test(message) && (hasEnvelope === true || !NO_SUCH_PAGE.test(message));
}

/** The same request may succeed later. */
export function isTemporary(error: unknown): error is ServiceError {
	return isOutOfRequests(error) || causeOf(error) === 'temporarily-unavailable';
}

/** The rate limit or the quota keeps the key from sending requests. */
export function isOutOfRequests(error: unknown): error is ServiceError {
	return ['rate-limited', 'quota-exhausted'].includes(causeOf(error) ?? '');
}

/** Other requests with the key fail as well: it's rejected, or out of requests. */
export function concernsKey(error: unknown): error is ServiceError {
	return isOutOfRequests(error) || causeOf(error) === 'credential-invalid';
}

/** A 403 that gives no reason. It may be about the key, or only about this request. */
export function isBareDenial(error: unknown): error is ServiceError {
	return error instanceof ServiceError && error.isBareDenial === true;
}

function causeOf(error: unknown): Failure['cause'] | undefined {
	return error instanceof ServiceError ? error.failure?.cause : undefined;
}

/** The parts of a request that error messages depend on. */
export interface Sent {
	method: IHttpRequestMethods;
	path: string;
	/** The user typed the path, in Custom API Request. */
	isTypedPath?: boolean;
}

const ADDRESS =
	"the credential's {address}. The Base URL is the service's URL without /api, e.g. https://example.com.";
const CONTACT = "If this keeps happening, contact the service's administrator.";
const UNREACHABLE = "{service} couldn't be reached at {baseUrl}";

type Row = readonly [message: string, advice: string, cause?: Failure['cause']];

/**
 * What happened, what to do next, and the cause in n8n's terms, by HTTP status, by the code of a
 * network error, or by what the response means. `{again}` advises to try again.
 */
const FAILURES = {
	rejected: ['{service} rejected the request (HTTP {status})', 'Check the parameters.'],
	403: [
		'{service} denied access (HTTP 403)',
		"Your key or plan may not include this operation. Use a different key, or ask the service's administrator.",
	],
	404: [
		'{service} rejected the request (HTTP 404)',
		"Check the parameters, and the credential's Base URL.",
	],
	407: [
		"The proxy didn't accept the request (HTTP 407)",
		'The proxy requires a username and a password. Enter them in the proxy URL in "Request Options", or in n8n\'s own proxy settings.',
	],
	413: [
		'{service} rejected the request as too large (HTTP 413)',
		"The file or the data is too large for the service or a proxy in front of it. Send less, or ask the service's administrator to raise the limit.",
	],
	key: [
		"{service} didn't accept the API key",
		'Check the API Key in the {service} credential.',
		'credential-invalid',
	],
	server: [
		'{service} returned a server error (HTTP {status})',
		'{again}',
		'temporarily-unavailable',
	],
	address: [
		'There is no {service} API at {baseUrl}',
		`There's nothing at this address, or something other than the API. Check ${ADDRESS}`,
		'configuration-invalid',
	],
	path: [
		'No endpoint was found at {path}',
		`Check "Path". If other operations fail as well, check ${ADDRESS}`,
		'configuration-invalid',
	],
	redirect: [
		'{from} redirects{to}',
		"Correct {what}. The node doesn't follow redirects, so the key is never sent to another host.",
		'configuration-invalid',
	],
	unreadable: [
		"{service} returned a response that can't be read",
		`Expected a JSON object, but got {got} (HTTP {status}, {length} characters). {again} ${CONTACT}`,
		'temporarily-unavailable',
	],
	unconfirmed: [
		'{happened}',
		"The service returned {shape}, which doesn't confirm that the request succeeded. {again} If this keeps happening, check the credential's Base URL, or contact the service's administrator.",
		'temporarily-unavailable',
	],
	unsendable: [
		"The request to {service} couldn't be sent",
		'Nothing was sent. Check the {service} credential and the "Request Options" of the node.',
		'configuration-invalid',
	],
	ENOTFOUND: [
		UNREACHABLE,
		"There's no server at this hostname. Check the credential's Base URL for a typo.",
		'configuration-invalid',
	],
	certificate: [
		UNREACHABLE,
		"The server's certificate isn't valid. Check the credential's Base URL, or ask the service's administrator to fix the certificate.",
		'configuration-invalid',
	],
	timeout: [
		UNREACHABLE,
		"The service didn't respond in time. It may be overloaded or down. {again}",
		'temporarily-unavailable',
	],
	connection: [
		UNREACHABLE,
		"The service or a proxy is probably down, or the credential's Base URL is wrong. {again}",
		'temporarily-unavailable',
	],
} satisfies Record<string, Row>;

export type FailureKind = keyof typeof FAILURES;

export interface FailureDetails extends Pick<ErrorDetails, 'hasEnvelope'> {
	status?: number;
	/** The service's own words. They replace a message that only says that it rejected the request. */
	reason?: string;
	retryAfterMs?: number;
	/** More values for the placeholders. */
	values?: Record<string, string>;
}

/** The error for a request that failed, in the words of the table. */
export function failureOf(
	{ service, account }: Connection,
	{ method, path, isTypedPath }: Sent,
	what: FailureKind | number,
	details: FailureDetails = {},
): ServiceError {
	const { status, reason, retryAfterMs, hasEnvelope } = details;
	const kind = what === 'address' && isTypedPath ? 'path' : what;
	const table: Partial<Record<string | number, Row>> = FAILURES;
	const [message, advice, cause] = table[kind] ?? FAILURES.rejected;
	const when = retryAfterMs ? `in ${duration(retryAfterMs)}` : 'later';
	// Without a usable response, a POST may still have created something.
	const checkFirst = 'The service may have processed the request. Check that first, then try again';
	const values: Record<string, unknown> = {
		service: service.name,
		address: service.addressFields ?? 'Base URL',
		baseUrl: account.baseUrl,
		path: path.split('?')[0],
		status,
		again: `${method === 'POST' ? checkFirst : 'Try again'} ${when}.`,
		...details.values,
	};
	const fill = (template: string) =>
		template.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
	const isOwn = reason !== undefined && (cause === undefined || kind === 'unconfirmed');
	const description = [
		isOwn && cause === undefined && `${service.name} rejected the request.`,
		fill(advice),
		reason !== undefined && !isOwn && `The service said: "${reason}".`,
		kind === 'key' && service.keyHint,
	];
	return new ServiceError(isOwn ? reason : fill(message), {
		description: description.filter(Boolean).join(' '),
		httpCode: status === undefined ? undefined : String(status),
		failure: cause && { cause, ...(retryAfterMs !== undefined && { retryAfterMs }) },
		hasEnvelope,
		isCarriedOut: kind === 'unreadable' || (kind === 'unconfirmed' && method === 'POST'),
		isBareDenial: status === 403 && cause === undefined && BARE.test(reason ?? ''),
	});
}

/** Words of a web server or framework that add nothing to the status. */
const BARE =
	/^(403:? ?)?(forbidden|(access|permission) denied|unauthori[sz]ed( action)?|this action is unauthori[sz]ed)?[.!]?$/i;

export function redirectError(
	connection: Connection,
	sent: Sent,
	{ headers: { location }, statusCode: status }: IN8nHttpFullResponse,
): ServiceError {
	const { baseUrl, mask } = connection.account;
	const target = typeof location === 'string' ? mask(location.split(/[?#]/)[0] ?? '') : '';
	const from = sent.isTypedPath ? (sent.path.split('?')[0] ?? '') : baseUrl;
	const what = sent.isTypedPath ? '"Path"' : 'the Base URL of the credential';
	const values = { from, to: target && ` to ${target}`, what };
	return failureOf(connection, sent, 'redirect', { status, values });
}

/** The error for a request that didn't get a response. */
export function networkError(connection: Connection, sent: Sent, error: unknown): ServiceError {
	const code = networkCode(error);
	if (code === undefined || /^ERR_(INVALID|UNESCAPED)_/.test(code)) {
		const own = failureOf(connection, sent, 'unsendable');
		const message = error instanceof Error ? connection.account.mask(error.message) : own.message;
		return new ServiceError(message, { ...own });
	}
	if (isTimeout(error)) return failureOf(connection, sent, 'timeout');
	if (code === 'ENOTFOUND') return failureOf(connection, sent, code);
	const isTls = /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY|EPROTO/.test(code);
	return failureOf(connection, sent, isTls ? 'certificate' : 'connection');
}

/**
 * The error for a request that can't wait any longer for the rate limit or quota.
 *
 * @param reason the service's message, if it rejected this very request
 * @param couldWait whether the node would wait if "On Rate Limit" were set to Wait
 */
export function limitError(
	{ service }: Connection,
	{ opensAt, quota, guessed }: RateLimitError,
	{ reason, couldWait }: { reason?: string; couldWait: boolean },
): ServiceError {
	const retryAfterMs = Math.max(0, opensAt - systemClock.now());
	const message = quota
		? `You've used up the quota of the ${service.name} API key`
		: `You've reached the rate limit of the ${service.name} API key`;
	const at = `${new Date(opensAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
	const when = duration(retryAfterMs);
	const opens = guessed
		? "The service doesn't say when the quota resets. Daily quotas usually reset at midnight."
		: `The quota resets in ${when} (${at}).`;
	const unsaid = "The service doesn't say when it will accept requests again.";
	const description = quota
		? [opens, 'Until then, requests with this key fail.']
		: [
				guessed && unsaid,
				`Try again in ${when}.`,
				couldWait && 'To wait automatically, set "On Rate Limit" to Wait.',
			];
	return new ServiceError(reason ? `${message}: ${reason}` : message, {
		description: description.filter(Boolean).join(' '),
		httpCode: '429',
		failure: {
			cause: quota ? 'quota-exhausted' : 'rate-limited',
			retryAfterMs,
			resetsAtEpochMs: opensAt,
		},
	});
}
