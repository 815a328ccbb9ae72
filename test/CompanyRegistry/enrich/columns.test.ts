import { cellsIn } from '../../../nodes/CompanyRegistry/enrich/cells';
import { columnsAmong, findColumns } from '../../../nodes/CompanyRegistry/enrich/columns';
import { linesOf } from '../../pairs';

const NONE: ReadonlySet<string> = new Set();

describe('findColumns', () => {
	it.each(linesOf('headings.txt', 'recognized'))(
		'recognizes the column "$left" as the $right',
		({ left, right }) => {
			expect(findColumns({ id: 1, note: 'x', [left]: 'y' }, NONE)).toEqual({ [right]: left });
		},
	);

	it.each(['', ...linesOf('headings.txt', 'ignored').map(({ left }) => left)])(
		'ignores the column "%s"',
		(column) => {
			const row = JSON.parse(`{ ${JSON.stringify(column)}: "x" }`) as Record<string, unknown>;
			expect(findColumns(row, NONE)).toEqual({});
		},
	);

	it.each<[string, Record<string, unknown>, string]>([
		['the company column, not the contact’s', { name: 'Ion Rotaru', company: 'X' }, 'company'],
		['a company column even if it’s empty', { name: 'Ion Rotaru', company: '' }, 'company'],
		['the client column if the company column is empty', { client: 'X', company: '' }, 'client'],
		['the column that has a value', { company: '', denumire: 'X' }, 'denumire'],
		['a column without a sign for no value', { company: 'N/A', denumire: 'X' }, 'denumire'],
		['a column with text rather than an object', { company: { id: 1 }, Firma: 'X' }, 'Firma'],
		['a column that holds a list with one entry', { company: ['X'], name: 'Y' }, 'company'],
	])('takes the company’s name from %s', (_which, row, column) => {
		expect(findColumns(row, NONE).name).toBe(column);
	});

	const IDNO = '1003600116460';
	const OTHER = '1003600015231';
	const SALE = { Cumpărător: 'Buyer', Vânzător: 'Seller' };

	it('finds an IDNO by its cell in a column whose heading doesn’t say so, if no other column claims it', () => {
		const row = { Firma: 'X', Ref: '1003 6001 16460', 'Created at': '1716239022123' };
		expect(findColumns(row, NONE)).toEqual({ name: 'Firma', idno: 'Ref' });
		expect(findColumns({ ...row, IDNO: '' }, NONE).idno).toBe('IDNO');
		expect(findColumns({ ...row, Other: OTHER }, NONE).idno).toBeUndefined();
	});

	it.each(['Parent company', 'Cont bancar', 'Telefon', 'EAN', 'IDNO fondator', 'Contabil', 'Data'])(
		'doesn’t take an IDNO in the column "%s" for the company’s',
		(column) => {
			expect(findColumns({ Firma: 'X', [column]: IDNO }, NONE)).toEqual({ name: 'Firma' });
		},
	);

	it.each<[string, Record<string, unknown>, object]>([
		[
			'the seller of a company that buys',
			{ Firma: 'Buyer', Vânzător: 'Seller', 'IDNO vânzător': IDNO },
			{ name: 'Firma' },
		],
		['a buyer or a seller', { ...SALE, 'IDNO vânzător': IDNO, 'IDNO cumpărător': '' }, {}],
		['a buyer or a seller by a cell', { ...SALE, Cod: IDNO }, {}],
		[
			'the only supplier',
			{ Furnizor: 'A', 'IDNO furnizor': IDNO },
			{ name: 'Furnizor', idno: 'IDNO furnizor' },
		],
	])('never takes the IDNO of another party: %s', (_, row, columns) => {
		expect(findColumns(row, NONE)).toEqual(columns);
	});

	const TWO = { Denumirea: 'Alfa SRL', IDNO: OTHER };

	it.each<[string, Record<string, unknown>, string[]]>([
		['payer and receiver', { PAYER: 'A', RECEIVER: 'B' }, ['PAYER', 'RECEIVER']],
		['supplier and carrier', { Furnizor: 'A', Transportator: 'B' }, ['Furnizor', 'Transportator']],
		[
			'two headings alike',
			{ ...TWO, Denumirea_1: 'Beta SRL', IDNO_1: IDNO },
			['Denumirea', 'Denumirea_1', 'IDNO', 'IDNO_1'],
		],
	])('leaves it open which company is meant, and says so: %s', (_, row, parties) => {
		const found = columnsAmong(cellsIn(row), NONE);
		expect(found.parties?.map(({ path }) => path)).toEqual(parties);
		expect(findColumns(row, NONE)).toEqual({});
	});

	it.each<[string, Record<string, unknown>, object]>([
		['a tax number’s column', { Company: 'X', IDNO: '', vat: IDNO }, { idno: 'vat' }],
		['a label in the cell', { Company: 'X', Ref: `IDNO: ${IDNO}` }, { idno: 'Ref' }],
		['the one that is valid', { IDNO: '12', 'Cod fiscal': IDNO }, { idno: 'Cod fiscal' }],
		['a legal form', { Name: 'Ion Rotaru', 'DBA name': 'Alfa SRL' }, { name: 'DBA name' }],
		['a person’s contact', { 'First name': 'Ion', Name: 'Alfa SRL' }, { name: 'Name' }],
		['no name of a person', { Name: 'Ion', 'Current company': 'X' }, { name: 'Current company' }],
		['no part of a company', { Name: 'X', 'Company segment': 'A' }, { name: 'Name' }],
		['no empty field of a CRM', { name: 'X', company_name: '', vendor: false }, { name: 'name' }],
		['no code of an account', { 'Vendor account': 'V1', Name: 'X' }, { name: 'Name' }],
		['no number of a register', { company_registry: '', name: 'X' }, { name: 'name' }],
		['no product', { SKU: 'A1', Name: 'X' }, {}],
		['no own company', { Организация: 'X', Контрагент: 'Y' }, { name: 'Контрагент' }],
	])('lets the cells decide where headings leave it open: %s', (_, row, columns) => {
		const { name, idno } = findColumns(row, NONE);
		expect({ name, idno }).toMatchObject(columns);
	});

	it.each(['a@b.md', 'https://a.md', '12.05.2024', 'da', '77', '11-50', IDNO])(
		'doesn’t take "%s" for a name',
		(cell) => expect(findColumns({ Company: cell, Name: 'X' }, NONE).name).toBe('Name'),
	);

	it('prefers a company’s place, and knows that another one needn’t be the company’s', () => {
		const person = { 'First Name': 'Ion', Company: 'X', City: 'Cahul' };
		expect(findColumns({ ...person, 'Company City': 'Orhei' }, NONE).city).toBe('Company City');
		expect(findColumns({ 'Mailing City': 'Cahul', ...person }, NONE).city).toBe('City');
		const isOwnPlace = (row: Record<string, unknown>) =>
			columnsAmong(cellsIn(row), NONE).address === undefined;
		expect(isOwnPlace(person)).toBe(false);
		expect(isOwnPlace({ 'First Name': 'Ion', Company: 'X', 'Billing City': 'Cahul' })).toBe(true);
		expect(isOwnPlace({ Company: 'X', City: 'Cahul' })).toBe(true);
		expect(isOwnPlace({ Company: 'X', Adresa: 'Cahul' })).toBe(false);
	});

	it('takes no plain name for the company’s in a list of people', () => {
		expect(findColumns({ Nume: 'Rotaru', Prenume: 'Ion' }, NONE)).toEqual({});
	});

	it('uses columns added by an earlier run only if no other column names a company', () => {
		const added = new Set(['company_name', 'company_city', 'company_idno']);
		const results = { company_name: 'Old SRL', company_city: 'Orhei', company_idno: '1' };
		expect(findColumns({ ...results, Denumirea: '' }, added)).toEqual({ name: 'Denumirea' });
		const columns = { name: 'company_name', city: 'company_city', idno: 'company_idno' };
		expect(findColumns({ ...results, id: 7 }, added)).toEqual(columns);
	});
});
