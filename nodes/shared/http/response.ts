import type { IN8nHttpFullResponse } from 'n8n-workflow';

import { systemClock } from './clock';
import type { Connection } from './connection';
import { explanation, isJson, parseJson } from './envelope';
import {
	keyRejectionError,
	redirectError,
	noEndpoint,
	noJson,
	rejectionError,
	serverError,
	unconfirmed,
	unreadable,
	untilLater,
} from './failures';
import type { Failed, Sent } from './failures';
import { refusalOf } from './rateLimit/refusal';
import type { Refusal } from './rateLimit/refusal';
import type { RateReport } from './rateLimit/headers';

/** The result of one attempt. */
export type Result = Success | Refused | Failed;

/** HTTP success, JSON, and an envelope without an error. */
export interface Success {
	body: unknown;
}

/** The service rejected the request because of a limit on requests and did not carry it out. */
interface Refused {
	refusal: Refusal;
	/** The service's message, if any. */
	explanation?: string;
}

/** What services say about a key that they reject, in English and Romanian. */
const KEY_REJECTED = [
	/unauthori[sz]ed|unauthenticated|authorization header/i,
	/\b(invalid|wrong|incorrect|bad|missing|unknown|expired|revoked)[ _]((api|access)[ _-]?)?(key|token)\b(?!\s*["':])/i,
	/(api|access)[ _-]?(key|token)\b.*(invalid|not valid|wrong|incorrect|missing|not found|unknown|expired|revoked|disabled|inactive|required|not provided|not recogni[sz]ed)/i,
	/\b(no|provide|supply|check|send)\b.{0,20}(api|access)[ _-]?(key|token)\b/i,
	/chei[ea]( (api|de acces))?\b.*(invalid|expirat|gre[sșş]it|lips|incorect|necunoscut)/i,
];
/** The key was recognized, but it may not do this. */
const NOT_PERMITTED = /\b(un|not )authori[sz]ed (to|for)\b|\baction is unauthori[sz]ed\b/i;

/** What web servers say about an unknown URL. It says nothing about a record. */
export const NO_SUCH_PAGE = /^(404:? )?(page )?not found\.?$/i;
/** The same about a route, anywhere in the message. */
export const NO_SUCH_ROUTE = /^cannot (get|post|put|delete)\b|\b(route|endpoint)\b/i;
const LONGEST_SENTENCE = 300;

/**
 * Reads a response.
 *
 * @param report what the response's headers say about the rate limit
 */
export function readResponse(
	connection: Connection,
	sent: Sent,
	response: IN8nHttpFullResponse,
	report: RateReport = {},
): Result {
	const { statusCode: status } = response;
	const { service, account, rate } = connection;
	const text = bodyText(response.body);
	const parsed = parseJson(text);
	const said = parsed ? explanation(parsed.value, account.mask) : sentence(text, account.mask);
	// The response to a write is not documented, so any success confirms it.
	const isConfirmed = sent.isTypedPath && sent.method !== 'GET' && status < 300;
	const file = status < 300 && !parsed ? fileType(response) : undefined;
	// The endpoints that a user can enter are not documented.
	const says = parsed && (service.succeeded(parsed.value, sent) ?? sent.isTypedPath);
	// Some services report a failure as a sentence of plain text instead of JSON.
	const isSentence = said !== undefined && status < 300 && !isConfirmed && file === undefined;
	const failed = status >= 400 || (parsed ? !says : isSentence);

	const now = systemClock.now();
	const refusal = refusalOf({ status, failed, said }, report, rate, now);
	if (refusal?.blocks === 'request') {
		return { error: untilLater(connection, status, said, (refusal.opensAt ?? now) - now) };
	}
	if (refusal) return { refusal, explanation: said };
	if (status >= 300 && status < 400) return { error: redirectError(connection, sent, response) };
	if (failed) return failureOf(connection, sent, { status, text, parsed, said, says }, report);

	if (parsed) return { body: parsed.value };
	if (looksLikeHtml(text)) return { error: noEndpoint(connection, sent, status) };
	// "No content" is a success without a body.
	if (status === 204) return { body: {} };
	if (isConfirmed) return { body: text === '' || file !== undefined ? {} : text };
	if (file !== undefined) return { error: noJson(connection, file) };
	return { error: unreadable(connection, sent, status, text) };
}

/** A response that says, or leaves open, that the request failed. */
interface FailedResponse {
	status: number;
	text: string;
	/** Absent if the body is not JSON. */
	parsed?: { value: unknown };
	/** The service's message. */
	said?: string;
	/** Whether the body says that the request succeeded; undefined if it says neither. */
	says?: boolean;
}

function failureOf(
	connection: Connection,
	sent: Sent,
	{ status, text, parsed, said, says }: FailedResponse,
	{ retryAt }: RateReport,
): Failed {
	if (status >= 500) {
		const retryAfterMs = retryAt && Math.max(0, retryAt - systemClock.now());
		const failed = { status, retryAfterMs };
		return { error: serverError(connection, sent, said, failed), failed };
	}
	if (rejectsKey(status, said)) return { error: keyRejectionError(connection, status, said) };
	const saysNothing = !said || NO_SUCH_PAGE.test(said) || looksLikeHtml(text);
	if (status === 404 && !parsed && saysNothing) {
		return { error: noEndpoint(connection, sent, status) };
	}
	if (status < 300 && says === undefined && (parsed || sent.method !== 'GET')) {
		return { error: unconfirmed(connection, sent, parsed ? parsed.value : text, said) };
	}
	const hasEnvelope = isJson(parsed?.value) && 'success' in parsed.value;
	return { error: rejectionError(connection, status, said, hasEnvelope) };
}

function rejectsKey(status: number, said = ''): boolean {
	if (NOT_PERMITTED.test(said) && !/\b(key|token)\b/i.test(said)) return false;
	// With 422 the service has understood who asks, and rejects the input.
	if (status === 422) return false;
	return status === 401 || KEY_REJECTED.some((pattern) => pattern.test(said));
}

function bodyText(body: unknown): string {
	if (typeof body === 'string') return body;
	if (Buffer.isBuffer(body)) return body.toString('utf8');
	// A mocked HTTP client may have parsed the body.
	return body === undefined || body === null ? '' : JSON.stringify(body);
}

/** Plain text that could be a message: neither markup nor JSON, and not a whole page. */
function sentence(text: string, mask: (text: string) => string): string | undefined {
	const isProse = /^\s*[^\s<{["]/.test(text) && / /.test(text.trim());
	return isProse && text.length <= LONGEST_SENTENCE ? explanation(text, mask) : undefined;
}

/** The content type of a response that is neither JSON nor a page nor a sentence. */
function fileType({ headers }: IN8nHttpFullResponse): string | undefined {
	const [type = ''] = String(headers['content-type'] ?? '').split(';');
	return type === '' || /json|html|xml|text\/plain/i.test(type) ? undefined : type.trim();
}

function looksLikeHtml(text: string): boolean {
	return /^\s*(<!doctype html|<html|<\?xml|<head|<body)/i.test(text);
}
