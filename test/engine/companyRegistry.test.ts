import { jsonOf, runNode } from './harness';
import { callAsTool } from './contexts';

import type { INodeParameters } from 'n8n-workflow';

import { COMPANY_FIELDS } from '../../nodes/CompanyRegistry/simplify';
import type { Variant } from '../../nodes/CompanyRegistry/service';
import { bench } from './companyRegistrySupport';
import { itemsOf, pairedWith } from './linkManagementSupport';

const company = (operation: string, more: INodeParameters = {}): INodeParameters => ({
	resource: 'company',
	operation,
	...more,
});

describe('an operation that only one variant has', () => {
	it.each<[string, Variant, INodeParameters]>([
		['company.autocomplete', 'unversioned', company('autocomplete', { q: 'agro' })],
		['company.get', 'v1', company('get', { idno: '1000600900002' })],
		['creditRecommendation.get', 'v1', { resource: 'creditRecommendation', idno: '1000600900002' }],
		['apiKey.getStatus', 'v1', { resource: 'apiKey' }],
	])('says so before anything is sent: %s', async (_name, variant, parameters) => {
		const other = variant === 'v1' ? 'unversioned' : 'v1';
		const names = { v1: 'V1', unversioned: 'Unversioned' };
		const { run, requests } = await bench(other);
		const { error } = await run(parameters);
		expect(error?.message).toContain(
			`This operation is only available in the ${names[variant]} API, but the credential is for the ${names[other]} API`,
		);
		expect(error?.description).toContain(`API Variant is ${names[variant]}`);
		expect(requests).toHaveLength(0);
	});
});

it('a missing credential is named', async () => {
	const parameters = company('search', { q: 'agro' });
	const { error } = await runNode({ type: 'companyRegistry', parameters });
	expect(error?.message).toContain('The Company Registry credential is missing');
	expect(error?.description).toContain('Select a credential');
});

describe('Company: Get', () => {
	it('returns the whole dossier, by an IDNO grouped in any way', async () => {
		const { run, companies, requests } = await bench('v1');
		const [{ idno, name }] = companies as [(typeof companies)[0]];
		const grouped = ` ${idno.slice(0, 5)} ${idno.slice(5)}`;
		const { items } = await run(company('get', { idno: grouped, output: 'raw' }));
		expect(items[0]!.json).toMatchObject({ idno, name });
		expect(Object.keys(items[0]!.json)).toHaveLength(16);
		expect(requests.map(({ path }) => path)).toEqual([`/api/v1/company/${idno}`]);
	});

	it.each([
		['12345', 'must be a company identification number, but it is "12345"', 'this one has 5.'],
		['Agro SRL', 'must be a company identification number, but it is "Agro', 'select By Name'],
		['1003600015232', 'is not a valid IDNO: 1003600015232', 'the check digit should be 1'],
	])('rejects %s before anything is sent', async (idno, message, remedy) => {
		const { run, requests } = await bench('v1');
		const { error } = await run(company('get', { idno }));
		expect(error?.message).toContain(`The parameter "Company Name or IDNO" ${message}`);
		expect(error?.description).toContain(remedy);
		expect(requests).toHaveLength(0);
	});

	it('sends a number without a right check digit when the option is off', async () => {
		const { run, registry, requests } = await bench('v1');
		registry.state.add({ idno: '1003600015239', name: 'Veche SRL' });
		const { items } = await run(
			company('get', { idno: '1003600015239', options: { checkDigit: false } }),
		);
		expect(items[0]?.json).toMatchObject({ idno: '1003600015239', name: 'Veche SRL' });
		expect(requests).toHaveLength(1);
	});
});

