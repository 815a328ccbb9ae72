import type { IN8nHttpFullResponse } from 'n8n-workflow';

import { systemClock } from './clock';
import { explanation, saysFailure } from './envelope';
import { ServiceError } from './errors';
import type { RateLimitError } from './rateLimit/rateLimiter';
import type { RateReport } from './rateLimit/headers';
import type { FailedAttempt } from './retry';
import type { Connection } from './connection';
import type { CancelledError } from './errors';

/** A response that is what it should be: HTTP success, JSON, and an envelope without an error. */
export interface Answer {
	body: unknown;
}

export type Reading = { answer: Answer } | { refused: 'rate' | 'quota' } | Failed;

export interface Failed {
	problem: ServiceError | CancelledError;
	failed?: FailedAttempt;
}

/**
 * The words in which services say that the limit is exceeded when they do not use status 429. The
 * documents leave that open (spec, "Limits"), and NOTES.md expects 403 and 200 with `error` 1. The
 * registry may answer in Romanian.
 */
const LIMIT_WORDS =
	/rate.?limit|too many|throttl|quota|(request|api|daily|minute|hourly)[ _]limit|limit\b.{0,40}(exceeded|reached)|exceeded .{0,40}(limit|requests)|no (more )?(requests|calls|credits) (left|remaining)|prea multe|limit[aeă].{0,40}(dep[aă][sșş]it|atins)/i;

const QUOTA_WORDS = /quota|daily|per day|a day|24 ?h|monthly|per month|zilnic|pe zi|pe lun[aă]/i;

const KEY_WORDS =
	/(api|access).?(key|token)|unauthori[sz]ed|unauthenticated|authorization header|chei[ea] (api|de acces)/i;

const LONGEST_SENTENCE = 300;

/** What web servers say of an address they do not have, which tells nothing about a record. */
const NO_SUCH_PAGE = /^(404:? )?(page )?not found\.?$/i;

const KEY_STATUSES = new Set([401, 407]);

/**
 * Reads a response: the parsed body, a refusal because of the rate limit, or a problem.
 *
 * @param report what the response's headers say about the rate limit
 */
export function readAnswer(
	connection: Connection,
	response: IN8nHttpFullResponse,
	report: RateReport = {},
): Reading {
	const { statusCode } = response;
	const text = bodyText(response.body);
	const parsed = parseJson(text);
	const body = parsed ? parsed.value : undefined;
	const said = parsed ? explanation(body, connection.account.redact) : sentence(text);

	// A sentence in place of JSON is how a service fails that reports failures as plain text.
	const failed =
		statusCode >= 400 || saysFailure(body) || (statusCode < 300 && !parsed && said !== undefined);
	const refused = QUOTA_WORDS.test(said ?? '') ? 'quota' : 'rate';
	const speaksOfLimit = failed && statusCode < 500 && LIMIT_WORDS.test(said ?? '');
	// With requests left it is another limit that is reached, e.g. that of a plan's channels.
	const requestsLeft = refused === 'rate' && (report.remaining ?? 0) > 0;
	if (statusCode === 429 || (speaksOfLimit && !requestsLeft)) return { refused };
	if (statusCode >= 300 && statusCode < 400) return redirected(connection, response);
	if (failed) return failure(connection, statusCode, said, parsed !== undefined, text, report);
	if (!parsed) return notJson(connection, statusCode, text);
	return { answer: { body } };
}

