import type { Failure, IHttpRequestMethods } from 'n8n-workflow';

import { duration, systemClock } from './clock';

type Texts = readonly [
	message: string,
	advice: string,
	cause?: Failure['cause'],
	/** Whether the service has carried out the request. By default, it said that it hasn't, or it's open. */
	outcome?: 'unknown' | 'none',
];

const KEY = 'credential-invalid';
const SETUP = 'configuration-invalid';
const TEMPORARY = 'temporarily-unavailable';
const DEFECT = 'node-defect';

const UNCONFIRMED =
	"The service returned {got} (HTTP {status}), which doesn't confirm that the request succeeded. {again} If this keeps happening, check the credential's Base URL, or contact the service's administrator.";
const REJECTED = [
	'{service} rejected the request (HTTP {status})',
	'Check the parameters.',
] as const;
const DENIED = [
	'{service} denied access (HTTP 403)',
	'Check that your key and plan allow this operation.',
] as const;
const BROKEN = ['{service} returned a server error (HTTP {status})', '{again}', TEMPORARY] as const;
const ELSEWHERE = [
	'There is no {service} API at {address}',
	"Check {setting}. The Base URL is the service's URL without /api, e.g. https://example.com.",
	SETUP,
] as const;
const UNREACHABLE = "{service} couldn't be reached at {baseUrl}";
const DOWN = [UNREACHABLE, 'It may be down, or the Base URL is wrong. {again}', TEMPORARY] as const;

/**
 * What can go wrong: what happened, what to do next, and the cause in n8n's terms, which n8n's scheduler
 * uses to decide when to poll again. `{again}` advises to try again. Without a cause, the service has
 * answered, and the error is only about this request.
 */
const FAILURES = {
	rejected: REJECTED,
	notFound: REJECTED,
	/** In words for an unknown address, such as "Not Found". It can be a record all the same. */
	noSuchPage: REJECTED,
	tooLarge: [
		'The request is too large for {service} (HTTP 413)',
		'Send a smaller file or less data. The limit may be set by a web server in front of the service, so its administrator can raise it.',
	],
	denied: DENIED,
	/** Without a reason. It may be about the key, or only about this request. */
	forbidden: DENIED,
	key: [
		"{service} didn't accept the API key",
		'Check the API Key in the {service} credential, and its {fields}.',
		KEY,
	],
	rateLimit: [
		"You've reached the rate limit of the {service} API key",
		'Try again {when}.',
		'rate-limited',
	],
	quota: [
		"You've used up the quota of the {service} API key",
		'Requests with this key fail until it resets{resets}',
		'quota-exhausted',
	],
	server: BROKEN,
	/** A 503: the service has done nothing, and may work again in a moment. */
	unavailable: BROKEN,
	/** From a server in front of the service, which didn't respond to it. */
	gateway: [...BROKEN, 'unknown'],
	blocked: [
		'A web page came back instead of a response from {service} (HTTP {status})',
		"It comes from something in front of the service, such as a firewall, a bot check or a login page. Ask the service's administrator to let requests to {baseUrl}/api through. {again}",
		TEMPORARY,
		'none',
	],
	address: ELSEWHERE,
	/** A web page instead of a success. */
	webPage: [...ELSEWHERE, 'unknown'],
	redirect: [
		'{address} redirects{to}',
		"{correction} The node doesn't follow redirects, so the key is never sent to another host.",
		SETUP,
	],
	unreadable: [
		"{service} returned a response that can't be read",
		UNCONFIRMED,
		TEMPORARY,
		'unknown',
	],
	unconfirmed: ["{service} didn't confirm the request", UNCONFIRMED, TEMPORARY, 'unknown'],
	/** The caller says what was expected. */
	shape: ['', '', DEFECT],
	noSuchHost: [UNREACHABLE, 'No server has this name. Check the Base URL for a typo.', SETUP],
	certificate: [
		UNREACHABLE,
		`The server's certificate isn't valid. Ask its administrator, or turn on "Ignore SSL Issues (Insecure)" in the credential if you trust the server anyway.`,
		SETUP,
	],
	timeout: [UNREACHABLE, "The service didn't respond in time. {again}", TEMPORARY, 'unknown'],
	unconnected: [...DOWN, 'none'],
	/** The connection broke, maybe after the service had received the request. */
	connection: [...DOWN, 'unknown'],
	notSent: [
		'Nothing was sent',
		'Check the {service} credential and the "Request Options" of the node.',
		SETUP,
	],
} satisfies Record<string, Texts>;

export type FailureKind = keyof typeof FAILURES;

/** The service, or the connection to it, failed. */
export class ServiceError extends Error {
	readonly kind: FailureKind = 'rejected';
	/** What to do about it. */
	readonly description?: string;
	/** What else to do, where someone edits the workflow, as opposed to an agent. */
	readonly inEditor?: string;
	/** The HTTP status as a string, as n8n expects it. Undefined if there was no response. */
	readonly httpCode?: string;
	/** The service's own words. */
	readonly reason?: string;
	/** The API itself has answered, and not a server in front of it. */
	readonly hasEnvelope?: boolean;
	/** A write that must not be sent again, because the service may well have carried it out. */
	readonly mayBeCarriedOut?: boolean;
	/** When the limit or quota ends, in ms since the epoch, if the service has announced it. */
	readonly resetsAt?: number;
	/** How long to wait before the same request may succeed. */
	readonly retryAfterMs?: number;

