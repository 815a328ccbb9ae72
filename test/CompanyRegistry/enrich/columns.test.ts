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
			expect(findColumns({ id: 1, note: 'x', [left]: 'y' }, NONE)).toEqual({ [right]: left });
		},
	);

	it.each(['', ...linesOf('headings.txt', 'ignored').map(({ left }) => left)])(
		'the heading "%s" says nothing',
		(heading) => expect(findColumns(read(`{ ${JSON.stringify(heading)}: "x" }`), NONE)).toEqual({}),
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
