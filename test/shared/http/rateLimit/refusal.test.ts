import { readRateHeaders } from '../../../../nodes/shared/http/rateLimit/headers';
import { refusalOf } from '../../../../nodes/shared/http/rateLimit/refusal';

const NOW = Date.UTC(2026, 4, 4, 12, 0, 0);
const LINKS = { limit: 30, windowMs: 60_000 };
const REGISTRY = { limit: 10, windowMs: 60_000, perDay: 100 };
const HOUR = 3_600_000;

type Headers = Record<string, string | number>;

function refusal(
	status: number,
	said = '',
	headers: Headers = {},
	rate: typeof LINKS & { perDay?: number } = LINKS,
) {
	const report = readRateHeaders(headers, rate, NOW);
	return refusalOf({ status, failed: true, said }, report, rate, NOW);
}

describe('a refusal', () => {
	const left = (remaining: number, reset = 30): Headers => ({
		'x-ratelimit-limit': 30,
		'x-ratelimit-remaining': remaining,
		'x-ratelimit-reset': reset,
	});

	it.each<[string, Parameters<typeof refusal>, unknown]>([
		['without a time', [429], { blocks: 'window' }],
		[
			'with Retry-After',
			[429, '', { 'retry-after': 7 }],
			{ blocks: 'window', opensAt: NOW + 7_000 },
		],
		['with a reset', [429, '', left(0)], { blocks: 'window', opensAt: NOW + 31_000 }],
		['with a reset in the past', [429, '', left(0, -5)], { blocks: 'window' }],
		['by its words', [200, 'Too many requests'], { blocks: 'window' }],
		[
			'with requests left and a short pause',
			[429, '', { ...left(25), 'retry-after': 5 }],
			{ blocks: 'window', opensAt: NOW + 5_000 },
		],
		[
			'that lasts for hours',
			[429, '', { 'retry-after': 5 * 3_600 }],
			{ blocks: 'quota', opensAt: NOW + 5 * HOUR },
		],
		[
			'that names a day and a time soon',
			[429, 'Daily quota exceeded', { 'retry-after': 30 }],
			{ blocks: 'window', opensAt: NOW + 30_000 },
		],
		[
			'that names a day while the minute has requests left',
			[429, 'Daily quota', left(25)],
			{ blocks: 'quota' },
		],
		[
			'that lasts for hours while requests are left',
			[429, 'Too many uploads today', { ...left(25), 'retry-after': 3_600 }],
			{ blocks: 'request', opensAt: NOW + HOUR },
		],
		[
			'with headers of the day',
			[
				429,
				'',
				{ 'x-ratelimit-limit': 100, 'x-ratelimit-remaining': 0, 'x-ratelimit-reset': 18_000 },
				REGISTRY,
			],
			{ blocks: 'quota', opensAt: NOW + 5 * HOUR + 1_000 },
		],
		[
			'with a reset in another time zone',
			[429, '', { ...left(0), 'x-ratelimit-reset': NOW / 1000 + 3 * 3_600 }],
			{ blocks: 'window' },
		],
	])('%s', (_, response, expected) => {
		expect(refusal(...response)).toEqual(expected);
	});

	it.each<[string, Parameters<typeof refusal>]>([
		['a limit word while requests are left', [403, 'Rate limit exceeded', left(3)]],
		['a server error with such words', [503, 'Too many requests']],
		['another failure', [404, 'Not found', left(0)]],
	])('is not read from %s', (_, response) => {
		expect(refusal(...response)).toBeUndefined();
	});
});

