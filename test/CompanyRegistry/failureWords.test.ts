import { readResponse } from '../../nodes/shared/http/response';
import { companyRegistry } from '../../nodes/CompanyRegistry/api';
import { accountOf } from '../../nodes/shared/http/connection';
import type { Connection } from '../../nodes/shared/http/connection';

const account = accountOf(companyRegistry, { baseUrl: 'https://x.example', apiKey: 'c0ffee42' });
const connection = { service: companyRegistry, account } as Connection;

function read(path: string, body: unknown) {
	const response = { statusCode: 200, headers: {}, body: JSON.stringify(body) };
	return readResponse(connection, { method: 'GET', path }, response, {});
}

const records = ['/api/v1/company/:idno', '/api/v1/credit/:idno'];
const lists = ['/api/v1/search', '/api/search', '/api/autocomplete', '/api/v1/status'];

// test/shared/http/response.test.ts covers statuses, words about limits and keys, and what isn't JSON.
describe('A response of the registry with status 200', () => {
	it.each(
		[...records, ...lists].flatMap((path) => [
			[path, { status: 'error', message: 'Database is down' }, 'Database is down'],
			[path, { code: 404, message: 'No such company' }, 'No such company'],
			[path, { errors: [{ message: 'Wrong' }] }, 'Wrong'],
			[path, { success: 'no', message: 'Not today' }, 'Not today'],
			[path, { detail: 'Not authenticated' }, 'Not authenticated'],
			[path, { title: 'Not Found', status: 404, detail: 'No company has it' }, 'No company has it'],
			[path, {}, "Company Registry didn't confirm the request"],
		]),
	)('from %s with the body %j is a failure', (path, body, words) => {
		const reading = read(path as string, body);
		expect(reading.error?.message).toBe(words);
	});

	it.each(records)('from %s is a failure without "success", even with a record', (path) => {
		const record = { idno: '1003600015231', name: 'A SRL', status: 'active' };
		expect(read(path, record)).toHaveProperty('error');
		expect(read(path, { success: true, ...record })).toEqual({
			body: { success: true, ...record },
		});
	});

	it.each(
		lists.flatMap((path) => [
			[path, { data: [{ idno: '1003600015231' }] }],
			[path, ['A SRL']],
			[path, { daily_remaining: 0, state: 'ok' }],
			[path, { success: 1, message: 'Nothing found', data: [] }],
		]),
	)('from %s with the body %j is a success', (path, body) => {
		expect(read(path as string, body)).toEqual({ body });
	});
});
