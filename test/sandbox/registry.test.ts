import fc from 'fast-check';
import { checkDigit, idnoOf } from '../../sandbox/registry/idno';
import type { RegistrySettings, SandboxOptions } from '../../sandbox';
import { manualClock, registryCaller, request, sandboxFor } from './support';

async function v1With(settings: NonNullable<SandboxOptions['registry']>['v1'] = {}) {
	const clock = manualClock();
	const sandbox = await sandboxFor({ clock: clock.now, registry: { v1: settings } });
	const service = sandbox.registry.v1;
	return { clock, service, call: registryCaller(service), company: service.state.all()[0]! };
}

async function unversionedWith(settings: Partial<RegistrySettings> = {}) {
	const sandbox = await sandboxFor({ registry: { unversioned: settings } });
	const service = sandbox.registry.unversioned;
	return { service, call: registryCaller(service) };
}

describe('companies', () => {
	test('are a thousand, each with an IDNO whose check digit is right', async () => {
		const { service } = await v1With();
		const idnos = service.state.all().map(({ idno }) => idno);
		expect(new Set(idnos).size).toBe(1000);
		for (const idno of idnos) {
			expect(idno).toMatch(/^\d{13}$/);
			expect(checkDigit(idno.slice(0, 12))).toBe(Number(idno[12]));
		}
	});

	test('include every rating, several statuses and both spellings of ș', async () => {
		const { service } = await v1With();
		const companies = service.state.all();
		expect(new Set(companies.map(({ rating }) => rating)).size).toBe(6);
		expect(new Set(companies.map(({ status }) => status)).size).toBeGreaterThan(3);
		const names = companies.map(({ name }) => name).join('');
		expect(names).toMatch(/[șț]/);
		expect(names).toMatch(/[şţ]/);
	});

	test.each(['1008600038413', '1003600015231', '1002600005897'])(
		'follow the rule that %s satisfies',
		(idno) => expect(checkDigit(idno.slice(0, 12))).toBe(Number(idno[12])),
	);

	test('have 13 digits for any year and number', () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 2000, max: 2999 }),
				fc.integer({ min: 0, max: 9999 }),
				(year, index) => expect(idnoOf(year, index)).toMatch(/^\d{13}$/),
			),
		);
	});
});

