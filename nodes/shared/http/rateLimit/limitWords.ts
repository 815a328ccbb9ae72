/**
 * The words in which services say that a limit on requests is exceeded. The documentation leaves
 * that open (docs/services.md, "Link Management: limits" and "Company Registry: limits"); the
 * registry may answer in Romanian.
 *
 * These patterns are narrow on purpose. A limit of a plan ("Storage quota exceeded") that is
 * mistaken for the rate limit would delay every request with the same key; the reverse only costs
 * requests.
 */
const REQUESTS = '(?:requests?|calls?|hits|lookups?|look-ups?|queries)';
const CERERI =
	'(?:cereri\\w*|solicitari\\w*|apeluri\\w*|interogari\\w*|accesari\\w*|request[-]?uri\\w*)';
const LIMIT = '(?:limits?|quotas?|allowance)';
const LIMITA = '(?:limit[aei]\\w*|cot[aei]\\w*|plafon\\w*|numar\\w*(?: maxim)?)';
const PERIOD = '(?:second|minute|min|hour|day|24 ?h(?:ours)?|month)';
const PERIOADA = '(?:secunda|minut|ora|zi|luna)';
const REACHED =
	'(?:exceed\\w*|reach\\w*|exhaust\\w*|used up|hit|over|surpass\\w*|spent|deplet\\w*|depas\\w*|atins\\w*|epuiz\\w*|consum\\w*)';

/** Limits that name requests. */
const REQUEST_LIMIT = [
	/\brate ?limit/,
	/\bthrottl/,
	/\bslow down\b/,
	/\btoo many attempts\b(?! (?:to|at|with|for))/,
	new RegExp(`\\btoo many (?:\\w+ ){0,2}${REQUESTS}\\b`),
	new RegExp(`\\b${REQUESTS} (?:\\w+ ){0,2}too (?:fast|quickly|often|frequently)\\b`),
	new RegExp(`\\b${REQUESTS} ?(?:per|a|an|each|every|/) ?(?:\\d+ )?${PERIOD}`),
	new RegExp(
		`\\bno (?:more )?(?:api )?(?:${REQUESTS}|api credits) (?:are )?(?:left|remain\\w*|available)`,
	),
	new RegExp(`\\bout of (?:api )?${REQUESTS}\\b`),
	new RegExp(`\\bprea multe ${CERERI}`),
	new RegExp(`\\b${CERERI} (?:pe|/) ?${PERIOADA}\\b`),
];

/** The same where only the words beside them make a failure of it. */
const NAMED_LIMIT = [
	new RegExp(`\\b(?:api|${REQUESTS}|api (?:usage|${REQUESTS})) (?:rate )?${LIMIT}\\b`),
	new RegExp(
		`\\b(?:${LIMIT}|number|maximum|amount) (?:(?:of|for|on|your|the|api|allowed|permitted|free|daily|monthly|\\d[\\d.,]*) ){1,4}${REQUESTS}\\b`,
	),
	new RegExp(`\\b${REQUESTS} (?:quota|allowance|credits?)\\b`),
	new RegExp(`\\bexceed\\w* (?:(?:the|your|of|api|allowed|\\d[\\d.,]*) ){0,4}${REQUESTS}\\b`),
	new RegExp(`\\b${LIMITA} (?:\\w+ ){0,3}?(?:de |a |al |pentru )?${CERERI}`),
];

/** A limit that names nothing, or only the period that the registry's quota has. */
const BARE_LIMIT = [
	new RegExp(`\\b(?:daily|hourly|per minute) ${LIMIT}\\b`),
	new RegExp(`\\b${LIMITA} (?:zilnic\\w*|orar\\w*|pe ${PERIOADA})\\b`),
	new RegExp(`^(?:(?:error|forbidden)\\W+)?(?:(?:the|your|api|plan) )*quota\\b`),
	new RegExp(
		`^(?:(?:error|forbidden)\\W+)?(?:(?:the|your) )?limit (?:(?:has|was|is|been) )*${REACHED}\\W*$`,
	),
];

/** Things that plans limit, too. */
const OTHER_THINGS =
	/\b(?:links?|urls?|alias\w*|files?|uploads?|downloads?|storage|disk|space|size|bytes?|[kmg]b|bandwidth|traffic|channels?|campaigns?|domains?|pixels?|qr|codes?|pages?|splash|overlays?|bios?|users?|team\w*|members?|seats?|keys?|clicks?|scans?|views?|results?|rows?|records?|items?|characters?|words?|fisier\w*|linkuri\w*|spatiu\w*|stocare\w*|rezultat\w*|campanii\w*|canale\w*|domenii\w*|utilizator\w*|coduri\w*|scanari\w*)\b/;

const LONG_PERIOD =
	/\b(?:daily|today|tomorrow|monthly|(?:per|a|each|every) (?:day|month)|24 ?h(?:ours)?|zilnic\w*|lunar\w*|azi|astazi|maine|pe (?:zi|luna))\b|\/ ?(?:day|month|zi\b|luna)/;
const SHORT_PERIOD =
	/\b(?:hourly|(?:per|a|an|each|every) (?:\d+ )?(?:second|minute|min|hour)s?|pe (?:secunda|minut|ora)|orar\w*)\b|\/ ?(?:s|sec|min|minute|h|hour|ora)\b/;

/** Whether a service's explanation of a failure speaks of a limit on requests. */
export function speaksOfRequestLimit(explanation: string): boolean {
	const text = plain(explanation);
	if (REQUEST_LIMIT.some((pattern) => pattern.test(text))) return true;
	if (!new RegExp(`\\b${REACHED}\\b`).test(text)) return false;
	if (NAMED_LIMIT.some((pattern) => pattern.test(text))) return true;
	return !OTHER_THINGS.test(text) && BARE_LIMIT.some((pattern) => pattern.test(text));
}

/** Whether it names a day or a longer period, or a quota of requests, and no shorter period. */
export function namesLongQuota(explanation: string): boolean {
	const text = plain(explanation);
	const isQuota = /\bquota\b|\bcot[aei]\b/.test(text) && !OTHER_THINGS.test(text);
	return (isQuota || LONG_PERIOD.test(text)) && !SHORT_PERIOD.test(text);
}

/** Lower case, without diacritics; `dailyLimitExceeded` and `DAILY_LIMIT_EXCEEDED` as words. */
function plain(text: string): string {
	return text
		.replace(/([a-z])([A-Z])/g, '$1 $2')
		.normalize('NFD')
		.replace(/\p{Mn}/gu, '')
		.toLowerCase()
		.replace(/[_\s]+/g, ' ')
		.replace(/\brate-limit/g, 'rate limit')
		.trim();
}
