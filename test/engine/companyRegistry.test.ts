import { jsonOf, runNode } from './harness';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Variant } from '../../nodes/CompanyRegistry/api';
import { byName, itemsOf, pairedWith, registryBench, VARIANTS } from './support';

const company = (operation: string, more: INodeParameters = {}): INodeParameters => ({
	resource: 'company',
	operation,
	...more,
});

describe('Operation of only one API variant', () => {
	it.each<[string, Variant, INodeParameters]>([
		['company.autocomplete', 'unversioned', company('autocomplete', { q: 'agro' })],
		['company.get', 'v1', company('get', { idno: '1000600900002' })],
		['creditRecommendation.get', 'v1', { resource: 'creditRecommendation', idno: '1000600900002' }],
		['apiKey.getStatus', 'v1', { resource: 'apiKey' }],
	])(
		'%s fails before sending anything if the credential is for the other API variant',
		async (_name, variant, parameters) => {
			const other = variant === 'v1' ? 'unversioned' : 'v1';
			const names = { v1: 'V1', unversioned: 'Unversioned' };
			const { run, requests } = await registryBench(other);
			const { error } = await run(parameters);
			expect(error?.message).toContain(
				`This operation is only available in the ${names[variant]} API, but the credential is for the ${names[other]} API`,
			);
			expect(error?.description).toContain(`API Variant is ${names[variant]}`);
			expect(requests).toHaveLength(0);
		},
	);
});

describe('Company: Get', () => {
	it.each([
		[' 10006-009.000 02', {}, '1000600900002'],
		['1003600015239', { checkDigit: false }, '1003600015239'],
	])('looks up the IDNO %j with the options %j', async (idno, options, sent) => {
		const { run, requests } = await registryBench('v1');
		await run(company('get', { idno, options }));
		expect(requests.map(({ path }) => path)).toEqual([`/api/v1/company/${sent}`]);
	});

	it.each([
		['12345', 'must be a company identification number, but it is "12345"', 'this one has 5.'],
		['Agro SRL', 'must be a company identification number, but it is "Agro', 'select "By Name"'],
		['1003600015232', 'is not a valid IDNO: 1003600015232', 'the check digit should be 1'],
	])('rejects "%s" as an IDNO before sending anything', async (idno, message, remedy) => {
		const { run, requests } = await registryBench('v1');
		const { error } = await run(company('get', { idno }));
		expect(error?.message).toContain(`The parameter "Company Name or IDNO" ${message}`);
		expect(error?.description).toContain(remedy);
		expect(requests).toHaveLength(0);
	});
});

