import { LONG_WINDOW_MS } from './headers';
import type { Rate, RateReport } from './headers';

/** A request that the service did not carry out because of a limit on requests. */
export interface Refusal {
	/**
	 * What is blocked: the key until the next window, the key for so long that requests fail instead
	 * of waiting, or only this request.
	 */
	blocks: 'window' | 'quota' | 'request';
	/** When the service works again, in ms since the epoch; absent where it does not say. */
	opensAt?: number;
}

/** The parts of a response that can show a refusal. */
export interface ReadResponse {
	status: number;
	/** The status or the body says that the request failed. */
	failed: boolean;
	/** How the service explains it. */
	said?: string;
}

/** A window may end a moment later than its length says. */
const ROUNDING_MS = 1_000;

/**
 * Whether the service did not carry out a request because of a limit on requests: status 429, or a
 * failure, other than a 404 or a server error, whose message speaks of such a limit while the headers
 * do not say that requests are left.
 */
function isRefusal(
	{ status, failed, said = '' }: ReadResponse,
	{ remaining = 0 }: RateReport,
): boolean {
	if (status === 429) return true;
	return failed && status < 500 && status !== 404 && remaining === 0 && speaksOfLimit(said);
}

/**
 * What a response refuses; undefined if it is no refusal. The block lasts as long as `Retry-After` or
 * the reset says. If that is long, or the message names a day and there is no time, a quota is
 * exhausted. If requests are left, a block longer than a window concerns only this request, unless the
 * message names a day.
 */
export function refusalOf(
	response: ReadResponse,
	report: RateReport,
	{ windowMs }: Rate,
	now: number,
): Refusal | undefined {
	if (!isRefusal(response, report)) return undefined;
	const { remaining = 0, resetAt, retryAt } = report;
	const hasLeft = remaining > 0;
	const isQuota = namesLongPeriod(response.said ?? '');
	// With requests left, the reset is that of the window.
	const reset = hasLeft && isQuota ? undefined : resetAt;
	const opensAt = retryAt ?? (reset !== undefined && reset > now ? reset : undefined);
	if (opensAt === undefined) return { blocks: isQuota ? 'quota' : 'window' };
	const isLong = opensAt - now > windowMs + ROUNDING_MS;
	if (hasLeft && isLong && !isQuota) return { blocks: 'request', opensAt };
	return { blocks: opensAt - now > LONG_WINDOW_MS ? 'quota' : 'window', opensAt };
}

/** `\b` knows no Cyrillic letters. */
const word = (words: string) => `(?<!\\p{L})(?:${words})(?!\\p{L})`;

const REQUESTS = word(
	'requests|calls|hits|lookups|queries|attempts|cereri|solicitari|apeluri|interogari|запросов',
);
const ENOUGH =
	'(?:limit|quota|maxim|exceeded|reached|used (?:up )?all|out of|left|remaining|available|лимит|превышен|(?:per|pe) (?:sec|min|hour|ora|day|zi|month|luna)|/ ?(?:sec|min|hour|day|month))';

/**
 * What services say when there were too many requests, in English, Romanian or Russian: words for a
 * limit beside words for requests, or those that mean both. Narrow on purpose: if a limit of the plan
 * ("Storage quota exceeded") were mistaken for the rate limit, every request with the key would be
 * delayed. The opposite mistake makes one item fail, in the service's words.
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

/** Whether it names a quota, a day or a longer period for requests, and no shorter period. */
function namesLongPeriod(explanation: string): boolean {
	const words = plain(explanation);
	return LONG_PERIOD.test(words) && !SHORT_PERIOD.test(words) && !OTHER_THING.test(words);
}

/** Lower case, without diacritics; `dailyLimitExceeded` and `DAILY_LIMIT_EXCEEDED` as words. */
function plain(text: string): string {
	const words = text.replace(/([a-z])([A-Z])/g, '$1 $2').normalize('NFD');
	return words
		.replace(/\p{Mn}/gu, '')
		.toLowerCase()
		.replace(/[_\s-]+/g, ' ')
		.trim();
}
