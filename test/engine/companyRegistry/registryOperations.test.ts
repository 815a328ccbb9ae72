import { jsonOf, runNode } from '../harness';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Variant } from '../../../nodes/CompanyRegistry/api';
import { byName, itemsOf, pairedWith, registryAt, registryBench } from '../support';

const company = (operation: string, more: INodeParameters = {}): INodeParameters => ({
	resource: 'company',
	operation,
	...more,
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
		[
			'v1',
			company('get', { idno: byName(value) }),
			'Agro',
			'100360001523',
			['not a valid IDNO', 'has 12.'],
		],
		['v1', company('get', { idno: VALID, ...fields }), 'name', '', ['"Fields" is empty', '']],
		['v1', credit, VALID, WRONG, ['not a valid IDNO: 1003600015232', 'should be 1']],
		['v1', search, 'agro', null, ['There is nothing to search for', '"CAEN Code"']],
		['v1', search, 'agro', WRONG, ['"Query" is not a valid IDNO', 'should be 1']],
		['v1', search, '100360001523', '10036000152310', ['not a valid IDNO', 'has 14.']],
		['v1', byCaen, '62.01', 'vinuri', ['"CAEN Code" must be a CAEN code', '']],
		['v1', byCaen, '6201', '62012', ['"CAEN Code" must be a CAEN code', '']],
		['v1', byCaen, '62', '6', ['"CAEN Code" must be a CAEN code', 'such as 6201']],
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

it.each<[unknown, string]>([
	[111, '0111'],
	[1.11, '01.11'],
	[6201, '6201'],
	[62, '62'],
	['0111', '0111'],
	['62.01', '62.01'],
	[' 62 01 ', '62 01'],
])('searches by the CAEN code %j as "%s"', async (caen, sent) => {
	const { run, requests } = await registryBench('v1');
	const parameters = company('search', { filters: { caen: '={{ $json.caen }}' } });
	expect(
		(await run(parameters, { items: itemsOf({ caen } as IDataObject) })).error,
	).toBeUndefined();
	expect(requests[0]!.query).toMatchObject({ caen: sent });
});

it('returns a branch with its head office’s IDNO, and a company that has moved to the next page only once', async () => {
	const names = Array.from({ length: 60 }, (_, index) => `Agro ${index}`);
	const rows = names.map((name) => ({ idno: '1003600015231', name }));
	const { run } = await registryAt(({ query }) => {
		const isFirst = query.get('page') !== '2';
		const data = isFirst ? rows.slice(0, 50) : rows.slice(45);
		return { success: true, total: 60, page: isFirst ? 1 : 2, per_page: 50, data };
	});
	const { items } = await run(company('search', { q: 'agro', returnAll: true, output: 'raw' }));
	expect(jsonOf(items).map(({ name }) => name)).toEqual(names);
});

it.each([
	['MD1003600015231', '1003600015231'],
	[' Agro Nord ', 'Agro Nord'],
])('searches for %j with "%s"', async (q, sent) => {
	const { run, requests } = await registryBench('v1');
	await run(company('search', { q }));
	expect(requests[0]!.query).toMatchObject({ q: sent });
});

describe('IDNO: Validate', () => {
	// test/CompanyRegistry/idno.test.ts covers the reasons.
	it.each([
		[{}, false, 'The last digit of the IDNO is 2, but it should be 1.', 1],
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
