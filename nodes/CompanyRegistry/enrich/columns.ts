import type { Json } from '../../shared/http/envelope';
import { readMoment } from '../../shared/http/values';
import { isBlank, text, ValidationFailure } from '../../shared/node/validators';
import { checkIdno, readIdno } from '../idno';
import { Heading } from './headings';
import type { Meaning } from './headings';
import { fold } from '../names/words';

/** What a column can tell about a company. */
export type ColumnRole = 'idno' | 'name' | 'city' | 'legalForm';

/** The names of a row's columns by their roles. */
export type RowColumns = Partial<Record<ColumnRole, string>>;

/** What people and programs put into a cell without a value. */
const NO_VALUES = new Set(
	fold(
		'|0|n/a|n/d|nan|null|none|undefined|unknown|blank|necunoscut|necunoscuta|nu are|nu este|fara denumire|' +
			'нет|нет данных|н/д|не указан|не указано|неизвестно|пусто|total general|grand total|итого|всего',
	).split('|'),
);

const OUTER_SIGNS = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;

/** Whether a cell is blank, a placeholder such as "-" and "N/A", a total, or an error such as "#REF!". */
export function isEmptyCell(value: unknown): boolean {
	if (isBlank(value)) return true;
	const cell = text(value);
	if (typeof cell !== 'string') return false;
	return /^#\S+[!?]$/.test(cell) || NO_VALUES.has(fold(cell).replace(OUTER_SIGNS, ''));
}

/** Whether a cell is an IDNO and nothing else. All numbers of the register begin with 10. */
export function isIdno(value: unknown): boolean {
	const check = checkIdno(value, { checkDigit: true });
	return check.valid && check.idno.startsWith('10');
}

const YES_OR_NO = /^(?:yes|no|true|false|da|nu|да|нет)$/i;
const ADDRESS_OR_NUMBER = /@|^(?:https?:|www\.)|^[^\p{L}]*$/iu;

function looksLikeName(value: unknown): boolean {
	const cell = String(text(value));
	return !YES_OR_NO.test(cell) && !ADDRESS_OR_NUMBER.test(cell) && readMoment(cell) === undefined;
}

/** A column's heading, and how clearly it shows each role. Lower is clearer. */
interface Reading extends Partial<Record<ColumnRole, number>> {
	heading: Heading;
}

/** The rank of a name that may be a person's. It comes after all others. */
const PLAIN_NAME = 9;
/** Added if an unknown word may say that the column is something else. */
const UNKNOWN_WORD = 20;
/** An empty company column still outranks `Name`, which is a person in a list of contacts. */
const EMPTY = 4.5;
/** Added to places whose heading doesn't say whose they are, or that they aren't the company's. */
const ANY_PLACE = 10;
const ELSEWHERE = 20;

const readings = new Map<string, Reading>();

/** Headings repeat in every row, so they're read once. */
function readingOf(column: string): Reading {
	const known = readings.get(column);
	if (known) return known;
	const heading = new Heading(column);
	const main = new Heading(withoutBrackets(column));
	const isOther = heading.has('role', 'person', 'partOfName');
	const reading: Reading = {
		heading,
		idno: isOther ? undefined : idnoRank(heading),
		name: nameRank(column),
		city: isOther ? undefined : cityRank(main),
		legalForm: isOther || !isOnly(main, 'form') ? undefined : 0,
	};
	readings.set(column, reading);
	return reading;
}

function withoutBrackets(column: string): string {
	return column.replace(/[([].*?[)\]]/g, ' ');
}

/** Whether a heading has the meaning, and no word that may mean something else. */
function isOnly(heading: Heading, ...meanings: Meaning[]): boolean {
	return heading.has(...meanings) && !heading.has('thing', 'number') && !heading.hasUnknown;
}

