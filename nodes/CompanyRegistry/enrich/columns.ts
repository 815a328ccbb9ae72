import type { Json } from '../../shared/http/json';
import { readMoment } from '../../shared/http/moments';
import { processMap } from '../../shared/http/processMap';
import { isBlank, text, ValidationFailure } from '../../shared/node/validators';
import { isIdno, readIdno } from '../idno';
import { fold } from '../names/words';
import { Heading } from './headings';

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

const YES_OR_NO = /^(?:yes|no|true|false|da|nu|да|нет)$/i;
const ADDRESS_OR_NUMBER = /@|^(?:https?:|www\.)|^[^\p{L}]*$/iu;

function looksLikeName(value: unknown): boolean {
	const cell = String(text(value));
	return !YES_OR_NO.test(cell) && !ADDRESS_OR_NUMBER.test(cell) && readMoment(cell) === undefined;
}

/** Words that say that a place is the company's. */
const OWNERS = 'company|buyer|seller|party|account|seat|legal';

/**
 * What a heading says for each role, the clearest first: it needs one meaning of each part, and none
 * after `!`.
 */
const SIGNS: Record<ColumnRole, string[]> = {
	idno: ['idno', 'taxNumber', 'tax number', 'registration number !thing'],
	name: [
		'company title|plainName',
		'company',
		'agent legal title|plainName',
		'agent legal',
		'legal title|plainName !agent',
		'buyer|seller|party title|plainName',
		'buyer|seller|party',
		'whole title',
		'account title|plainName',
		'title !agent',
		'plainName !agent',
	],
	city: [`city ${OWNERS}`, `district ${OWNERS}`, 'city !elsewhere', 'district', 'city'],
	legalForm: ['form'],
};

/** A heading with an unknown word may be about something else, unless it says one of these. */
const CERTAIN = ['idno', 'company title|plainName', 'buyer|seller|party title|plainName'];

const SOMEBODY = 'role|partOfName';

/** What says that a column is about something else. */
const OTHERS: Record<ColumnRole, string> = {
	idno: `${SOMEBODY}|title|plainName`,
	name: `${SOMEBODY}|thing|number|idno|taxNumber|tax|registration|city|district|elsewhere|form`,
	city: `${SOMEBODY}|thing|number`,
	legalForm: `${SOMEBODY}|thing|number`,
};

/** A name that may be a person's comes after all others. */
const PLAIN_NAME = 50;
/** An empty company column still outranks `Name`, which is a person in a list of contacts. */
const EMPTY = 20;
const UNKNOWN_WORD = 100;

function rankOf(role: ColumnRole, heading: Heading): number | undefined {
	if (heading.says(OTHERS[role])) return undefined;
	const sign = SIGNS[role].find((parts) => parts.split(' ').every((part) => heading.says(part)));
	if (sign === undefined || (heading.hasUnknown && !CERTAIN.includes(sign))) return undefined;
	const rank = sign.startsWith('plainName') ? PLAIN_NAME : SIGNS[role].indexOf(sign);
	return heading.hasUnknown ? rank + UNKNOWN_WORD : rank;
}

/** A column, and how clearly its heading shows each role. Lower is clearer. */
interface Column extends Partial<Record<ColumnRole, number>> {
	column: string;
	heading: Heading;
}

const readings = processMap<Column>({ most: 2_000 });

/** Headings repeat in every row, so they're read once. */
export function readingOf(column: string): Column {
	const known = readings.get(column);
	if (known) return known;
	const heading = new Heading(column);
	const withoutBrackets = column.replace(/[([].*?[)\]]/g, ' ');
	const main = new Heading(withoutBrackets);
	// As in "Deal - Organization".
	const last = new Heading(withoutBrackets.split(' - ').at(-1) ?? '');
	const reading: Column = {
		column,
		heading,
		idno: rankOf('idno', heading),
		name: rankOf('name', last.says('company') ? last : main),
		city: rankOf('city', main),
		legalForm: rankOf('legalForm', main),
	};
	readings.set(column, reading);
	return reading;
}

type Cell = Column & { value: unknown };

/** Objects and lists of several texts don't name a company. */
function cellsOf(row: Array<[column: string, value: unknown]>): Cell[] {
	return row
		.filter(([, value]) => isBlank(value) || !(text(value) instanceof ValidationFailure))
		.map(([column, value]) => ({ value, ...readingOf(column) }));
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
	return (own.idno ?? own.name) === undefined ? columnsAmong(cellsOf(cells)) : own;
}

function columnsAmong(cells: readonly Cell[]): RowColumns {
	const isPlainOther = isContact(cells);
	const names = cells.filter(({ name, value }) => {
		if (name === undefined || (name === PLAIN_NAME && isPlainOther)) return false;
		return isEmptyCell(value) || looksLikeName(value);
	});
	const claims = cells.filter(({ idno }) => idno !== undefined);
	const sides = [...names, ...claims].map(sideOf);
	// A list of invoices doesn't say whether the buyer or the seller is meant.
	const isOpen = sides.includes('buyer') && sides.includes('seller');
	const name = clearest('name', isOpen ? names.filter((cell) => !sideOf(cell)) : names);
	const otherSides = (isOpen ? sides : names.map(sideOf)).filter(
		(side) => side && side !== (name && sideOf(name)),
	);
	const meant = cells.filter((cell) => !otherSides.includes(sideOf(cell)));
	const isOfName = (cell: Cell) => !sideOf(cell) || (name && sideOf(cell) === sideOf(name));
	const byCell = claims.length > 0 || isOpen ? undefined : onlyIdno(cells.filter(isOfName));
	const idno = clearest('idno', meant) ?? byCell;
	// Where no company is named, a billing address is a person's.
	const places = meant.filter(({ heading }) => name ?? idno ?? !heading.says('seat'));
	return {
		idno: idno?.column,
		name: name?.column,
		city: clearest('city', places)?.column,
		legalForm: clearest('legalForm', meant)?.column,
	};
}

/** The party of a sale that a column belongs to, if its heading says so. */
function sideOf({ heading }: Cell): 'buyer' | 'seller' | undefined {
	if (heading.says('seller')) return 'seller';
	return heading.says('buyer') ? 'buyer' : undefined;
}

/** Whether a row has the first and last names of a person. */
function isContact(cells: readonly Cell[]): boolean {
	return cells.some(
		({ heading }) =>
			heading.says('partOfName') && heading.says('!role|thing') && !heading.hasUnknown,
	);
}

/** The clearest column of a role, one with a value if possible. */
function clearest(role: ColumnRole, cells: readonly Cell[]): Cell | undefined {
	const rankOfCell = (cell: Cell) => (cell[role] ?? 0) + (isEmptyCell(cell.value) ? EMPTY : 0);
	const shown = cells.filter((cell) => cell[role] !== undefined);
	return shown.sort((one, other) => rankOfCell(one) - rankOfCell(other))[0];
}

/** The column that holds an IDNO without saying so, if all such columns hold the same one. */
function onlyIdno(cells: readonly Cell[]): Cell | undefined {
	const holding = cells.filter(
		({ heading, value }) => isIdno(value) && !heading.says(`${SOMEBODY}|thing|account`),
	);
	return new Set(holding.map(({ value }) => readIdno(value))).size === 1 ? holding[0] : undefined;
}

/** Whether the place in a column is the company's. In a list of people, its heading has to say so. */
export function isCompanyPlace(row: Json, column: string): boolean {
	const { heading } = readingOf(column);
	if (heading.says('elsewhere')) return false;
	return heading.says(OWNERS) || !isContact(cellsOf(Object.entries(row)));
}
