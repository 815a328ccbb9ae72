import type { Failure, IHttpRequestMethods } from 'n8n-workflow';

import { duration, MINUTE_MS, systemClock } from './clock';

type Cause = Failure['cause'];

/** The service, or the connection to it, failed. */
export class ServiceError extends Error {
	/** What to do about it. */
	readonly description?: string;
	/** The HTTP status as a string, as n8n expects it. Undefined if there was no response. */
	readonly httpCode?: string;
	/** The cause in n8n's terms. n8n's scheduler uses it to decide when to poll again. */
	readonly failure?: Failure;
	/** The API itself has answered, and not a server in front of it. */
	readonly hasEnvelope?: boolean;
	/** The service may have carried out the request, so a write must not be sent again. */
	readonly isCarriedOut?: boolean;
	/** A 403 that gives no reason. It may be about the key, or only about this request. */
	readonly isBareDenial?: boolean;

	/** @param message what happened */
	constructor(message: string, details: Partial<Omit<ServiceError, keyof Error>> = {}) {
		super(message);
		Object.assign(this, details);
	}
}

/** The request's signal fired before there was a response. */
export class CanceledError extends Error {
	constructor() {
		// n8n recognizes a canceled execution by this word, spelled with one "l".
		super('The execution was canceled');
	}
}

/** How web servers and frameworks report an unknown address, as opposed to an unknown record. */
const NO_SUCH_PAGE = /^(404:? )?(page )?not found\.?$/i;
const NO_SUCH_ROUTE = /^cannot (get|post|put|delete)\b|\b(route|endpoint)\b/i;

/** The record or company doesn't exist, as opposed to a wrong address. */
export function isNotFound(error: unknown): error is ServiceError {
	if (!(error instanceof ServiceError) || error.failure) return false;
	const { httpCode, message, hasEnvelope = false } = error;
	const isMissing = httpCode === '404' || httpCode === '410';
	return isMissing && !NO_SUCH_ROUTE.test(message) && (hasEnvelope || !NO_SUCH_PAGE.test(message));
}

/** The rate limit or the quota keeps the key from sending requests. */
export const isOutOfRequests = causedBy('rate-limited', 'quota-exhausted');

/** The same request may succeed later. */
export const isTemporary = causedBy('temporarily-unavailable', 'rate-limited', 'quota-exhausted');

/** Other requests with the key fail as well: it's rejected, or out of requests. */
export const concernsKey = causedBy('credential-invalid', 'rate-limited', 'quota-exhausted');

function causedBy(...causes: Cause[]) {
	return (error: unknown): error is ServiceError =>
		error instanceof ServiceError && causes.some((cause) => cause === error.failure?.cause);
}

/** The parts of a request that error messages depend on. */
export interface Sent {
	method: IHttpRequestMethods;
	/** Path, starting with `/api`. It can contain `:placeholders`. */
	path: string;
	/** The user typed the path, so errors about the address suggest checking the path first. */
	isTypedPath?: boolean;
}

const UNCONFIRMED =
	"The service returned {got} (HTTP {status}), which doesn't confirm that the request succeeded. {again} If this keeps happening, check the credential's Base URL, or contact the service's administrator.";
const UNREACHABLE = "{service} couldn't be reached at {baseUrl}";
const KEY = 'credential-invalid';
const SETUP = 'configuration-invalid';
const TEMPORARY = 'temporarily-unavailable';

/**
 * What happened, what to do next, and the cause in n8n's terms, by HTTP status, by the code of a
 * network error, or by what the response means. `{again}` advises to try again.
 */
const FAILURES = {
	rejected: ['{service} rejected the request (HTTP {status})', 'Check the parameters.'],
	403: ['{service} denied access (HTTP 403)', 'Check that your key and plan allow this operation.'],
	key: ["{service} didn't accept the API key", 'Check the {service} credential.', KEY],
	server: ['{service} returned a server error (HTTP {status})', '{again}', TEMPORARY],
	address: [
		'There is no {service} API at {address}',
		"Check {setting}. The Base URL is the service's URL without /api, e.g. https://example.com.",
		SETUP,
	],
	redirect: [
		'{address} redirects{to}',
		"Correct {setting}. The node doesn't follow redirects, so the key is never sent to another host.",
		SETUP,
	],
	unreadable: ["{service} returned a response that can't be read", UNCONFIRMED, TEMPORARY],
	unconfirmed: ["{service} didn't confirm the request", UNCONFIRMED, TEMPORARY],
	ENOTFOUND: [UNREACHABLE, 'No server has this name. Check the Base URL for a typo.', SETUP],
	certificate: [UNREACHABLE, "The server's certificate isn't valid. Ask its administrator.", SETUP],
	ETIMEDOUT: [UNREACHABLE, "The service didn't respond in time. {again}", TEMPORARY],
	connection: [UNREACHABLE, 'It may be down, or the Base URL is wrong. {again}', TEMPORARY],
} satisfies Record<string, readonly [message: string, advice: string, cause?: Cause]>;