function idnoRank(heading: Heading): number | undefined {
	// "Name or fiscal code": only the cells can tell.
	if (heading.has('title', 'plainName')) return undefined;
	if (heading.has('idno')) return 0;
	if (heading.hasUnknown) return undefined;
	if (heading.has('taxNumber') || (heading.has('tax') && heading.has('number'))) return 1;
	const isRegistered = heading.has('registration') && heading.has('number');
	return isRegistered && !heading.has('thing') ? 2 : undefined;
}

/** Words that say that a place is the company's. */
const OWNERS: Meaning[] = ['company', 'buyer', 'seller', 'party', 'account', 'seat', 'legal'];

function cityRank(heading: Heading): number | undefined {
	if (!isOnly(heading, 'city', 'location', 'district')) return undefined;
	const kind = heading.has('city') ? 0 : heading.has('location') ? 1 : 2;
	if (heading.has('elsewhere')) return ELSEWHERE + kind;
	return heading.has(...OWNERS) ? kind : ANY_PLACE + kind;
}

/** Words that say that a column isn't a name, or not the company's. */
const NOT_NAMES: Meaning[] = [
	...(['role', 'thing', 'person', 'partOfName', 'number', 'idno', 'taxNumber', 'tax'] as const),
	...(['registration', 'city', 'location', 'district', 'elsewhere', 'form'] as const),
];

/** Text in brackets and after "for" doesn't change what a column is: "Company Name for Emails". */
function nameRank(column: string): number | undefined {
	const [main = ''] = withoutBrackets(column).split(/\s(?:for|pentru|для)\s/i);
	const heading = new Heading(main);
	// "Customer?" holds yes or no.
	if (/\?\s*$/.test(column) && !heading.has('title', 'plainName')) return undefined;
	const whole = rankOfName(heading);
	if (whole !== undefined) return whole;
	const parts = main.split(/\s[-–—|:]\s/).map((part) => new Heading(part));
	const company = parts.find((part) => part.has('company') && !part.hasUnknown);
	const rank = company && rankOfName(company);
	return rank === undefined ? undefined : rank + 1;
}

function rankOfName(heading: Heading): number | undefined {
	if (heading.has(...NOT_NAMES)) return undefined;
	const isCompany = heading.has('company') || (heading.has('agent') && heading.has('legal'));
	const isParty = heading.has('buyer', 'seller', 'party');
	const isNamed = heading.has('title', 'plainName');
	if (heading.hasUnknown) return isNamed && (isCompany || isParty) ? UNKNOWN_WORD : undefined;
	if (isCompany) return isNamed ? 0 : 1;
	if (heading.has('agent')) return undefined;
	if (isParty) return isNamed ? 2 : 2.5;
	if (heading.has('title')) return heading.has('whole', 'legal') ? 3 : 3.5;
	if (!isNamed) return undefined;
	if (heading.has('legal')) return 2;
	if (heading.has('account')) return 3;
	return heading.has('whole') ? undefined : PLAIN_NAME;
}

/** A cell, and what its heading says. */
interface Cell extends Reading {
	column: string;
	value: unknown;
}

/** Objects and lists of several texts don't name a company. */
function cellsOf(row: Array<[column: string, value: unknown]>): Cell[] {
	return row
		.filter(([, value]) => isBlank(value) || !(text(value) instanceof ValidationFailure))
		.map(([column, value]) => ({ column, value, ...readingOf(column) }));
}

/**
 * Finds the columns that identify a row's company: by their headings, and an IDNO also by its cell. If
 * it's open which column is meant, none is taken. Other rows don't matter, so a row always gets the same
 * answer.
 *
 * @param added columns from an earlier run, which count only if no other column names a company
 */
export function findColumns(row: Json, added: ReadonlySet<string>): RowColumns {
	const cells = Object.entries(row);
	const own = columnsAmong(cellsOf(cells.filter(([column]) => !added.has(column))));
	const namesCompany = own.idno !== undefined || own.name !== undefined;
	return namesCompany || added.size === 0 ? own : columnsAmong(cellsOf(cells));
}