describe('Company: Search', () => {
	it('passes every field of a result through', async () => {
		const { run, requests } = await bench('v1');
		const { items } = await run(company('search', { q: 'agro', limit: 3 }));
		expect(items).toHaveLength(3);
		for (const { json } of items) expect(Object.keys(json)).toEqual(COMPANY_FIELDS);
		expect(requests.map(({ path, query }) => ({ path, query }))).toEqual([
			{ path: '/api/v1/search', query: { q: 'agro', limit: '3' } },
		]);
	});

	it('says what was returned when there is no list', async () => {
		const { run, registry } = await bench('v1');
		registry.inject({ status: 200, body: { success: true, hits: 3 } });
		const { error } = await run(company('search', { q: 'agro' }));
		expect(error?.message).toContain('unexpected shape');
		expect(error?.description).toMatch(/a list of companies.*object with success, hits/);
	});

	it('searches V1 by class code and region, alone or together', async () => {
		const { run, companies, requests } = await bench('v1');
		const { caenCode, region } = companies[0]!;
		for (const filters of [{ caen: caenCode }, { region }, { caen: caenCode, region }]) {
			const { items } = await run(company('search', { filters, limit: 50 }));
			const wanted = companies.filter(
				(one) =>
					(!('caen' in filters) || one.caenCode === caenCode) &&
					(!('region' in filters) || one.region === region),
			);
			expect(jsonOf(items).map(({ idno }) => idno)).toEqual(
				wanted.slice(0, 50).map(({ idno }) => idno),
			);
		}
		expect(requests.map(({ query }) => query)).toEqual([
			{ caen: caenCode, limit: '50' },
			{ region, limit: '50' },
			{ caen: caenCode, region, limit: '50' },
		]);
	});

	it('never requests more than 50 from V1, and no page', async () => {
		const { run, requests } = await bench('v1', {
			searchPage: 'refused',
			rateLimit: { limit: null },
		});
		const all = await run(company('search', { q: '1', returnAll: true }));
		expect(all.items).toHaveLength(50);
		const more = await run(company('search', { q: '1', limit: 51 }));
		expect(jsonOf(more.items)).toEqual(jsonOf(all.items));
		expect(requests.map(({ query }) => query)).toEqual([
			{ q: '1', limit: '50' },
			{ q: '1', limit: '50' },
		]);
	});

	it.each<[Variant, INodeParameters, string]>([
		['v1', { q: ' ', filters: { region: '' } }, 'There is nothing to search for'],
		['v1', { filters: { caen: 'vinuri' } }, 'The parameter "CAEN Code" must be a CAEN code'],
		['v1', { filters: { caen: '62012' } }, 'The parameter "CAEN Code" must be a CAEN code'],
		['unversioned', {}, 'The parameter "Query" is empty'],
		[
			'unversioned',
			{ q: 'agro', filters: { region: 'Bălți' } },
			'The filter "Region" is only available in the V1 API',
		],
		['v1', { q: '1003600015232' }, 'The parameter "Query" is not a valid IDNO'],
		['unversioned', { q: '1003600015232' }, 'The parameter "Query" is not a valid IDNO'],
	])('with %s sends nothing for %j', async (variant, parameters, message) => {
		const { run, requests } = await bench(variant);
		const { error } = await run(company('search', parameters));
		expect(error?.message).toContain(message);
		expect(requests).toHaveLength(0);
	});

	it.each(['62.01', 6201, ' 6201 '])('sends the CAEN code %s as 6201', async (caen) => {
		const { run, requests } = await bench('v1');
		await run(company('search', { filters: { caen } }));
		expect(requests.map(({ query }) => query.caen)).toEqual(['6201']);
	});

	it('returns all of the unversioned API, 50 a page, in order', async () => {
		const { run, companies, requests } = await bench('unversioned');
		const { items } = await run(company('search', { q: '100', returnAll: true }));
		const wanted = companies.filter(({ idno }) => idno.startsWith('100')).map(({ idno }) => idno);
		expect(wanted.length).toBeGreaterThan(100);
		expect(jsonOf(items).map(({ idno }) => idno)).toEqual(wanted);
		expect(requests).toHaveLength(Math.ceil(wanted.length / 50));
		for (const { path, query } of requests) {
			expect(path).toBe('/api/search');
			expect(query).toMatchObject({ q: '100', limit: '50' });
		}
	});

	it('returns no items when nothing is found', async () => {
		const { run } = await bench('v1');
		const outcome = await run(company('search', { q: 'xyzxyz' }));
		expect(outcome).toMatchObject({ items: [], error: undefined });
	});
});

describe('Company: Autocomplete', () => {
	it.each(['strings', 'objects'] as const)(
		'returns an item per suggestion: %s',
		async (entries) => {
			const { run, registry, requests } = await bench('unversioned');
			registry.configure({ autocompleteItems: entries });
			const { items } = await run(company('autocomplete', { q: 'agro' }));
			expect(items).toHaveLength(10);
			for (const { json } of items) expect(json.name).toMatch(/agro/i);
			expect('idno' in items[0]!.json).toBe(entries === 'objects');
			expect(requests.map(({ path, query }) => ({ path, query }))).toEqual([
				{ path: '/api/autocomplete', query: { q: 'agro' } },
			]);
		},
	);

	it('requires a query before anything is sent', async () => {
		const { run, requests } = await bench('unversioned');
		const { error } = await run(company('autocomplete', { q: '' }));
		expect(error?.message).toContain('The parameter "Query" is empty');
		expect(requests).toHaveLength(0);
	});
});

