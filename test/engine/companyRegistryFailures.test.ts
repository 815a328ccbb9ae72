import type { NodeApiError } from 'n8n-workflow';

import type { RegistrySettings } from '../../sandbox';
import { fakeService } from '../fakeService';
import { continuing, itemsOf, numbered, pairedWith, registryBench } from './support';
import { jsonOf, runNode } from './harness';

const SHAPES: Array<RegistrySettings['failureShape']> = [
	'success-error-text',
	'success-error-object',
	'success-message',
	'error-text',
	'detail',
	'plain-text',
];
const REFUSALS: Array<RegistrySettings['rateLimit']['refusal']> = [
	'429',
	'429-retry-after-seconds',
	'429-retry-after-date',
	'ok-error',
	'403-text',
	'403-text-retry-after-seconds',
];
const UNLIMITED = { rateLimit: { limit: null }, dailyQuota: { limit: null } };

const search = { resource: 'company', operation: 'search', q: 'agro', limit: 1 };
const credit = { resource: 'creditRecommendation', operation: 'get', idno: '={{ $json.idno }}' };
const failNow = { options: { onRateLimit: 'fail' } };

/** n8n's cause of a failure, and when it ends. */
function failureOf(error: NodeApiError | undefined) {
	return (error as unknown as { failure?: { cause: string; resetsAtEpochMs: number } })?.failure;
}

describe.each(SHAPES)('a failure reported as %s', (failureShape) => {
	it.each([404, 200])('is an error in the service’s words (status %d)', async (notFound) => {
		const { run } = await registryBench('v1', {
			...UNLIMITED,
			failureShape,
			failureStatuses: { notFound },
		});
		const { error } = await run(credit, { items: itemsOf({ idno: '1003600015231' }) });
		expect(error?.message).toContain('No company has the IDNO 1003600015231');
		expect(error?.description).toContain('"Company Name or IDNO" (1003600015231)');
	});

	it.each([401, 200])('is about the key where that is rejected (%d)', async (unauthorized) => {
		const failureStatuses = { unauthorized };
		const { run, credential } = await registryBench('v1', { failureShape, failureStatuses });
		const apiKey = `${String(credential.apiKey)}-mistyped`;
		const credentials = { companyRegistryApi: { ...credential, apiKey } };
		const { error } = await run(search, { credentials });
		expect(error?.message).toContain('Company Registry did not accept the API key');
		expect(error?.description).toContain('The API key is not valid');
		expect(error?.description).toContain('API Variant');
		expect(JSON.stringify(error)).not.toContain(apiKey);
	});
});

describe.each(REFUSALS)('a request rejected with %s', (refusal) => {
	it('is an exhausted quota if the service says so', async () => {
		const { run, requests } = await registryBench('v1', {
			rateLimit: { limit: null },
			dailyQuota: { limit: 1, refusal },
		});
		await run(search);
		const { error } = await run({ ...search, q: 'vin' });
		expect(error?.message).toContain('The quota of the Company Registry API key is exhausted');
		const { cause, resetsAtEpochMs } = failureOf(error)!;
		expect(cause).toBe('quota-exhausted');
		if (refusal.includes('retry-after')) {
			expect(new Date(resetsAtEpochMs).toISOString()).toMatch(/T00:00:0[0-2]/);
			expect(error?.description).toMatch(/^The quota resets in .*\(\d{4}-\d\d-\d\d 00:00 UTC\)/);
		} else {
			expect(error?.description).toContain('Daily quotas usually reset at midnight');
		}
		expect(requests).toHaveLength(2);
	});

	it('is the rate limit otherwise', async () => {
		const { run } = await registryBench('v1', {
			rateLimit: { limit: 1, family: 'none', refusal },
			dailyQuota: { limit: null },
		});
		await run(search);
		const { error } = await run({ ...search, q: 'vin', ...failNow });
		expect(error?.message).toContain('The rate limit of the Company Registry API key is reached');
		expect(failureOf(error)).toMatchObject({ cause: 'rate-limited' });
		expect(error?.description).toMatch(
			refusal.includes('retry-after')
				? /^Try again in \d+ (s|min)\. To wait automatically/
				: /^The service does not say when .* Try again in \d+ (s|min)\./,
		);
	});
});

describe('a quota that is exhausted', () => {
	it('stops the run immediately instead of sending a request for every item', async () => {
		const { run, companies, requests } = await registryBench('v1', {
			rateLimit: { limit: null },
			dailyQuota: { limit: 3 },
		});
		const { error } = await run(credit, {
			items: itemsOf(...companies.slice(0, 40).map(({ idno }) => ({ idno }))),
		});
		expect(error?.message).toContain('quota');
		// At most those that were in flight when the first refusal arrived.
		expect(requests.length).toBeLessThanOrEqual(3 + 20);
	});

	it('fails only the items behind it when the node continues', async () => {
		const { run, companies } = await registryBench('v1', {
			rateLimit: { limit: null },
			dailyQuota: { limit: 3 },
		});
		const rows = itemsOf(...companies.slice(0, 6).map(({ idno }) => ({ idno })));
		const { items } = await run(credit, { items: rows, ...continuing });
		expect(pairedWith(items)).toEqual([0, 1, 2, 3, 4, 5]);
		const failed = jsonOf(items).filter(({ error }) => error);
		expect(failed).toHaveLength(3);
		for (const { error } of failed) expect(error).toContain('quota');
	});

	it('does not block the status call, which is outside the quota', async () => {
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

// How requests are paced: test/shared/http/rateLimit.
it.each([
	['where the service says nothing', {}],
	['where the headers describe the day', { 'x-ratelimit-limit': 100, 'x-ratelimit-remaining': 57 }],
])('the plan of the credential is the rate %s', async (_, headers) => {
	const { requests, credential } = await fakeService(() => ({ idno: '1003600015231' }), {
		headers,
	});
	const plan = { plan: 'custom', requestsPerMinute: 2, requestsPerDay: 100 };
	const { items } = await runNode({
		type: 'companyRegistry',
		parameters: { ...search, q: '=agro {{ $json.id }}', ...failNow },
		credentials: { companyRegistryApi: { ...credential, variant: 'v1', ...plan } },
		items: numbered(4),
		...continuing,
	});
	expect(requests).toHaveLength(2);
	expect(jsonOf(items).filter(({ error }) => String(error).includes('rate limit'))).toHaveLength(2);
});