describe('registry service v1', () => {
	test('returns the dossier with all its parts', async () => {
		const { call, company } = await v1With();
		const { json } = await call('GET', `/api/v1/company/${company.idno}`);
		expect(json.success).toBe(true);
		expect(json.data).toMatchObject({ idno: company.idno, name: company.name });
		expect(Object.keys(json.data)).toEqual(
			expect.arrayContaining(['administrators', 'founders', 'financials', 'licenses', 'scoring']),
		);
	});

	test('returns the documented credit recommendation', async () => {
		const { call, company } = await v1With();
		const { json } = await call('GET', `/api/v1/credit/${company.idno}`);
		expect(json).toEqual({
			success: true,
			idno: company.idno,
			name: company.name,
			status: company.status,
			scoring: {
				rating: company.rating,
				score: company.score,
				insolvency_risk: company.insolvencyRisk,
			},
			trade_credit_recommendation: {
				recommended_limit_mdl: company.limit,
				currency: 'MDL',
				recommended_payment_terms_days: company.paymentTermsDays,
				advisory_notes: company.advisoryNotes,
			},
		});
	});

	test('finds names regardless of case and diacritics', async () => {
		const { service, call } = await v1With({ rateLimit: { limit: null } });
		service.control.update(service.state.all()[5]!.idno, { name: 'ŞOIMŢARA Încă Agro S.R.L.' });
		for (const q of ['şoimţara inca', 'SOIMTARA ÎNCĂ', 'șoimțara ÎNCA agro']) {
			const { json } = await call('GET', `/api/v1/search?q=${encodeURIComponent(q)}`);
			expect(json.data).toHaveLength(1);
		}
	});

	test('finds by the beginning of the IDNO, by class code and by region', async () => {
		const { call, company } = await v1With();
		const byIdno = await call('GET', `/api/v1/search?q=${company.idno.slice(0, 12)}`);
		expect(byIdno.json.data).toMatchObject([{ idno: company.idno }]);
		const { json } = await call('GET', '/api/v1/search?caen=47.11&region=chisinau&limit=50');
		expect(json.data.length).toBeGreaterThan(3);
		for (const row of json.data) {
			expect(row).toMatchObject({ caen_code: '4711', region: 'Chișinău' });
		}
	});

	test('gives 15 results by default and refuses more than 50', async () => {
		const { call } = await v1With();
		expect((await call('GET', '/api/v1/search?q=a')).json.data).toHaveLength(15);
		expect((await call('GET', '/api/v1/search?q=a&limit=50')).json.data).toHaveLength(50);
		expect((await call('GET', '/api/v1/search?q=a&limit=51')).status).toBe(400);
	});

	test.each(['data', 'results', 'companies', 'items'] as const)(
		'puts the search results under %s when so set',
		async (searchShape) => {
			const { call } = await v1With({ searchShape });
			expect((await call('GET', '/api/v1/search?q=a')).json[searchShape]).toHaveLength(15);
		},
	);

	test('returns the search as a bare array if set', async () => {
		const { call } = await v1With({ searchShape: 'root' });
		expect((await call('GET', '/api/v1/search?q=a')).json).toHaveLength(15);
	});

	test('ignores, honours or refuses the page of a search', async () => {
		const { service, call } = await v1With();
		const search = (page: number) => call('GET', `/api/v1/search?q=a&limit=1&page=${page}`);
		expect((await search(2)).json.data).toEqual((await search(1)).json.data);
		service.configure({ searchPage: 'honoured' });
		expect((await search(2)).json.data).not.toEqual((await search(1)).json.data);
		service.configure({ searchPage: 'refused' });
		expect((await search(2)).status).toBe(400);
	});

	test('returns the quota in the status call, flat or nested, without counting it', async () => {
		const { service, call } = await v1With();
		await call('GET', '/api/v1/search?q=a');
		const flat = await call('GET', '/api/v1/status');
		expect(flat.json).toMatchObject({ success: true, daily_remaining: 99, per_minute_limit: 10 });
		service.configure({ statusShape: 'data' });
		const nested = await call('GET', '/api/v1/status');
		expect(nested.json.data).toMatchObject({ plan: 'Developer Free', daily_remaining: 99 });
	});

	test('accepts the key in the query, too', async () => {
		const { service } = await v1With();
		const url = `${service.baseUrl}/api/v1/search?q=a`;
		expect((await request(`${url}&api_key=${service.apiKey}`)).status).toBe(200);
		expect((await request(url)).status).toBe(401);
	});

	test('allows some calls without a key if set, but never with a wrong one', async () => {
		const { service } = await v1With({ keyOptionalFor: ['search'] });
		const url = `${service.baseUrl}/api/v1/search?q=a`;
		expect((await request(url)).status).toBe(200);
		expect((await request(url, { 'X-API-Key': 'wrong' })).status).toBe(401);
	});

	test('rejects an invalid IDNO, and does not know every valid one', async () => {
		const { call } = await v1With();
		expect((await call('GET', '/api/v1/company/123')).status).toBe(400);
		expect((await call('GET', '/api/v1/company/1008600038413')).status).toBe(404);
	});

	test.each([
		['success-error-text', { success: false, error: expect.any(String) }],
		[
			'success-error-object',
			{ success: false, error: { code: 'NOT_FOUND', message: expect.any(String) } },
		],
		['success-message', { success: false, message: expect.any(String) }],
		['error-text', { error: expect.any(String) }],
		['detail', { detail: expect.any(String) }],
	] as const)('tells failures in the shape %s', async (failureShape, body) => {
		const { call } = await v1With({ failureShape, failureStatuses: { notFound: 422 } });
		const { status, json } = await call('GET', '/api/v1/credit/1008600038413');
		expect([status, json]).toEqual([422, body]);
	});

	test('returns failures as plain text if set', async () => {
		const { call } = await v1With({ failureShape: 'plain-text' });
		const { headers, text } = await call('GET', '/api/v1/credit/1008600038413');
		expect(headers.get('content-type')).toContain('text/plain');
		expect(text).toContain('1008600038413');
	});
});

