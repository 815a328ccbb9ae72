import type { IDataObject } from 'n8n-workflow';

import { DAY_MS, HOUR_MS, systemClock } from '../../shared/http/clock';
import { InputError } from '../../shared/http/inputError';
import type { Call } from '../../shared/node/call';
import { text } from '../../shared/node/validators';
import { readIdno } from '../idno';
import { wantedCompany, type WantedCompany } from '../names/compare';
import { contradictionsOf, type CompanyRecord } from '../names/decide';
import { isEmptyCell } from './blanks';
import { cellsIn, unwrapped } from './cells';
import { columnsAmong, countryIn, pathsOf, type ColumnRole, type RowColumns } from './columns';
import { INPUT_ROLES, inputText, isSameNumber, readInput, saysSame, type Said } from './input';
import { ownCellsOf, type OwnCell } from './ownColumns';
import { Past } from './past';
import { settingsOf, type Settings } from './settings';

export interface RowReading extends Said {
	input: IDataObject;
	settings: Settings;
	/** The columns that were found; empty if the user chose them. */
	columns: RowColumns;
	/** Columns of several companies, if it isn't clear which one is the row's. */
	parties: readonly string[];
	/** Whether the heading says that the IDNO is one. */
	isIdnoNamed: boolean;
	/** Whether the place is the company's. If not, it only tells companies with the same name apart. */
	isOwnPlace: boolean;
	own: readonly OwnCell[];
}

/** A row of a list, with what earlier runs have found out about it. */
export interface Row extends RowReading {
	past: Past;
	/** What the row was looked up by, as the column `match_input` has it. */
	matchInput: string;
	/** What it said at its last check, if that's known. */
	before?: Said;
	/** Its cells that contradict what was looked up then. */
	corrected: readonly ColumnRole[];
	/** Whether it only keeps its company because the mapping has changed. */
	isDoubtful: boolean;
}

/** @throws InputError if a setting is invalid, or if no column is mapped */
export function readRow(call: Call): RowReading {
	const item = call.context.getInputData() as { json?: IDataObject } | undefined;
	const input = item?.json ?? {};
	const cells = cellsIn(input);
	const own = ownCellsOf(cells);
	const settings = settingsOf(call);
	const { isChosen } = settings;
	const { companyIdno, companyName } = call.context.getNode().parameters;
	// Single rows may lack both. If neither field is mapped, the node isn't set up.
	if (isChosen && !companyIdno && !companyName) {
		throw new InputError(
			'The parameters "IDNO" and "Name" are both empty',
			'Map your IDNO column to "IDNO" or the name column to "Name".',
		);
	}
	const found = isChosen ? {} : columnsAmong(cells, new Set(own.map(({ path }) => path)));
	const value = (role: ColumnRole, parameter: string, label: string) => {
		const cell = role === 'city' ? (found.address ?? found.city) : found[role];
		const written = cell?.says.holds === 'country' ? countryIn(cell.value) : cell?.value;
		const given = isChosen ? unwrapped(call.parameter(parameter, '')) : written;
		const said = isEmptyCell(given) ? '' : text(given, label);
		// Words, or only zeros, in the IDNO's column say that there's none.
		return role === 'idno' && !/[1-9]/.test(said.normalize('NFKC')) ? '' : said;
	};
	return {
		idno: value('idno', 'companyIdno', 'IDNO'),
		name: value('name', 'companyName', 'Name'),
		city: value('city', 'companyCity', 'City or Region'),
		legalForm: value('legalForm', 'companyLegalForm', 'Legal Form'),
		input,
		settings,
		columns: pathsOf(found),
		parties: found.parties?.map(({ path }) => path) ?? [],
		isIdnoNamed: found.idno === undefined || found.idno.says.holds === 'idno',
		isOwnPlace: found.address === undefined,
		own,
	};
}

/** The text that is typed where a column belongs; undefined if a field is mapped. */
export function typedText(call: Call): string | undefined {
	if (!settingsOf(call).isChosen) return undefined;
	const { companyIdno, companyName } = call.context.getNode().parameters;
	const used = [companyIdno, companyName].map((each) => String(each ?? '').trim()).filter(Boolean);
	// Without braces, even an expression is a text.
	const isTyped = (each: string) => !each.startsWith('=') || !each.includes('{{');
	return used.every(isTyped) ? used[0]?.replace(/^=/, '') : undefined;
}

export function rowsOf(readings: readonly RowReading[]): Row[] {
	// Where the list's states stand at the top, a nested one is a linked record's. A list of custom fields may
	// have nothing but the state.
	const onlyTop = readings.some(({ own, input }) =>
		own.some(({ state, depth, path }) => state && depth === 0 && !Array.isArray(input[path])),
	);
	const rows = readings.map((reading): Row => {
		const own = onlyTop ? reading.own.filter(({ depth }) => depth === 0) : reading.own;
		const fits = (input: unknown) => {
			const before = readInput(input);
			return INPUT_ROLES.every((role) => saysSame(role, before[role], reading[role]));
		};
		const past = new Past(own, reading.input, fits);
		const before = past.input === undefined ? undefined : readInput(past.input);
		return {
			...reading,
			past,
			matchInput: inputText(reading),
			before,
			corrected: [],
			isDoubtful: false,
		};
	});
	const remapped = remappedRoles(rows);
	const mapped = [...remapped.added, ...remapped.same];
	return rows.map((row) => ({
		...row,
		corrected: correctionsOf(row, remapped),
		isDoubtful: mapped.some((role) => {
			return row.before?.[role] !== row[role] && contradicts(row, [role], row.past.company);
		}),
	}));
}

