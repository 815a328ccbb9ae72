import { fakeService } from '../fakeService';
import type { Respond } from '../fakeService';
import { continuing, itemsOf, numbered, pairedWith, registryAt, registryBench } from './support';
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

describe('Used-up daily quota', () => {
	it('fails the remaining items without sending a request for each', async () => {
		const { run, companies, requests } = await registryBench('v1', {
			rateLimit: { limit: null },
			dailyQuota: { limit: 3 },
		});
		const rows = itemsOf(...companies.slice(0, 40).map(({ idno }) => ({ idno })));
		const { items } = await run(credit, { items: rows, ...continuing });
		expect(pairedWith(items)).toEqual(rows.map((_, index) => index));
		const failed = jsonOf(items).filter(({ error }) => error);
		expect(failed).toHaveLength(37);
		for (const { error } of failed) expect(error).toContain('quota');
		// Some requests are in flight when the first rejection arrives.
		expect(requests.length).toBeLessThanOrEqual(3 + 10);
	});

	it('doesn’t block Quota: Get Status, which is outside the quota', async () => {
		const { run } = await registryBench('v1', {
			rateLimit: { limit: null },
			dailyQuota: { limit: 1 },
		});
		await run(search);
		expect((await run({ ...search, q: 'vin' })).error?.message).toContain('quota');
		const { items } = await run({ resource: 'apiKey', operation: 'getStatus' });
		expect(jsonOf(items)).toMatchObject([{ daily_remaining: 0 }]);
	});
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
