import { cellsIn } from '../../../nodes/CompanyRegistry/enrich/cells';
import { columnsAmong, findColumns, pathsOf } from '../../../nodes/CompanyRegistry/enrich/columns';
import { linesOf } from '../../pairs';

type Row = Record<string, unknown>;

const NONE: ReadonlySet<string> = new Set();
const IDNOS = { '<1>': '1003600116460', '<2>': '1003600015231' };

function read(json: string): Row {
	const replaced = Object.entries(IDNOS).reduce(
		(all, [sign, idno]) => all.replaceAll(sign, idno),
		json,
	);
	return JSON.parse(replaced) as Row;
}

/** The headings of a section, each with what it says. */
function headingsIn(section: string): Array<[heading: string, role: string]> {
	return linesOf('headings.txt', section).flatMap(({ left, right }) =>
		left.split(' | ').map((heading): [string, string] => [heading, right]),
	);
}

describe('The columns that say which company a row means', () => {
	it.each(headingsIn('recognized'))('the heading "%s" is that of the %s', (heading, role) => {
		expect(findColumns({ id: 1, note: 'x', [heading]: 'y' }, NONE)).toEqual({ [role]: heading });
	});

	it.each([['', 'nothing'], ...headingsIn('ignored')])(
		'the heading "%s" says nothing',
		(heading) => {
			expect(findColumns(read(`{ ${JSON.stringify(heading)}: "x" }`), NONE)).toEqual({});
		},
	);

	it.each(headingsIn('the company itself'))(
		'a plain name isn’t the company’s beside "%s", even if that’s empty',
		(heading) => {
			const row = { Name: 'Ion Rotaru', [heading]: '' };
			expect(findColumns(row, NONE)).toEqual({ name: heading });
		},
	);

	it.each(headingsIn('a text about the company'))(
		'a company that "%s" mentions isn’t the row’s',
		(heading) => {
			const row = { Name: 'Zefirul', [heading]: 'Alfa SRL' };
			expect(findColumns(row, NONE)).toEqual({ name: 'Name' });
		},
	);

	it.each(headingsIn('somebody or something else'))(
		'a number under "%s" isn’t that of the row’s company',
		(heading) => expect(findColumns({ [heading]: IDNOS['<1>'] }, NONE)).toEqual({}),
	);

	it.each(headingsIn('only people have it'))(
		'in a list with "%s", a plain name is a person’s',
		(heading) => expect(findColumns({ Name: 'Ion', [heading]: 'x' }, NONE)).toEqual({}),
	);

	it.each(headingsIn('the company’s own place'))(
		'in a list of people, "%s" is still the company’s place',
		(heading) => {
			const row = { 'First name': 'Ion', Company: 'X', [heading]: 'Orhei' };
			const { city, address } = columnsAmong(cellsIn(row), NONE);
			expect([city?.path, address]).toEqual([heading, undefined]);
		},
	);

	it.each(headingsIn('a place that tells namesakes apart'))(
		'the place under "%s" may not be the company’s own',
		(heading) => {
			const { city, address } = columnsAmong(cellsIn({ Company: 'X', [heading]: 'Y' }), NONE);
			expect([city, address?.path]).toEqual([undefined, heading]);
		},
	);

	it.each(headingsIn('objects that only hold columns'))(
		'a row’s columns are found in "%s"',
		(holder) => {
			const columns = findColumns({ id: 1, [holder]: { id: 2, Company: 'X' } }, NONE);
			expect(columns).toEqual({ name: `${holder}.Company` });
		},
	);

	it.each(headingsIn('the place of a person or a delivery'))(
		'a city in "%s" isn’t the company’s',
		(heading) => {
			const row = { Company: 'X', [heading]: { city: 'Cahul' } };
			expect(findColumns(row, NONE)).toEqual({ name: 'Company' });
		},
	);

	it.each(linesOf('columns.txt'))('$section: $left', ({ left, right, more }) => {
		const row = read(left);
		const found = columnsAmong(cellsIn(row), NONE);
		const parties = found.parties?.map(({ path }) => path);
		expect({
			...pathsOf(found),
			...(found.address && { address: found.address.path }),
			...(parties && { parties }),
		}).toEqual(JSON.parse(right));
		if (more) expect(found.city!.value).toBe(more);
	});

	it('columns of an earlier run count only if no other column names a company', () => {
		const added = new Set(['company_name', 'company_city', 'company_idno']);
		const results = { company_name: 'Old SRL', company_city: 'Orhei', company_idno: '1' };
		expect(findColumns({ ...results, Denumirea: '' }, added)).toEqual({ name: 'Denumirea' });
		expect(findColumns({ ...results, Title: 'X' }, added)).toEqual({ name: 'Title' });
		const columns = { name: 'company_name', city: 'company_city', idno: 'company_idno' };
		expect(findColumns({ ...results, id: 7 }, added)).toEqual(columns);
	});
});
