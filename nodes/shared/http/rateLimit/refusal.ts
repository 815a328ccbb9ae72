import { LONG_WINDOW_MS } from './headers';
import type { Rate, RateReport } from './headers';

/** The service rejected a request because of a limit on requests, and didn't carry it out. */
export interface Refusal {
	/**
	 * What the service blocks: the key until the next window, the key for so long that requests
	 * should fail instead of waiting, or only this request.
	 */
	blocks: 'window' | 'quota' | 'request';
	/** When the service will accept requests again, in ms since the epoch. Undefined if it doesn't say. */
	opensAt?: number;
}

/** The parts of a response that show whether it's a refusal. */
export interface ReadResponse {
	status: number;
	/** The status or the body reports a failure. */
	failed: boolean;
	/** How the service explains the failure. */
	reason?: string;
}

/** A time in whole seconds can be this much later than the actual end of the window. */
const ROUNDING_MS = 1_000;

/**
 * Whether the service rejected a request because of a limit on requests. Status 429 always means
 * that. Any other failure except a 404 or a server error does if its message mentions such a limit,
 * unless the headers say that requests are left.
 */
function isRefusal(
	{ status, failed, reason = '' }: ReadResponse,
	{ remaining = 0 }: RateReport,
): boolean {
	if (status === 429) return true;
	return failed && status < 500 && status !== 404 && remaining === 0 && speaksOfLimit(reason);
}

/**
 * What a response refuses, or undefined if it isn't a refusal. The block lasts until `Retry-After`
 * or the reset. If that's far away, or if there's no time and the message mentions a daily limit,
 * it's a quota. If requests are left, a block that's longer than a window only concerns this
 * request, unless the message mentions a daily limit.
 */
export function refusalOf(
	response: ReadResponse,
	report: RateReport,
	{ windowMs }: Rate,
	now: number,
): Refusal | undefined {
	if (!isRefusal(response, report)) return undefined;
	const { remaining = 0, resetAt = 0, retryAt } = report;
	const hasLeft = remaining > 0;
	const isQuota = namesLongPeriod(response.reason ?? '');
	// While requests are left in the window, the reset says when the window ends, not when the quota
	// does.
	const reset = hasLeft && isQuota ? 0 : resetAt;
	const opensAt = retryAt ?? (reset > now ? reset : undefined);
	if (opensAt === undefined) return { blocks: isQuota ? 'quota' : 'window' };
	const isLong = opensAt - now > windowMs + ROUNDING_MS;
	if (hasLeft && isLong && !isQuota) return { blocks: 'request', opensAt };
	return { blocks: opensAt - now > LONG_WINDOW_MS ? 'quota' : 'window', opensAt };
}

/** Replaces `\b`, which doesn't recognize Cyrillic letters. */
const word = (words: string) => `(?<!\\p{L})(?:${words})(?!\\p{L})`;

const REQUESTS = word(
	'requests|calls|hits|lookups|queries|attempts|cereri|solicitari|apeluri|interogari|запросов',
);
const ENOUGH =
	'(?:limit|quota|maxim|exceeded|reached|used (?:up )?all|out of|left|remaining|available|лимит|превышен|(?:per|pe) (?:sec|min|hour|ora|day|zi|month|luna)|/ ?(?:sec|min|hour|day|month))';

/**
 * How services report too many requests in English, Romanian and Russian: a word for a limit next
 * to a word for requests, or a phrase that means both. It's deliberately narrow. Mistaking another
 * limit of the plan ("Storage quota exceeded") for the rate limit would delay every request with
 * the key, while the opposite mistake only fails one item with the service's own message.
 */
const LIMIT = new RegExp(
	[
		'rate limit|throttl|slow down|too (?:quickly|fast|frequently)',
		`(?:too many|prea multe|слишком много) (?:\\w+ ){0,2}${REQUESTS}(?! to| for)`,
		`${word('api|request|usage|daily|hourly')} limit|limita zilnica|${word('quota|cota')}|квот`,
		'^(?:the )?limit (?:has been|was|is) (?:reached|exceeded)\\W*$',
		`(?<!\\p{L})${ENOUGH}.*(?<!pending )${REQUESTS}|${REQUESTS}.*${ENOUGH}`,
	].join('|'),
	'u',
);
const OTHER_THING =
	/\b(?:links?|urls?|files?|uploads?|downloads?|storage|disk|size|bandwidth|channels?|campaigns?|domains?|pixels?|codes?|keys|key limit|clicks?|scans?|members?|[kmg]b|linkuri|fisiere|stocare)\b/;

function speaksOfLimit(explanation: string): boolean {
	const words = plain(explanation);
	return LIMIT.test(words) && !OTHER_THING.test(words);
}

const LONG_PERIOD =
	/\bquota\b|\bcota\b|квот|сегодня|\b(?:daily|today|monthly|zilnic\w*|azi)\b|(?:per|\/|pe) ?(?:day|month|zi\b|luna)/;
const SHORT_PERIOD =
	/\b(?:hourly|orar\w*)\b|(?:per|\/|pe|an?|each) ?(?:\d+ )?(?:sec|min|hour|ora\b)/;

/** Whether a message mentions a quota, or a limit per day or longer, and no shorter period. */
function namesLongPeriod(explanation: string): boolean {
	const words = plain(explanation);
	return LONG_PERIOD.test(words) && !SHORT_PERIOD.test(words) && !OTHER_THING.test(words);
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
