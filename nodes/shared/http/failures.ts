import type { IHttpRequestMethods, IN8nHttpFullResponse } from 'n8n-workflow';

import { duration, systemClock } from './clock';
import type { Connection } from './connection';
import { describeShape } from './envelope';
import { ServiceError } from './errors';
import type { CancelledError } from './errors';
import type { RateLimitError } from './rateLimit/limiter';
import { isBrokenResponse, isTlsError, isUnsendable, wasNeverSent } from './retry';
import type { FailedAttempt } from './retry';

export interface Failed {
	error: ServiceError | CancelledError;
	/** How the attempt failed, for `mayRetry`. Undefined if a retry wouldn't help. */
	failed?: FailedAttempt;
}

/** The parts of a request that error messages depend on. */
export interface Sent {
	method: IHttpRequestMethods;
	path: string;
	/** The user typed the path, in Custom API Request. */
	isTypedPath?: boolean;
}

/** What to do next, by HTTP status. */
const REMEDIES: Record<number, string> = {
	403: "Your key or plan may not include this operation. Use a different key, or ask the service's administrator.",
	404: "Check the parameters, and the credential's Base URL.",
	407: 'The proxy requires a username and a password. Enter them in the proxy URL in "Request Options", or in n8n\'s own proxy settings.',
	408: 'The request took too long to arrive. Try again, or send less data.',
	413: "The file or the data is too large for the service or a proxy in front of it. Send less, or ask the service's administrator to raise the limit.",
	414: 'The URL is too long. Shorten the query or the path.',
};

const WHAT_HAPPENED: Record<number, string> = {
	403: 'denied access',
	408: "didn't receive the request in time",
	413: 'rejected the request as too large',
	414: 'rejected the URL as too long',
};

/** The error for a rejected request, in the service's own words if it gave a reason. */
export function rejectionError(
	{ service }: Connection,
	status: number,
	reason?: string,
	hasEnvelope?: boolean,
): ServiceError {
	const byProxy = 'The proxy did not accept the request (HTTP 407)';
	const known = WHAT_HAPPENED[status];
	const unexplained = known
		? `${service.name} ${known} (HTTP ${status})`
		: `${service.name} rejected the request (HTTP ${status})`;
	const advice = REMEDIES[status] ?? 'Check the parameters.';
	return new ServiceError(reason ?? (status === 407 ? byProxy : unexplained), {
		description: reason ? `${service.name} rejected the request. ${advice}` : advice,
		httpCode: String(status),
		hasEnvelope,
		isBareDenial: status === 403 && isBareWord(reason),
	});
}

/** Words of a web server or framework that only repeat the status. */
function isBareWord(reason = ''): boolean {
	return /^(403:? ?)?(forbidden|access denied|permission denied)?[.!]?$/i.test(reason);
}

export function keyRejectionError(
	{ service }: Connection,
	status: number,
	reason?: string,
): ServiceError {
	const advice = `Check the API Key in the ${service.name} credential.${quoted(reason)}`;
	return new ServiceError(`${service.name} did not accept the API key`, {
		description: [advice, service.keyHint].filter(Boolean).join(' '),
		httpCode: String(status),
		failure: { cause: 'credential-invalid' },
	});
}

export function serverError(
	{ service }: Connection,
	sent: Sent,
	reason: string | undefined,
	{ status, retryAfterMs }: { status: number; retryAfterMs?: number },
): ServiceError {
	const when = retryAfterMs ? `in ${duration(retryAfterMs)}` : 'later';
	return new ServiceError(`${service.name} returned a server error (HTTP ${status})`, {
		description: tryAgain(sent, when) + quoted(reason),
		httpCode: String(status),
		failure: { cause: 'temporarily-unavailable', retryAfterMs },
	});
}

/** Without a usable response, a POST may still have created something, so advise to check first. */
function tryAgain({ method }: Sent, when: string): string {
	return method === 'POST'
		? `The service may have processed the request. Check that first, then try again ${when}.`
		: `Try again ${when}.`;
}

/** The error for an address that returns a web page, or nothing, instead of the API. */
export function noEndpoint(
	{ service, account }: Connection,
	{ path, isTypedPath }: Sent,
	status: number,
): ServiceError {
	const { addressFields = 'Base URL' } = service;
	const address = `the credential's ${addressFields}. The Base URL is the service's URL without /api, e.g. https://example.com.`;
	return new ServiceError(
		isTypedPath
			? `No endpoint was found at ${path.split('?')[0]}`
			: `There is no ${service.name} API at ${account.baseUrl}`,
		{
			description: isTypedPath
				? `Check "Path". If other operations fail as well, check ${address}`
				: `There's nothing at this address, or something other than the API. Check ${address}`,
			httpCode: String(status),
			failure: { cause: 'configuration-invalid' },
		},
	);
}

