import { jsonOf, runNode } from '../harness';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Variant } from '../../../nodes/CompanyRegistry/api';
import { byName, itemsOf, pairedWith, registryBench } from '../support';

const company = (operation: string, more: INodeParameters = {}): INodeParameters => ({
	resource: 'company',
	operation,
	...more,
});

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

describe('Company: Get', () => {
	it.each([
		[' 10006-009.000 02', {}, '1000600900002'],
		['1003600015239', { checkDigit: false }, '1003600015239'],
	])('looks up the IDNO %j with the options %j', async (idno, options, sent) => {
		const { run, requests } = await registryBench('v1');
		await run(company('get', { idno, options }));
		expect(requests.map(({ path }) => path)).toEqual([`/api/v1/company/${sent}`]);
	});
});

describe('Company: Search', () => {
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

describe('Invalid input', () => {
	const value = '={{ $json.value }}';
	const [VALID, WRONG] = ['1003600015231', '1003600015232'];
	const fields = { output: 'fields', otherFields: value };
	const credit = { resource: 'creditRecommendation', idno: value };
	const noIdno = (given: string) =>
		`"Company Name or IDNO" must be a company identification number, but it is "${given}"`;
	const search = company('search', { q: value });
	const byCaen = company('search', { filters: { caen: value } });

	it.each<[Variant, INodeParameters, valid: unknown, invalid: unknown, said: string[]]>([
		['v1', company('get', { idno: value }), VALID, '12345', [noIdno('12345'), 'has 5.']],
		['v1', company('get', { idno: value }), VALID, 'Agro', [noIdno('Agro'), 'select "By Name"']],
		['v1', company('get', { idno: value }), VALID, WRONG, ['not a valid IDNO', 'should be 1']],
		['v1', company('get', { idno: byName(value) }), 'Agro', WRONG, ['not a valid IDNO', '']],
		['v1', company('get', { idno: VALID, ...fields }), 'name', '', ['"Fields" is empty', '']],
		['v1', credit, VALID, WRONG, ['not a valid IDNO: 1003600015232', 'should be 1']],
		['v1', search, 'agro', null, ['There is nothing to search for', '"CAEN Code"']],
		['v1', search, 'agro', WRONG, ['"Query" is not a valid IDNO', 'should be 1']],
		['v1', byCaen, '62.01', 'vinuri', ['"CAEN Code" must be a CAEN code', '']],
		['v1', byCaen, '6201', '62012', ['"CAEN Code" must be a CAEN code', '']],
		['v1', company('search', { q: 'agro', limit: value }), 1, 0, ['"Limit" must be', '']],
		['v1', company('search', { q: 'agro', ...fields }), 'name', '', ['"Fields" is empty', '']],
		['unversioned', search, 'agro', ' ', ['There is nothing to search for', '"CAEN Code"']],
		['unversioned', search, 'agro', WRONG, ['"Query" is not a valid IDNO', 'should be 1']],
		['unversioned', company('autocomplete', { q: value }), 'agro', ' ', ['"Query" is empty', '']],
	])(
		'sends nothing if the last of many items is invalid (%s, %j, %j and %j)',
		async (variant, parameters, valid, invalid, [message, description]) => {
			const { run, requests } = await registryBench(variant);
			const values = [...Array<unknown>(20).fill(valid), invalid];
			const items = itemsOf(...values.map((each) => ({ value: each }) as IDataObject));
			const { error } = await run(parameters, { items });
			expect(error?.context.itemIndex).toBe(20);
			expect(error?.message).toContain(message);
			expect(error?.description).toContain(description);
			expect(requests).toHaveLength(0);
		},
	);
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
