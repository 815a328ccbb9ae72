import type { IN8nHttpFullResponse } from 'n8n-workflow';

import { systemClock } from './clock';
import type { Connection } from './connection';
import { explanation, saysFailure } from './envelope';
import { ServiceError } from './errors';
import type { CancelledError } from './errors';
import type { RateReport } from './rateLimit/headers';
import { namesLongQuota, speaksOfRequestLimit } from './rateLimit/limitWords';
import type { RateLimitError } from './rateLimit/rateLimiter';
import type { FailedAttempt } from './retry';

/** The result of one attempt. */
export type Result = Success | Refused | Failed;

/** HTTP success, JSON, and an envelope without an error. */
interface Success {
	body: unknown;
}

/** The service refused the request because of a limit on requests and did not carry it out. */
export interface Refused {
	refused: { namesLongQuota: boolean };
	/** The service's message, if any. */
	explanation?: string;
}

export interface Failed {
	error: ServiceError | CancelledError;
	/** Absent if another attempt would not help. */
	failed?: FailedAttempt;
}

/** What services say of a key that they reject, in English and Romanian. */
const KEY_REJECTED = [
	/unauthori[sz]ed|unauthenticated|authorization header/i,
	/\b(invalid|wrong|incorrect|bad|missing|unknown|expired|revoked)[ _]((api|access)[ _-]?)?(key|token)\b/i,
	/(api|access)[ _-]?(key|token)\b.*(invalid|not valid|wrong|incorrect|missing|not found|unknown|expired|revoked|disabled|inactive|required|not provided|not recogni[sz]ed)/i,
	/\b(no|provide|supply|check|send)\b.{0,20}(api|access)[ _-]?(key|token)\b/i,
	/chei[ea]( (api|de acces))?\b.*(invalid|expirat|gre[sșş]it|lips|incorect|necunoscut)/i,
];
const KEY_STATUSES = new Set([401, 407]);

/** What web servers say of a URL that they do not have, which tells nothing about a record. */
const NO_SUCH_PAGE = /^(404:? )?(page )?not found\.?$/i;
const LONGEST_SENTENCE = 300;
const LONGEST_CAUSE_CHAIN = 5;

/**
 * Reads a response.
 *
 * @param report what the response's headers say about the rate limit
 */
export function readResponse(
	connection: Connection,
	response: IN8nHttpFullResponse,
	report: RateReport = {},
): Result {
	const { statusCode: status } = response;
	const { redact } = connection.account;
	const text = bodyText(response.body);
	const parsed = parseJson(text);
	const said = parsed ? explanation(parsed.value, redact) : sentence(text, redact);

	// A service that reports failures as plain text fails with a sentence instead of JSON.
	const failed =
		status >= 400 || saysFailure(parsed?.value) || (status < 300 && !parsed && said !== undefined);
	if (status === 429 || (failed && status < 500 && saysRefused(said, report))) {
		return { refused: { namesLongQuota: namesLongQuota(said ?? '') }, explanation: said };
	}
	if (status >= 300 && status < 400) return redirected(connection, response);
	if (failed)
		return failure(connection, { status, said, isJson: parsed !== undefined, text, report });
	if (!parsed) return notJson(connection, status, text);
	return { body: parsed.value };
}

/** With requests left, another limit is reached, regardless of its name. */
function saysRefused(said: string | undefined, { remaining = 0 }: RateReport): boolean {
	return said !== undefined && remaining === 0 && speaksOfRequestLimit(said);
}

function bodyText(body: unknown): string {
	if (typeof body === 'string') return body;
	if (Buffer.isBuffer(body)) return body.toString('utf8');
	// n8n passes an already parsed body where it is mocked.
	return body === undefined || body === null ? '' : JSON.stringify(body);
}

function parseJson(text: string): { value: unknown } | undefined {
	try {
		return { value: JSON.parse(text.replace(/^\uFEFF/, '')) as unknown };
	} catch {
		return undefined;
	}
}