function columnsAmong(cells: readonly Cell[]): RowColumns {
	const named = cells.filter(({ name, value }) => {
		return name !== undefined && (isEmptyCell(value) || looksLikeName(value));
	});
	const names = isContact(cells) ? named.filter(({ name }) => name !== PLAIN_NAME) : named;
	const claims = cells.filter(({ idno }) => idno !== undefined);
	const sides = new Set([...names, ...claims].map(sideOf));
	// A list of invoices doesn't say whether the buyer or the seller is meant.
	const isOpen = sides.has('buyer') && sides.has('seller');
	const isMeant = (cell: Cell) => !isOpen || sideOf(cell) === undefined;
	const name = clearest('name', names.filter(isMeant));
	const isOfName = (cell: Cell) => [undefined, name && sideOf(name)].includes(sideOf(cell));
	const isOfOther = (cell: Cell) =>
		!isOfName(cell) && names.some((each) => sideOf(each) === sideOf(cell));
	const possible = cells.filter((cell) => isMeant(cell) && !isOfOther(cell));
	const byCell = claims.length > 0 || isOpen ? [] : cells.filter(isOfName);
	const idno = clearest('idno', possible) ?? onlyIdno(byCell);
	// Where no company is named, a billing address is a person's.
	const hasOwner = ({ heading }: Cell) => name ?? idno ?? !heading.has('seat');
	const places = possible.filter((cell) => hasOwner(cell) && !/^\d+$/.test(String(cell.value)));
	const found = {
		...{ idno, name },
		city: clearest('city', places),
		legalForm: clearest('legalForm', cells),
	};
	const columns = Object.entries(found).flatMap(([role, cell]) =>
		cell ? [[role, cell.column]] : [],
	);
	return Object.fromEntries(columns) as RowColumns;
}

/** The party of a sale that a column belongs to, if its heading says so. */
function sideOf({ heading }: Cell): 'buyer' | 'seller' | undefined {
	if (heading.has('seller')) return 'seller';
	return heading.has('buyer') ? 'buyer' : undefined;
}

/** Whether a row has the first and last names of a person. */
function isContact(cells: readonly Cell[]): boolean {
	return cells.some(({ heading: { words } }) => {
		const isPart = words.map((word) => word.has('partOfName'));
		return isPart.includes(true) && words.every((word, at) => isPart[at] || word.has('plainName'));
	});
}

/** The clearest column of a role, one with a value if possible. */
function clearest(role: ColumnRole, cells: readonly Cell[]): Cell | undefined {
	const rankOf = (cell: Cell) => {
		const isValid = role === 'idno' && isIdno(cell.value);
		return (cell[role] ?? 0) + (isEmptyCell(cell.value) ? EMPTY : 0) - (isValid ? UNKNOWN_WORD : 0);
	};
	return cells
		.filter((cell) => cell[role] !== undefined)
		.reduce<Cell | undefined>((best, each) => {
			return best && rankOf(best) <= rankOf(each) ? best : each;
		}, undefined);
}

/** The column that holds an IDNO without saying so, if all such columns hold the same one. */
function onlyIdno(cells: readonly Cell[]): Cell | undefined {
	const holding = cells.filter(
		({ heading, value }) =>
			isIdno(value) && !heading.has('role', 'person', 'partOfName', 'thing', 'account'),
	);
	return new Set(holding.map(({ value }) => readIdno(value))).size === 1 ? holding[0] : undefined;
}

/** Whether a column's heading says that it holds the IDNO. */
export function isIdnoColumn(column: string): boolean {
	return readingOf(column).idno !== undefined;
}

/** Whether the place in a column is the company's. In a list of people, its heading has to say so. */
export function isCompanyPlace(row: Json, column: string): boolean {
	const { heading } = readingOf(column);
	if (heading.has('elsewhere')) return false;
	return heading.has(...OWNERS) || !isContact(cellsOf(Object.entries(row)));
}
