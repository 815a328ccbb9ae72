import { cellsIn, isBlankCell, readCell } from '../../../nodes/CompanyRegistry/enrich/cells';
import { findColumns } from '../../../nodes/CompanyRegistry/enrich/columns';

const NONE: ReadonlySet<string> = new Set();
const COLUMNS = { IDNO: '1003600116460', Company: 'Zefirul SRL', City: 'Orhei' };
const entries = Object.entries(COLUMNS);

/** The columns, with each cell in something else. */
const inEach = (wrap: (cell: string) => unknown) =>
	Object.fromEntries(entries.map(([key, cell]) => [key, wrap(cell)]));
/** The columns as a list. */
const listOf = (entry: (key: string, cell: string) => object) =>
	entries.map(([key, cell]) => entry(key, cell));
const OTHERS = ['Phone', 'Fax', 'Segment'].map((key) => ({ key, value: 'x' }));
const richText = (cell: string) => ({
	...{ id: 'q', type: 'rich_text' },
	rich_text: [{ plain_text: cell.slice(0, 3) }, { plain_text: cell.slice(3) }],
});

describe('cells', () => {
	it.each<[shape: string, row: Record<string, unknown>, around: string]>([
		['an object that holds them', { id: 1, fields: COLUMNS }, 'fields.'],
		['an object of any name', { _index: 'x', _source: { id: 1, ...COLUMNS } }, '_source.'],
		['an object beside a title', { title: { rendered: 'Offer' }, acf: COLUMNS }, 'acf.'],
		['an object in a known one', { id: 1, fields: { all: COLUMNS } }, 'fields.all.'],
		[
			'objects in objects',
			{ body: { data: { custom_fields: COLUMNS } } },
			'body.data.custom_fields.',
		],
		['wrappers', { properties: inEach((value) => ({ value, source: 'x' })) }, 'properties.'],
		['texts with formatting', { properties: inEach(richText) }, 'properties.'],
		['typed values', { fields: inEach((stringValue) => ({ stringValue })) }, 'fields.'],
		['lists with one entry', inEach((cell) => [cell]), ''],
		[
			'an object, or the same at the top',
			{ fields: { City: 'Cahul', Company: 'X' }, ...COLUMNS },
			'',
		],
		[
			'a list of names and values',
			{ custom_fields: listOf((name, value) => ({ id: 'f', name, value })) },
			'custom_fields.',
		],
		[
			'a list of names and values that is called anything',
			{ id: 1, extra: [...OTHERS, ...listOf((key, value) => ({ key, value }))] },
			'extra.',
		],
		[
			'a list with several values, of which one is filled',
			{ fields: listOf((name, text) => ({ name, value: null, text })) },
			'fields.',
		],
		[
			'a list with the titles inside',
			{ column_values: listOf((title, text) => ({ text, value: '{}', column: { title } })) },
			'column_values.',
		],
	])('finds columns in %s', (_, row, around) => {
		expect(findColumns(row, NONE)).toEqual({
			idno: `${around}IDNO`,
			name: `${around}Company`,
			city: `${around}City`,
		});
		expect(readCell(row, `${around}City`)).toBe('Orhei');
	});

	it.each<[string, Record<string, unknown>, object]>([
		[
			'an address and a company add what they are',
			{
				id: 1,
				name: 'Ion Rotaru',
				company: { name: 'Zefirul SRL' },
				billing_address: { city: 'Orhei' },
			},
			{ name: 'company.name', city: 'billing_address.city' },
		],
		[
			'an address may have a text of its own, too',
			{ name: 'Zefirul SRL', address: { value: 'Orhei, Moldova', locality: 'Orhei' } },
			{ name: 'name', city: 'address.locality' },
		],
		[
			'a linked record is its name',
			{ name: 'Offer 1', partner_id: [11, 'Zefirul SRL'], company_id: [1, 'Own SRL'] },
			{ name: 'partner_id' },
		],
		[
			'a linked record may have its ID beside the name',
			{ number: 'A1', CustomerRef: { value: '24', name: 'Zefirul' }, Rate: { value: 'MDL' } },
			{ name: 'CustomerRef' },
		],
		[
			'an object of any name needs more than a plain name',
			{ id: 1, stage: { id: 2, name: 'New' }, Contact: { ContactID: 'x', Name: 'Zefirul SRL' } },
			{ name: 'Contact.Name' },
		],
		[
			'of two objects of any name, none is taken',
			{ id: 1, before: { company: 'Zefirul SRL' }, after: { company: 'Salcia SRL' } },
			{},
		],
		[
			'a list of several companies isn’t the row’s company',
			{ id: 1, companies: [{ name: 'Zefirul SRL' }, { phone: '022 1' }] },
			{},
		],
		[
			'a path is no name',
			{ name: 'projects/x/companies/7', fields: { name: 'Zefirul SRL' } },
			{ name: 'fields.name' },
		],
		[
			'other objects are left alone',
			{
				name: 'Zefirul SRL',
				owner: { name: 'Ion', company: 'X', city: 'Cahul' },
				warehouse: { city: 'Cahul' },
				team: { region: 'Nord' },
				parent: { idno: COLUMNS.IDNO, city: 'Cahul' },
				line_items: [{ name: 'IDNO', value: COLUMNS.IDNO }],
				links: [{ id: 4, value: COLUMNS.IDNO }, { id: 5 }],
			},
			{ name: 'name' },
		],
		[
			'a column at the top comes before a nested one',
			{ fields: { name: 'Old' }, name: 'Zefirul SRL' },
			{ name: 'name' },
		],
		['dates are no objects', { name: 'X', created: new Date() }, { name: 'name' }],
	])('%s', (_, row, columns) => {
		expect(findColumns(row, NONE)).toEqual(columns);
	});

	it.each<[string, object, unknown]>([
		['a span of time', { start: '2026-11-26', end: null }, '2026-11-26'],
		['a linked record', { value: '24', name: 'Zefirul SRL' }, 'Zefirul SRL'],
		['an IDNO with its label', { value: COLUMNS.IDNO, name: 'IDNO' }, COLUMNS.IDNO],
	])('%s is read as one value', (_, value, read) => {
		expect(readCell({ value }, 'value')).toBe(read);
	});

	it.each([undefined, null, '', ' ', false, 'False', [], {}])('%j is blank', (value) => {
		expect(isBlankCell(value)).toBe(true);
	});

	it.each([0, true, 'x', new Date(), [1, 2], { a: 1 }])('%j isn’t blank', (value) => {
		expect(isBlankCell(value)).toBe(false);
	});

	it('reads a row however deep it’s nested', () => {
		const row: Record<string, unknown> = {};
		let inner = row;
		for (let depth = 0; depth < 10_000; depth++) inner = inner.data = {} as Record<string, unknown>;
		expect(cellsIn(row).length).toBeLessThan(10);
	});
});