/** The error for a success status with a body that's neither JSON nor a web page. */
export function unreadable(
	{ service }: Connection,
	sent: Sent,
	status: number,
	text: string,
): ServiceError {
	const got = text.trim() === '' ? 'an empty body' : 'invalid or truncated JSON';
	return new ServiceError(`${service.name} returned a response that cannot be read`, {
		description: `Expected a JSON object, but got ${got} (HTTP ${status}, ${text.length} characters). ${tryAgain(sent, 'later')} If this keeps happening, contact the service's administrator.`,
		httpCode: String(status),
		failure: { cause: 'temporarily-unavailable' },
		isCarriedOut: true,
	});
}

/** The error for a success status with a JSON body that doesn't say that the request succeeded. */
export function unconfirmed(
	{ service }: Connection,
	sent: Sent,
	body: unknown,
	reason?: string,
): ServiceError {
	const happened =
		sent.method === 'GET'
			? 'The response has an unexpected format'
			: `${service.name} didn't confirm the request`;
	return new ServiceError(reason ?? happened, {
		description: `The service returned ${describeShape(body)}, which doesn't confirm that the request succeeded. ${tryAgain(sent, 'later')} If this keeps happening, check the credential's Base URL, or contact the service's administrator.`,
		httpCode: '200',
		failure: { cause: 'temporarily-unavailable' },
		isCarriedOut: sent.method === 'POST',
	});
}

/** The error for a success status with a file as the body. */
export function noJson({ service }: Connection, status: number, type: string): ServiceError {
	return new ServiceError(`${service.name} returned a file (${type})`, {
		description:
			'This node can only read JSON. To download a file, use the HTTP Request node with the same credential.',
		httpCode: String(status),
		failure: { cause: 'configuration-invalid' },
		isCarriedOut: true,
	});
}

