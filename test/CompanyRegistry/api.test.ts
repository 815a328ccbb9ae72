import type { INodePropertyOptions } from 'n8n-workflow';
import { companyRegistry, planOf, PLANS } from '../../nodes/CompanyRegistry/api';
import { CompanyRegistryApi } from '../../credentials/CompanyRegistryApi.credentials';
import { readResponse } from '../../nodes/shared/http/response';
import { connectionOf, type Connection } from '../../nodes/shared/http/connection';
import { node } from '../shared/http/scriptedHost';

describe('Company Registry plans', () => {
	const limits = { requestsPerMinute: 250, requestsPerDay: 150_000 };
	const none = { requestsPerMinute: 0, requestsPerDay: 'many' };

	it.each([
		[{ variant: 'v1', plan: 'developerFree' }, 10, 100],
		[{ variant: 'v1', plan: 'starterB2b' }, 30, 1_000],
		[{ variant: 'v1', plan: 'businessPro' }, 100, 10_000],
		[{ variant: 'unversioned', plan: 'free' }, 60, 100],
		[{ variant: 'unversioned', plan: 'premium' }, 60, 5_000],
		[{ variant: 'v1', plan: 'enterprise', ...limits }, 250, 150_000],
		[{ variant: 'v1', plan: 'custom', ...limits }, 250, 150_000],
		[{ variant: 'v1', plan: 'custom', requestsPerMinute: '2.9', requestsPerDay: 1 }, 2, 1],
		// Without a valid plan or valid numbers, the smallest plan applies.
		[{ variant: 'unversioned', plan: 'businessPro' }, 60, 100],
		[{ variant: 'v1' }, 10, 100],
		[{}, 10, 100],
		[{ variant: 'v1', plan: 'custom' }, 10, 100],
		[{ variant: 'unversioned', plan: 'custom', ...none }, 60, 100],
	])('gives a credential with %j a limit of %d requests per minute and %d per day', (...row) => {
		const [credential, perMinute, perDay] = row;
		expect(planOf(credential)).toEqual({ perMinute, perDay });
		expect(companyRegistry.rate(credential)).toEqual({
			limit: perMinute,
			windowMs: 60_000,
			perDay,
		});
	});

	const properties = new CompanyRegistryApi().properties.filter(({ name }) => name === 'plan');

	it.each(['v1', 'unversioned'] as const)('lists the plans of %s with their limits', (variant) => {
		const { options = [], default: preset } = properties.find(({ displayOptions }) =>
			(displayOptions?.show?.variant as string[]).includes(variant),
		)!;
		const names = (options as INodePropertyOptions[]).map(({ name, value }) => `${value}: ${name}`);
		for (const [plan, { perMinute, perDay }] of Object.entries(PLANS[variant])) {
			const limits = `(${perMinute} per Minute, ${perDay.toLocaleString('en')} per Day)`;
			expect(names.find((name) => name.startsWith(`${plan}: `))).toContain(limits);
		}
		expect(Object.keys(PLANS[variant])).toContain(preset);
	});
});

const credential = { baseUrl: 'https://x.example', apiKey: 'c0ffee42' };
const { account } = connectionOf(node, companyRegistry, credential);
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
			[path, { success: null, message: 'Not yet' }, 'Not yet'],
			[path, { detail: 'Not authenticated' }, 'Not authenticated'],
			[path, { title: 'Not Found', status: 404, detail: 'No company has it' }, 'No company has it'],
			[path, {}, 'Company Registry returned an unexpected response'],
		]),
	)('a response with status 200 from %s and with the body %j is a failure', (path, body, words) => {
		const reading = read(path as string, body);
		expect(reading.error?.message).toBe(words);
	});

	it.each(records)(
		'a response with status 200 from %s is a failure without "success", even with a record',
		(path) => {
			const record = { idno: '1003600015231', name: 'A SRL', status: 'active' };
			expect(read(path, record)).toHaveProperty('error');
			expect(read(path, { success: true, ...record })).toEqual({
				body: { success: true, ...record },
			});
		},
	);

	it.each(
		lists.flatMap((path) => [
			[path, { data: [{ idno: '1003600015231' }] }],
			[path, ['A SRL']],
			[path, { daily_remaining: 0, state: 'ok' }],
			[path, { success: 1, message: 'Nothing found', data: [] }],
		]),
	)('a response with status 200 from %s and with the body %j is a success', (path, body) => {
		expect(read(path as string, body)).toEqual({ body });
	});
});