describe('limits of the registry', () => {
	test.each([
		['developer-free', 10, 100],
		['starter-b2b', 30, 1000],
		['business-pro', 100, 10_000],
	] as const)('follow the plan %s', async (plan, perMinute, perDay) => {
		const { service, call } = await v1With({ plan });
		const { headers } = await call('GET', '/api/v1/search?q=a');
		expect(headers.get('X-RateLimit-Limit')).toBe(String(perMinute));
		expect(service.limitPer('day')).toBe(perDay);
	});

	test('refuse the eleventh request of a minute, and it does not count for the day', async () => {
		const { service, call, clock } = await v1With();
		for (let i = 0; i < 11; i++) await call('GET', '/api/v1/search?q=a');
		expect(service.requests.map(({ status }) => status)).toEqual([
			...Array.from({ length: 10 }, () => 200),
			429,
		]);
		clock.advance(60_000);
		expect((await call('GET', '/api/v1/status')).json.daily_remaining).toBe(90);
	});

	test('refuse when the daily quota is exhausted, until the next day', async () => {
		const { call, clock } = await v1With({
			dailyQuota: { limit: 3, refusal: '403-text', windowMs: 10_000, alignment: 'first-request' },
			rateLimit: { limit: null },
		});
		for (let i = 0; i < 3; i++) await call('GET', '/api/v1/search?q=a');
		const refused = await call('GET', '/api/v1/search?q=a');
		expect([refused.status, refused.headers.get('Retry-After')]).toEqual([403, null]);
		expect(refused.text).toMatch(/daily/);
		expect((await call('GET', '/api/v1/status')).status).toBe(200);
		clock.advance(10_000);
		expect((await call('GET', '/api/v1/search?q=a')).status).toBe(200);
	});

	test('say when the day ends, in Retry-After and in headers about the day', async () => {
		const { call } = await v1With({ dailyQuota: { limit: 1 }, headersDescribe: 'day' });
		const { headers } = await call('GET', '/api/v1/search?q=a');
		expect(headers.get('X-RateLimit-Limit')).toBe('1');
		const refused = await call('GET', '/api/v1/search?q=a');
		expect(refused.status).toBe(429);
		expect(refused.headers.get('Retry-After')).toBe(String(12 * 3600));
	});
});

describe('registry service without version', () => {
	test('returns the documented search envelope, page by page', async () => {
		const { call } = await unversionedWith();
		const { json } = await call('GET', '/api/search?q=agro&page=2&limit=5');
		expect(json).toMatchObject({ success: true, query: 'agro', page: 2, per_page: 5 });
		expect(json.total).toBeGreaterThan(10);
		expect(Object.keys(json.data[0])).toEqual([
			'idno',
			'name',
			'legal_form',
			'status',
			'city',
			'region',
			'caen_code',
			'caen_description',
		]);
		const byDefault = await call('GET', '/api/search?q=agro');
		expect(byDefault.json).toMatchObject({ page: 1, per_page: 20 });
	});

	test('returns a wrong total if set', async () => {
		const { call } = await unversionedWith({ wrongCounters: { total: 7 } });
		expect((await call('GET', '/api/search?q=agro')).json.total).toBe(7);
	});

	test('requires q and a key in the header', async () => {
		const { service, call } = await unversionedWith();
		expect((await call('GET', '/api/search')).json.error).toContain("'q' is required");
		const url = `${service.baseUrl}/api/search?q=a&api_key=${service.apiKey}`;
		expect((await request(url)).status).not.toBe(200);
	});

	test.each([
		['root', 'strings'],
		['data', 'objects'],
		['suggestions', 'strings'],
	] as const)('suggests at most ten names: %s, %s', async (autocompleteShape, items) => {
		const { call } = await unversionedWith({ autocompleteShape, autocompleteItems: items });
		const { json } = await call('GET', '/api/autocomplete?q=a');
		const suggestions = autocompleteShape === 'root' ? json : json[autocompleteShape];
		expect(suggestions).toHaveLength(10);
		if (items === 'strings') expect(suggestions[0]).toEqual(expect.any(String));
		else expect(Object.keys(suggestions[0])).toEqual(['idno', 'name']);
	});

	test('shows a change that was made through the other variant', async () => {
		const sandbox = await sandboxFor();
		const { v1, unversioned } = sandbox.registry;
		const { idno } = v1.state.all()[0]!;
		v1.control.update(idno, { status: 'deregistered' });
		const { json } = await registryCaller(unversioned)('GET', `/api/search?q=${idno}`);
		expect(json.data).toMatchObject([{ idno, status: 'deregistered' }]);
	});
});
