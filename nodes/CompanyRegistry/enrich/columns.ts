import type { Json } from '../../shared/http/json';
import { readMoment } from '../../shared/http/moments';
import { processMap } from '../../shared/http/processMap';
import { text } from '../../shared/node/validators';
import { isIdno, readIdno } from '../idno';
import { fold } from '../names/words';
import { cellsIn, isBlankCell } from './cells';
import type { Cell } from './cells';
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
	if (isBlankCell(value)) return true;
	const cell = String(value);
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

/** What a heading says, and how clearly it shows each role. Lower is clearer. */
interface Reading extends Partial<Record<ColumnRole, number>> {
	words: Heading;
}

const readings = processMap<Reading>();

/** Headings repeat in every row, so they're read once. */
function readingOf(heading: string): Reading {
	const known = readings.get(heading);
	if (known) return known;
	const words = new Heading(heading);
	const withoutBrackets = heading.replace(/[([].*?[)\]]/g, ' ');
	const main = new Heading(withoutBrackets);
	// As in "Deal - Organization".
	const last = new Heading(withoutBrackets.split(' - ').at(-1) ?? '');
	const reading: Reading = {
		words,
		idno: rankOf('idno', words),
		name: rankOf('name', last.says('company') ? last : main),
		city: rankOf('city', main),
		legalForm: rankOf('legalForm', main),
	};
	readings.set(heading, reading);
	return reading;
}

/** A cell that may say something about the row's company. */
export type ReadCell = Cell & Reading;

/** Objects and lists don't name a company. */
function readable(cells: readonly Cell[]): ReadCell[] {
	return cells.flatMap((cell) => {
		const isText = typeof cell.value !== 'object' || isBlankCell(cell.value);
		return isText && cell.heading !== undefined ? [{ ...cell, ...readingOf(cell.heading) }] : [];
	});
}

/** The cells that say what each role needs. */
export type FoundCells = Partial<Record<ColumnRole, ReadCell>>;

/**
 * Finds the columns that identify a row's company: by their headings, and an IDNO also by its cell. If
 * it's open which column is meant, none is taken. Other rows don't matter, so a row always gets the same
 * answer.
 *
 * @param added paths of columns from an earlier run, which count only if no other column names a company
 */
export function findColumns(row: Json, added: ReadonlySet<string>): RowColumns {
	return pathsOf(columnsAmong(cellsIn(row), added));
}

export function pathsOf(found: FoundCells): RowColumns {
	return Object.fromEntries(Object.entries(found).map(([role, cell]) => [role, cell.path]));
}

/** Like {@link findColumns}. */
export function columnsAmong(cells: readonly Cell[], added: ReadonlySet<string>): FoundCells {
	const all = readable(cells);
	const own = added.size > 0 ? rolesOf(all.filter(({ path }) => !added.has(path))) : rolesOf(all);
	return added.size > 0 && !own.idno && !own.name ? rolesOf(all) : own;
}

function rolesOf(cells: readonly ReadCell[]): FoundCells {
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
	const isOfName = (cell: ReadCell) => !sideOf(cell) || (name && sideOf(cell) === sideOf(name));
	const byCell = claims.length > 0 || isOpen ? undefined : onlyIdno(cells.filter(isOfName));
	const idno = clearest('idno', meant) ?? byCell;
	// Where no company is named, a billing address is a person's.
	const places = meant.filter(({ words }) => name ?? idno ?? !words.says('seat'));
	const found = {
		idno,
		name,
		city: clearest('city', places),
		legalForm: clearest('legalForm', meant),
	};
	return Object.fromEntries(Object.entries(found).filter(([, cell]) => cell)) as FoundCells;
}

/** The party of a sale that a column belongs to, if its heading says so. */
function sideOf({ words }: ReadCell): 'buyer' | 'seller' | undefined {
	if (words.says('seller')) return 'seller';
	return words.says('buyer') ? 'buyer' : undefined;
}

/** Whether a row has the first and last names of a person. */
function isContact(cells: readonly ReadCell[]): boolean {
	return cells.some(
		({ words }) => words.says('partOfName') && words.says('!role|thing') && !words.hasUnknown,
	);
}

/** The clearest column of a role, one with a value if possible. */
function clearest(role: ColumnRole, cells: readonly ReadCell[]): ReadCell | undefined {
	const rankOfCell = (cell: ReadCell) => (cell[role] ?? 0) + (isEmptyCell(cell.value) ? EMPTY : 0);
	const shown = cells.filter((cell) => cell[role] !== undefined);
	return shown.sort((one, other) => rankOfCell(one) - rankOfCell(other))[0];
}

/** The column that holds an IDNO without saying so, if all such columns hold the same one. */
function onlyIdno(cells: readonly ReadCell[]): ReadCell | undefined {
	const holding = cells.filter(
		({ words, value }) => isIdno(value) && !words.says(`${SOMEBODY}|thing|account`),
	);
	return new Set(holding.map(({ value }) => readIdno(value))).size === 1 ? holding[0] : undefined;
}

/** Whether a place is the company's. In a list of people, its heading has to say so. */
export function isCompanyPlace(cells: readonly Cell[], { words }: ReadCell): boolean {
	if (words.says('elsewhere')) return false;
	return words.says(OWNERS) || !isContact(readable(cells));
}