describe('Company: Search', () => {
	it.each(VARIANTS)(
		'returns no items if the service answers a search with 404 (%s API)',
		async (variant) => {
			const { run, registry } = await registryBench(variant);
			registry.inject({ status: 404, body: { success: false, message: 'No company found' } });
			const { items, error } = await run(company('search', { q: 'agro' }));
			expect([error, jsonOf(items)]).toEqual([undefined, []]);
		},
	);

	it.each([
		[{ q: ' agro ' }, { q: 'agro' }],
		[{ q: '10006 009.00002' }, { q: '1000600900002' }],
		[{ filters: { caen: ' 62.01 ' } }, { caen: '62.01' }],
		[{ filters: { caen: 6201 } }, { caen: '6201' }],
		[{ filters: { region: 'Bălți' } }, { region: 'Bălți' }],
	])('searches by %j alone, and sends %j', async (given, sent) => {
		const { run, requests } = await registryBench('v1');
		const { error } = await run(company('search', given));
		expect(error).toBeUndefined();
		expect(requests.map(({ query }) => query)).toEqual([{ ...sent, limit: '50' }]);
	});

	it.each<[object, message: RegExp, description: RegExp]>([
		[{ hits: 3 }, /unexpected format/, /a list of companies.*object with success, hits/],
		[{ message: 'Prea multe' }, /^Prea multe/, /this message instead of a list/],
	])(
		'says what the service returned instead of companies: %j',
		async (body, message, description) => {
			const { run, registry } = await registryBench('v1');
			registry.inject({ status: 200, body: { success: true, ...body } });
			const { error } = await run(company('search', { q: 'agro' }));
			expect(error?.message).toMatch(message);
			expect(error?.description).toMatch(description);
		},
	);

	it('requests at most 50 companies and a single page from V1', async () => {
		const { run, requests } = await registryBench('v1', { rateLimit: { limit: null } });
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
		['unversioned', {}, 'There is nothing to search for'],
		['unversioned', { operation: 'autocomplete', q: '' }, 'The parameter "Query" is empty'],
		[
			'unversioned',
			{ q: 'agro', filters: { region: 'Bălți' } },
			'The filter "Region" is only available in the V1 API',
		],
		['v1', { q: '1003600015232' }, 'The parameter "Query" is not a valid IDNO'],
		['unversioned', { q: '1003600015232' }, 'The parameter "Query" is not a valid IDNO'],
	])('rejects a %s search with %j before sending it', async (variant, parameters, message) => {
		const { run, requests } = await registryBench(variant);
		const { error } = await run(company('search', parameters));
		expect(error?.message).toContain(message);
		expect(requests).toHaveLength(0);
	});

	const VALID = '1003600015231';
	const WRONG = '1003600015232';
	const chosenFields = { output: 'fields', otherFields: '={{ $json.value }}' };
	it.each<[Variant, INodeParameters, unknown, unknown]>([
		['v1', company('get', { idno: '={{ $json.value }}' }), VALID, WRONG],
		['v1', company('get', { idno: byName('={{ $json.value }}') }), 'Agro', WRONG],
		['v1', company('get', { idno: VALID, ...chosenFields }), 'name', ''],
		['v1', { resource: 'creditRecommendation', idno: '={{ $json.value }}' }, VALID, WRONG],
		['v1', company('search', { q: '={{ $json.value }}' }), 'agro', null],
		['v1', company('search', { q: 'agro', limit: '={{ $json.value }}' }), 1, 0],
		['v1', company('search', { q: 'agro', ...chosenFields }), 'name', ''],
		['unversioned', company('autocomplete', { q: '={{ $json.value }}' }), 'agro', ' '],
	])(
		'spends no quota if the last of many items is invalid (%s, %j)',
		async (variant, parameters, valid, invalid) => {
			const { run, requests } = await registryBench(variant);
			const values = [...Array<unknown>(20).fill(valid), invalid];
			const items = itemsOf(...values.map((value) => ({ value }) as IDataObject));
			const { error } = await run(parameters, { items });
			expect(error?.context.itemIndex).toBe(20);
			expect(requests).toHaveLength(0);
		},
	);

	it('returns all results of the Unversioned API in order, 50 per page', async () => {
		const { run, companies, requests } = await registryBench('unversioned');
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
});

describe('IDNO: Validate', () => {
	// test/CompanyRegistry/idno.test.ts covers the reasons.
	it.each([
		[{}, false, 'The last digit is 2, but the check digit should be 1.', 1],
		[{ checkDigit: false }, true, null, null],
	])(
		'validates an IDNO without a credential (options: %j)',
		async (options, valid, reason, expectedCheckDigit) => {
			const { items, error } = await runNode({
				type: 'companyRegistry',
				parameters: {
					...{ resource: 'idno', operation: 'validate', options },
					idnoToValidate: '={{ $json.number }}',
				},
				items: itemsOf({ number: 1003600015232 }, {}),
			});
			expect(error).toBeUndefined();
			expect(jsonOf(items)).toEqual([
				{ idno: '1003600015232', valid, reason, expectedCheckDigit },
				{ idno: '', valid: false, reason: 'The IDNO is empty.', expectedCheckDigit: null },
			]);
			expect(pairedWith(items)).toEqual([0, 1]);
		},
	);
});