	/** @param message what happened, with the service's words in full; `shown` masks and shortens it */
	constructor(message: string, details: Partial<Omit<ServiceError, keyof Error | 'failure'>> = {}) {
		super(message);
		Object.assign(this, details);
		if (isMissing(this)) this.httpCode ??= '404';
	}

	/** The cause in n8n's terms. */
	get failure(): Failure | undefined {
		const { retryAfterMs, resetsAt: resetsAtEpochMs } = this;
		const [, , cause]: Texts = FAILURES[this.kind];
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
export const isDenied = ofKind('denied', 'forbidden');

/** Denied without a reason, so it can be the key that's wrong. */
export const isBareDenial = ofKind('forbidden');

/** The rate limit or the quota keeps the key from sending requests. */
export const isOutOfRequests = ofKind('rateLimit', 'quota');

/** The same request may succeed later. */
export function isTemporary(error: unknown): error is ServiceError {
	const isPassing = error instanceof ServiceError && error.failure?.cause === TEMPORARY;
	return isPassing || isOutOfRequests(error);
}

/** The request never reached the service. */
export const isNeverSent = ofKind('unconnected');

/** The service or the connection to it broke down, which often lasts for seconds only. */
export const isInterruption = ofKind('connection', 'gateway', 'unavailable');

/** Other requests with the key fail as well: it's rejected, or out of requests. */
export const concernsKey = ofKind('key', 'rateLimit', 'quota');

/** The service has answered that it won't carry out this request. It's only about this request. */
export function isRefused(error: unknown): error is ServiceError {
	return error instanceof ServiceError && error.failure === undefined;
}

function hasStatus({ httpCode = '' }: ServiceError, ...statuses: string[]): boolean {
	return statuses.includes(httpCode);
}

/** Like {@link isRefused}, because of what the request contains. */
export function isInvalidInput(error: unknown): error is ServiceError {
	return ofKind('rejected')(error) && hasStatus(error, '200', '400', '422');
}

/** The API itself has answered without success, and not because the key or its plan denies it. */
export function isUnsuccessful(error: unknown): boolean {
	return isRefused(error) && error.hasEnvelope === true && !isDenied(error);
}

/** How services reject the number of a page that their list doesn't have. */
export function isNoSuchPage(error: unknown): boolean {
	const isRejected = isRefused(error) && hasStatus(error, '400', '404', '422');
	return isRejected || ofKind('address')(error);
}

const PAGE_SIZE_WORDS = /\b(limit|per.?page|page.?size)\b/i;

/** How services reject the size of a page. */
export function isPageSizeError(error: unknown): boolean {
	if (!isRefused(error)) return false;
	return hasStatus(error, '400', '422') || PAGE_SIZE_WORDS.test(error.message);
}

/** What has answered doesn't look like the API, so the address may be wrong. */
export function isUnlikeApi(error: unknown): boolean {
	const isForeign = ofKind('unreadable', 'unconfirmed', 'notFound', 'noSuchPage')(error);
	return isForeign || (ofKind('rejected')(error) && hasStatus(error, '400', '405'));
}

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
	/** What the texts of some kinds say. */
	got?: string;
	to?: string;
	newBaseUrl?: string;
	resets?: string;
}

/** What messages say about a request's service and account. */
interface Target {
	service: { name: string; keyHint?: string; addressFields?: string };
	account: { baseUrl: string };
}

/** The error for a request that failed, in the words of the table. */
export function failureOf(
	{ service, account }: Target,
	{ method, path, isTypedPath }: Sent,
	kind: FailureKind,
	details: FailureDetails = {},
): ServiceError {
	const { status, got, to, newBaseUrl, resets, ...more } = details;
	const { reason, retryAfterMs } = more;
	const [message, advice, cause, outcome]: Texts = FAILURES[kind];
	const when = retryAfterMs ? `in ${duration(retryAfterMs)}` : 'later';
	const { addressFields: fields = 'Base URL' } = service;
	const setting = `${isTypedPath ? '"Path" or ' : ''}the credential's ${fields}`;
	const known: Record<string, unknown> = {
		got,
		to,
		resets,
		service: service.name,
		baseUrl: account.baseUrl,
		address: account.baseUrl + (isTypedPath ? path.replace(/\?.*/s, '') : ''),
		fields,
		setting,
		correction: newBaseUrl ? `Enter ${newBaseUrl} as the Base URL.` : `Correct ${setting}.`,
		status,
		when,
		again:
			method === 'POST' && outcome !== 'none'
				? `The service may have processed the request. Check that first, then try again ${when}.`
				: `Try again ${when}.`,
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
	{ opensAt, isQuota, isAnnounced }: { opensAt: number; isQuota: boolean; isAnnounced: boolean },
	{ reason, hasEnvelope }: Pick<FailureDetails, 'reason' | 'hasEnvelope'>,
	couldWait: boolean,
): ServiceError {
	const retryAfterMs = Math.max(0, opensAt - systemClock.now());
	const at = new Date(opensAt).toISOString().slice(0, 16).replace('T', ' ');
	const isMonthly = /month|lunar|месяч/i.test(reason ?? '');
	const usual = isMonthly ? '' : ', but daily quotas usually reset at midnight';
	return failureOf(target, sent, isQuota ? 'quota' : 'rateLimit', {
		status: 429,
		reason,
		hasEnvelope,
		retryAfterMs,
		resetsAt: isAnnounced || !isQuota ? opensAt : undefined,
		resets: isAnnounced
			? ` in ${duration(retryAfterMs)} (${at} UTC).`
			: `. The service doesn't say when${usual}.`,
		inEditor: couldWait ? 'To wait automatically, set "On Rate Limit" to Wait.' : undefined,
	});
}
