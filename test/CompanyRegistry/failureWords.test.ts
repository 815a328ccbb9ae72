import { readResponse } from '../../nodes/shared/http/response';
import { companyRegistry } from '../../nodes/CompanyRegistry/api';
import { accountOf } from '../../nodes/shared/http/connection';
import type { Connection } from '../../nodes/shared/http/connection';

const account = accountOf(companyRegistry, { baseUrl: 'https://x.example', apiKey: 'c0ffee42' });
const connection = {
	service: companyRegistry,
	account,
	rate: companyRegistry.rate({}),
} as Connection;

function read(statusCode: number, body: unknown) {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	const sent = { method: 'GET', path: '/api/search' } as const;
	return readResponse(connection, sent, { statusCode, headers: {}, body: text });
}

describe('a failure of the registry', () => {
	// Which words speak of a limit: test/shared/http/rateLimit/refusal.test.ts.
	it.each([
		[403, { success: false, code: 'QUOTA_EXCEEDED' }, 'quota'],
		[403, { error: { code: 42, message: 'Limit of 100 requests per day was reached' } }, 'quota'],
		[200, { success: false, message: 'Limita zilnică de cereri a fost depășită' }, 'quota'],
		[429, '<html>Too many requests</html>', 'window'],
		[403, { success: false, error: { code: 'RATE_LIMITED' } }, 'window'],
	])('is a limit on requests: %d %j', (status, body, blocks) => {
		expect(read(status, body)).toMatchObject({ refusal: { blocks } });
	});

	it.each([
		[403, { success: false, error: 'Cheia API este invalidă' }],
		[200, { success: false, code: 'INVALID_API_KEY' }],
		[401, ''],
		[403, 'Your access token has expired.'],
	])('is about the key: %d %j', (status, body) => {
		expect(read(status, body)).toMatchObject({
			error: {
				message: 'Company Registry did not accept the API key',
				description: expect.stringContaining('API Variant') as string,
			},
		});
	});

	it.each([
		[400, { success: false, message: 'The limit must be from 1 to 50' }, 'The limit must be'],
		[404, { success: false, message: 'Compania nu a fost găsită' }, 'Compania nu a fost'],
		[404, 'No such company in the registry.', 'No such company'],
		[403, { success: false, error: 'Not part of your plan' }, 'Not part of your plan'],
	])('keeps the service’s words otherwise: %d %j', (status, body, words) => {
		const reading = read(status, body);
		expect('error' in reading && reading.error.message).toContain(words);
	});

	it.each(['404 page not found', 'Not Found', ''])(
		'is a wrong address where 404 says %j',
		(body) => {
			expect(read(404, body)).toMatchObject({
				error: { message: 'There is no Company Registry API at https://x.example' },
			});
		},
	);
});