export function redirectError(
	{ service, account }: Connection,
	{ path, isTypedPath }: Sent,
	response: IN8nHttpFullResponse,
): ServiceError {
	const { location } = response.headers;
	const target = typeof location === 'string' ? account.mask(location.split(/[?#]/)[0] ?? '') : '';
	const from = isTypedPath ? path.split('?')[0] : account.baseUrl;
	const redirects = `${from} redirects${target && ` to ${target}`}`;
	const base = target.replace(/\/api(\/.*)?$/, '');
	const hasMoved = /^https?:/.test(base) && base !== account.baseUrl;
	const movedOr = hasMoved
		? `The Base URL of the ${service.name} credential has moved`
		: `${service.name} redirects the request instead of answering it`;
	const urlAdvice = hasMoved
		? 'Enter the new URL in the credential, up to "/api".'
		: 'Check the Base URL of the credential.';
	return new ServiceError(isTypedPath ? redirects : movedOr, {
		description: [
			isTypedPath ? 'Correct "Path".' : `${redirects}. ${urlAdvice}`,
			"The node doesn't follow redirects, so the key is never sent to another host.",
			isTypedPath && "If other operations are redirected as well, check the credential's Base URL.",
		]
			.filter(Boolean)
			.join(' '),
		httpCode: String(response.statusCode),
		failure: { cause: 'configuration-invalid' },
	});
}

/** The error for a request that the service temporarily rejects while it accepts other requests. */
export function untilLater(
	{ service }: Connection,
	status: number,
	reason: string | undefined,
	waitMs: number,
): ServiceError {
	return new ServiceError(
		reason ?? `${service.name} isn't accepting this request right now (HTTP ${status})`,
		{
			description: `The service will accept this request again in ${duration(waitMs)}. Other requests aren't affected.`,
			httpCode: String(status),
			failure: { cause: 'rate-limited', retryAfterMs: waitMs },
		},
	);
}

/**
 * The error for a request that can't wait any longer for the rate limit or quota.
 *
 * @param reason the service's message, if it rejected this very request
 * @param couldWait whether the node would wait if "On Rate Limit" were set to Wait
 */
export function rateLimitFailure(
	{ service }: Connection,
	{ opensAt, quota, guessed }: RateLimitError,
	{ reason, couldWait }: { reason?: string; couldWait: boolean },
): ServiceError {
	const waitMs = Math.max(0, opensAt - systemClock.now());
	const what = quota
		? `You've used up the quota of the ${service.name} API key`
		: `You've reached the rate limit of the ${service.name} API key`;
	const at = new Date(opensAt)
		.toISOString()
		.replace(/:\d\d\.\d+Z$/, ' UTC')
		.replace('T', ' ');
	const unknown = quota
		? "The service doesn't say when the quota resets. Daily quotas usually reset at midnight. Until then, requests with this key fail."
		: `The service doesn't say when it will accept requests again. Try again in ${duration(waitMs)}.`;
	const known = quota
		? `The quota resets in ${duration(waitMs)} (${at}). Until then, requests with this key fail.`
		: `Try again in ${duration(waitMs)}.`;
	const advice = couldWait && !quota ? ' To wait automatically, set "On Rate Limit" to Wait.' : '';
	return new ServiceError(reason ? `${what}: ${reason}` : what, {
		description: (guessed ? unknown : known) + advice,
		httpCode: '429',
		failure: {
			cause: quota ? 'quota-exhausted' : 'rate-limited',
			retryAfterMs: waitMs,
			resetsAtEpochMs: opensAt,
		},
	});
}

const LONGEST_CAUSE_CHAIN = 5;

/** The error for a request that didn't get a usable response. */
export function networkFailure(
	{ service, account }: Connection,
	sent: Sent,
	error: unknown,
): Failed {
	const code = networkCode(error);
	if (code === undefined || isUnsendable(code)) {
		const reason = error instanceof Error ? account.mask(error.message) : undefined;
		return {
			error: new ServiceError(reason ?? `The request to ${service.name} couldn't be sent`, {
				description: `Nothing was sent. Check the ${service.name} credential and the "Request Options" of the node.`,
				failure: { cause: 'configuration-invalid' },
			}),
		};
	}
	if (isBrokenResponse(code)) {
		return {
			error: new ServiceError(`${service.name} returned a response that cannot be read`, {
				description: `The response is damaged or has the wrong encoding (${code}). ${tryAgain(sent, 'later')} If this keeps happening, contact the service's administrator.`,
				failure: { cause: 'temporarily-unavailable' },
			}),
		};
	}
	const timedOut = code === 'ETIMEDOUT' || (code === 'ECONNABORTED' && saysTimeout(error));
	const isSetup = code === 'ENOTFOUND' || isTlsError(code);
	return {
		error: new ServiceError(`${service.name} could not be reached at ${account.baseUrl}`, {
			description: connectionAdvice(sent, code, timedOut),
			failure: { cause: isSetup ? 'configuration-invalid' : 'temporarily-unavailable' },
		}),
		failed: { code, timedOut },
	};
}

/** The error for an attempt that was ended because its response took too long. */
export function tooSlow({ service }: Connection, sent: Sent, afterMs: number): Failed {
	return {
		error: new ServiceError(`${service.name} took too long to respond`, {
			description: `The response was still incomplete after ${duration(afterMs)}. ${tryAgain(sent, 'later')}`,
			failure: { cause: 'temporarily-unavailable' },
		}),
	};
}

function connectionAdvice(sent: Sent, code: string, timedOut: boolean): string {
	if (timedOut) {
		return `The service did not respond in time. It may be overloaded or down. ${tryAgain(sent, 'later')}`;
	}
	if (code === 'ENOTFOUND') {
		return "There's no server at this hostname. Check the credential's Base URL for a typo.";
	}
	if (code === 'EAI_AGAIN') {
		return "The hostname couldn't be looked up. Check the credential's Base URL for a typo, or try again later.";
	}
	if (isTlsError(code)) {
		return "The server's certificate isn't valid. Check the credential's Base URL, or ask the service's administrator to fix the certificate.";
	}
	const again = wasNeverSent(code) ? 'Try again later.' : tryAgain(sent, 'later');
	return `The service or a proxy is probably down, or the credential's Base URL is wrong. ${again}`;
}

/** n8n wraps errors, so the code can be a few causes deep. */
function networkCode(error: unknown): string | undefined {
	for (const { code } of causesOf(error) as Array<Error & { code?: unknown }>) {
		if (typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code)) return code;
	}
	return undefined;
}

function saysTimeout(error: unknown): boolean {
	return causesOf(error).some(({ message }) => /timeout/i.test(message));
}

function causesOf(error: unknown): Error[] {
	const causes: Error[] = [];
	for (let cause = error; cause instanceof Error; cause = cause.cause) {
		if (causes.push(cause) === LONGEST_CAUSE_CHAIN) break;
	}
	return causes;
}

function quoted(reason: string | undefined): string {
	return reason ? ` The service said: "${reason}".` : '';
}
