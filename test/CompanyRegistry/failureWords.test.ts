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
	return readResponse(connection, sent, { statusCode, headers: {}, body: text }, {});
}

describe('Company Registry failure', () => {
	// response.test.ts tests the words that mention a limit.
	it.each([
		[403, { success: false, code: 'QUOTA_EXCEEDED' }, true],
		[403, { error: { code: 42, message: 'Limit of 100 requests per day was reached' } }, true],
		[200, { success: false, message: 'Limita zilnică de cereri a fost depășită' }, true],
		[429, '<html>Too many requests</html>', false],
		[403, { success: false, error: { code: 'RATE_LIMITED' } }, false],
	])('reads status %d with %j as a limit on requests (of a day: %p)', (status, body, namesDay) => {
		expect(read(status, body)).toMatchObject({ rejection: { namesDay } });
	});

	it.each([
		[403, { success: false, error: 'Cheia API este invalidă' }],
		[200, { success: false, code: 'INVALID_API_KEY' }],
		[401, ''],
		[403, 'Your access token has expired.'],
	])('reads status %d with %j as a rejected API key', (status, body) => {
		expect(read(status, body)).toMatchObject({
			error: {
				message: "Company Registry didn't accept the API key",
				description: expect.stringContaining('API Variant') as string,
			},
		});
	});

	it.each([
		[400, { success: false, message: 'The limit must be from 1 to 50' }, 'The limit must be'],
		[404, { success: false, message: 'Compania nu a fost găsită' }, 'Compania nu a fost'],
		[404, 'No such company in the registry.', 'No such company'],
		[403, { success: false, error: 'Not part of your plan' }, 'Not part of your plan'],
	])('quotes the service’s message for status %d with %j', (status, body, words) => {
		const reading = read(status, body);
		expect('error' in reading && reading.error.message).toContain(words);
	});

	it.each(['404 page not found', 'Not Found', ''])(
		'says there is no API at the address for a 404 with the text %j',
		(body) => {
			expect(read(404, body)).toMatchObject({
				error: { message: 'There is no Company Registry API at https://x.example' },
			});
		},
	);
});

describe('Company Registry response with status 200', () => {
	const readFrom = (path: string, body: unknown) =>
		readResponse(
			connection,
			{ method: 'GET', path },
			{
				statusCode: 200,
				headers: {},
				body: JSON.stringify(body),
			},
			{},
		);
	const records = ['/api/v1/company/:idno', '/api/v1/credit/:idno'];
	const open = ['/api/v1/search', '/api/search', '/api/autocomplete', '/api/v1/status'];

	it.each(
		[...records, ...open].flatMap((path) => [
			[path, { status: 'error', message: 'Database is down' }, 'Database is down'],
			[path, { code: 404, message: 'No such company' }, 'No such company'],
			[path, { errors: [{ message: 'Wrong' }] }, 'Wrong'],
			[path, { success: 'no', message: 'Not today' }, 'Not today'],
			[path, { detail: 'Not authenticated' }, 'Not authenticated'],
			[path, { title: 'Not Found', status: 404, detail: 'No company has it' }, 'No company has it'],
			[path, {}, 'The response has an unexpected format'],
		]),
	)('treats a 200 from %s with the body %j as a failure', (path, body, words) => {
		const reading = readFrom(path as string, body);
		expect('error' in reading && reading.error.message).toBe(words);
	});

	it.each(
		records.map((path) => [path, { idno: '1003600015231', name: 'A SRL', status: 'active' }]),
	)(
		'treats a 200 from %s without the documented "success" as a failure, even with a record',
		(path, body) => {
			expect(readFrom(path as string, body)).toHaveProperty('error');
		},
	);

	it.each(
		open.flatMap((path) => [
			[path, { data: [{ idno: '1003600015231' }] }],
			[path, ['A SRL']],
			[path, { daily_remaining: 0, state: 'ok' }],
			[path, { success: 1, message: 'Nothing found', data: [] }],
		]),
	)('treats a 200 from %s with the body %j as a success', (path, body) => {
		expect(readFrom(path as string, body)).toEqual({ body });
	});
});