export type FailureKind = keyof typeof FAILURES;

export interface FailureDetails extends Pick<ServiceError, 'hasEnvelope'> {
	status?: number;
	/** The service's own words. They replace a message that only says that it rejected the request. */
	reason?: string;
	retryAfterMs?: number;
	/** What the service returned, and where a redirect leads. */
	got?: string;
	to?: string;
}

/** What messages say about a request's service and account. */
interface Target {
	service: { name: string; keyHint?: string; addressFields?: string };
	account: { baseUrl: string; mask: (text: string) => string };
}

/** The error for a request that failed, in the words of the table. */
export function failureOf(
	{ service, account }: Target,
	{ method, path, isTypedPath }: Sent,
	kind: FailureKind | number,
	{ status, reason, retryAfterMs, hasEnvelope, got, to }: FailureDetails = {},
): ServiceError {
	const [message, advice, cause]: readonly [string, string, Cause?] =
		FAILURES[kind in FAILURES ? (kind as FailureKind) : 'rejected'];
	const when = retryAfterMs ? `in ${duration(retryAfterMs)}` : 'later';
	const known: Record<string, unknown> = {
		service: service.name,
		baseUrl: account.baseUrl,
		address: account.baseUrl + (isTypedPath ? path.replace(/\?.*/s, '') : ''),
		setting: `${isTypedPath ? '"Path" or ' : ''}the credential's ${service.addressFields ?? 'Base URL'}`,
		status,
		got,
		to,
		// Without a usable response, a POST may still have created something.
		again:
			method === 'POST'
				? `The service may have processed the request. Check that first, then try again ${when}.`
				: `Try again ${when}.`,
	};
	const fill = (text: string) =>
		text.replace(/\{(\w+)\}/g, (_, name: string) => String(known[name]));
	const isOwn = reason !== undefined && (cause === undefined || kind === 'unconfirmed');
	const description = [
		isOwn && cause === undefined && `${service.name} rejected the request.`,
		fill(advice),
		reason !== undefined && !isOwn && `The service said: "${reason}".`,
		kind === 'key' && service.keyHint,
	];
	return new ServiceError(isOwn ? reason : fill(message), {
		description: description.filter(Boolean).join(' '),
		httpCode: status?.toString(),
		failure: cause && { cause, ...(retryAfterMs !== undefined && { retryAfterMs }) },
		hasEnvelope,
		isCarriedOut: advice === UNCONFIRMED && method === 'POST',
		isBareDenial: status === 403 && cause === undefined && BARE.test(reason ?? ''),
	});
}

/** Words of a web server or framework that add nothing to the status. */
const BARE =
	/^(403:? ?)?(forbidden|(access|permission) denied|unauthori[sz]ed( action)?|this action is unauthori[sz]ed)?[.!]?$/i;

/** The error for a request that didn't get a response. */
export function networkError(target: Target, sent: Sent, error: unknown, code = 'ERR_INVALID') {
	if (/^ERR_(INVALID|UNESCAPED)/.test(code)) {
		const { service, account } = target;
		return new ServiceError(account.mask((error as Error).message), {
			description: `Nothing was sent. Check the ${service.name} credential and the "Request Options" of the node.`,
			failure: { cause: SETUP },
		});
	}
	if (code === 'ENOTFOUND' || code === 'ETIMEDOUT') return failureOf(target, sent, code);
	const isTls = /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY|EPROTO/.test(code);
	return failureOf(target, sent, isTls ? 'certificate' : 'connection');
}

/**
 * The error for a request that can't wait any longer for the rate limit or quota.
 *
 * @param reason the service's message, if it rejected this very request
 * @param couldWait whether the node would wait if "On Rate Limit" were set to Wait
 */
export function limitError(
	{ service: { name } }: Target,
	{ opensAt, quota }: { opensAt: number; quota: boolean },
	{ reason, couldWait }: { reason?: string; couldWait: boolean },
): ServiceError {
	const retryAfterMs = Math.max(0, opensAt - systemClock.now());
	const when = duration(retryAfterMs);
	const message = quota
		? `You've used up the quota of the ${name} API key`
		: `You've reached the rate limit of the ${name} API key`;
	const at = new Date(opensAt).toISOString().slice(0, 16).replace('T', ' ');
	// What is closer is only the next check.
	const resets =
		retryAfterMs > MINUTE_MS
			? `The quota resets in ${when} (${at} UTC).`
			: "The service doesn't say when the quota resets. Daily quotas usually reset at midnight.";
	const wait = couldWait ? ' To wait automatically, set "On Rate Limit" to Wait.' : '';
	return new ServiceError(reason ? `${message}: ${reason}` : message, {
		description: quota
			? `${resets} Until then, requests with this key fail.`
			: `Try again in ${when}.${wait}`,
		httpCode: '429',
		failure: {
			cause: quota ? 'quota-exhausted' : 'rate-limited',
			retryAfterMs,
			resetsAtEpochMs: opensAt,
		},
	});
}
