import { MAX_IN_FLIGHT } from '../../nodes/shared/http/rateLimit/limiter';
import { fakeService } from '../fakeService';
import {
	continuing,
	itemsOf,
	numbered,
	pairedWith,
	registryAt,
	registryBench,
	registryOf,
	withCheckDigit,
} from './support';
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

it.each([{ data: null }, { data: [] }, { company: {} }])(
	'a successful response with %j means that there’s no such company',
	async (nothing) => {
		const { run } = await registryAt(() => ({ success: true, ...nothing }), 'v1');
		const { error } = await run(credit, { items: itemsOf({ idno: '1003600015231' }) });
		expect(error?.message).toContain('The registry has no such company');
		expect(error?.description).toContain('"Company Name or IDNO" (1003600015231)');
	},
);

it.each([
	['Get', { resource: 'company', operation: 'get', idno: '1003600015231' }],
	['Credit Recommendation: Get', { ...credit, idno: '1003600015231' }],
	[
		'Enrich',
		{ resource: 'company', operation: 'enrich', columns: 'choose', companyIdno: '=1003600015231' },
	],
])('%s rejects the record of another company', async (_, operation) => {
	const other = { idno: '1002600005897', name: 'Vălmora SRL', status: 'active' };
	const { run } = await registryAt(({ path }) => {
		if (!path.endsWith('/search')) return { success: true, company: other };
		return { success: true, results: [{ ...other, idno: '1003600015231' }] };
	}, 'v1');
	const { error } = await run({ ...operation, addCredit: true });
	expect(error?.message).toContain('a different company than 1003600015231');
});

it('rejects the recommendation of another company, even if it has no name', async () => {
	const { run } = await registryAt(
		() => ({ success: true, idno: '1002600005897', scoring: { rating: 'A' } }),
		'v1',
	);
	const { error } = await run({ ...credit, idno: '1003600015231' });
	expect(error?.message).toContain('a different company than 1003600015231');
});

it.each([{ success: true }, { success: true, message: 'Your key works' }])(
	'returns the key’s status %j unchanged',
	async (body) => {
		const { run } = await registryAt(() => ({ body }), 'v1');
		const { items } = await run({ resource: 'apiKey', operation: 'getStatus' });
		expect(jsonOf(items)).toEqual([body]);
	},
);

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
		expect(requests.length).toBeLessThanOrEqual(3 + MAX_IN_FLIGHT);
	});

	it('doesn’t block API Key: Get Status, which is outside the quota', async () => {
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

it('Enrich sends one request for all rows of a company, wherever they are in the list', async () => {
	const companies = Array.from({ length: 60 }, (_, at) => ({
		idno: withCheckDigit(`1003600${String(at).padStart(5, '0')}`),
		name: `Company ${at}`,
	}));
	const { run, requests } = await registryAt(registryOf(companies), 'v1');
	const rows = itemsOf(...Array.from({ length: 600 }, (_, at) => companies[(at * 37) % 60]!));
	const { items } = await run({ resource: 'company', operation: 'enrich' }, { items: rows });
	expect(jsonOf(items).map(({ registry_idno: idno }) => idno)).toEqual(
		rows.map(({ json }) => json.idno),
	);
	expect(requests).toHaveLength(60);
});

// test/shared/http/rateLimit covers pacing.
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
