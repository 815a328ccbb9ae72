import type { Json } from '../../shared/http/envelope';
import { isBlank, text, ValidationFailure } from '../../shared/node/validators';

/** What a column of a sheet can say about a company. */
export type ColumnRole = 'idno' | 'name' | 'city' | 'legalForm';

/** The columns of a row, by what they say. */
export type RowColumns = Partial<Record<ColumnRole, string>>;

/** Names of columns with the rank of the first: the lower, the clearer. */
interface ColumnNames {
	role: ColumnRole;
	rank: number;
	names: string;
}

/** An empty column of a clear name outranks `Name`, which is the person in a list of contacts. */
const EMPTY = 250;

/** As sheets and CRMs write them in English, Romanian and Russian. */
const COLUMN_NAMES: ColumnNames[] = [
	{
		role: 'idno',
		rank: 0,
		names: `idno, company idno, idno companie, idno firma, idno number, cod idno, numar idno, nr idno,
			cod fiscal, codul fiscal, idno cod fiscal, cod fiscal idno, cf, fiscal code, tax id, tax code,
			tax number, registration number, registration code, company number, company id number,
			numar de inregistrare, nr de inregistrare, идно, идно компании, фискальный код, фиск код,
			код фискальный, регистрационный номер`,
	},
	{
		role: 'name',
		rank: 0,
		names: `company, company name, name of company, companie, compania, denumire companie,
			denumirea companiei, nume companie, numele companiei, firma, denumire firma, denumirea firmei,
			nume firma, numele firmei, denumire, denumirea, denumire juridica, denumirea juridica,
			intreprindere, intreprinderea, organization, organisation, organization name,
			organisation name, organizatie, organizatia, business, business name, legal name, компания,
			название компании, наименование компании, фирма, название фирмы, наименование фирмы, название,
			наименование, организация, название организации, наименование организации, предприятие`,
	},
	{
		role: 'name',
		rank: 200,
		names: `account name, contragent, client, clientul, customer, customer name, partener, partner,
			furnizor, supplier, vendor, контрагент, клиент, поставщик`,
	},
	{ role: 'name', rank: 300, names: 'name, nume, numele, full name, title, имя' },
	{
		role: 'city',
		rank: 0,
		names: `city, company city, town, localitate, localitatea, oras, orasul, municipiu, municipiul,
			sat, satul, comuna, city or region, region, company region, regiune, raion, raionul, district,
			county, judet, город, населенный пункт, село, регион, район`,
	},
	{
		role: 'legalForm',
		rank: 0,
		names: `legal form, company legal form, forma juridica, forma organizatorico juridica,
			forma juridica de organizare, forma de organizare, forma, form, правовая форма,
			организационно правовая форма, опф, форма`,
	},
];

const KNOWN_COLUMNS = new Map(
	COLUMN_NAMES.flatMap(({ role, rank, names }) =>
		names
			.split(',')
			.map((name, index) => [comparable(name), { role, rank: rank + index }] as const),
	),
);

/** Without case, diacritics, spaces and punctuation. */
function comparable(column: string): string {
	const letters = column.normalize('NFD').toLowerCase();
	return letters.replace(/[^\p{L}\d]/gu, '');
}

/**
 * The columns that say which company a row names: of each role the clearest one with a value. Only the
 * row itself decides, so it gets the same answer among any other rows.
 *
 * @param added the columns that an earlier run has added; they count if no other names a company
 */
export function findColumns(row: Json, added: ReadonlySet<string>): RowColumns {
	const own = clearestColumns(Object.entries(row).filter(([column]) => !added.has(column)));
	const namesCompany = own.idno !== undefined || own.name !== undefined;
	return namesCompany || added.size === 0 ? own : clearestColumns(Object.entries(row));
}

function clearestColumns(cells: Array<[column: string, value: unknown]>): RowColumns {
	const found: RowColumns = {};
	const best: Partial<Record<ColumnRole, number>> = {};
	for (const [column, value] of cells) {
		const known = KNOWN_COLUMNS.get(comparable(column));
		// An object, or a list of several texts, names nothing.
		if (!known || (!isBlank(value) && text(value) instanceof ValidationFailure)) continue;
		const { role } = known;
		const rank = known.rank + (isBlank(value) ? EMPTY : 0);
		if (rank >= (best[role] ?? Infinity)) continue;
		best[role] = rank;
		found[role] = column;
	}
	return found;
}
