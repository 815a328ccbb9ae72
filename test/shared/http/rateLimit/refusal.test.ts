import { readRateHeaders } from '../../../../nodes/shared/http/rateLimit/headers';
import { refusalOf } from '../../../../nodes/shared/http/rateLimit/refusal';

const NOW = Date.UTC(2026, 4, 4, 12, 0, 0);
const LINKS = { limit: 30, windowMs: 60_000 };
const REGISTRY = { limit: 10, windowMs: 60_000, perDay: 100 };
const HOUR = 3_600_000;

type Headers = Record<string, string | number>;

function refusal(
	status: number,
	reason = '',
	headers: Headers = {},
	rate: typeof LINKS & { perDay?: number } = LINKS,
) {
	const report = readRateHeaders(headers, rate, NOW);
	return refusalOf({ status, failed: true, reason }, report, rate, NOW);
}

describe('refusalOf: status and headers', () => {
	const left = (remaining: number, reset = 30): Headers => ({
		'x-ratelimit-limit': 30,
		'x-ratelimit-remaining': remaining,
		'x-ratelimit-reset': reset,
	});

	const wait = (seconds: number, headers: Headers = {}): Headers => ({
		...headers,
		'retry-after': seconds,
	});
	const ofDay = {
		'x-ratelimit-limit': 100,
		'x-ratelimit-remaining': 0,
		'x-ratelimit-reset': 18_000,
	};
	const otherZone = left(0, NOW / 1000 + 3 * 3_600 + 60);
	const past = left(0, NOW / 1000 - 60);
	const ofHour = { ...left(0, 2_400), 'x-ratelimit-limit': 100 };
	const window = (ms: number) => ({ blocks: 'window', opensAt: NOW + ms });
	const quota = (ms: number) => ({ blocks: 'quota', opensAt: NOW + ms });
	const uploads = 'Too many uploads today';

	it.each<[string, Parameters<typeof refusal>, unknown]>([
		['without a time', [429], { blocks: 'window' }],
		['with Retry-After', [429, '', wait(7)], window(7_000)],
		['with a reset', [429, '', left(0)], window(31_000)],
		['with a reset in the past', [429, '', past], { blocks: 'window' }],
		['in a 200 by its message', [200, 'Too many requests'], { blocks: 'window' }],
		['with requests left and a reset', [429, '', left(25)], window(31_000)],
		['with requests left for a whole window', [429, '', wait(61, left(25))], window(61_000)],
		['with requests left and a short pause', [429, '', wait(5, left(25))], window(5_000)],
		['for hours as a used-up quota', [429, '', wait(5 * 3_600)], quota(5 * HOUR)],
		['that names a day but ends soon', [429, 'Daily quota exceeded', wait(30)], window(30_000)],
		[
			'that names a day while requests are left',
			[429, 'Daily quota', left(25)],
			{ blocks: 'quota' },
		],
		[
			'for an hour while requests are left as one of this request only',
			[429, uploads, wait(3_600, left(25))],
			{ blocks: 'request', opensAt: NOW + HOUR },
		],
		['with headers of a daily quota', [429, '', ofDay, REGISTRY], quota(5 * HOUR + 1_000)],
		['with headers of an hourly limit', [429, '', ofHour], quota(2_401_000)],
		['with a reset in another time zone', [429, '', otherZone], { blocks: 'window' }],
	])('reads a refusal %s', (_, response, expected) => {
		expect(refusal(...response)).toEqual(expected);
	});

	it.each<[string, Parameters<typeof refusal>]>([
		['a 403 about a limit while requests are left', [403, 'Rate limit exceeded', left(3)]],
		['a server error about a limit', [500, 'Too many requests']],
		['a 403 about something else', [403, 'Forbidden', left(0)]],
		['a 404 whose message quotes a limit', [404, 'There is no item "Rate limit exceeded"']],
	])('reads no refusal from %s', (_, response) => {
		expect(refusal(...response)).toBeUndefined();
	});

	it.each(['You have 95 requests left today', 'Quota: 5 of 100 requests used'])(
		'reads no refusal from a success that says "%s"',
		(reason) => {
			const success = { status: 200, failed: false, reason };
			expect(refusalOf(success, {}, LINKS, NOW)).toBeUndefined();
		},
	);
});

