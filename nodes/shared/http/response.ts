import type { IN8nHttpFullResponse } from 'n8n-workflow';

import { systemClock } from './clock';
import type { Connection } from './connection';
import { describeShape, explanation, isJson, parseJson, UNEXPECTED_FORMAT } from './envelope';
import { failureOf, NO_SUCH_PAGE } from './errors';
import type { FailureDetails, FailureKind, Sent, ServiceError } from './errors';
import type { RateReport } from './headers';
import type { FailedAttempt } from './retry';

/** The result of one attempt. */
export type Result = Success | Rejected | Failed;

/** A success status, and a body that doesn't report an error. */
export interface Success {
	body: unknown;
}

interface Rejected {
	/** Which limit on requests has been reached, according to the service's message. */
	rejectedFor: 'window' | 'day';
	reason?: string;
}

export interface Failed {
	error: ServiceError;
	/** How the attempt failed, for `mayRetry`. Undefined if a retry wouldn't help. */
	failed?: FailedAttempt;
}

/**
 * Decides what a response means for the request.
 *
 * @param report what the headers say about the rate limit
 */
export function readResponse(
	connection: Connection,
	sent: Sent,
	{ statusCode: status, headers, body: raw }: IN8nHttpFullResponse,
	report: RateReport,
): Result {
	const { service, account } = connection;
	const text = typeof raw === 'string' ? raw : JSON.stringify(raw ?? '');
	const parsed = parseJson(text);
	const body = parsed?.value;
	const succeeded = parsed && (service.succeeded(body, sent) ?? (sent.isTypedPath || undefined));
	const isEmpty = sent.isTypedPath && sent.method !== 'GET' && text === '';
	if (status < 300 && succeeded) return { body };
	if (status === 204 || (status < 300 && isEmpty)) return { body: {} };
	const reason = explanation(parsed ? body : sentence(text), account.mask);

	const rejectedFor = reachedLimit(status, reason, report);
	if (rejectedFor) return { rejectedFor, reason };
	const fail = (what: FailureKind | number, details: FailureDetails = {}) =>
		failureOf(connection, sent, what, { status, reason, ...details });
	if (status >= 500) {
		const retryAfterMs = report.retryAt && Math.max(0, report.retryAt - systemClock.now());
		return { error: fail('server', { retryAfterMs }), failed: { status, retryAfterMs } };
	}
	if (status >= 300 && status < 400) {
		const target = account.mask(String(headers.location ?? '').replace(/[?#].*/s, ''));
		const from = sent.isTypedPath ? (sent.path.split('?')[0] ?? '') : account.baseUrl;
		const what = sent.isTypedPath ? '"Path"' : 'the Base URL of the credential';
		return { error: fail('redirect', { values: { from, to: target && ` to ${target}`, what } }) };
	}
	if (rejectsKey(status, reason)) return { error: fail('key') };
	const isPage = /^\s*(<!doctype html|<html|<\?xml|<head|<body)/i.test(text);
	if (!parsed && (status === 404 || (isPage && status < 300))) {
		const isUnknownRecord = reason !== undefined && !NO_SUCH_PAGE.test(reason);
		if (!isUnknownRecord) return { error: fail('address') };
	}
	if (!parsed && status < 300) {
		const got = text.trim() === '' ? 'an empty body' : 'invalid or truncated JSON';
		return { error: fail('unreadable', { values: { got } }) };
	}
	if (status < 300 && succeeded === undefined) {
		const happened =
			sent.method === 'GET' ? UNEXPECTED_FORMAT : `${service.name} didn't confirm the request`;
		return { error: fail('unconfirmed', { values: { happened, got: describeShape(body) } }) };
	}
	const hasEnvelope = isJson(body) && ('success' in body || Number(body.error) === 1);
	return { error: fail(status, { hasEnvelope }) };
}

const LONGEST_SENTENCE = 300;

/** A failure in plain text, as opposed to markup, truncated JSON or a long document. */
function sentence(text: string): string | undefined {
	return /^\s*[^\s<{["]/.test(text) && text.length <= LONGEST_SENTENCE ? text : undefined;
}

const KEY = '(?:key|token)';
const WRONG =
	'(?:invalid|not valid|wrong|incorrect|bad|missing|not found|unknown|expired|revoked|disabled|inactive|required|not provided|not recogni[sz]ed)';
/** How services speak of the key that came with the request. */
const OF_KEY = new RegExp(
	[
		`\\b(?:api|access|auth\\w*|bearer|your|this) ${KEY}\\b`,
		`\\b${WRONG} ${KEY}\\b(?!\\s*["':])`,
		`\\b${KEY} (?:is |was |has |been )*${WRONG}\\b`,
		'authorization header|\\bunauthenticated|chei[ea] (?:api|de acces)|ключ api|api ключ|токен',
	].join('|'),
);
const WRONG_KEY =
	/\b(?:invalid|expired|revoked|missing|inactive)\b|invalida|expirat|lips|недейств|неверн|истек/;
const OF_PLAN = /\b(?:plan|upgrade|subscription|(?:not|n't) include\w*)\b|abonament|тариф|подписк/;
/**
 * Whether a response rejects the key. A 403 may just as well be about this request: a right that the
 * user doesn't have, or a plan that doesn't include the operation.
 */
function rejectsKey(status: number, reason = ''): boolean {
	const words = plain(reason);
	// With a 422, the service has authenticated the request and rejects its input.
	if (status === 401 || status === 422) return status === 401;
	return OF_KEY.test(words) && (WRONG_KEY.test(words) || !OF_PLAN.test(words));
}

/** Words for requests, by language. */
const REQUESTS = {
	en: '(?:api )?(?:requests|calls|hits|lookups|queries|attempts)',
	ro: '(?:cereri|solicitari|apeluri|interogari)',
	ru: 'запрос\\p{L}*',
};
/**
 * How services say that the key has made too many requests, in English, Romanian and Russian. It's
 * deliberately narrow: a limit or quota has to stand beside requests, the rate or a day. Taking
 * another limit of the plan for it ("Storage quota exceeded") would delay every request with the key,
 * while the opposite mistake only fails one item in the service's own words.
 */
const LIMIT_WORDS = new RegExp(
	[
		'rate limit',
		'throttl',
		'slow down',
		'too (?:quickly|fast|frequently)',
		`too many (?:\\w+ )?${REQUESTS.en}(?! to| for)`,
		'\\b(?:api|request|query|call|lookup|search|usage|hourly|daily) (?:\\w+ )?(?:limit|quota)\\b',
		'\\b(?:daily|monthly) quota',
		'^quota (?:has been |is )?(?:exceeded|exhausted)',
		'^(?:the )?limit (?:has been|was|is) (?:reached|exceeded)\\W*$',
		`\\b(?:limit|quota|number|maximum) of (?:[\\d,.]+ )?${REQUESTS.en}`,
		`\\bexceeded (?:[\\d,.]+ )?${REQUESTS.en}`,
		`\\d ${REQUESTS.en} ?(?:per|/|an?) ?(?:sec|min|hour|day|month)`,
		`\\b(?:out of|no) ${REQUESTS.en} (?:left|remaining)|\\bout of ${REQUESTS.en}`,
		`\\bused (?:up )?all (?:\\w+ ){0,2}${REQUESTS.en}`,
		`prea multe ${REQUESTS.ro}`,
		`\\b(?:limita|cota|numarul maxim)(?: zilnica)? de (?:\\d+ (?:de )?)?${REQUESTS.ro}`,
		'limita zilnica',
		`\\d (?:de )?${REQUESTS.ro} pe (?:sec|min|ora|zi|luna)`,
		`слишком много ${REQUESTS.ru}`,
		`(?:лимит|квот)\\p{L}* (?:на )?${REQUESTS.ru}`,
		'дневн\\p{L}* (?:лимит|квот)',
	].join('|'),
	'u',
);
/** What such a limit isn't about. */
const OTHER_THING =
	/\b(?:links?|urls?|files?|uploads?|downloads?|storage|bandwidth|channels?|campaigns?|domains?|pixels?|codes?|keys|key limit|clicks?|scans?|members?|linkuri|fisiere)\b/;
const LONG_PERIOD =
	/\b(?:quota|cota|daily|today|monthly|zilnic\p{L}*|azi)\b|(?:per|\/|pe|an?) ?(?:day|month|zi\b|luna)|квот|сегодня|дневн/u;
const SHORT_PERIOD =
	/\b(?:hourly|orar\w*)\b|(?:per|\/|pe|an?|each) ?(?:\d+ )?(?:sec|min|hour|ora\b)/;

/**
 * Which limit on requests the service says that the key has reached: with status 429, or in its
 * words, unless the headers say that requests are left in the window.
 */
function reachedLimit(
	status: number,
	reason = '',
	{ remaining = 0 }: RateReport,
): Rejected['rejectedFor'] | undefined {
	const words = plain(reason);
	const isOther = OTHER_THING.test(words);
	const namesDay = !isOther && LONG_PERIOD.test(words) && !SHORT_PERIOD.test(words);
	const limit = namesDay ? 'day' : 'window';
	if (status === 429) return limit;
	if (status > 299 && status !== 402 && status !== 403) return undefined;
	const isSaid = !isOther && LIMIT_WORDS.test(words);
	return isSaid && (remaining === 0 || namesDay) ? limit : undefined;
}

/** Lower case without diacritics. Splits `dailyLimitExceeded` and `DAILY_LIMIT_EXCEEDED` into words. */
function plain(text: string): string {
	const words = text.replace(/([a-z])([A-Z])/g, '$1 $2').normalize('NFD');
	return words
		.replace(/\p{Mn}/gu, '')
		.toLowerCase()
		.replace(/[_\s-]+/g, ' ')
		.trim();
}
