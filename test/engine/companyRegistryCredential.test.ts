import { testCredential } from './contexts';

import type { RegistrySettings } from '../../sandbox';
import { bench, VARIANTS } from './companyRegistrySupport';

const TYPE = 'companyRegistryApi';

describe.each(VARIANTS)('the test of the credential (%s)', (variant) => {
	it('succeeds with the right key, in one request', async () => {
		const { credential, requests } = await bench(variant);
		expect(await testCredential(TYPE, credential)).toEqual({
			status: 'OK',
			message: 'Connection successful!',
		});
		expect(requests).toHaveLength(1);
		expect(requests[0]!.headers['x-api-key']).toBe(credential.apiKey);
		expect(requests[0]!.rawPath).not.toContain(credential.apiKey);
	});

	it.each(['', '/', '/api', '/api/', '/api/v1', '/api/v1/'])(
		'accepts a base URL that ends in "%s"',
		async (ending) => {
			const { credential } = await bench(variant);
			const baseUrl = `  ${String(credential.baseUrl)}${ending} `;
			expect(await testCredential(TYPE, { ...credential, baseUrl })).toMatchObject({
				status: 'OK',
			});
		},
	);

	it.each([401, 200] as const)(
		'blames the key when the service refuses it with %d',
		async (unauthorized) => {
			const { credential } = await bench(variant, { failureStatuses: { unauthorized } });
			const result = await testCredential(TYPE, { ...credential, apiKey: 'mistyped' });
			expect(result).toEqual({
				status: 'Error',
				message: expect.stringContaining('did not accept the API key') as unknown,
			});
		},
	);

	it.each(
		(['error-text', 'detail', 'plain-text'] as Array<RegistrySettings['failureShape']>).map(
			(shape) => [shape],
		),
	)('fails also when a refusal with status 200 has the shape %s', async (failureShape) => {
		const { credential } = await bench(variant, {
			failureShape,
			failureStatuses: { unauthorized: 200 },
		});
		expect(await testCredential(TYPE, { ...credential, apiKey: 'mistyped' })).toMatchObject({
			status: 'Error',
		});
	});

	it.each([
		['a web page', { malformed: 'html' as const }, 'There is no Company Registry API'],
		['an empty body', { malformed: 'empty' as const }, 'There is no Company Registry API'],
		['a page that does not exist', { status: 404 }, 'There is no Company Registry API'],
		['a forbidden call', { status: 403 }, 'refused access'],
		['a limit', { status: 429 }, 'The limit of the key is reached'],
		['a gateway without a service', { status: 502 }, 'not working right now'],
		['a redirect', { status: 301, headers: { Location: 'https://example.com/' } }, 'redirects'],
	])('explains %s', async (_what, fault, message) => {
		const { credential, registry } = await bench(variant);
		registry.inject({ ...fault, times: 'always' });
		const result = await testCredential(TYPE, credential);
		expect(result.status).toBe('Error');
		expect(result.message).toContain(message);
	});

	it('explains the base URL of the other variant', async () => {
		const { credential, sandbox } = await bench(variant);
		const other = variant === 'v1' ? 'unversioned' : 'v1';
		const { baseUrl } = sandbox.registry[other];
		const result = await testCredential(TYPE, { ...credential, baseUrl });
		expect(result.status).toBe('Error');
		expect(result.message).toContain('There is no Company Registry API of this variant');
	});

	it('reports a base URL that is not a URL', async () => {
		const { credential } = await bench(variant);
		const result = await testCredential(TYPE, { ...credential, baseUrl: 'example.com' });
		expect(result.message).toBe(
			'The Base URL of the credential is not a web address. It must start with http:// or https://, e.g. https://example.com',
		);
	});
});

describe('the cost of the test', () => {
	it('does not count against the quota with V1', async () => {
		const { credential, registry, requests } = await bench('v1', { dailyQuota: { limit: 5 } });
		await testCredential(TYPE, credential);
		expect(requests.map(({ path }) => path)).toEqual(['/api/v1/status']);
		expect(registry.quotaOf(registry.apiKey)?.remaining).toBe(5);
	});

	it('is a search for one row with the other variant, which has no free call', async () => {
		const { credential, requests } = await bench('unversioned');
		await testCredential(TYPE, credential);
		expect(requests.map(({ path, query }) => ({ path, limit: query.limit }))).toEqual([
			{ path: '/api/search', limit: '1' },
		]);
	});
});
