import { findColumns } from '../../../nodes/CompanyRegistry/enrich/columns';

const NONE: ReadonlySet<string> = new Set();

describe('findColumns', () => {
	it.each<[column: string, role: string]>([
		...['idno', 'IDNO', 'Cod fiscal', 'cod_fiscal', 'Codul Fiscal', 'ИДНО', 'Фискальный код'].map(
			(column): [string, string] => [column, 'idno'],
		),
		...[
			'Firma',
			'firmă',
			'Denumirea',
			'denumire',
			'company_name',
			'Company Name',
			'companyName',
		].map((column): [string, string] => [column, 'name']),
		...[
			...[
				'Denumirea agentului economic',
				'Agent economic',
				'Persoana juridică',
				'Denumire societate',
			],
			...['Nume firmă', 'Legal Name', 'companyname', 'Beneficiar', 'Юр. лицо', 'Название клиента'],
		].map((column): [string, string] => [column, 'name']),
		...['Codul fiscal al clientului', 'IDNO firmei', 'C/F', 'Tax ID', 'codfiscal', 'IDNO/IDNP'].map(
			(column): [string, string] => [column, 'idno'],
		),
		...['COMPANIE', 'Organizație', 'компания', 'Название', 'Наименование', 'Nume', 'name'].map(
			(column): [string, string] => [column, 'name'],
		),
		...['oraș', 'Oras', 'ORAŞ', 'localitatea', 'Raion', 'город', 'Район', 'City'].map(
			(column): [string, string] => [column, 'city'],
		),
		...['Forma juridică', 'legal_form', 'ОПФ'].map((column): [string, string] => [
			column,
			'legalForm',
		]),
	])('recognizes the column "%s" as the %s', (column, role) => {
		expect(findColumns({ id: 1, note: 'x', [column]: 'y' }, NONE)).toEqual({ [role]: column });
	});

	it.each([
		...['constructor', '__proto__', 'toString', 'e-mail', 'Телефон', ''],
		...['Company ID', 'Account number', 'Tax', 'Agent', 'Denumire produs', 'Adresa juridică'],
		...['Company type', 'Job title', 'First name', 'Nr.', 'IDNP'],
	])('ignores the column "%s"', (column) => {
		const row = JSON.parse(`{ ${JSON.stringify(column)}: "x" }`) as Record<string, unknown>;
		expect(findColumns(row, NONE)).toEqual({});
	});

	it.each<[string, Record<string, unknown>, string]>([
		[
			'the company column rather than the contact’s',
			{ name: 'Ion Rotaru', company: 'X' },
			'company',
		],
		[
			'an empty company column rather than the contact’s',
			{ name: 'Ion Rotaru', company: '' },
			'company',
		],
		['the client column if the company column is empty', { client: 'X', company: '' }, 'client'],
		['the column that has a value', { company: '', denumire: 'X' }, 'denumire'],
		[
			'the column that has more than a sign for no value',
			{ company: 'N/A', denumire: 'X' },
			'denumire',
		],
		['a column with text rather than an object', { company: { id: 1 }, Firma: 'X' }, 'Firma'],
		['a column that holds a list with one entry', { company: ['X'], name: 'Y' }, 'company'],
	])('takes the company’s name from %s', (_which, row, column) => {
		expect(findColumns(row, NONE).name).toBe(column);
	});

	it('uses columns added by an earlier run only if no other column names a company', () => {
		const added = new Set(['company_name', 'company_city', 'company_idno']);
		const results = { company_name: 'Old SRL', company_city: 'Orhei', company_idno: '1' };
		expect(findColumns({ ...results, Denumirea: '' }, added)).toEqual({ name: 'Denumirea' });
		const columns = { name: 'company_name', city: 'company_city', idno: 'company_idno' };
		expect(findColumns({ ...results, id: 7 }, added)).toEqual(columns);
	});
});