function bodyText(body: unknown): string {
	if (typeof body === 'string') return body;
	if (Buffer.isBuffer(body)) return body.toString('utf8');
	// n8n hands over an already parsed body where it is mocked.
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
function sentence(text: string): string | undefined {
	const isProse = /^\s*[^\s<{["]/.test(text) && / /.test(text.trim());
	return isProse && text.length <= LONGEST_SENTENCE ? explanation(text) : undefined;
}

function failure(
	connection: Connection,
	status: number,
	said: string | undefined,
	isJson: boolean,
	text: string,
	{ retry }: RateReport,
): Failed {
	const { service, account } = connection;
	const quote = said === undefined ? undefined : account.redact(said);
	const httpCode = String(status);
	const retryAfterMs = retry && Math.max(0, retry.at + retry.resolutionMs - systemClock.now());
	const failed = { status, retryAfterMs };
	const saying = quote ? ` The service said: "${quote}".` : '';

	if (KEY_STATUSES.has(status) || (quote && KEY_WORDS.test(quote))) {
		const description = [
			`Check the API Key of the ${service.name} credential.${saying}`,
			service.keyHint,
		];
		return {
			problem: new ServiceError(`${service.name} did not accept the API key`, {
				description: description.filter(Boolean).join(' '),
				httpCode,
				failure: { cause: 'credential-invalid' },
			}),
			failed,
		};
	}
	if (status >= 500) {
		return {
			problem: new ServiceError(`${service.name} is not working right now (HTTP ${status})`, {
				description: `The service at ${account.baseUrl} reported a failure of its own. Try again ${retryAfterMs ? `in ${inWords(retryAfterMs)}` : 'later'}.${saying}`,
				httpCode,
				failure: { cause: 'temporarily-unavailable', retryAfterMs },
			}),
			failed,
		};
	}
	const isPage = looksLikeHtml(text) || (status === 404 && (!said || NO_SUCH_PAGE.test(said)));
	if (!isJson && isPage) return wrongAddress(connection, status);
	return {
		problem: new ServiceError(quote ?? `${service.name} refused the request (HTTP ${status})`, {
			description:
				status === 403
					? `${service.name} refused access. The API key may lack a permission, or the plan may not include this.`
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
		problem: new ServiceError(`There is no ${service.name} API at ${account.baseUrl}`, {
			description:
				'A web page came instead of JSON. Check the Base URL of the credential: the address of the service without /api, e.g. https://example.com',
			httpCode: String(status),
			failure: { cause: 'configuration-invalid' },
		}),
	};
}

function notJson(connection: Connection, status: number, text: string): Failed {
	if (looksLikeHtml(text)) return wrongAddress(connection, status);
	const { service } = connection;
	const came = text.trim() === '' ? 'an empty body' : 'text that is not JSON, or only a part of it';
	return {
		problem: new ServiceError(`${service.name} sent an answer that cannot be read`, {
			description: `A JSON object was expected, but ${came} came (HTTP ${status}, ${text.length} characters). Try again; if it stays so, ask the service's administrator.`,
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
		problem: new ServiceError(`The Base URL of the ${service.name} credential has moved`, {
			description: `${account.baseUrl} redirects${target}. Put the new address into the credential; the key is not sent on to other addresses.`,
			httpCode: String(response.statusCode),
			failure: { cause: 'configuration-invalid' },
		}),
	};
}

/** What is wrong when no response came at all. */
export function networkProblem({ service, account }: Connection, error: unknown): Failed {
	const code = networkCode(error);
	if (code === undefined) {
		const said = error instanceof Error ? account.redact(error.message) : undefined;
		return {
			problem: new ServiceError(said ?? `The request to ${service.name} could not be sent`, {
				description: `Check the ${service.name} credential and the request options of the node.`,
				failure: { cause: 'configuration-invalid' },
			}),
		};
	}
	const wrongName = code === 'ENOTFOUND';
	const badCertificate = /CERT|TLS|SSL|SELF_SIGNED/.test(code);
	const timedOut = code === 'ETIMEDOUT' || (code === 'ECONNABORTED' && saysTimeout(error));
	const reason = wrongName
		? 'There is no server of that name. Check the Base URL of the credential.'
		: badCertificate
			? 'Its certificate is not valid. Check the Base URL of the credential, or the certificate of the service.'
			: timedOut
				? 'It did not answer in time. The service may be overloaded or down; try again later.'
				: 'The service is probably down, or the Base URL of the credential is wrong. Try again later.';
	return {
		problem: new ServiceError(`${service.name} could not be reached at ${account.baseUrl}`, {
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
	for (let cause = error, depth = 0; cause instanceof Error && depth < 5; depth++) {
		const { code } = cause as { code?: unknown };
		if (typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code)) return code;
		cause = cause.cause;
	}
	return undefined;
}

function saysTimeout(error: unknown): boolean {
	for (let cause = error, depth = 0; cause instanceof Error && depth < 5; depth++) {
		if (/timeout/i.test(cause.message)) return true;
		cause = cause.cause;
	}
	return false;
}

/** The limit is reached, and the caller does not wait or waiting would take too long. */
export function rateProblem({ service }: Connection, limit: RateLimitError): ServiceError {
	const { opensAt, quota, guessed } = limit;
	const waitMs = Math.max(0, opensAt - systemClock.now());
	const when = new Date(opensAt).toISOString().replace(/\.\d+Z$/, 'Z');
	return new ServiceError(
		quota
			? `The quota of the ${service.name} API key is used up`
			: `The rate limit of the ${service.name} API key is reached`,
		{
			description: guessed
				? `The service does not say when it works again. The next try makes sense after ${when}${quota ? '; daily quotas usually start anew at midnight' : ''}.`
				: `It works again at ${when} (in ${inWords(waitMs)}).`,
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