describe('refusalOf: messages', () => {
	it.each([
		'Rate limit exceeded',
		'RATE_LIMITED',
		'rateLimitExceeded',
		'You are being rate-limited.',
		'Too many requests',
		'TooManyRequests',
		'Too  many  requests',
		'Too Many Attempts.',
		'Too many API calls',
		'Request was throttled. Expected available in 42 seconds.',
		'ThrottlingException',
		'Please slow down',
		'You are sending requests too quickly',
		'API limit reached',
		'API usage limit exceeded',
		'Request limit exceeded',
		'You have exceeded the number of requests allowed. Try again later.',
		'Maximum number of API requests reached',
		'Only 10 requests per minute are allowed',
		'You have reached the limit of 1,000 requests',
		'You are out of API calls.',
		'Hourly limit exceeded',
		' The limit has been reached. ',
		'Prea multe cereri',
		'Слишком много запросов',
		'Ați atins numărul maxim de solicitări',
		'Limita de apeluri a fost atinsă',
		'10 requests per minute and 100 per day',
		'Daily limit 100, hourly limit 20',
		'10 cereri pe minut, 100 pe zi',
		'Quota of 10 requests per minute exceeded',
	])('recognizes a limit on requests in "%s"', (text) => {
		for (const status of [403, 429]) expect(refusal(status, text)).toEqual({ blocks: 'window' });
	});

	it.each([
		'The daily request quota of your plan is exhausted.',
		'You have exceeded 100 requests per day',
		'100 requests/day',
		'No requests left for today',
		'Your lookup quota is exhausted',
		'QUOTA_EXCEEDED',
		'Daily quota exceeded',
		'Daily quota exceeded for this API key',
		'DAILY_LIMIT_EXCEEDED',
		'You have reached your daily limit.',
		'Limita zilnică de cereri a fost depășită',
		'Limita zilnică a fost depăşită',
		'Ați depășit limita de 100 de cereri pe zi',
		'Cota de interogări a fost epuizată',
		'Cota: 100 de cereri pe zi',
		'You have used all your requests for today',
		'Monthly quota exhausted',
		'Превышен лимит запросов на сегодня',
	])('recognizes a used-up quota in "%s"', (text) => {
		for (const status of [403, 429]) expect(refusal(status, text)).toEqual({ blocks: 'quota' });
	});

	it.each([
		'Storage quota exceeded',
		'You have exceeded your monthly limit of file uploads',
		'You have reached your monthly limit',
		'Daily link limit reached',
		'Channel limit reached. Please upgrade.',
		'You have reached the maximum number of campaigns',
		'API key limit reached',
		'Your plan allows 5 domains. Limit reached.',
		'Limit reached. Please upgrade your plan to add more.',
		'This feature is not available on your plan.',
		'Too many results for this request, refine your query',
		'Too many companies match. Add a filter.',
		'Too many characters in the name',
		'Too many attempts to guess the password',
		'The limit must be from 1 to 50',
		'The parameter limit exceeds the maximum of 50',
		'Request failed: channel limit reached',
		'The request exceeds the limit of 10 MB',
		'The request body is too large',
		'The file is over the limit of 20 MB',
		'Credit limit exceeded',
		'Trade credit limit not included in your plan',
		'The link has reached its limit of clicks',
		'You have exceeded your team members quota',
		'Bandwidth limit exceeded',
		'Prea multe rezultate, rafinați căutarea',
		'Ați depășit spațiul de stocare',
		'Limita de fișiere a fost atinsă',
		'Ați atins numărul maxim de campanii',
		'Cererea nu este validă',
		'No hits found',
		'No pending requests',
		'There is no call to action with this ID.',
		'The route api/requests/5 could not be found.',
		'Cannot GET /api/calls/today',
		'Invalid API key',
		'',
	])('sees no limit on requests in "%s"', (text) => {
		expect(refusal(403, text)).toBeUndefined();
	});

	it.each([
		['You have used all 100 requests of your key today', 'quota'],
		['Monthly quota exceeded', 'quota'],
		['Limits: 100/day, 10/min', 'window'],
		['Storage quota exceeded', 'window'],
	])('reads "%s" with status 429 as a limit on the %s', (text, blocks) => {
		expect(refusal(429, text)).toEqual({ blocks });
	});
});
