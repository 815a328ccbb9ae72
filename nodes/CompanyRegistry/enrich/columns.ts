import type { Json } from '../../shared/http/json';
import { readMoment } from '../../shared/http/moments';
import { asText, isBlank, yesOrNo } from '../../shared/node/values';
import { idnoWithin, isIdno } from '../idno';
import { hasLegalForm } from '../names/forms';
import { readingsOf } from '../names/name';
import { placesIn } from '../names/places';
import { fold, wordsOf } from '../names/words';
import { isEmptyCell, isPersonWord, isRecordId } from './blanks';
import { cellsIn, type Cell } from './cells';
import { readingOf, type Content, type ReadHeading } from './headings';

// Chooses the columns that identify a row's company. headings.ts reads the headings. If they leave it open,
// the row's cells decide, and if those don't either, no column is chosen.

export type ColumnRole = 'idno' | 'name' | 'city' | 'legalForm';

/** The names of a row's columns by their roles. */
export type RowColumns = Partial<Record<ColumnRole, string>>;

interface ReadCell extends Pick<Cell, 'path' | 'value' | 'depth'> {
	says: ReadHeading;
}

type FoundCells = Partial<Record<ColumnRole, ReadCell>> & {
	/** A place that may not be the company's, so it only tells companies with the same name apart. */
	address?: ReadCell;
	/** Columns of several companies, if it isn't clear which one is the row's. */
	parties?: readonly ReadCell[];
};

/**
 * Finds the columns that identify a row's company. Other rows don't matter, so a row always gets the same
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
	const others = columnsOf(readable(cells.filter(({ path }) => !added.has(path))));
	const isFound = (others.idno ?? others.name ?? others.parties) !== undefined;
	return isFound || added.size === 0 ? others : columnsOf(readable(cells));
}

/** Objects and lists don't name a company. */
function readable(cells: readonly Cell[]): ReadCell[] {
	return cells.flatMap(({ path, heading, value, depth }) => {
		const isNested = typeof value === 'object' && !isBlank(value, { orFalse: true });
		if (heading === undefined || isNested) return [];
		return [{ path, value, depth, says: readingOf(heading) }];
	});
}

function columnsOf(all: readonly ReadCell[]): FoundCells {
	const cells = withoutOthers(withoutRepeated(all));
	const isOfPeople = cells.some(isPersons);
	const named = holding(cells, ...NAMES, 'caption');
	const isOfPerson = cells.some(saysPerson);
	const names = named.filter((cell) => {
		if (isOfPerson && !hasForm(cell)) return false;
		return canBeName(cell) && !(isOfPeople && canBePersons(cell));
	});
	const claims = holding(cells, 'idno');
	const parties = partiesAmong(named, claims);
	if (parties.length > 1) return { parties };
	const name = nameAmong(names, cells);
	const meant = cells.filter(isBesideName(name, names));
	const idno = idnoAmong(meant, claims);
	const twins = [...rivalsOf(name, cells), ...twinsOf(idno, cells)];
	if (twins.length > 0) return { parties: twins };
	// Where no company is named, a list of people has their places.
	const places = name || idno || !isOfPeople ? meant : [];
	const city = clearest(holding(places, 'companyCity', 'city'));
	const isOwn = city && !(isOfPeople && city.says.holds === 'city');
	const isKnown = isOwn && isFilled(city);
	const abroad = isKnown || isOfPeople ? undefined : holding(places, 'country').find(isAbroad);
	return {
		idno,
		name,
		city: abroad ?? city,
		legalForm: clearest(holding(meant, 'legalForm')),
		address: isOwn || abroad ? undefined : (city ?? clearest(holding(places, 'hint'))),
	};
}

/** A company's name, at least if nothing clearer is there. */
const NAMES: readonly Content[] = ['name', 'company', 'plainName'];

function holding(cells: readonly ReadCell[], ...contents: Content[]): ReadCell[] {
	return cells.filter(({ says }) => contents.includes(says.holds));
}

const isParty = ({ says }: ReadCell) =>
	says.side !== undefined && says.side !== 'company' && says.side !== 'counterparty';

/** Without nested parties that repeat a company: a shop's order has `customer: { company }` beside `billing: { company }`. */
function withoutRepeated(cells: readonly ReadCell[]): readonly ReadCell[] {
	const companies = holding(cells, ...NAMES).filter(isFilled);
	const isRepeated = (cell: ReadCell) => (other: ReadCell) =>
		other.says.side === 'company' && other.depth <= cell.depth && onlyOne([other, cell]);
	const isNestedParty = (cell: ReadCell) => isParty(cell) && cell.depth > 0;
	return cells.filter((cell) => !isNestedParty(cell) || !companies.some(isRepeated(cell)));
}

