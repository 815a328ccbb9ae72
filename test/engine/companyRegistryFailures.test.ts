import { fakeService } from '../fakeService';
import type { Respond } from '../fakeService';
import { continuing, itemsOf, numbered, registryAt, registryBench } from './support';
import { jsonOf, runNode } from './harness';

const search = { resource: 'company', operation: 'search', q: 'agro', limit: 1 };
const credit = { resource: 'creditRecommendation', operation: 'get', idno: '={{ $json.idno }}' };

// test/CompanyRegistry/failureWords.test.ts covers what a response means.
it.each([404, 200])('quotes the service for a failure with status %d', async (notFound) => {
	const { run } = await registryBench('v1', { failureStatuses: { notFound } });
	const { error } = await run(credit, { items: itemsOf({ idno: '1003600015231' }) });
	expect(error?.message).toContain('No company has the IDNO 1003600015231');
	expect(error?.description).toContain('"Company Name or IDNO" (1003600015231)');
});

// test/CompanyRegistry/search.test.ts covers what counts as no company, and as another one.
it('names the IDNO if a successful response has no company', async () => {
	const { run } = await registryAt(() => ({ success: true, data: null }), 'v1');
	const { error } = await run({ ...credit, idno: '1003600015231' });
	expect(error?.message).toContain('The registry has no such company');
	expect(error?.description).toContain('"Company Name or IDNO" (1003600015231)');
});

it.each([{ success: true }, { success: true, message: 'Your key works' }])(
	'returns the key’s status %j unchanged',
	async (body) => {
		const { run } = await registryAt(() => ({ body }), 'v1');
		const { items } = await run({ resource: 'apiKey', operation: 'getStatus' });
		expect(jsonOf(items)).toEqual([body]);
	},
);

it('hides the key if the key’s status repeats it', async () => {
	const respond: Respond = ({ headers }) => ({
		success: true,
		key: headers['x-api-key'],
		left: 57,
	});
	const { run } = await registryAt(respond, 'v1');
	const { items } = await run({ resource: 'apiKey', operation: 'getStatus' });
	expect(jsonOf(items)).toEqual([{ key: '***', left: 57 }]);
});

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