/** A row whose last check is known. */
interface KnownRow {
	now: Row;
	before: Said;
}

/**
 * Roles that the mapping has changed, not the people: `added` and `gone` in all rows, and those that are the
 * `same` in all of them. Nothing is corrected by these.
 */
export function remappedRoles(rows: readonly Row[]) {
	const known = rows.flatMap((now): KnownRow[] =>
		now.before ? [{ now, before: now.before }] : [],
	);
	const roles = known.length < 2 ? [] : INPUT_ROLES;
	return {
		same: roles.filter((role) => hasBecomeOne(role, rows, known)),
		added: roles.filter((role) => hasBecome(true, role, known)),
		gone: roles.filter((role) => hasBecome(false, role, known)),
	};
}

/**
 * Whether a role is filled in all rows now and wasn't in any before, or the other way round. Rows that were
 * checked with the new mapping may have had it, but only later than those that haven't. People fill in the last
 * gaps as well, so the mapping is only meant if most rows lacked the role, or if it contradicts the companies of
 * rows that had it, which have kept them.
 */
function hasBecome(isFilled: boolean, role: ColumnRole, known: readonly KnownRow[]): boolean {
	const says = (said: Said) => (said[role] !== '') === isFilled;
	const old = known.filter(({ before }) => !says(before));
	const since = known.filter(({ before }) => says(before));
	const [first = Infinity] = timesOf(since);
	const isLater = first - timesOf(old).at(-1)! > HOUR_MS;
	const isKept = ({ now }: KnownRow) =>
		now.past.hasCompany && contradicts(now, [role], now.past.company);
	const isMapping = old.length > since.length || since.some(isKept);
	return isLater && isMapping && known.every(({ now }) => says(now));
}

const timesOf = (some: readonly KnownRow[]) =>
	some.map(({ now }) => now.past.checkedAt!).sort((one, other) => one - other);

/** So many values can't have become one by correcting rows. */
const LEAST_VALUES = 3;

/** Whether a role that differed is the same in all rows now. Of rows that were checked since, only the companies differ. */
function hasBecomeOne(role: ColumnRole, rows: readonly Row[], known: readonly KnownRow[]): boolean {
	const value = rows[0]?.[role];
	if (value === '' || rows.some((row) => row[role] !== value)) return false;
	const values = known.map(({ before }) => before[role]);
	const ofNames = role === 'name' || role === 'idno';
	const companies = ofNames ? known.map(({ now }) => now.past.idno) : [];
	const differed = [values, companies].some((each) => new Set(each).size >= LEAST_VALUES);
	return differed && values.some((before) => before !== value);
}

function correctionsOf(
	row: Row,
	{ added, same }: ReturnType<typeof remappedRoles>,
): Row['corrected'] {
	const { past, before, matchInput } = row;
	if (past.input === matchInput) return [];
	if (!before) {
		// An exact match had the company's IDNO, if any.
		const isExact = [undefined, 'exact'].includes(past.match.match_quality as string);
		return isExact && past.hasCompany && contradicts(row, ['idno'], past.company) ? ['idno'] : [];
	}
	return INPUT_ROLES.filter((role) => {
		if (same.includes(role)) return false;
		const isNew = before[role] === '' && row[role] !== '';
		if (!isNew) return !saysSame(role, before[role], row[role], past.hasCompany);
		if (!past.hasCompany) return true;
		return !added.includes(role) && contradicts(row, [role], past.company);
	});
}

export function contradicts(
	row: Row,
	roles: readonly ColumnRole[],
	company: CompanyRecord,
): boolean {
	const [said, known] = [readIdno(row.idno), readIdno(company.idno)];
	const isKnown = roles.includes('idno') && said !== undefined && known !== undefined;
	if (isKnown && !isSameNumber(known, said)) return true;
	return contradictionsOf(wantedOf(row, roles), company).length > 0;
}

/** What a row says about its company, or what some of its cells say. */
export function wantedOf(row: Row, roles: readonly ColumnRole[] = INPUT_ROLES): WantedCompany {
	const said = (role: ColumnRole) => (roles.includes(role) ? row[role] : '');
	return wantedCompany(said('name'), row.isOwnPlace ? said('city') : '', said('legalForm'));
}

/** Whether the row means another company than the one that was checked. */
export function isDue({ corrected, past, settings }: Row): boolean {
	const { excluded } = settings;
	const isChosen = past.chosen !== undefined && !excluded.has(past.chosen);
	return corrected.length > 0 || isChosen || excluded.has(past.idno ?? '');
}

/** A schedule doesn't start at the same second each day. */
const GRACE = 1 / 12;
const MOST_GRACE_MS = 12 * HOUR_MS;

/** Whether a row was checked so recently, and so completely, that it's skipped. */
export function isSkipped(row: Row): boolean {
	const { checkedAt = NaN, due } = row.past;
	if (isDue(row) || due !== undefined || row.settings.skipDays === 0) return false;
	const skipMs = row.settings.skipDays * DAY_MS;
	const age = systemClock.now() - checkedAt;
	// East of Greenwich, today's date can still be in the future in UTC.
	return age > -DAY_MS && age < skipMs - Math.min(skipMs * GRACE, MOST_GRACE_MS);
}