describe('Credit Recommendation: Get', () => {
	it.each(['raw', 'simple'] as const)('returns the record as documented, %s', async (output) => {
		const { run, companies, requests } = await bench('v1');
		const one = companies[7]!;
		const scoring = { rating: one.rating, score: one.score, insolvency_risk: one.insolvencyRisk };
		const trade_credit_recommendation = {
			recommended_limit_mdl: one.limit,
			currency: 'MDL',
			recommended_payment_terms_days: one.paymentTermsDays,
			advisory_notes: one.advisoryNotes,
		};
		const { items } = await run({
			resource: 'creditRecommendation',
			operation: 'get',
			idno: one.idno,
			...(output === 'raw' && { output }),
		});
		expect(jsonOf(items)).toEqual([
			{
				...{ idno: one.idno, name: one.name, status: one.status },
				...(output === 'raw'
					? { scoring, trade_credit_recommendation }
					: { ...scoring, ...trade_credit_recommendation }),
			},
		]);
		expect(requests.map(({ path }) => path)).toEqual([`/api/v1/credit/${one.idno}`]);
	});
});

describe('API Key: Get Status', () => {
	it('returns the state of the key, and costs no quota', async () => {
		const { run, registry, requests } = await bench('v1', { plan: 'starter-b2b' });
		const { items } = await run({ resource: 'apiKey', operation: 'getStatus' });
		expect(jsonOf(items)).toMatchObject([
			{ plan: 'Starter B2B', daily_limit: 1000, daily_remaining: 1000 },
		]);
		expect(requests.map(({ path }) => path)).toEqual(['/api/v1/status']);
		expect(registry.quotaOf(registry.apiKey)?.remaining).toBe(1000);
	});
});

describe('IDNO: Validate', () => {
	const validate = {
		resource: 'idno',
		operation: 'validate',
		idnoToValidate: '={{ $json.number }}',
	};
	const numbers = itemsOf(
		{ number: '1003600015231' },
		{ number: 1003600015232 },
		{ number: 'abc' },
		{},
	);
	const answers = [
		{ idno: '1003600015231', valid: true, reason: null, expectedCheckDigit: null },
		{
			idno: '1003600015232',
			valid: false,
			reason: 'The last digit is 2, but the check digit should be 1.',
			expectedCheckDigit: 1,
		},
		{
			idno: 'abc',
			valid: false,
			reason: 'An IDNO contains only digits.',
			expectedCheckDigit: null,
		},
		{ idno: '', valid: false, reason: 'The IDNO is empty.', expectedCheckDigit: null },
	];

	it('works without a credential, and returns the reason and the expected digit', async () => {
		const { items, error } = await runNode({
			type: 'companyRegistry',
			parameters: validate,
			items: numbers,
		});
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toEqual(answers);
		expect(pairedWith(items)).toEqual([0, 1, 2, 3]);
	});

	it('ignores the check digit when the option is off', async () => {
		const { items } = await runNode({
			type: 'companyRegistry',
			parameters: { ...validate, options: { checkDigit: false } },
			items: numbers,
		});
		expect(jsonOf(items).map(({ valid }) => valid)).toEqual([true, true, false, false]);
	});

	it('works as an AI tool without a credential', async () => {
		const { answers: told } = await callAsTool(
			'companyRegistry',
			{ ...validate, idnoToValidate: "={{ $fromAI('idno', 'the number', 'string') }}" },
			{},
			[{ idno: '1003600015232' }, { idno: '1003600015231' }],
		);
		expect(told.map((text) => JSON.parse(text) as unknown)).toEqual([[answers[1]], [answers[0]]]);
	});
});

it('an agent enriches by the name that it fills in', async () => {
	const { credential, companies } = await bench('v1');
	const one = companies[3]!;
	const { answers } = await callAsTool(
		'companyRegistry',
		company('enrich', { companyName: "={{ $fromAI('name', 'company name', 'string') }}" }),
		{ companyRegistryApi: credential },
		[{ name: one.name.toUpperCase() }, { name: 'Nobody at All' }],
	);
	expect(answers.map((text) => JSON.parse(text) as unknown)).toMatchObject([
		[{ found: true, matchedBy: 'name', company_name: one.name, company_status: one.status }],
		[{ found: false, matchedBy: null }],
	]);
});
