import type { IN8nHttpFullResponse } from 'n8n-workflow';

import { systemClock } from './clock';
import type { Connection, Service } from './connection';
import { describeShape, explanation } from './envelope';
import type { ServiceError } from './errors';
import { failureOf, type FailureDetails, type Sent } from './failureOf';
import type { FailureKind } from './failures';
import type { RateReport } from './headers';
import { isJson, parseJson } from './json';
import type { Attempt } from './rateWindow';

/** How an attempt ended: with a body, rejected because of a limit on requests, or with an error. */
export interface Outcome extends Attempt {
	body?: unknown;
	/** The service's message, and whether it's JSON, if it rejected the attempt. */
	reason?: string;
	hasEnvelope?: boolean;
	error?: ServiceError;
}

/** Decides what a response means for the request. `report` is what its headers say about the limit. */
export function readResponse(
	connection: Connection,
	sent: Sent,
	{ statusCode: status, headers, body: raw }: IN8nHttpFullResponse,
	report: RateReport,
): Outcome {
	const text = typeof raw === 'string' ? raw : JSON.stringify(raw ?? '');
	const parsed = parseJson(text);
	const body = parsed?.value;
	const succeeded =
		parsed && (connection.service.succeeded(body, sent) ?? (sent.isTypedPath || undefined));
	const isEmpty = sent.isTypedPath && sent.method !== 'GET' && text === '';
	if (status < 300 && succeeded) return { body };
	if (status === 204 || (status < 300 && isEmpty)) return { body: {} };
	const reason = explanation(parsed ? body : SENTENCE.exec(text)?.[0]);
	const hasEnvelope = isJson(body) && ('success' in body || Number(body.error) === 1);

	const rejectedFor = reachedLimit(connection.service, status, reason, report);
	if (rejectedFor) return { rejectedFor, reason, hasEnvelope: parsed !== undefined };
	const fail = (kind: FailureKind, details: FailureDetails = {}) => ({
		error: failureOf(connection, sent, kind, { status, reason, hasEnvelope, ...details }),
	});
	const isPage = !parsed && /^\s*(<!doctype html|<html|<\?xml|<head|<body)/i.test(text);
	if (status >= 500) {
		const retryAfterMs = report.retryAt && Math.max(0, report.retryAt - systemClock.now());
		// Cloudflare uses 520 to 530.
		const isFromGateway = status === 502 || status === 504 || (status >= 520 && status <= 530);
		const kind = isFromGateway ? 'gateway' : 'server';
		return fail(status === 503 ? 'unavailable' : kind, { retryAfterMs });
	}
	if (status >= 300 && status < 400) {
		const target = String(headers.location ?? '').replace(/[?#].*/s, '');
		const base = sent.isTypedPath ? undefined : baseUrlIn(target, sent.path);
		const correction = base && { correction: `Enter ${base} as the Base URL.` };
		return fail('redirect', { words: { to: target && ` to ${target}`, ...correction } });
	}
	if (rejectsKey(status, reason)) return fail('key');
	if (!parsed && status === 404) return fail('address');
	const isFound = status < 300;
	if (isPage && status !== 413) return fail(isFound ? 'webPage' : 'blocked');
	if (isFound && succeeded === undefined) {
		if (parsed) return fail('unconfirmed', { words: { got: describeShape(body) } });
		const got = text.trim() === '' ? 'an empty body' : 'invalid or truncated JSON';
		return fail('unreadable', { words: { got } });
	}
	return fail(kindOfRefusal(status, reason, hasEnvelope));
}

/** The Base URL that the target of a redirect shows: an address without a path, or with the request's. */
function baseUrlIn(target: string, path: string): string | undefined {
	const base = target.endsWith(path) ? target.slice(0, -path.length) : target;
	const isBase = base !== target || /^https?:\/\/[^/]+\/?$/.test(target);
	return isBase && /^https?:/.test(base) ? base.replace(/\/$/, '') : undefined;
}

/** How web servers and frameworks report an unknown address, as opposed to an unknown record. */
const NO_SUCH_PAGE = /^(404:? )?(page )?not found\.?$/i;
const NO_SUCH_ROUTE = /^cannot (get|post|put|delete)\b|\b(route|endpoint)\b/i;

function kindOfRefusal(status: number, reason = '', hasEnvelope: boolean): FailureKind {
	if (status === 403) return 'denied';
	if (status === 413) return 'tooLarge';
	if (status !== 404 && status !== 410) return 'rejected';
	const isUnclear = NO_SUCH_ROUTE.test(reason) || (!hasEnvelope && NO_SUCH_PAGE.test(reason));
	return isUnclear ? 'noSuchPage' : 'notFound';
}

/** A failure in plain text, as opposed to markup, truncated JSON or a long document. */
const SENTENCE = /^\s*[^\s<{["].{0,300}$/s;

const WRONG = '(?:invalid|wrong|bad|missing|unknown|expired|revoked|inactive|required)';
/** How services speak of the key that came with the request. */
const OF_KEY = new RegExp(
	[
		'\\b(?:api|access|auth\\w*|your|this) (?:key|token)\\b',
		`\\b${WRONG} (?:key|token)\\b(?!\\s*["':])`,
		`\\b(?:key|token) (?:is |was |has |been )*${WRONG}\\b`,
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

const REQUESTS =
	'(?:(?:api )?(?:requests|calls|lookups|queries|attempts)|cereri|solicitari|apeluri|interogari|запрос\\p{L}*)';
/**
 * How services say that the key has made too many requests, in English, Romanian and Russian. It's
 * deliberately narrow: a limit or quota has to stand beside requests, the rate or a day. Taking
 * another limit of the plan for it ("Storage quota exceeded") would delay every request with the key,
 * while the opposite mistake only fails one item in the service's own words.
 */
const LIMIT_WORDS = new RegExp(
	[
		'rate limit|throttl|slow down|too (?:quickly|fast|frequently)',
		`(?:too many|prea multe|слишком много) (?:\\w+ )?${REQUESTS}(?! to| for)`,
		'\\b(?:api|request|query|call|lookup|search|usage|hourly|daily) (?:\\w+ )?(?:limit|quota)\\b',
		'\\bmonthly quota|limita zilnica|дневн\\p{L}* (?:лимит|квот)',
		'^quota (?:has been |is )?(?:exceeded|exhausted)',
		'^(?:the )?limit (?:has been|was|is) (?:reached|exceeded)\\W*$',
		`\\b(?:limit|quota|number|maximum) of (?:[\\d,.]+ )?${REQUESTS}`,
		`\\b(?:limita|cota|numarul maxim)(?: zilnica)? de (?:\\d+ (?:de )?)?${REQUESTS}`,
		`(?:лимит|квот)\\p{L}* (?:на )?${REQUESTS}`,
		`\\d (?:de )?${REQUESTS} ?(?:per|/|an?|pe) ?(?:sec|min|hour|day|month|ora|zi|luna)`,
		`\\bno ${REQUESTS} (?:left|remaining)`,
	].join('|'),
	'u',
);
/** What such a limit isn't about, besides the service's own things. */
const OTHER_THING =
	/\b(?:files?|uploads?|downloads?|storage|bandwidth|keys|key limit|members?|fisiere)\b/;
const LONG_PERIOD =
	/\b(?:quota|cota|daily|today|monthly|zilnic\p{L}*|azi)\b|(?:per|\/|pe|an?) ?(?:day|month|zi\b|luna)|квот|сегодня|дневн/u;
const SHORT_PERIOD =
	/\b(?:hourly|orar\w*)\b|(?:per|\/|pe|an?|each) ?(?:\d+ )?(?:sec|min|hour|ora\b)/;

/** Which limit the key has reached: with status 429, or in words, unless headers refute them. */
function reachedLimit(
	{ things }: Service,
	status: number,
	reason = '',
	{ remaining = 0 }: RateReport,
) {
	const words = plain(reason);
	const isOther = OTHER_THING.test(words) || things?.test(words);
	const namesDay = !isOther && LONG_PERIOD.test(words) && !SHORT_PERIOD.test(words);
	const mayReject = status < 300 || [402, 403].includes(status);
	const isSaid = !isOther && LIMIT_WORDS.test(words) && (remaining === 0 || namesDay);
	if (status !== 429 && !(mayReject && isSaid)) return undefined;
	return namesDay ? 'day' : 'window';
}

/** Lower case without diacritics. Splits `dailyLimitExceeded` and `DAILY_LIMIT_EXCEEDED` into words. */
function plain(text: string): string {
	const words = text.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_\s-]+/g, ' ');
	return words
		.normalize('NFD')
		.replace(/\p{Mn}/gu, '')
		.toLowerCase()
		.trim();
}