/** Plain text that says something: neither markup nor the beginning of JSON nor a long page. */
function sentence(text: string, redact: (text: string) => string): string | undefined {
	const isProse = /^\s*[^\s<{["]/.test(text) && / /.test(text.trim());
	return isProse && text.length <= LONGEST_SENTENCE ? explanation(text, redact) : undefined;
}

interface FailedResponse {
	status: number;
	/** The service's explanation, without the key. */
	said: string | undefined;
	isJson: boolean;
	text: string;
	report: RateReport;
}

function failure(connection: Connection, response: FailedResponse): Failed {
	const { service, account } = connection;
	const { status, said, isJson, text, report } = response;
	const { retry } = report;
	const httpCode = String(status);
	const retryAfterMs = retry && Math.max(0, retry.at + retry.resolutionMs - systemClock.now());
	const failed = { status, retryAfterMs };
	const quote = said ? ` The service said: "${said}".` : '';

	if (KEY_STATUSES.has(status) || KEY_REJECTED.some((pattern) => pattern.test(said ?? ''))) {
		const description = [
			`Check the API Key of the ${service.name} credential.${quote}`,
			service.keyHint,
		];
		return {
			error: new ServiceError(`${service.name} did not accept the API key`, {
				description: description.filter(Boolean).join(' '),
				httpCode,
				failure: { cause: 'credential-invalid' },
			}),
			failed,
		};
	}
	if (status >= 500) {
		return {
			error: new ServiceError(`${service.name} is not working right now (HTTP ${status})`, {
				description: `The service at ${account.baseUrl} returned a server error. Try again ${retryAfterMs ? `in ${inWords(retryAfterMs)}` : 'later'}.${quote}`,
				httpCode,
				failure: { cause: 'temporarily-unavailable', retryAfterMs },
			}),
			failed,
		};
	}
	const isPage = looksLikeHtml(text) || (status === 404 && (!said || NO_SUCH_PAGE.test(said)));
	if (!isJson && isPage) return wrongAddress(connection, status);
	return {
		error: new ServiceError(said ?? `${service.name} rejected the request (HTTP ${status})`, {
			description:
				status === 403
					? `${service.name} denied access. The API key may lack a permission, or the plan may not include this.`
					: `${service.name} did not carry out the request. Check the values of the parameters.`,
			httpCode,
		}),
		failed,
	};
}

function looksLikeHtml(text: string): boolean {
	return /^\s*(<!doctype html|<html|<\?xml|<head|<body)/i.test(text);
}

function wrongAddress({ service, account }: Connection, status: number): Failed {
	return {
		error: new ServiceError(`There is no ${service.name} API at ${account.baseUrl}`, {
			description:
				'The server returned a web page instead of JSON. Check the Base URL of the credential. It is the URL of the service without /api, e.g. https://example.com',
			httpCode: String(status),
			failure: { cause: 'configuration-invalid' },
		}),
	};
}

function notJson(connection: Connection, status: number, text: string): Failed {
	if (looksLikeHtml(text)) return wrongAddress(connection, status);
	const { service } = connection;
	const got = text.trim() === '' ? 'an empty body' : 'text that is not complete JSON';
	return {
		error: new ServiceError(`${service.name} returned a response that cannot be read`, {
			description: `Expected a JSON object, but got ${got} (HTTP ${status}, ${text.length} characters). Try again. If the problem persists, contact the service's administrator.`,
			httpCode: String(status),
			failure: { cause: 'temporarily-unavailable' },
		}),
	};
}

function redirected({ service, account }: Connection, response: IN8nHttpFullResponse): Failed {
	const { location } = response.headers;
	const target =
		typeof location === 'string' ? ` to ${account.redact(location.split(/[?#]/)[0] ?? '')}` : '';
	return {
		error: new ServiceError(`The Base URL of the ${service.name} credential has moved`, {
			description: `${account.baseUrl} redirects${target}. Enter the new URL in the credential. The node does not follow redirects, so the key is never sent to another host.`,
			httpCode: String(response.statusCode),
			failure: { cause: 'configuration-invalid' },
		}),
	};
}

/** The error for a request without a response. */
export function networkFailure({ service, account }: Connection, error: unknown): Failed {
	const code = networkCode(error);
	if (code === undefined) {
		const said = error instanceof Error ? account.redact(error.message) : undefined;
		return {
			error: new ServiceError(said ?? `The request to ${service.name} could not be sent`, {
				description: `Check the ${service.name} credential and the request options of the node.`,
				failure: { cause: 'configuration-invalid' },
			}),
		};
	}
	const wrongName = code === 'ENOTFOUND';
	const badCertificate = /CERT|TLS|SSL|SELF_SIGNED/.test(code);
	const timedOut = code === 'ETIMEDOUT' || (code === 'ECONNABORTED' && saysTimeout(error));
	const reason = wrongName
		? 'No server has this name. Check the Base URL of the credential.'
		: badCertificate
			? 'Its certificate is not valid. Check the Base URL of the credential, or the certificate of the service.'
			: timedOut
				? 'It did not respond in time. The service may be overloaded or down. Try again later.'
				: 'The service is probably down, or the Base URL of the credential is wrong. Try again later.';
	return {
		error: new ServiceError(`${service.name} could not be reached at ${account.baseUrl}`, {
			description: reason,
			failure: {
				cause: wrongName || badCertificate ? 'configuration-invalid' : 'temporarily-unavailable',
			},
		}),
		failed: { code, timedOut },
	};
}

/** The code of a network error, however deep n8n's wrappers put it. */
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

/**
 * The limit is reached, and the request stops waiting for it.
 *
 * @param explanation what the service said when it refused this very request
 */
export function rateLimitFailure(
	{ service }: Connection,
	{ opensAt, quota, guessed }: RateLimitError,
	explanation?: string,
): ServiceError {
	const waitMs = Math.max(0, opensAt - systemClock.now());
	const when = new Date(opensAt).toISOString().replace(/\.\d+Z$/, 'Z');
	const words = explanation ? `: ${explanation}` : '';
	return new ServiceError(
		quota
			? `The quota of the ${service.name} API key is exhausted${words}`
			: `The rate limit of the ${service.name} API key is reached${words}`,
		{
			description: guessed
				? quota
					? 'The service does not say when the quota resets. Daily quotas usually reset at midnight.'
					: `The service does not say when it accepts requests again. Try again after ${when}.`
				: `The service accepts requests again at ${when} (in ${inWords(waitMs)}).`,
			httpCode: '429',
			failure: {
				cause: quota ? 'quota-exhausted' : 'rate-limited',
				retryAfterMs: waitMs,
				resetsAtEpochMs: opensAt,
			},
		},
	);
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

function inWords(ms: number): string {
	if (ms < MINUTE_MS) return `${Math.ceil(ms / 1000)} s`;
	if (ms < HOUR_MS) return `${Math.ceil(ms / MINUTE_MS)} min`;
	return `${(ms / HOUR_MS).toFixed(1)} h`;
}
