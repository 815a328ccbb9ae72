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

/** A success status, and a body that doesn't report an error. */
export interface Success {
	body: unknown;
}

/** The service rejected the request because of a limit on requests, and didn't carry it out. */
interface Refused {
	refusal: Refusal;
	/** The service's message, if any. */
	reason?: string;
}

/** How services say that they reject the key, in English and Romanian. */
const KEY_REJECTED = [
	/unauthori[sz]ed|unauthenticated|authorization header/i,
	/\b(invalid|wrong|incorrect|bad|missing|unknown|expired|revoked)[ _]((api|access)[ _-]?)?(key|token)\b(?!\s*["':])/i,
	/(api|access)[ _-]?(key|token)\b.*(invalid|not valid|wrong|incorrect|missing|not found|unknown|expired|revoked|disabled|inactive|required|not provided|not recogni[sz]ed)/i,
	/\b(no|provide|supply|check|send)\b.{0,20}(api|access)[ _-]?(key|token)\b/i,
	/chei[ea]( (api|de acces))?\b.*(invalid|expirat|gre[sșş]it|lips|incorect|necunoscut)/i,
];
/** How services say that they accept the key, but not for this operation. */
const NOT_PERMITTED = /\b(un|not )authori[sz]ed (to|for)\b|\baction is unauthori[sz]ed\b/i;

/** How web servers report an unknown URL, as opposed to a record that doesn't exist. */
export const NO_SUCH_PAGE = /^(404:? )?(page )?not found\.?$/i;
/** How web frameworks report an unknown route, anywhere in the message. */
export const NO_SUCH_ROUTE = /^cannot (get|post|put|delete)\b|\b(route|endpoint)\b/i;
const LONGEST_SENTENCE = 300;

/**
 * Decides what a response means for the request.
 *
 * @param report what the headers say about the rate limit
 */
export function readResponse(
	connection: Connection,
	sent: Sent,
	response: IN8nHttpFullResponse,
	report: RateReport,
): Result {
	const { statusCode: status } = response;
	const { service, account, rate } = connection;
	const text = bodyText(response.body);
	const parsed = parseJson(text);
	const reason = parsed ? explanation(parsed.value, account.mask) : sentence(text, account.mask);
	// It's unknown what confirms a write to an endpoint that the user typed, so any success status
	// does.
	const isConfirmed = sent.isTypedPath && sent.method !== 'GET' && status < 300;
	const file = status < 300 && !parsed ? fileType(response) : undefined;
	const saysSuccess = parsed && (service.succeeded(parsed.value, sent) ?? sent.isTypedPath);
	// Some services report a failure in plain text instead of JSON.
	const isSentence = reason !== undefined && status < 300 && !isConfirmed && file === undefined;
	const failed = status >= 400 || (parsed ? !saysSuccess : isSentence);

	const now = systemClock.now();
	const refusal = refusalOf({ status, failed, reason }, report, rate, now);
	if (refusal?.blocks === 'request') {
		return { error: untilLater(connection, status, reason, (refusal.opensAt ?? now) - now) };
	}
	if (refusal) return { refusal, reason };
	if (status >= 300 && status < 400) return { error: redirectError(connection, sent, response) };
	if (failed)
		return failureOf(connection, sent, { status, text, parsed, reason, saysSuccess }, report);

	if (parsed) return { body: parsed.value };
	if (looksLikeHtml(text)) return { error: noEndpoint(connection, sent, status) };
	// "No content" is a success without a body.
	if (status === 204) return { body: {} };
	if (isConfirmed) return { body: text === '' || file !== undefined ? {} : text };
	if (file !== undefined) return { error: noJson(connection, status, file) };
	return { error: unreadable(connection, sent, status, text) };
}

/** A response that reports a failure, or that doesn't confirm success. */
interface FailedResponse {
	status: number;
	text: string;
	/** The body, if it's JSON. */
	parsed?: { value: unknown };
	/** The service's message. */
	reason?: string;
	/** Whether the body says that the request succeeded; undefined if it doesn't say either way. */
	saysSuccess?: boolean;
}

function failureOf(
	connection: Connection,
	sent: Sent,
	{ status, text, parsed, reason, saysSuccess }: FailedResponse,
	{ retryAt }: RateReport,
): Failed {
	if (status >= 500) {
		const retryAfterMs = retryAt && Math.max(0, retryAt - systemClock.now());
		const failed = { status, retryAfterMs };
		return { error: serverError(connection, sent, reason, failed), failed };
	}
	if (rejectsKey(status, reason)) return { error: keyRejectionError(connection, status, reason) };
	const saysNothing = !reason || NO_SUCH_PAGE.test(reason) || looksLikeHtml(text);
	if (status === 404 && !parsed && saysNothing) {
		return { error: noEndpoint(connection, sent, status) };
	}
	if (status < 300 && saysSuccess === undefined && (parsed || sent.method !== 'GET')) {
		return { error: unconfirmed(connection, sent, parsed ? parsed.value : text, reason) };
	}
	const hasEnvelope = isJson(parsed?.value) && 'success' in parsed.value;
	return { error: rejectionError(connection, status, reason, hasEnvelope) };
}

function rejectsKey(status: number, reason = ''): boolean {
	if (NOT_PERMITTED.test(reason) && !/\b(key|token)\b/i.test(reason)) return false;
	// With 422, the service has authenticated the request and rejects its input.
	if (status === 422) return false;
	return status === 401 || KEY_REJECTED.some((pattern) => pattern.test(reason));
}

function bodyText(body: unknown): string {
	if (typeof body === 'string') return body;
	if (Buffer.isBuffer(body)) return body.toString('utf8');
	// A mocked HTTP client may return a parsed body.
	return body === undefined || body === null ? '' : JSON.stringify(body);
}

/** The body as a message if it's plain text, as opposed to markup, truncated JSON or a long document. */
function sentence(text: string, mask: (text: string) => string): string | undefined {
	const isProse = /^\s*[^\s<{["]/.test(text) && / /.test(text.trim());
	return isProse && text.length <= LONGEST_SENTENCE ? explanation(text, mask) : undefined;
}

/** The content type, if the response is a file rather than JSON, a web page or text. */
function fileType({ headers }: IN8nHttpFullResponse): string | undefined {
	const [type = ''] = String(headers['content-type'] ?? '').split(';');
	return type === '' || /json|html|xml|text\/plain/i.test(type) ? undefined : type.trim();
}

function looksLikeHtml(text: string): boolean {
	return /^\s*(<!doctype html|<html|<\?xml|<head|<body)/i.test(text);
}