/**
 * Without companies that can't be the row's: beside a counterparty, a company is the user's own. Where a row
 * has a name and an IDNO itself, a party in an object beside them is somebody else: `supplier: { name }`.
 */
function withoutOthers(cells: readonly ReadCell[]): readonly ReadCell[] {
	const names = holding(cells, ...NAMES);
	const sides = new Set(names.map(({ says }) => says.side));
	if (sides.delete('counterparty')) {
		return cells.filter(({ says }) => !says.side || !sides.has(says.side));
	}
	const own = names.find(({ says }) => !says.side);
	const isClaimed = holding(cells, 'idno').some(({ says }) => !says.side);
	if (!own || !isClaimed) return cells;
	return cells.filter((cell) => !isParty(cell) || cell.depth <= own.depth);
}

const isFilled = ({ value }: ReadCell) => !isEmptyCell(value);
/** The names that a cell can mean, without what stands around them: "Firma Zefirul SRL". */
const namesIn = ({ value }: ReadCell) =>
	readingsOf(String(value)).map(({ name }) => name.words.map(({ written }) => written).join(' '));
const hasForm = ({ value }: ReadCell) => hasLegalForm(wordsOf(String(value)));

/** Whether a row is about a person or a product: it has a cell that only these have. */
function isPersons(cell: ReadCell): boolean {
	const { holds } = cell.says;
	if (holds === 'isCompany') return isBlank(cell.value, { orFalse: true });
	const isNumber = holds === 'personNumber' && !holdsIdno(cell);
	return (holds === 'person' || isNumber) && !isBlank(cell.value, { orFalse: true });
}

/** As in `Type: individual`. */
const saysPerson = ({ says, value }: ReadCell) =>
	(says.holds === 'kind' || says.holds === 'legalForm') && isPersonWord(value);

/** A client can be a person, but what's called a company or a "denumire" isn't. */
function canBePersons({ says: { holds, side, isOfCompany } }: ReadCell): boolean {
	return !isOfCompany && side !== 'company' && (holds !== 'name' || side !== undefined);
}

/** Also a record's path, as in "projects/x/documents/y". */
const ADDRESS_OR_NUMBER =
	/^\S*@\S*(?:\s+\S*@\S*)*$|^(?:https?:|www\.)|^[^\p{L}]*$|^\S+\/\S+\/\S+$/iu;

/** Whether a cell may be a name, which is true of an empty one. */
function canBeName({ value }: ReadCell): boolean {
	const text = isEmptyCell(value) ? '' : String(asText(value));
	const isOther = ADDRESS_OR_NUMBER.test(text) || yesOrNo(text, { onlyWords: true }) !== undefined;
	return text === '' || (!isOther && readMoment(text) === undefined);
}

/**
 * A column of each company, where a row can be about several: about the buyer or the seller of an invoice; about
 * one of them or a company, which may be the user's own; or about one of them or the name beside the IDNO. It
 * depends on the headings, except that `customer: false` and the ID of a record name nobody, and an empty company
 * isn't the user's own.
 */
function partiesAmong(named: readonly ReadCell[], claims: readonly ReadCell[]): ReadCell[] {
	const isCompany = ({ says }: ReadCell) => says.side === 'company';
	const sided = named.filter(({ says, value }) => {
		const isFlag =
			yesOrNo(value, { onlyWords: true }) !== undefined || /^[01]$/.test(String(value));
		return says.side && !isFlag && !isRecordId(value);
	});
	const hasParty = sided.some(isParty);
	const hasCompany = sided.some((cell) => isCompany(cell) && isFilled(cell));
	const bySide = new Map<string, ReadCell>();
	for (const cell of [...sided, ...claims]) {
		const { side } = cell.says;
		const counts = !isCompany(cell) || (hasCompany && hasParty);
		if (side && counts && !bySide.has(side)) bySide.set(side, cell);
	}
	const isClaimed = claims.some(({ says }) => !says.side);
	const title = holding(named, 'name').find(({ says }) => !says.side);
	return [...bySide.values(), ...(title && hasParty && isClaimed ? [title] : [])];
}

/**
 * The clearest name. If no heading says that it's a company's, the only cell with a legal form is. But where
 * there's a column for the company's name, which is empty, only a plain `Name` can stand in for it.
 */
function nameAmong(names: readonly ReadCell[], cells: readonly ReadCell[]): ReadCell | undefined {
	const clear = holding(names, 'name', 'company');
	const best = clearest(names);
	if (best && clear.includes(best)) return best;
	const possible =
		clear.length > 0
			? holding(names, 'plainName')
			: holding(cells, ...NAMES, 'caption', 'maybeName');
	return onlyOne(possible.filter((cell) => canBeName(cell) && hasForm(cell))) ?? best;
}

