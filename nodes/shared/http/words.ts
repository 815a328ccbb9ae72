/**
 * What services say in rejections, in English, Romanian and Russian: one phrase a line, as regular expressions,
 * in lower case and without diacritics (see {@link plain}). `…` stands for any ending, `#` for a number,
 * `<x>` for one of the words below, and `(… )?` for a word that may be missing.
 */
const GROUPS: Record<string, string> = {
	requests:
		'(?:api )?(?:requests|calls|lookups|queries|attempts)|cereri|solicitari|apeluri|interogari|запрос…|обращени…',
	measure: 'api|request|query|call|lookup|search|usage|hourly|daily',
	per: 'per|a|an|pe',
	short: 'sec…|min…|hour…|ora',
	long: 'day…|month…|zi|luna',
	was: 'is|was|has|has been',
	whose: 'api|access|auth…|your|this',
	key: 'key|token',
	wrong: 'invalid|wrong|bad|missing|unknown|expired|revoked|inactive|required',
	not: "not|doesn't|isn't|aren't",
};

function phrases(table: string): RegExp {
	const source = table
		.trim()
		.replace(/\s*\n\s*/g, '|')
		.replace(/<(\w+)>/g, (_, group: string) => `(?:${GROUPS[group]})`)
		.replaceAll('…', '\\p{L}*')
		.replaceAll('#', '[\\d.,]*\\d');
	return new RegExp(`(?<![\\p{L}\\d])(?:${source})(?![\\p{L}\\d])`, 'u');
}

/** As the tables are written. Splits `dailyLimitExceeded` and `DAILY_LIMIT_EXCEEDED` into words. */
export function plain(text: string): string {
	const words = text.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_\s-]+/g, ' ');
	return words
		.replaceAll('’', "'")
		.replace(/(?<=\p{L})\/(?=\p{L})/gu, ' per ')
		.normalize('NFD')
		.replace(/\p{Mn}/gu, '')
		.toLowerCase()
		.replace(/[.!\s]+$/, '')
		.trim();
}

/**
 * The key has made too many requests. It's deliberately narrow: a limit or quota has to stand beside
 * requests, the rate or a day. If another limit of the plan ("Storage quota exceeded") were mistaken for it,
 * every request with the key would be delayed. The opposite mistake only fails one item, in the service's own
 * words.
 */
export const LIMIT_REACHED = phrases(`
	rate limit…
	throttl…
	slow down
	too (quickly|fast|frequently)
	too many (… )?<requests>(?! to| for)
	prea multe <requests>
	слишком много <requests>
	(<measure>|<requests>) (… )?(limit|quota)
	monthly quota
	(limita|cota) (zilnica|lunara)
	(дневн|суточн)… (лимит|квот)…
	^quota (<was> )?(exceeded|exhausted)
	^(the )?limit <was> (reached|exceeded)$
	(limit|quota|number|maximum) of (# )?<requests>
	(limita|cota|numarul maxim)( maxima)? de (# )?(de )?<requests>
	depasit numarul de <requests>
	(лимит|квот)… (на )?<requests>
	превыш… (количеств|числ)… <requests>
	# (de )?<requests> <per> (<short>|<long>)
	no <requests> (left|remaining)
`);

/** What such a limit isn't about, besides the service's own things. */
export const OTHER_THING = phrases(`
	(file|upload|download|member)s?
	storage
	key limit
	fisiere
`);

/** The limit is the day's or the month's. */
export const LONG_PERIOD = phrases(`
	quota
	daily
	today
	monthly
	cota
	zilnic…
	lunar…
	<per> <long>
	дневн…
	суточн…
	квот…
	сегодня
`);

/** The limit is the month's, so it doesn't reset at midnight. */
export const MONTH = phrases(`
	month…
	luna
	lunar…
	меся…
`);

export const SHORT_PERIOD = phrases(`
	hourly
	<per> (# )?<short>
`);

/** The key that came with the request. */
export const KEY = phrases(`
	<whose> <key>
	<wrong> <key>(?! ?[:"'])
	<key> (<was> )?<wrong>
	authorization header
	unauthenticated
	chei… (api|de acces)
	ключ… api
	токен…
`);

export const WRONG = phrases(`
	invalid
	expired
	revoked
	missing
	invalida
	expirat…
	lips…
`);

/** What the plan doesn't include. */
export const PLAN = phrases(`
	plan
	upgrade
	subscription
	<not> include…
	abonament…
`);

/** An unknown address, as web servers and frameworks report it, as opposed to an unknown record. */
export const NO_SUCH_PAGE = phrases(`
	^(404:? )?(page )?not found$
`);

export const NO_SUCH_ROUTE = phrases(`
	^cannot (get|post|put|delete)
	route
	endpoint
`);