describe('a failure that speaks of a limit on requests', () => {
	it.each([
		'Rate limit exceeded',
		'Rate limit exceeded. Try again in a minute.',
		'RATE_LIMITED',
		'RATE_LIMIT_EXCEEDED',
		'rateLimitExceeded',
		'You are being rate-limited.',
		'API rate limit reached for this key',
		'Too many requests',
		'Too many requests, slow down.',
		'TooManyRequests',
		'Too Many Attempts.',
		'Too many attempts, please try again later',
		'Too many API calls',
		'Too many requests per minute for your plan.',
		'Request was throttled. Expected available in 42 seconds.',
		'ThrottlingException',
		'Please slow down',
		'You are sending requests too quickly',
		'API limit reached',
		'API quota exceeded',
		'API usage limit exceeded',
		'API call limit has been reached',
		'Request limit exceeded',
		'Requests limit reached',
		'Daily request limit reached, upgrade your plan.',
		'The daily request quota of your plan is exhausted.',
		'You have exceeded the number of requests allowed. Try again later.',
		'You have exceeded the allowed number of requests',
		'Maximum number of API requests reached',
		'You have exceeded 100 requests per day',
		'Limit of 100 requests per day was reached',
		'Only 10 requests per minute are allowed',
		'Only 30 requests/minute are allowed',
		'You have reached the limit of 1,000 requests',
		'No requests left for today',
		'No more API calls remaining',
		'You are out of API calls.',
		'Your lookup quota is exhausted',
		'Quota exceeded',
		'QUOTA_EXCEEDED',
		'Your quota has been exceeded.',
		'Daily quota exceeded',
		'Daily quota exceeded, upgrade your plan',
		'DAILY_LIMIT_EXCEEDED',
		'You have reached your daily limit.',
		'Hourly limit exceeded',
		'Limit exceeded',
		'The limit has been reached.',
		'Prea multe cereri',
		'Prea multe solicitări. Reveniți mai târziu.',
		'Limita zilnică de cereri a fost depășită',
		'Limita zilnică a fost depăşită',
		'Ați depășit limita de 100 de cereri pe zi',
		'Ați atins numărul maxim de solicitări',
		'Cota de interogări a fost epuizată',
		'Cota: 100 de cereri pe zi',
		'Limita de apeluri a fost atinsă',
	])('is recognised: %s', (text) => {
		expect(refusal(403, text)).toBeDefined();
	});

	it.each([
		'Storage quota exceeded',
		'STORAGE_QUOTA_EXCEEDED',
		'Your storage quota has been exceeded',
		'Quota of files exceeded',
		'Disk quota reached',
		'You have exceeded your monthly limit of file uploads',
		'You have reached your monthly limit of links. Please upgrade.',
		'You have reached your monthly limit',
		'You have reached the daily limit of uploads',
		'Daily link limit reached',
		'Daily limit of file uploads exceeded',
		'Channel limit reached. Please upgrade.',
		'Campaign limit exceeded',
		'You have reached the maximum number of campaigns',
		'You have reached the maximum number of API keys',
		'API key limit reached',
		'Maximum links limit reached. Please upgrade to another plan.',
		'Your plan allows 5 domains. Limit reached.',
		'Plan limit reached',
		'Limit reached. Please upgrade your plan to add more.',
		'Upgrade your plan',
		'This feature is not available on your plan.',
		'Too many results, refine your query',
		'Too many results for this request, refine your query',
		'Too many results',
		'Too many companies match. Add a filter.',
		'Too many characters in the name',
		'Too many items in the channel',
		'Too many attempts to guess the password',
		'Too many redirects',
		'The limit must be from 1 to 50',
		'The parameter limit exceeds the maximum of 50',
		'limit is out of range',
		'Invalid limit',
		'Request failed: channel limit reached',
		'The request exceeds the limit of 10 MB',
		'Request size limit exceeded',
		'The request body is too large',
		'File size limit exceeded',
		'The file is over the limit of 20 MB',
		'Upload limit exceeded',
		'Credit limit exceeded',
		'The recommended credit limit is exceeded',
		'Trade credit limit not included in your plan',
		'Maximum downloads reached',
		'Click limit reached for this link',
		'The link has reached its limit of clicks',
		'You have exceeded your team members quota',
		'Bandwidth limit exceeded',
		'Name exceeds 255 characters',
		'Prea multe rezultate, rafinați căutarea',
		'Ați depășit spațiul de stocare',
		'Cota de stocare a fost depășită',
		'Limita de fișiere a fost atinsă',
		'Ați atins numărul maxim de campanii',
		'Limita planului a fost atinsă',
		'Cererea nu este validă',
		'Compania nu a fost găsită',
		'Not found',
		'Forbidden',
		'Invalid API key',
		'',
	])('is not confused with another failure: %s', (text) => {
		expect(refusal(403, text)).toBeUndefined();
	});
});

describe('the quota that a refusal names', () => {
	it.each([
		'Daily quota exceeded',
		'DAILY_LIMIT_EXCEEDED',
		'100 requests per day',
		'100 requests/day',
		'You have no requests left today',
		'Monthly quota exceeded',
		'QUOTA_EXCEEDED',
		'Cota de cereri a fost depășită',
		'Limita zilnică de cereri a fost depășită',
		'Cota: 100 de cereri pe zi',
	])('is long: %s', (text) => {
		expect(refusal(429, text)).toEqual({ blocks: 'quota' });
	});

	it.each([
		'10 requests per minute and 100 per day',
		'Limits: 100/day, 10/min',
		'Daily limit 100, hourly limit 20',
		'10 cereri pe minut, 100 pe zi',
		'Too many requests',
		'Storage quota exceeded',
		'Quota of 10 requests per minute exceeded',
		'30 requests per minute',
	])('is not known to be long: %s', (text) => {
		expect(refusal(429, text)).toEqual({ blocks: 'window' });
	});
});