/** Tells which cells can have the place, legal form or IDNO of the company that the name means. */
function isBesideName(name: ReadCell | undefined, names: readonly ReadCell[]) {
	const side = name?.says.side;
	const others = new Set(holding(names, 'name', 'company').map(({ says }) => says.side));
	const isAny = side === undefined || side === 'counterparty';
	return ({ says }: ReadCell) =>
		!says.side || says.side === side || (isAny && !others.has(says.side));
}

const countries = new Intl.DisplayNames('ro', { type: 'region' });

/** The country that a cell names, or its code: "România" for RO. */
export function countryIn(value: unknown): string {
	const text = String(asText(value) ?? '');
	return /^[a-z]{2}$/i.test(text) ? (countries.of(text.toUpperCase()) ?? text) : text;
}

const isAbroad = (cell: ReadCell) => isFilled(cell) && placesIn(countryIn(cell.value)).length > 0;

const mayHoldNumber = ({ says }: ReadCell) =>
	!['person', 'kind', 'country', 'other'].includes(says.holds);

/**
 * Prefers a column whose heading says "IDNO" or the like and whose cell has one. If no heading says so, it's
 * the only column with an IDNO. "IDNO garant" doesn't stand in for an "IDNO", even if that's empty.
 */
function idnoAmong(cells: readonly ReadCell[], claims: readonly ReadCell[]): ReadCell | undefined {
	const all = holding(cells, 'idno');
	const clear = all.filter(({ says }) => !says.isVague);
	const claiming = clear.length > 0 ? clear : all;
	return (
		clearest(claiming.filter(holdsIdno)) ??
		clearest(holding(cells, 'maybeIdno').filter(holdsIdno)) ??
		clearest(claiming) ??
		(claims.length > 0
			? undefined
			: onlyOne(cells.filter((cell) => mayHoldNumber(cell) && holdsIdno(cell))))
	);
}

/** Whether a cell has an IDNO and nothing else, unless its heading says that it has one. */
function holdsIdno({ value, says }: ReadCell): boolean {
	const isWithin = says.holds === 'idno' && typeof value === 'string';
	return isIdno(value) || (isWithin && isIdno(idnoWithin(value)));
}

/**
 * A column with a value usually outranks a better heading without one. But an empty company column outranks
 * `Name`, which is a person in a list of contacts, and any company's name outranks `Title`.
 */
const FILLED: Partial<Record<Content, number>> = { plainName: 2, caption: 4 };
const EMPTY: Partial<Record<Content, number>> = { company: 1, name: 3 };

function clearest(cells: readonly ReadCell[]): ReadCell | undefined {
	const order = (cell: ReadCell) => {
		const { holds, rank } = cell.says;
		return 100 * (isFilled(cell) ? (FILLED[holds] ?? 0) : (EMPTY[holds] ?? 5)) + rank;
	};
	return [...cells].sort((one, other) => order(one) - order(other))[0];
}

/** The first of the cells, if all of them say the same. */
function onlyOne(cells: readonly ReadCell[]): ReadCell | undefined {
	const values = cells.map(({ value }) => String(value).replace(/\s/g, ''));
	return new Set(values).size === 1 ? cells[0] : undefined;
}

/**
 * Other companies beside the one that was found, as in `{ name, company: { name } }` or in "Party A" and "Party B".
 * A column at the top comes before a nested one.
 */
function rivalsOf(name: ReadCell | undefined, cells: readonly ReadCell[]): ReadCell[] {
	if (!name) return [];
	const lettersOf = ({ value }: ReadCell) => fold(String(value)).replace(/[^\p{L}\p{N}]/gu, '');
	const own = lettersOf(name);
	const mayHaveRival = isParty(name) || name.says.side === 'company';
	const isAlike = (cell: ReadCell) =>
		NAMES.includes(cell.says.holds) ||
		(cell.says.holds === 'maybeName' && mayHaveRival && isParty(cell));
	const isOther = (cell: ReadCell) => {
		const other = lettersOf(cell);
		const isPart = own.startsWith(other) || other.startsWith(own);
		return !isPart && !namesIn(cell).some((each) => namesIn(name).includes(each));
	};
	const rivals = cells.filter((cell) => {
		return cell.depth <= name.depth && isAlike(cell) && hasForm(cell) && isOther(cell);
	});
	return rivals.length > 0 && hasForm(name) ? [name, ...rivals] : [];
}

/** Columns with equally clear names and different IDNOs, such as `IDNO` and `IDNO_1`, or those of two unknown parties. */
function twinsOf(idno: ReadCell | undefined, cells: readonly ReadCell[]): ReadCell[] {
	const twins = cells.filter((cell) => {
		const isNamed = cell.says.letters === idno?.says.letters;
		const isVague = idno?.says.isVague === true && cell.says.rank === idno.says.rank;
		return (isNamed || isVague) && cell.depth === idno?.depth && holdsIdno(cell);
	});
	return onlyOne(twins) ? [] : twins;
}
