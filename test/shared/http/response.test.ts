import { accountOf } from '../../../nodes/shared/http/connection';
import type { Connection } from '../../../nodes/shared/http/connection';
import type { RateReport } from '../../../nodes/shared/http/headers';
import { readResponse } from '../../../nodes/shared/http/response';
import { service } from './scriptedHost';

const account = accountOf(service, { baseUrl: 'https://x.example', apiKey: 'c0ffee42' });
const connection = { service, account } as Connection;

function read(statusCode: number, message: string, report: RateReport = {}) {
	const sent = { method: 'GET', path: '/api/qr/5' } as const;
	const body = JSON.stringify({ error: 1, message });
	return readResponse(connection, sent, { statusCode, headers: {}, body }, report);
}

const OF_WINDOW = [
	'API rate limit exceeded',
	'RATE_LIMIT_EXCEEDED',
	'rateLimitExceeded',
	'Too many requests',
	'TooManyRequests',
	'Too Many Attempts.',
	'Too many API calls',
	'Request was throttled. Expected available in 42 seconds.',
	'Please slow down',
	'You are sending requests too quickly',
	'API usage limit exceeded',
	'You have exceeded the number of requests allowed. Try again later.',
	'Only 10 requests per minute are allowed',
	'Hourly limit exceeded',
	' The limit has been reached. ',
	'Prea multe cereri',
	'Слишком много запросов',
	'Ați atins numărul maxim de solicitări',
	'10 requests per minute and 100 per day',
	'10 cereri pe minut, 100 pe zi',
	'Quota of 10 requests per minute exceeded',
];

const OF_DAY = [
	'The daily request quota of your plan is exhausted.',
	'100 requests/day',
	'Request limit reached for today',
	'No requests left for today',
	'QUOTA_EXCEEDED',
	'DAILY_LIMIT_EXCEEDED',
	'You have reached your daily limit.',
	'Limita zilnică a fost depăşită',
	'Ați atins numărul maxim de cereri pe zi',
	'Cota: 100 de cereri pe zi',
	'Monthly quota exhausted',
	'Превышен лимит запросов на сегодня',
	'Дневная квота исчерпана',
];

const NO_LIMIT_ON_REQUESTS = [
	'API calls are only available to Business Pro',
	'Your plan does not include credit queries. Available from Starter B2B.',
	'The limit parameter of search queries must be between 1 and 50',
	'Search queries need at least 3 characters; no maximum',
	'Storage quota exceeded',
	'You have exceeded your monthly limit of file uploads',
	'You have reached your monthly limit',
	'Hourly limit of channels reached',
	'Channel limit reached. Please upgrade.',
	'API key limit reached',
	'Your plan allows 5 domains. Limit reached.',
	'Limit reached. Please upgrade your plan to add more.',
	'Too many results for this request, refine your query',
	'Too many attempts to guess the password',
	'Request failed: channel limit reached',
	'The request exceeds the limit of 10 MB',
	'Credit limit exceeded',
	'You have exceeded your team members quota',
	'Ați depășit spațiul de stocare',
	'Limita de fișiere a fost atinsă',
	'No pending requests',
	'The route api/requests/5 could not be found.',
	'Cannot GET /api/calls/today',
	'',
];

describe('readResponse: limits on requests', () => {
	function expectRejection(words: string, rejectedFor?: 'window' | 'day'): void {
		for (const status of [200, 402, 403]) expect(read(status, words).rejectedFor).toBe(rejectedFor);
		for (const status of [400, 404, 422, 500]) expect(read(status, words)).toHaveProperty('error');
		expect(read(429, words).rejectedFor).toEqual(rejectedFor ?? expect.any(String));
	}

	it.each(OF_WINDOW)('recognizes a limit on requests in "%s"', (words) => {
		expectRejection(words, 'window');
	});

	it.each(OF_DAY)('recognizes a limit on the requests of a day in "%s"', (words) => {
		expectRejection(words, 'day');
	});

	it.each(NO_LIMIT_ON_REQUESTS)('sees no limit on requests in "%s", except with a 429', (words) => {
		expectRejection(words);
	});

	it('a 403 in these words is no rejection while requests are left, unless it names a day', () => {
		expect(read(403, 'Rate limit exceeded', { remaining: 3 })).toHaveProperty('error');
		expect(read(403, 'Daily quota exceeded', { remaining: 3 })).toHaveProperty('rejectedFor');
		expect(read(403, 'Rate limit exceeded', { remaining: 0 })).toHaveProperty('rejectedFor');
		expect(read(429, 'Rate limit exceeded', { remaining: 3 })).toHaveProperty('rejectedFor');
	});

	it('a success that speaks of a limit is a success', () => {
		const body = { error: 0, message: 'Quota: 5 of 100 requests used today' };
		const response = { statusCode: 200, headers: {}, body: JSON.stringify(body) };
		const sent = { method: 'GET', path: '/api/account' } as const;
		expect(readResponse(connection, sent, response, {})).toEqual({ body });
	});
});

/** Whether the response rejects the key, as opposed to this request. */
function rejectsKey(status: number, message: string): boolean {
	return read(status, message).error?.failure?.cause === 'credential-invalid';
}

describe('readResponse: rejected keys', () => {
	it.each([
		'Invalid API key',
		'INVALID_API_KEY',
		'bad key',
		'API key missing',
		'Your API key has expired. Please renew your subscription.',
		'Invalid API key or inactive subscription',
		'This API key was revoked',
		'Your access token has expired.',
		'Missing authorization header',
		'Unauthenticated.',
		'Cheia API este invalidă',
		'Cheie API lipsă',
		'Неверный ключ API',
	])('"%s" rejects the key with status 200, 400, 401 and 403', (message) => {
		for (const status of [200, 400, 401, 403]) expect(rejectsKey(status, message)).toBe(true);
		expect(rejectsKey(422, message)).toBe(false);
	});

	it.each([
		'Unauthorized action.',
		'Unauthorized',
		'Forbidden',
		'This action is unauthorized.',
		'You are unauthorized to assign this link',
		'This API key does not include credit recommendations. Business Pro is required.',
		'The plan of your API key does not allow this endpoint; an upgrade is required',
		'Unauthorized: insufficient plan for this endpoint',
		'Not part of your plan',
		'Abonamentul a expirat',
		'Missing key: tag',
		"Duplicate entry 'Spring' for key 'campaigns.name'",
		'The name is invalid',
	])('"%s" is about the request with status 200, 400 and 403', (message) => {
		for (const status of [200, 400, 403]) expect(rejectsKey(status, message)).toBe(false);
	});

	it('a 401 rejects the key, whatever it says', () => {
		for (const message of ['No', 'Unauthorized', 'You may not assign this link']) {
			expect(rejectsKey(401, message)).toBe(true);
		}
	});

	it.each([
		[403, 'Forbidden', true],
		[403, '', true],
		[403, 'Access denied.', true],
		[403, 'Unauthorized action.', true],
		[403, 'Not part of your plan', false],
		[403, 'Invalid API key', false],
		[404, '', false],
	])('status %d with "%s" is a bare denial: %p', (status, message, isBare) => {
		expect(read(status, message).error?.isBareDenial).toBe(isBare);
	});
});
