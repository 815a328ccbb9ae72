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
		['an IDNO may have a label', { value: '1003600116460', name: 'IDNO' }, '1003600116460'],
	])('%s', (_, cell, value) => {
		expect(unwrapped(cell)).toBe(value);
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
