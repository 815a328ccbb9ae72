import type { Json } from '../../shared/http/json';
import { readMoment } from '../../shared/http/moments';
import { asText } from '../../shared/node/validators';
import { isIdno } from '../idno';
import { hasLegalForm } from '../names/forms';
import { fold, wordsOf } from '../names/words';
import { cellsIn, cellsInUnknown, isBlankCell, type Cell } from './cells';
import { Heading, remembered } from './headings';

/** What a column can tell about a company. */
export type ColumnRole = 'idno' | 'name' | 'city' | 'legalForm';

/** The names of a row's columns by their roles. */
export type RowColumns = Partial<Record<ColumnRole, string>>;

/** What people and programs put into a cell without a value. */
const NO_VALUES = new Set(
	fold(
		'|0|n/a|n/d|nan|null|none|undefined|unknown|blank|necunoscut|necunoscuta|nu are|nu este|fara denumire|' +
			'lipsa|lipseste|nerezident|tbd|tba|de completat|нет|нет данных|н/д|не указан|не указано|неизвестно|пусто|total|subtotal|total general|grand total|итого|всего',
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
const ENGLISH_DATE =
	/^(?:\d{1,2} )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* (?:\d{1,2},? )?\d{4}(?!\d)/i;
/** Also a record's path, as in "projects/x/documents/y". */
const ADDRESS_OR_NUMBER = /@|^(?:https?:|www\.)|^[^\p{L}]*$|^\S+\/\S+\/\S+$/iu;

function looksLikeName({ value }: Cell): boolean {
	const cell = String(asText(value));
	const isOther = [YES_OR_NO, ENGLISH_DATE, ADDRESS_OR_NUMBER].some((form) => form.test(cell));
	return !isOther && readMoment(cell) === undefined;
}

/** Words that say that a place is the company's. */
const OWNERS = 'company|buyer|seller|party|account|seat|legal';
/** Words for a company that takes part in something. */
const PARTY = 'buyer|seller|party|receiver|carrier';

/** A role of a column, or a place that only tells companies of the same name apart. */
type Role = ColumnRole | 'address';

/**
 * What a heading says for each role, the clearest first: it needs one meaning of each part, and none
 * after `!`. With an unknown word, it may be about something else, unless the sign begins with `?`.
 */
const SIGNS: Record<Role, string[]> = {
	idno: ['idno', 'taxNumber', 'tax number', 'registration number !thing|vat', '?idno'],
	name: [
		'counterparty title|plainName',
		'counterparty !account',
		'company legal title|plainName',
		'company title|plainName',
		'company !account',
		'agent legal title|plainName',
		'agent legal',
		'legal title|plainName !agent',
		`${PARTY} title|plainName`,
		`${PARTY} !account`,
		'whole title',
		'account title|plainName',
		'title !agent',
		'?company title|plainName',
		'?companyItself !account',
		// It may be a person's.
		'plainName !agent',
		// It can be anything's, but is the name's column where there's no other.
		'caption',
		`?${PARTY} title|plainName`,
	],
	city: [
		`city ${OWNERS}`,
		`district ${OWNERS}`,
		'city !elsewhere',
		'district',
		'city',
		`?city ${OWNERS}`,
	],
	legalForm: ['form legal', 'form'],
	address: ['city', 'district|region', 'address !elsewhere|delivery', 'seat', 'address'],
};

const FIRST_UNKNOWN = SIGNS.name.indexOf('?company title|plainName');
const FIRST_PLAIN = SIGNS.name.indexOf('plainName !agent');
const CAPTION = SIGNS.name.indexOf('caption');

const MAY_BE_IDNO = [...SIGNS.idno, 'vat', 'register', 'company number'];

const SOMEBODY = 'role|partOfName|position|personal';
const NO_NAME = 'thing|note|number|idno|taxNumber|tax|registration|elsewhere';

/** What says that a column is about something else. */
const OTHERS: Record<Role, string> = {
	idno: 'role|partOfName|position|title|plainName',
	name: `${SOMEBODY}|${NO_NAME}|city|district|region`,
	city: `${SOMEBODY}|thing|note|number|delivery`,
	legalForm: `${SOMEBODY}|thing|note|number|title|plainName`,
	address: `${SOMEBODY}|thing|note|number|title|plainName`,
};

const hasSign = (heading: Heading, sign: string) =>
	sign
		.replace('?', '')
		.split(' ')
		.every((part) => heading.says(part));

function rankOf(role: Role, heading: Heading): number | undefined {
	// As in "Denumirea și forma juridică" or "Is a company".
	const isBeside =
		heading.says('form|address|register|vat|whether') && heading.says('!title|plainName');
	if (heading.says(OTHERS[role]) || (role === 'name' && isBeside)) return undefined;
	const isShown = (sign: string) =>
		(sign.startsWith('?') || heading.says('!unknown')) && hasSign(heading, sign);
	const rank = SIGNS[role].findIndex(isShown);
	return rank < 0 ? undefined : rank;
}

/** What a heading says about its column. */
interface Reading {
	words: Heading;
	/** How clearly it shows each role. Lower is clearer. */
	rank: Partial<Record<Role, number>>;
	/** Whether it's where CRMs put a company's number, which needn't be the IDNO. */
	mayBeIdno: boolean;
	/** Whether a name can stand there, if its legal form shows that it's a company's. */
	mayBeName: boolean;
	side: Side;
}

const readingOf = remembered((heading): Reading => {
	const words = new Heading(heading);
	const withoutBrackets = heading.replace(/[([].*?[)\]]/g, ' ');
	const main = new Heading(withoutBrackets);
	// As in "Deal - Organization".
	const last = new Heading(withoutBrackets.split(' - ').at(-1) ?? '');
	const ofNobody = words.says(`!${SOMEBODY}`);
	return {
		words,
		rank: {
			idno: rankOf('idno', words),
			name: rankOf('name', last.says('company') ? last : main),
			city: rankOf('city', main),
			legalForm: rankOf('legalForm', main),
			address: rankOf('address', main),
		},
		mayBeIdno: ofNobody && MAY_BE_IDNO.some((sign) => hasSign(words, sign)),
		mayBeName:
			main.says(`company|agent|${PARTY}|title|plainName|caption`) &&
			main.says(`!partOfName|whether|${NO_NAME}`) &&
			(ofNobody || main.says('contact')),
		side: words.lastOf(SIDES),
	};
});

/** A cell that may say something about the row's company. */
export interface ReadCell extends Cell, Reading {}

/** Objects and lists don't name a company. */
function readable(cells: readonly Cell[]): ReadCell[] {
	const texts = cells.filter(({ value }) => typeof value !== 'object' || isBlankCell(value));
	const known = texts.filter(({ heading }) => heading !== undefined);
	return known.map(({ path, key, heading, value, depth }) => {
		// Written out, since spread objects take four times as long.
		const { words, rank, mayBeIdno, mayBeName, side } = readingOf(heading!);
		return { path, key, heading, value, depth, words, rank, mayBeIdno, mayBeName, side };
	});
}

const isFilled = ({ value }: Cell) => !isEmptyCell(value);
const hasForm = ({ value }: Cell) => hasLegalForm(wordsOf(String(value)));

/** The cells that say what each role needs. */
export type FoundCells = Partial<Record<ColumnRole, ReadCell>> & {
	/** A place that needn't be the company's, so it only tells companies of the same name apart. */
	address?: ReadCell;
	/** Columns of two companies, if it's open which one is meant. */
	parties?: readonly ReadCell[];
};

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

export function pathsOf({ idno, name, city, legalForm }: FoundCells): RowColumns {
	const found = Object.entries({ idno, name, city, legalForm }).filter(([, cell]) => cell);
	return Object.fromEntries(found.map(([role, cell]) => [role, cell!.path]));
}

/** Like {@link findColumns}. */
export function columnsAmong(cells: readonly Cell[], added: ReadonlySet<string>): FoundCells {
	const others = added.size > 0 ? cells.filter(({ path }) => !added.has(path)) : cells;
	const own = rolesOf(readable(others));
	if (own.idno ?? own.parties ?? (own.name && own.name.rank.name !== CAPTION)) return own;
	const elsewhere = cellsInUnknown(others).map((each) =>
		rolesOf(readable(each.filter(({ path }) => !added.has(path)))),
	);
	const certain = elsewhere.filter(isCertain);
	if (certain.length === 1) return certain[0]!;
	return own.name || added.size === 0 ? own : rolesOf(readable(cells));
}

/** Whether columns are a company's even if nothing else says so. A plain name may be anything's. */
function isCertain({ idno, name, city }: FoundCells): boolean {
	if (idno && holdsIdno(idno)) return true;
	if (name === undefined || !isFilled(name)) return false;
	return (name.rank.name ?? Infinity) < FIRST_PLAIN || city !== undefined || hasForm(name);
}

/** The parties of a sale or a payment. Lists are hardly ever about the last two. */
const SIDES = ['seller', 'buyer', 'payer', 'receiver', 'carrier'] as const;
type Side = (typeof SIDES)[number] | undefined;
const isRare = ({ side }: ReadCell) => side === 'receiver' || side === 'carrier';
const sidesOf = (cells: readonly ReadCell[]) => new Set(cells.map(({ side }) => side));

function rolesOf(cells: readonly ReadCell[]): FoundCells {
	const isPrivate = cells.some(
		({ words }) => words.says('personal') && words.says('!idno|taxNumber'),
	);
	const isOfPeople = isPrivate || isContact(cells);
	const names = cells.filter((cell) => {
		const { words, rank } = cell;
		const isPersonal = isPrivate && words.says('!company|agent|title');
		if (rank.name === undefined || isPersonal) return false;
		if (isOfPeople && rank.name >= FIRST_PLAIN) return false;
		return !isFilled(cell) || looksLikeName(cell);
	});
	const withoutUsers = cellsBesideUser(cells, names);
	if (withoutUsers) return rolesOf(withoutUsers);
	const claims = cells.filter(({ rank }) => rank.idno !== undefined);
	const sided = [...names, ...claims].filter(({ side }) => side);
	const isAlone = sided.length === names.length + claims.length;
	if (!isAlone && cells.some(isRare)) return rolesOf(cells.filter((cell) => !isRare(cell)));
	const sides = sidesOf(sided);
	// A list of invoices doesn't say whether the buyer or the seller is meant.
	const isOpen = sides.size > 1;
	const decided = isOpen ? sideByCell(sides, claims) : undefined;
	const canBe = (cell: ReadCell) => !isOpen || cell.side === decided;
	const name = clearestName(names.filter(canBe), cells.filter(canBe));
	const side = isOpen ? decided : name?.side;
	const otherSides = isOpen ? sides : sidesOf(names);
	const meant = cells.filter(({ side: own }) => !own || own === side || !otherSides.has(own));
	const idno =
		clearestIdno(meant) ?? (claims.length > 0 || (isOpen && !side) ? undefined : onlyIdno(meant));
	const alike = [...twinsOf(name, names, hasForm), ...twinsOf(idno, claims, holdsIdno)];
	if (alike.length > 0) return { parties: alike };
	// Where no company is named, a list of people has their places.
	const places = name || idno || !isOfPeople ? meant : [];
	const city = clearest('city', places);
	const isOwn = city?.words.says('!elsewhere') && (city.words.says(OWNERS) || !isOfPeople);
	const parties = [...sides].map((each) => sided.find((cell) => cell.side === each)!);
	return {
		idno,
		name,
		city,
		legalForm: clearest('legalForm', meant),
		// In a list of people, a place needn't be the company's unless its heading says so.
		address: isOwn ? undefined : (city ?? clearest('address', meant)),
		parties: isOpen && !name && !idno ? parties : undefined,
	};
}

/** The cells without the user's own company: one with an IDNO, beside a party and another number. */
function cellsBesideUser(
	cells: readonly ReadCell[],
	names: readonly ReadCell[],
): ReadCell[] | undefined {
	const isParty = ({ words }: ReadCell) => words.says(PARTY);
	const isUsers = (cell: ReadCell) => cell.words.says('company') && !isParty(cell);
	const numbers = cells.filter(({ mayBeIdno }) => mayBeIdno);
	const hasParty = names.some((cell) => isParty(cell) && isFilled(cell));
	const isKnown = numbers.some((cell) => isUsers(cell) && holdsIdno(cell));
	if (!hasParty || !isKnown || numbers.every(isUsers)) return undefined;
	return cells.filter((cell) => !isUsers(cell));
}

/** The only party whose IDNO is valid, although all have one. */
function sideByCell(sides: ReadonlySet<Side>, claims: readonly ReadCell[]): Side {
	const filled = claims.filter(isFilled);
	const valid = sidesOf(filled.filter(holdsIdno));
	const isComplete = [...sides].every((side) => sidesOf(filled).has(side));
	return isComplete && valid.size === 1 ? [...valid][0] : undefined;
}

/** The clearest name. If the headings leave it open, the only cell with a legal form is a company's. */
function clearestName(
	names: readonly ReadCell[],
	cells: readonly ReadCell[],
): ReadCell | undefined {
	const best = clearest('name', names);
	if (best && isFilled(best) && best.rank.name! < FIRST_UNKNOWN) return best;
	const others = cells.filter((cell) => cell.mayBeName && isFilled(cell) && looksLikeName(cell));
	const companies = others.filter(hasForm);
	const isOne = new Set(companies.map(({ value }) => value)).size === 1;
	return isOne ? companies[0] : best;
}

/** A column and another one of the same name that has another company, such as `Denumirea_1`. */
function twinsOf(
	cell: ReadCell | undefined,
	cells: readonly ReadCell[],
	isCompany: (cell: Cell) => boolean,
): ReadCell[] {
	const twin = cells.find(
		({ words, depth, value }) =>
			words.letters === cell?.words.letters && depth === cell.depth && value !== cell.value,
	);
	return cell && twin && [cell, twin].every(isCompany) ? [cell, twin] : [];
}

/** Whether a row has the first and last names of a person, or what only people have. */
function isContact(cells: readonly ReadCell[]): boolean {
	return cells.some(({ words, value }) => {
		const isOfPerson =
			words.says('partOfName|position') && words.says('!role|thing') && !isBlankCell(value);
		const isNoCompany = words.says('whether') && words.says('company') && isBlankCell(value);
		return (isOfPerson && words.says('!unknown')) || isNoCompany;
	});
}

/**
 * The clearest column of a role, one with a value if possible. But an empty company column outranks `Name`,
 * which is a person in a list of contacts.
 */
function clearest(role: Role, cells: readonly ReadCell[]): ReadCell | undefined {
	const rankOfCell = (cell: ReadCell) => {
		const rank = cell.rank[role]!;
		if (isFilled(cell)) return rank;
		const isCompany = role === 'name' && SIGNS.name[rank] === 'company !account';
		return isCompany ? FIRST_UNKNOWN - 0.5 : rank + SIGNS[role].length;
	};
	const shown = cells.filter(({ rank }) => rank[role] !== undefined);
	return shown.sort((one, other) => rankOfCell(one) - rankOfCell(other))[0];
}

/** Of several columns that claim it, or may hold it, the one that does. */
function clearestIdno(cells: readonly ReadCell[]): ReadCell | undefined {
	const holding = cells.filter(holdsIdno);
	return (
		clearest('idno', holding) ??
		holding.find(({ mayBeIdno }) => mayBeIdno) ??
		clearest('idno', cells)
	);
}

/** The column that holds an IDNO without saying so, if all such columns hold the same one. */
function onlyIdno(cells: readonly ReadCell[]): ReadCell | undefined {
	const holding = cells.filter(
		(cell) => holdsIdno(cell) && cell.words.says(`!${SOMEBODY}|thing|account`),
	);
	const idnos = holding.map(({ value }) => String(value).replace(/\D/g, ''));
	return new Set(idnos).size === 1 ? holding[0] : undefined;
}

const LABEL = /^\s*(?:idno|идно|c\s?\/\s?f|cod(?:ul)? fiscal|tax id|md)(?!\p{L})\W*(?=\d)/iu;

/** Whether a cell has an IDNO and nothing else, apart from what it's called. */
function holdsIdno({ value }: Cell): boolean {
	return isIdno(typeof value === 'string' ? value.replace(LABEL, '') : value);
}
