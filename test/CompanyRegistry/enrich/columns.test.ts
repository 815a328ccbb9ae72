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

describe('The columns that say which company a row means', () => {
	it.each(linesOf('headings.txt', 'recognized'))(
		'the heading "$left" is that of the $right',
		({ left, right }) => {
			for (const heading of left.split(' | ')) {
				const row = { id: 1, note: 'x', [heading]: 'y' };
				expect(findColumns(row, NONE)).toEqual({ [right]: heading });
			}
		},
	);

	it.each(['', ...linesOf('headings.txt', 'ignored').map(({ left }) => left)])(
		'the heading "%s" says nothing',
		(heading) => expect(findColumns(read(`{ ${JSON.stringify(heading)}: "x" }`), NONE)).toEqual({}),
	);

	it.each(linesOf('headings.txt', 'the company itself'))(
		'a plain name isn’t the company’s beside "$left", even if that’s empty',
		({ left }) => {
			for (const heading of left.split(' | ')) {
				const row = { Name: 'Ion Rotaru', [heading]: '' };
				expect(findColumns(row, NONE)).toEqual({ name: heading });
			}
		},
	);

	it.each(linesOf('headings.txt', 'a text about the company'))(
		'a company that "$left" mentions isn’t the row’s',
		({ left }) => {
			for (const heading of left.split(' | ')) {
				const row = { Name: 'Zefirul', [heading]: 'Alfa SRL' };
				expect(findColumns(row, NONE)).toEqual({ name: 'Name' });
			}
		},
	);

	it.each(linesOf('headings.txt', 'somebody or something else'))(
		'a number under "$left" isn’t that of the row’s company',
		({ left }) => {
			for (const heading of left.split(' | ')) {
				expect(findColumns({ [heading]: IDNOS['<1>'] }, NONE)).toEqual({});
			}
		},
	);

	it.each(linesOf('headings.txt', 'only people have it'))(
		'in a list with "$left", a plain name is a person’s',
		({ left }) => {
			for (const heading of left.split(' | ')) {
				expect(findColumns({ Name: 'Ion', [heading]: 'x' }, NONE)).toEqual({});
			}
		},
	);

	it.each(linesOf('headings.txt', 'the company’s own place'))(
		'in a list of people, "$left" is still the company’s place',
		({ left }) => {
			for (const heading of left.split(' | ')) {
				const row = { 'First name': 'Ion', Company: 'X', [heading]: 'Orhei' };
				const { city, address } = columnsAmong(cellsIn(row), NONE);
				expect([city?.path, address]).toEqual([heading, undefined]);
			}
		},
	);

	it.each(linesOf('headings.txt', 'a place that tells namesakes apart'))(
		'the place under "$left" may not be the company’s own',
		({ left }) => {
			for (const heading of left.split(' | ')) {
				const { city, address } = columnsAmong(cellsIn({ Company: 'X', [heading]: 'Y' }), NONE);
				expect([city, address?.path]).toEqual([undefined, heading]);
			}
		},
	);

	it.each(linesOf('headings.txt', 'objects that only hold columns'))(
		'a row’s columns are found in "$left"',
		({ left }) => {
			for (const holder of left.split(' | ')) {
				const columns = findColumns({ id: 1, [holder]: { id: 2, Company: 'X' } }, NONE);
				expect(columns).toEqual({ name: `${holder}.Company` });
			}
		},
	);

	it.each(linesOf('headings.txt', 'the place of a person or a delivery'))(
		'a city in "$left" isn’t the company’s',
		({ left }) => {
			for (const heading of left.split(' | ')) {
				const row = { Company: 'X', [heading]: { city: 'Cahul' } };
				expect(findColumns(row, NONE)).toEqual({ name: 'Company' });
			}
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
