import { fakeService } from '../../fakeService';
import { continuing, numbered, registryAt, registryBench } from '../support';
import { jsonOf, runNode } from '../harness';

const search = { resource: 'company', operation: 'search', q: 'agro', limit: 1 };

// test/CompanyRegistry/api.test.ts covers what a response means, test/CompanyRegistry/search.test.ts what
// counts as no company, and as another one.
it.each([{}, { message: 'Your key works' }, { key: '***', left: 57 }])(
	'returns the key’s status %j, without the key',
	async (status) => {
		const { run } = await registryAt(({ headers }) => {
			const key = headers['x-api-key'];
			return { body: { success: true, ...status, ...('key' in status && { key }) } };
		}, 'v1');
		const { items } = await run({ resource: 'apiKey', operation: 'getStatus' });
		expect(jsonOf(items)).toMatchObject([status]);
	},
);

it('a used-up daily quota doesn’t block Quota: Get Status, which is outside the quota', async () => {
	const limits = { rateLimit: { limit: null }, dailyQuota: { limit: 1 } };
	const { run, requests } = await registryBench('v1', limits);
	await run(search);
	expect((await run({ ...search, q: 'vin' })).error?.message).toContain('quota');
	expect((await run({ ...search, q: 'apa' })).error?.message).toContain('quota');
	expect(requests).toHaveLength(2);
	const { items } = await run({ resource: 'apiKey', operation: 'getStatus' });
	expect(jsonOf(items)).toMatchObject([{ daily_remaining: 0 }]);
});

// test/shared/http covers pacing.
it.each([
	['the service sends no headers', {}],
	[
		'the headers describe the daily quota',
		{ 'x-ratelimit-limit': 100, 'x-ratelimit-remaining': 57 },
	],
])('keeps to the rate of the credential’s plan if %s', async (_, headers) => {
	const { requests, credential } = await fakeService(() => ({ idno: '1003600015231' }), {
		headers,
	});
	const plan = { plan: 'custom', requestsPerMinute: 2, requestsPerDay: 100 };
	const { items } = await runNode({
		type: 'companyRegistry',
		parameters: { ...search, q: '=agro {{ $json.id }}', options: { onRateLimit: 'fail' } },
		credentials: { companyRegistryApi: { ...credential, variant: 'v1', ...plan } },
		items: numbered(4),
		...continuing,
	});
	expect(requests).toHaveLength(2);
	expect(jsonOf(items).filter(({ error }) => String(error).includes('rate limit'))).toHaveLength(2);
});
