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
export interface FailedResponse {
	status: number;
	/** The status or the body says that the request failed. */
	failed: boolean;
	/** How the service explains it. */
	said?: string;
}

/** A window may end a moment later than its length says. */
const ROUNDING_MS = 1_000;

/**
 * Whether a response is a refusal because of a limit on requests, and of what.
 *
 * It is one with status 429, or if it failed, not as a 404 or a server error, with a message about a
 * limit on requests while the headers do not say that requests are left. The block lasts as long as
 * `Retry-After` or the reset says. If that is long, or the message names a day and there is no time, a
 * quota is exhausted. If requests are left, a block longer than a window concerns only this request,
 * unless the message names a day.
 */
export function refusalOf(
	{ status, failed, said = '' }: FailedResponse,
	{ remaining = 0, resetAt, retryAt }: RateReport,
	{ windowMs }: Rate,
	now: number,
): Refusal | undefined {
	const hasLeft = remaining > 0;
	const couldBeLimit = failed && status < 500 && status !== 404;
	const speaksOfLimit = couldBeLimit && !hasLeft && speaksOfRequestLimit(said);
	if (status !== 429 && !speaksOfLimit) return undefined;
	const isQuota = namesLongQuota(said);
	// With requests left, the reset is that of the window.
	const reset = hasLeft && isQuota ? undefined : resetAt;
	const opensAt = retryAt ?? (reset !== undefined && reset > now ? reset : undefined);
	if (opensAt === undefined) return { blocks: isQuota ? 'quota' : 'window' };
	const isLong = opensAt - now > windowMs + ROUNDING_MS;
	if (hasLeft && isLong && !isQuota) return { blocks: 'request', opensAt };
	return { blocks: opensAt - now > LONG_WINDOW_MS ? 'quota' : 'window', opensAt };
}

const REQUESTS = '(?:requests?|calls?|hits|lookups?|queries|cereri|solicitari|apeluri|interogari)';

/**
 * What services say when there were too many requests; the registry may say it in Romanian. Narrow on
 * purpose: if a limit of the plan ("Storage quota exceeded") were mistaken for the rate limit, every
 * request with the key would be delayed. The opposite mistake only costs requests.
 */
const REQUEST_LIMIT = [
	/\brate limit|\bthrottl|\bslow down\b|\btoo (?:quickly|fast|frequently)\b/,
	new RegExp(`\\b(?:too many|prea multe) (?:\\w+ ){0,2}(?:attempts|${REQUESTS})\\b(?! to| for)`),
	new RegExp(`\\b${REQUESTS} ?(?:per|/|pe) ?(?:sec\\w*|min\\w*|hour|ora|day|zi|month|luna)\\b`),
	new RegExp(`\\b${REQUESTS} (?:left|remaining|available)\\b|\\bout of (?:api )?${REQUESTS}\\b`),
];
/** The same, unless the limit is on something else. */
const LIMIT = [
	new RegExp(
		`\\b(?:api|${REQUESTS})(?: \\w+)? (?:limit|quota)\\b|\\b(?:limita?|quota|number|numarul|cota)\\b.* ${REQUESTS}\\b`,
	),
	/^(?:your |the |error )*(?:quota|limit) (?:has |was |is |been )*(?:exceeded|reached|exhausted)\W*$|\b(?:daily|hourly) (?:limit|quota)\b|\blimita zilnica\b/,
];
const OTHER_THING =
	/\b(?:links?|urls?|files?|uploads?|downloads?|storage|disk|size|bandwidth|channels?|campaigns?|domains?|pixels?|codes?|keys|key limit|clicks?|scans?|members?|[kmg]b|linkuri|fisiere|stocare)\b/;

/** Whether a service's explanation of a failure speaks of a limit on requests. */
function speaksOfRequestLimit(explanation: string): boolean {
	const words = plain(explanation);
	const says = (pattern: RegExp) => pattern.test(words);
	return REQUEST_LIMIT.some(says) || (LIMIT.some(says) && !OTHER_THING.test(words));
}

const LONG_PERIOD =
	/\bquota\b|\bcota\b|\b(?:daily|today|monthly|zilnic\w*|azi)\b|(?:per|\/|pe) ?(?:day|month|zi\b|luna)/;
const SHORT_PERIOD =
	/\b(?:hourly|orar\w*)\b|(?:per|\/|pe|an?|each) ?(?:\d+ )?(?:sec|min|hour|ora\b)/;

/** Whether it names a quota, a day or a longer period for requests, and no shorter period. */
function namesLongQuota(explanation: string): boolean {
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
