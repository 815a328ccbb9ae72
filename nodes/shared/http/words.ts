/**
 * What services say in rejections, in English, Romanian and Russian: one phrase a line, in lower case and
 * without diacritics (see {@link plain}).
 *
 * `…` stands for any ending, `#` for a number, `[x]` for a word that may be missing, `[any]` for any such
 * word, `<x>` for one of the words below, `!x` for what must not follow, and `^` and `$` for the ends.
 */
const GROUPS: Record<string, string[]> = {
	requests: [
		'requests',
		'calls',
		'lookups',
		'queries',
		'attempts',
		'api requests',
		'api calls',
		'api lookups',
		'api queries',
		'cereri',
		'solicitari',
		'apeluri',
		'interogari',
		'запрос…',
	],
	measure: ['api', 'request', 'query', 'call', 'lookup', 'search', 'usage', 'hourly', 'daily'],
	per: ['per', 'a', 'an', 'pe', 'each'],
	short: ['sec…', 'min…', 'hour…', 'ora'],
	long: ['day…', 'month…', 'zi', 'luna'],
	was: ['is', 'was', 'has', 'been', 'has been'],
	whose: ['api', 'access', 'auth…', 'your', 'this'],
	key: ['key', 'token'],
	wrong: [
		'invalid',
		'wrong',
		'bad',
		'missing',
		'unknown',
		'expired',
		'revoked',
		'inactive',
		'required',
	],
	not: ['not', "n't", "doesn't", "don't", "isn't", "aren't"],
};

function patternOf(word: string): string {
	const [, optional] = /^\[(.*)\]$/.exec(word) ?? [];
	if (optional) return `(?:${optional === 'any' ? '[\\p{L}\\d]+' : patternOf(optional)} )?`;
	const [, group] = /^<(.*)>$/.exec(word) ?? [];
	if (group) return `(?:${GROUPS[group]!.map(patternOf).join('|')})`;
	if (word === '#') return '[\\d.,]*\\d';
	return word.replace('…', '\\p{L}*');
}

function phrases(table: string): RegExp {
	const lines = table.trim().split('\n');
	const patterns = lines.map((line) => {
		const [, start, phrase = '', end] = /^\s*(\^?)(.*?)(\$?)$/.exec(line) ?? [];
		const words = phrase.split(' ').filter((word) => !word.startsWith('!'));
		const after = [...phrase.matchAll(/ !(\S+)/g)].map(([, word]) => `(?!\\s*${word})`);
		const joined = words.map(patternOf).join(' ').replaceAll(')? ', ')?');
		const [first, last] = [start ? '^' : '(?<![\\p{L}\\d])', end ? '\\W*$' : '(?![\\p{L}\\d])'];
		return first + joined + last + after.join('');
	});
	return new RegExp(patterns.join('|'), 'u');
}

/** As the tables are written. Splits `dailyLimitExceeded` and `DAILY_LIMIT_EXCEEDED` into words. */
export function plain(text: string): string {
	const words = text.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_\s-]+/g, ' ');
	return words
		.replace(/(?<=\p{L})\/(?=\p{L})/gu, ' per ')
		.normalize('NFD')
		.replace(/\p{Mn}/gu, '')
		.toLowerCase()
		.trim();
}

/**
 * That the key has made too many requests. It's deliberately narrow: a limit or quota has to stand beside
 * requests, the rate or a day. Taking another limit of the plan for it ("Storage quota exceeded") would
 * delay every request with the key, while the opposite mistake only fails one item in the service's own
 * words.
 */
export const LIMIT_REACHED = phrases(`
	rate limit…
	throttl…
	slow down
	too quickly
	too fast
	too frequently
	too many [any] <requests> !to !for
	prea multe [any] <requests>
	слишком много [any] <requests>
	<measure> [any] limit
	<measure> [any] quota
	monthly quota
	limita zilnica
	дневн… лимит…
	дневн… квот…
	^quota [<was>] exceeded
	^quota [<was>] exhausted
	^[the] limit <was> reached$
	^[the] limit <was> exceeded$
	limit of [#] <requests>
	quota of [#] <requests>
	number of [#] <requests>
	maximum of [#] <requests>
	limita [zilnica] de [#] [de] <requests>
	cota [zilnica] de [#] [de] <requests>
	numarul maxim [zilnica] de [#] [de] <requests>
	лимит… [на] <requests>
	квот… [на] <requests>
	# [de] <requests> <per> <short>
	# [de] <requests> <per> <long>
	no <requests> left
	no <requests> remaining
`);

/** What such a limit isn't about, besides the service's own things. */
export const OTHER_THING = phrases(`
	file
	files
	upload
	uploads
	download
	downloads
	storage
	bandwidth
	keys
	key limit
	member
	members
	fisiere
`);

/** That a limit is the day's or the month's. */
export const LONG_PERIOD = phrases(`
	quota
	cota
	daily
	today
	monthly
	zilnic…
	azi
	<per> <long>
	квот…
	сегодня
	дневн…
`);

export const SHORT_PERIOD = phrases(`
	hourly
	orar…
	<per> [#] <short>
`);

/** The key that came with the request. */
export const KEY = phrases(`
	<whose> <key>
	<wrong> <key> !: !" !'
	<key> [<was>] <wrong>
	authorization header
	unauthenticated
	chei… api
	chei… de acces
	ключ… api
	api ключ…
	токен…
`);

export const WRONG = phrases(`
	invalid
	expired
	revoked
	missing
	inactive
	invalida
	expirat…
	lips…
	недейств…
	неверн…
	истек…
`);

/** What the plan doesn't include. */
export const PLAN = phrases(`
	plan
	upgrade
	subscription
	<not> include…
	abonament…
	тариф…
	подписк…
`);

/** An unknown address, as web servers and frameworks report it, as opposed to an unknown record. */
export const NO_SUCH_PAGE = phrases(`
	^not found$
	^page not found$
	^404 not found$
	^404: not found$
	^404 page not found$
`);

export const NO_SUCH_ROUTE = phrases(`
	^cannot get
	^cannot post
	^cannot put
	^cannot delete
	route
	endpoint
`);
