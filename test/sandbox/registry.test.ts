import type { DeepPartial, RegistrySettings } from '../../sandbox';
import { manualClock, registryCaller, request, sandboxFor } from './support';

async function serviceWith(
	settings: DeepPartial<RegistrySettings> = {},
	variant: 'v1' | 'unversioned' = 'v1',
) {
	const clock = manualClock();
	const sandbox = await sandboxFor({ clock: clock.now, registry: { [variant]: settings } });
	const service = sandbox.registry[variant];
	return { clock, sandbox, service, call: registryCaller(service) };
}

test('the sandbox finds companies by IDNO, CAEN code, region, and name without case and diacritics', async () => {
	const { service, call } = await serviceWith({ rateLimit: { limit: null } });
	const { idno } = service.state.all()[5]!;
	service.control.update(idno, { name: 'ŞOIMŢARA Încă Agro S.R.L.' });
	for (const q of ['şoimţara inca', 'SOIMTARA ÎNCĂ', 'șoimțara ÎNCA agro', idno.slice(0, 12)]) {
		const { json } = await call('GET', `/api/v1/search?q=${encodeURIComponent(q)}`);
		expect(json.data).toMatchObject([{ idno }]);
	}
	const { json } = await call('GET', '/api/v1/search?caen=47.11&region=chisinau&limit=50');
	expect(json.data.length).toBeGreaterThan(3);
	for (const row of json.data) expect(row).toMatchObject({ caen_code: '4711', region: 'Chișinău' });
});

test.each(['root', 'data', 'results', 'companies', 'items'] as const)(
	'the sandbox returns 15 search results by default, in the shape "%s"',
	async (searchShape) => {
		const { call } = await serviceWith({ searchShape });
		const { json } = await call('GET', '/api/v1/search?q=a');
		expect(searchShape === 'root' ? json : json[searchShape]).toHaveLength(15);
		expect((await call('GET', '/api/v1/search?q=a&limit=51')).status).toBe(400);
	},
);

test('the sandbox accepts a key in the query only in V1, and no key if a setting allows it', async () => {
	const { service, sandbox } = await serviceWith({ keyOptionalFor: ['search'] });
	const url = `${service.baseUrl}/api/v1/search?q=a`;
	expect((await request(url)).status).toBe(200);
	expect((await request(url, { 'X-API-Key': 'wrong' })).status).toBe(401);
	service.configure({ keyOptionalFor: [] });
	expect((await request(url)).status).toBe(401);
	expect((await request(`${url}&api_key=${service.apiKey}`)).status).toBe(200);
	expect((await request(`${url}&api_key=%20${service.apiKey}`)).status).toBe(401);
	const { baseUrl, apiKey } = sandbox.registry.unversioned;
	expect((await request(`${baseUrl}/api/search?q=a&api_key=${apiKey}`)).status).not.toBe(200);
});

const message: unknown = expect.any(String);

test.each([
	['success-error-text', { success: false, error: message }],
	['success-error-object', { success: false, error: { code: 'NOT_FOUND', message } }],
	['success-message', { success: false, message }],
	['error-text', { error: message }],
	['detail', { detail: message }],
	['plain-text', undefined],
] as const)('the sandbox reports failures in the shape "%s"', async (failureShape, body) => {
	const { call } = await serviceWith({ failureShape, failureStatuses: { notFound: 422 } });
	const { status, json, text } = await call('GET', '/api/v1/credit/1008600038413');
	expect([status, json]).toEqual([422, body]);
	expect(text).toContain('1008600038413');
	expect((await call('GET', '/api/v1/company/123')).status).toBe(400);
});

test('the sandbox pages the unversioned search, and suggests ten names', async () => {
	const { call, service } = await serviceWith({}, 'unversioned');
	const { json } = await call('GET', '/api/search?q=agro&page=2&limit=5');
	expect(json).toMatchObject({ success: true, query: 'agro', page: 2, per_page: 5 });
	expect(json.total).toBeGreaterThan(10);
	expect((await call('GET', '/api/search')).json.error).toContain("'q' is required");
	const suggested = async () => (await call('GET', '/api/autocomplete?q=a')).json.data;
	expect(await suggested()).toEqual(Array(10).fill(expect.any(Object)));
	service.configure({ autocompleteItems: 'strings' });
	expect(await suggested()).toEqual(Array(10).fill(expect.any(String)));
});

describe('Sandbox registry limits', () => {
	test.each([
		['developer-free', 10, 100],
		['starter-b2b', 30, 1000],
		['business-pro', 100, 10_000],
	] as const)(
		'the plan %s allows %d requests per minute and %d per day',
		async (plan, perMinute, perDay) => {
			const { service, call } = await serviceWith({ plan });
			const { headers } = await call('GET', '/api/v1/search?q=a');
			expect(headers.get('X-RateLimit-Limit')).toBe(String(perMinute));
			expect(service.limitPer('day')).toBe(perDay);
		},
	);

	test('rejects the eleventh request in a minute, and doesn’t count it towards the daily quota', async () => {
		const { service, call, clock } = await serviceWith();
		for (let i = 0; i < 11; i++) await call('GET', '/api/v1/search?q=a');
		expect(service.requests.map(({ status }) => status)).toEqual([...Array(10).fill(200), 429]);
		clock.advance(60_000);
		expect((await call('GET', '/api/v1/status')).json.daily_remaining).toBe(90);
		service.configure({ statusShape: 'data' });
		expect((await call('GET', '/api/v1/status')).json.data.daily_remaining).toBe(90);
	});

	test('rejects requests over the daily quota until the next day', async () => {
		const { call, clock } = await serviceWith({
			dailyQuota: { limit: 1, refusal: '403-text', windowMs: 10_000, alignment: 'first-request' },
			rateLimit: { limit: null },
			headersDescribe: 'day',
		});
		const { headers } = await call('GET', '/api/v1/search?q=a');
		expect(headers.get('X-RateLimit-Limit')).toBe('1');
		const { status, text } = await call('GET', '/api/v1/search?q=a');
		expect([status, text]).toEqual([403, expect.stringMatching(/daily/)]);
		expect((await call('GET', '/api/v1/status')).status).toBe(200);
		clock.advance(10_000);
		expect((await call('GET', '/api/v1/search?q=a')).status).toBe(200);
	});
});
