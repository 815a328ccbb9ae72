import { jsonOf } from './harness';

import type { NodeApiError } from 'n8n-workflow';

import type { RegistrySettings } from '../../sandbox';
import { bench, fastClock, VARIANTS } from './companyRegistrySupport';
import { itemsOf, pairedWith } from './linkManagementSupport';

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

const search = { resource: 'company', operation: 'search', q: 'agro', limit: 1 };
const credit = { resource: 'creditRecommendation', operation: 'get', idno: '={{ $json.idno }}' };
const failNow = { options: { onRateLimit: 'fail' } };

/** n8n's cause of a failure, and when it ends. */
function failureOf(error: NodeApiError | undefined) {
	return (error as unknown as { failure?: Record<string, unknown> })?.failure ?? {};
}

describe.each(SHAPES)('a failure reported as %s', (failureShape) => {
	it.each([404, 200])('becomes an error with the service’s words (status %d)', async (notFound) => {
		const { run } = await bench('v1', {
			rateLimit: { limit: null },
			dailyQuota: { limit: null },
			failureShape,
			failureStatuses: { notFound },
		});
		const { error } = await run(credit, { items: itemsOf({ idno: '1003600015231' }) });
		expect(error?.message).toContain('No company has the IDNO 1003600015231');
		expect(error?.description).toContain('"Company Name or IDNO" (1003600015231)');
	});

	it.each(
		VARIANTS.flatMap((variant) => [401, 403, 200].map((status) => [variant, status] as const)),
	)(
		'becomes an error about the key where that is rejected (%s, status %d)',
		async (variant, unauthorized) => {
			const { run, registry, credential } = await bench(variant, {
				failureShape,
				failureStatuses: { unauthorized },
			});
			const apiKey = `${String(credential.apiKey)}-mistyped`;
			const { error } = await run(search, {
				credentials: { companyRegistryApi: { ...credential, apiKey } },
			});
			expect(error?.message).toContain('Company Registry did not accept the API key');
			expect(error?.description).toContain('The API key is not valid');
			expect(error?.description).toContain('API Variant');
			expect(failureOf(error)).toEqual({ cause: 'credential-invalid' });
			expect(JSON.stringify(error)).not.toContain(apiKey);
			expect(registry.requests).toHaveLength(1);
		},
	);

	it.each(REFUSALS)('counts as an exhausted quota if the service says so (%s)', async (refusal) => {
		const { run, requests } = await bench('v1', {
			rateLimit: { limit: null },
			dailyQuota: { limit: 1, refusal },
			failureShape,
		});
		await run(search);
		const { error } = await run({ ...search, q: 'vin' });
		expect(error?.message).toContain('The quota of the Company Registry API key is exhausted');
		const { cause, resetsAtEpochMs } = failureOf(error) as {
			cause: string;
			resetsAtEpochMs: number;
		};
		expect(cause).toBe('quota-exhausted');
		if (refusal.includes('retry-after')) {
			const midnight = new Date().setUTCHours(24, 0, 0, 0);
			expect(Math.abs(resetsAtEpochMs - midnight)).toBeLessThan(2_000);
			const day = new Date(midnight).toISOString().slice(0, 10);
			expect(error?.description).toMatch(
				new RegExp(`^The quota resets in .*\\(${day} 00:00 UTC\\)`),
			);
		} else {
			expect(error?.description).toContain('Daily quotas usually reset at midnight');
		}
		expect(requests).toHaveLength(2);
	});

	it.each(REFUSALS)('is known as the rate limit when it says so (%s)', async (refusal) => {
		const { run } = await bench('v1', {
			rateLimit: { limit: 1, family: 'none', refusal },
			dailyQuota: { limit: null },
			failureShape,
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

	it('makes the node wait when it is the rate limit, and no item is lost', async () => {
		const { run, requests } = await bench('v1', {
			rateLimit: { limit: 2, windowMs: 300, reset: 'epochMs', refusal: 'ok-error' },
			dailyQuota: { limit: null },
			failureShape,
		});
		const { items, error } = await run(
			{ ...search, q: '={{ $json.q }}' },
			{ items: itemsOf({ q: 'agro' }, { q: 'vin' }, { q: '100' }, { q: '101' }, { q: '102' }) },
		);
		expect(error).toBeUndefined();
		expect(pairedWith(items)).toEqual([0, 1, 2, 3, 4]);
		expect(requests).toHaveLength(5);
	});
});

afterEach(() => jest.restoreAllMocks());

describe('a quota that is exhausted', () => {
	it('stops the run immediately instead of sending a request for every item', async () => {
		const { run, companies, requests } = await bench('v1', {
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
		const { run, companies } = await bench('v1', {
			rateLimit: { limit: null },
			dailyQuota: { limit: 3 },
		});
		const { items } = await run(credit, {
			items: itemsOf(...companies.slice(0, 6).map(({ idno }) => ({ idno }))),
			settings: { onError: 'continueRegularOutput' },
		});
		expect(pairedWith(items)).toEqual([0, 1, 2, 3, 4, 5]);
		const failed = jsonOf(items).filter(({ error }) => error);
		expect(failed).toHaveLength(3);
		for (const { error } of failed) expect(error).toContain('quota');
	});

	it('does not count the status call', async () => {
		const { run } = await bench('v1', { rateLimit: { limit: null }, dailyQuota: { limit: 1 } });
		await run(search);
		const { items } = await run({ resource: 'apiKey', operation: 'getStatus' });
		expect(jsonOf(items)).toMatchObject([{ daily_remaining: 0 }]);
	});

	it('is detected with one request when the headers describe the day', async () => {
		const clock = fastClock(200);
		const { run, requests } = await bench(
			'v1',
			{ rateLimit: { limit: null }, dailyQuota: { limit: 2 }, headersDescribe: 'day' },
			{ clock },
		);
		await run(search);
		await run({ ...search, q: 'vin' });
		for (const q of ['100', '101']) {
			const { error } = await run({ ...search, q });
			expect(error?.message).toContain('The quota of the Company Registry API key is exhausted');
			expect(error?.description).toContain('The quota resets in');
		}
		expect(requests.map(({ status }) => status)).toEqual([200, 200, 429]);
	});
});

describe('another kind of failure', () => {
	it.each([
		['a web page', { malformed: 'html' as const }, 'There is no Company Registry API at'],
		['a page that does not exist', { status: 404 }, 'There is no Company Registry API at'],
		['an empty body', { malformed: 'empty' as const }, 'returned a response that cannot be read'],
		[
			'half an answer',
			{ malformed: 'cut-off-json' as const },
			'returned a response that cannot be read',
		],
		['another shape', { malformed: 'wrong-shape' as const }, 'unexpected shape'],
		['a breakdown', { status: 500 }, 'Company Registry returned a server error (HTTP 500)'],
	])('is told for what it is: %s', async (_what, fault, message) => {
		const { run, registry } = await bench('v1');
		registry.inject({ ...fault, times: 'always' });
		const { error } = await run(search);
		expect(error?.message).toContain(message);
	});

	it('gives one paired error item per failed item when the node continues', async () => {
		const { run, companies } = await bench('v1');
		const { items } = await run(credit, {
			items: itemsOf({ idno: companies[0]!.idno }, { idno: '1' }, { idno: '1003600015231' }),
			settings: { onError: 'continueRegularOutput' },
		});
		expect(pairedWith(items)).toEqual([0, 1, 2]);
		expect(jsonOf(items).map((json) => 'error' in json)).toEqual([false, true, true]);
	});
});
