import type { IN8nHttpFullResponse } from 'n8n-workflow';

import { systemClock } from './clock';
import type { Connection, Service } from './connection';
import { describeShape, explanation } from './envelope';
import type { ServiceError } from './errors';
import { failureOf, type FailureDetails, type Sent } from './failureOf';
import type { FailureKind } from './failures';
import type { Headers, RateReport } from './headers';
import { isJson, parseJson } from './json';
import type { Attempt } from './rateWindow';
import { redirectDetails } from './redirect';
import * as words from './words';

/** How an attempt ended: with a body, with an error, or rejected because of a limit on requests. */
export interface Outcome extends Attempt {
	body?: unknown;
	error?: ServiceError;
	/** The service's message in a rejection, and whether that's JSON. */
	reason?: string;
	hasEnvelope?: boolean;
}

/** A response, as far as it can be read. */
type Answer = ReturnType<typeof readAnswer>;

/** Decides what a response means for the request. `report` is what its headers say about the limit. */
export function readResponse(
	connection: Connection,
	sent: Sent,
	response: IN8nHttpFullResponse,
	report: RateReport,
): Outcome {
	const answer = readAnswer(connection.service, sent, response);
	const { status, text, parsed, reason, hasEnvelope } = answer;
	const isEmpty = sent.isTypedPath && sent.method !== 'GET' && text === '';
	if (status < 300 && answer.succeeded) return { body: parsed?.value };
	if (status === 204 || (status < 300 && isEmpty)) return { body: {} };
	const rejectedFor = reachedLimit(connection.service, answer, report);
	if (rejectedFor) return { rejectedFor, reason, hasEnvelope: parsed !== undefined };
	const [kind, details] = failureIn(answer, connection, sent);
	const retryAfterMs = report.retryAt && Math.max(0, report.retryAt - systemClock.now());
	const known = { status, reason, hasEnvelope, retryAfterMs, ...details };
	return { error: failureOf(connection, sent, kind, known) };
}

/** How web servers answer on a port for HTTPS, if the Base URL begins with http://. */
const PLAIN_HTTP = /plain http|http request to an https server/i;

/** Markup, or the line that Cloudflare's firewall shows to programs. */
const PAGE = /^\s*(<[!?a-z]|error code: 1\d{3}\s*$)/i;

/** A failure in plain text, as opposed to markup, truncated JSON or a long document. */
const SENTENCE = /^\s*[^\s<{["].{0,300}$/s;

function readAnswer(
	service: Service,
	sent: Sent,
	{ statusCode: status, headers, body: raw }: IN8nHttpFullResponse,
) {
	// n8n's older helper, which tests credentials, has no body for an empty one.
	const text = typeof raw === 'string' ? raw : raw === undefined ? '' : JSON.stringify(raw);
	const parsed = parseJson(text);
	const body = parsed?.value;
	const reason = explanation(parsed ? body : SENTENCE.exec(text)?.[0]);
	return {
		status,
		headers: headers as Headers,
		text,
		/** Undefined if it isn't JSON. */
		parsed,
		/** What it says about itself. */
		reason,
		/** The same, for the tables of words. */
		said: words.plain(reason ?? ''),
		/** The API itself has answered, and not a server in front of it. */
		hasEnvelope: isJson(body) && ('success' in body || Number(body.error) === 1),
		isPage: PAGE.test(text),
		/** Whether the request has succeeded; undefined if the answer doesn't say either way. */
		succeeded: parsed && (service.succeeded(body, sent) ?? (sent.isTypedPath || undefined)),
	};
}

/** Which limit the key has reached: with status 429, or in words, unless headers refute them. */
function reachedLimit(
	{ things }: Service,
	{ status, said }: Answer,
	{ remaining = 0 }: RateReport,
): Attempt['rejectedFor'] {
	const isOther = words.OTHER_THING.test(said) || things?.test(said);
	const namesDay = !isOther && words.LONG_PERIOD.test(said) && !words.SHORT_PERIOD.test(said);
	const mayReject = status < 300 || [402, 403].includes(status);
	const isSaid = !isOther && words.LIMIT_REACHED.test(said) && (remaining === 0 || namesDay);
	if (status !== 429 && !(mayReject && isSaid)) return undefined;
	return namesDay ? 'day' : 'window';
}

/** What has failed, and what is known of it besides the answer's own words. */
type Reading = [kind: FailureKind, details?: FailureDetails];

function failureIn(answer: Answer, connection: Connection, sent: Sent): Reading {
	const { status, isPage, parsed, text, hasEnvelope } = answer;
	const kind = kindOfStatus(status);
	if (kind) return [kind];
	if (status >= 300 && status < 400) {
		return ['redirect', redirectDetails(answer.headers, connection.account, sent)];
	}
	if (!parsed && PLAIN_HTTP.test(text)) {
		return ['address', { advice: 'This port speaks HTTPS. Begin the Base URL with https://.' }];
	}
	if ([401, 403].includes(status) && !hasEnvelope && asksForLogin(answer)) return ['blocked'];
	if (isPage && status !== 404) return [status < 300 ? 'page' : 'blocked'];
	if (rejectsKey(answer)) return ['key'];
	if (!parsed && status === 404) return ['address'];
	if (!parsed && status < 300) {
		const flaw = text.trim() === '' ? 'has an empty body' : 'has invalid or truncated JSON';
		return ['undecodable', { words: { flaw } }];
	}
	if (status < 300 && answer.succeeded === undefined) {
		return ['unconfirmed', { words: { got: describeShape(parsed?.value) } }];
	}
	return [kindOfRefusal(answer)];
}

const KINDS: Record<number, FailureKind | undefined> = {
	407: 'proxyLogin',
	408: 'slow',
	413: 'tooLarge',
	421: 'notProcessed',
	425: 'notProcessed',
	502: 'gateway',
	503: 'unavailable',
	504: 'gateway',
};

/** What a status says that needs no words. */
function kindOfStatus(status: number): FailureKind | undefined {
	// Cloudflare uses 520 to 530.
	if (status >= 520 && status <= 530) return 'gateway';
	return KINDS[status] ?? (status >= 500 ? 'server' : undefined);
}

/** A web server or proxy asks for its own login. The services never do. */
function asksForLogin({ headers }: Answer): boolean {
	return /^(basic|digest|negotiate|ntlm)\b/i.test(String(headers['www-authenticate'] ?? ''));
}

/**
 * Whether a response rejects the key. A 403 can also be about this request: the user doesn't have the right,
 * or the plan doesn't include the operation.
 */
function rejectsKey({ status, said }: Answer): boolean {
	// With a 422, the service has authenticated the request and rejects its input.
	if (status === 401 || status === 422) return status === 401;
	return words.KEY.test(said) && (words.WRONG.test(said) || !words.PLAN.test(said));
}

function kindOfRefusal({ status, said, hasEnvelope }: Answer): FailureKind {
	if (status === 403) return 'denied';
	if (status !== 404 && status !== 410) return 'rejected';
	const isUnclear =
		words.NO_SUCH_ROUTE.test(said) || (!hasEnvelope && words.NO_SUCH_PAGE.test(said));
	return isUnclear ? 'noSuchPage' : 'notFound';
}
