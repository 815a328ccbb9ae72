import { cellsIn, unwrapped } from '../../../nodes/CompanyRegistry/enrich/cells';

// test/pairs/columns.txt covers where the cells of a row stand.
describe('A cell', () => {
	it.each<[what: string, cell: unknown, value: unknown]>([
		['a span of time is its start', { start: '2026-11-26', end: null }, '2026-11-26'],
		['a linked record is its name', { value: '24', name: 'Zefirul SRL' }, 'Zefirul SRL'],
		[
			'a value is what its program displays',
			{ link: 'https://example.com/7', value: '9d385017c611', display_value: 'Zefirul SRL' },
			'Zefirul SRL',
		],
		['a record may say what it displays', { id: 7, displayValue: 'Zefirul' }, 'Zefirul'],
		['XML with attributes is its text', { '@id': '7', '#text': 'Zefirul' }, 'Zefirul'],
		['XML with attributes is its text', { $: { id: '7' }, _: 'Zefirul' }, 'Zefirul'],
		['XML with attributes is its text', { _attributes: {}, _text: 'Zefirul' }, 'Zefirul'],
		['a typed value is its value', { $numberLong: '1003600116460' }, '1003600116460'],
		['a typed value is its value', { S: 'Zefirul' }, 'Zefirul'],
		['a typed value is its value', { N: '7' }, '7'],
		['a text in a language is the text', { ro: 'Zefirul' }, 'Zefirul'],
		['a text in a language is the text', { 'ro-MD': 'Zefirul' }, 'Zefirul'],
		['an option is its name', { type: 'select', select: { id: 'x', name: 'SRL' } }, 'SRL'],
		['an IDNO may have a label', { value: '1003600116460', name: 'IDNO' }, '1003600116460'],
	])('%s', (_, cell, value) => {
		expect(unwrapped(cell)).toBe(value);
	});

	it.each<[what: string, cell: unknown]>([
		['a list of texts', ['Ana', 'Ion']],
		['a list of numbers', [7, 8]],
		['a list of a number and several texts', [7, 'Ana', 'Ion']],
		['an empty list', []],
		['an object of a type', { type: 'company', idno: '1003600116460' }],
		['an object with a start', { start: 'Orhei', city: 'Cahul' }],
	])('%s has more than one value', (_, cell) => {
		expect(unwrapped(cell)).toBe(cell);
	});

	it('a date has no cells in it', () => {
		expect(cellsIn({ created: new Date(), at: { toMillis: () => 0 } })).toHaveLength(2);
	});

	it('cells aren’t looked for in more than a few objects', () => {
		const row: Record<string, unknown> = {};
		let inner = row;
		for (let depth = 0; depth < 10_000; depth++) inner = inner.data = {} as Record<string, unknown>;
		expect(cellsIn(row).length).toBeLessThan(10);
	});
});
