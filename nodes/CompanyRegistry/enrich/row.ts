import type { IDataObject } from 'n8n-workflow';

import { DAY_MS, systemClock } from '../../shared/http/clock';
import { InputError } from '../../shared/http/inputError';
import type { Json } from '../../shared/http/json';
import { readMoment } from '../../shared/http/moments';
import type { Call } from '../../shared/node/call';
import { isTool } from '../../shared/node/nodeError';
import { normalText } from '../../shared/node/texts';
import { oneOf, readFlag, text, wholeNumber } from '../../shared/node/validators';
import { snakeCase } from '../company';
import { idnosIn, readIdno } from '../idno';
import { LEAST_SCORE } from '../names/compare';
import { fold } from '../names/words';
import { isUnchanged } from '../output/changes';
import { cellsIn, isBlankCell, unwrapped } from './cells';
import type { Cell } from './cells';
import { columnsAmong, isEmptyCell, pathsOf } from './columns';
import type { ColumnRole, RowColumns } from './columns';
import { CHECKED_AT, isState, OWN_COLUMNS, PREFIX, readState, STATE, withUsual } from './state';
import type { State } from './state';

/** What a row says about its company, where empty text means nothing, and the settings for looking it up. */
export interface Row extends Record<ColumnRole, string> {
	input: IDataObject;
	/** The columns that were found; empty if the user chose them. */
	columns: RowColumns;
	/** Columns of two companies, if it's open which one is meant. */
	parties: readonly string[];
	/** Whether the heading says that the IDNO is one. */
	isIdnoNamed: boolean;
	/** Whether the place is the company's. If not, it only tells companies of the same name apart. */
	isOwnPlace: boolean;
	earlier: EarlierRun;
	/** What of the row is looked up, for the column `match_input`. */
	matchInput: string;
	/** Its own cells that differ from what was looked up, with what they said then: nothing, if that's not stored. */
	corrected: ReadonlyMap<ColumnRole, string>;
	/** The score that a match needs. */
	minScore: number;
	/** IDNOs of companies that have been ruled out for the row. */
	excluded: ReadonlySet<string>;
	addCredit: boolean;
	/** Columns of the row by the fields of the company that they're compared with. */
	compareWith: Readonly<Record<string, string>>;
	/** Days; 0 looks up every row. */
	skipDays: number;
}

/** @throws InputError if a setting is invalid, or if no column is mapped */
export function rowOf(call: Call): Row {
	const item = call.context.getInputData() as { json?: IDataObject } | undefined;
	const input = item?.json ?? {};
	const cells = cellsIn(input);
	// An agent has no columns, so it fills in the fields.
	const isAgent = isTool(call.context.getNode());
	const own = isAgent ? [] : ownCellsOf(cells);
	const isChosen = call.parameter<unknown>('columns', 'auto') === 'choose' || isAgent;
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
		const given = isChosen ? unwrapped(call.parameter(parameter, '')) : cell?.value;
		const said = isEmptyCell(given) ? '' : text(given, label);
		// Words, or only zeros, in the IDNO's column say that there's none.
		return role === 'idno' && !/[1-9]/.test(said) ? '' : said;
	};
	const says = {
		idno: value('idno', 'companyIdno', 'IDNO'),
		name: value('name', 'companyName', 'Name'),
		city: value('city', 'companyCity', 'City or Region'),
		legalForm: value('legalForm', 'companyLegalForm', 'Legal Form'),
	};
	const earlier = earlierRun(own, says);
	// If the row has nothing but the node's columns, it can't be corrected.
	const isOwn = earlier.columns.has((found.name ?? found.idno)?.path ?? '');
	const before = earlier.checkedAt === undefined ? null : earlier.values.get('match_input');
	const options = call.parameter<Json>('options', {});
	const level = call.parameter<unknown>('minScore', 'strong');
	const minimum = oneOf(['exact', 'strong', 'likely']);
	const days = options.skipRowsCheckedWithin ?? 0;
	return {
		...says,
		input,
		columns: pathsOf(found),
		parties: found.parties?.map(({ path }) => path) ?? [],
		earlier,
		corrected: isOwn ? new Map() : correctionsOf(says, before, earlier.values.get(IDNO)),
		matchInput: inputText(says),
		isIdnoNamed: found.idno === undefined || found.idno.reading.rank.idno !== undefined,
		isOwnPlace: found.address === undefined,
		minScore: LEAST_SCORE[minimum(level, 'Minimum Match')],
		excluded: new Set(idnosIn(options.excludedIdnos)),
		addCredit: readFlag(call.parameter('addCredit', false), 'Add Credit Recommendation'),
		compareWith: call.parameter('compareWith', {}),
		skipDays: wholeNumber(0)(days, 'Skip Rows Checked Within (Days)'),
	};
}

/** What an earlier run wrote into a row. */
export interface EarlierRun {
	/** The node's own names by the paths of its columns, whose names another program may have changed. */
	columns: ReadonlyMap<string, string>;
	/** The values by the node's own names, from its columns and its state. */
	values: ReadonlyMap<string, unknown>;
	/** Those that the node wrote for certain: its documented columns, and what the state names. */
	written: ReadonlyMap<string, unknown>;
	/** When the row was checked, in ms since the epoch; 0 if the date can't be read. */
	checkedAt?: number;
	/** What `registry_state` says. */
	state?: State;
	/** The path of a column that looks like the node's, but can't be read. */
	unreadable?: string;
}

const ADDED = /^(?:registry_.+|match_(?:status|quality|reason|alternatives|input))$/;

const DATE = /registry[\W_]*checked[\W_]*at/i;
const DATE_OR_STATE = /registry[\W_]*(?:checked[\W_]*at|state)/i;

interface OwnCell extends Cell {
	/** The node's name for its column. */
	name: string;
}

/**
 * The node's columns, those at the top first. Other spellings of their names count only beside the column
 * of the date or the state, and only with the same around them, so a `payment_match_status` stays.
 */
function ownCellsOf(cells: readonly Cell[]): OwnCell[] {
	const anchors = cells.filter(({ key, value }) => DATE.test(key) || isState(value));
	const around = anchors.map(({ key }) => key.split(DATE_OR_STATE));
	return cells.flatMap((cell) => {
		const others = around.flatMap(
			([before = '', after]) => nameWithin(before, cell.key, after) ?? [],
		);
		const spelled = others[0] ?? (ADDED.test(cell.key) ? cell.key : undefined);
		const name = isState(cell.value) ? STATE : spelled;
		return name === undefined ? [] : [{ ...cell, name }];
	});
}

/** The fewest letters that are a column's name of which the end is missing. */
const LEAST_LETTERS = 12;

const lettersOf = (name: string) => name.toLowerCase().replace(/[^a-z\d]/g, '');
const OWN_LETTERS = OWN_COLUMNS.map((name) => [lettersOf(name), name] as const);

/** The node's name for a column, without what stands before and after it: `x_studio_` or `__c`. */
function nameWithin(before: string, key: string, after: string | undefined): string | undefined {
	const lower = key.toLowerCase();
	if (after === undefined || !lower.startsWith(before.toLowerCase())) return undefined;
	if (!lower.endsWith(after.toLowerCase())) return undefined;
	const middle = key.slice(before.length, key.length - after.length);
	const letters = lettersOf(middle);
	const alike = OWN_LETTERS.filter(([whole]) => whole.startsWith(letters));
	// Some programs cut off long names.
	const isCut = letters.length >= LEAST_LETTERS && alike.length === 1;
	const [, own] = alike.find(([whole]) => isCut || whole === letters) ?? [];
	const name = own ?? snakeCase(middle);
	return ADDED.test(name) ? name : undefined;
}

const IDNO = `${PREFIX}idno`;

/**
 * Puts together what the columns and the state say. If they differ, the newer one counts; if they're of the
 * same date, a person has changed or emptied the cell.
 *
 * @param says what the row says now, to choose among several states
 */
function earlierRun(own: readonly OwnCell[], says: RowText): EarlierRun {
	const cells = own.filter(({ name }) => name !== STATE);
	// The topmost column of a name counts.
	const inColumns = new Map(
		cells.toReversed().map(({ name, value }) => [name, value === false ? null : value]),
	);
	const date = cells.find(({ name }) => name === CHECKED_AT);
	const dated = isBlankCell(date?.value) ? undefined : (readMoment(date?.value) ?? 0);
	const states = own.filter(({ name, value }) => name === STATE && !isBlankCell(value));
	const state = stateFor(states, says);
	const inState = state?.values ?? new Map<string, unknown>();
	const isFilled = cells.some(({ value }) => !isBlankCell(value));
	// Columns without the date are as old as the state, unless nobody fills them.
	const age = dated ?? (isFilled && !date ? state?.checkedAt : undefined);
	// A date may have been stored without the time, or in another time zone.
	const isStateNewer = state !== undefined && state.checkedAt - (age ?? 0) > DAY_MS;
	const [older, newer] = isStateNewer ? [inColumns, inState] : [inState, inColumns];
	const isOneCompany =
		!newer.has(IDNO) || !older.has(IDNO) || isUnchanged(older.get(IDNO), newer.get(IDNO));
	const checkedAt = isStateNewer ? state.checkedAt : age;
	const said = new Map([...(isOneCompany ? older : []), ...newer]);
	// A list may store only some of the columns.
	const values = checkedAt === undefined ? said : withUsual(said);
	return {
		columns: new Map(own.map(({ path, name }) => [path, name])),
		values,
		written: new Map(
			[...values].filter(([name]) => OWN_COLUMNS.includes(name) || inState.has(name)),
		),
		checkedAt,
		state,
		unreadable: (dated === 0 ? date : state ? undefined : states[0])?.path,
	};
}

/** What an earlier run wrote into a row of which nothing else is known. */
export function earlierIn(input: Json): EarlierRun {
	return earlierRun(ownCellsOf(cellsIn(input)), { idno: '', name: '', city: '', legalForm: '' });
}

/** The topmost state. Of several at one depth, those that don't fit the row are about other rows. */
function stateFor(cells: readonly OwnCell[], says: RowText): State | undefined {
	const top = cells.filter(({ depth }) => depth === cells[0]?.depth);
	const texts = [...new Set(top.map(({ value }) => String(value)))];
	const states = texts.flatMap((text) => readState(text) ?? []);
	const fits = ({ values }: State) => correctionsOf(says, values.get('match_input')).size === 0;
	const possible = states.length > 1 ? states.filter(fits) : states;
	return possible.sort((one, other) => other.checkedAt - one.checkedAt)[0];
}

/** What of a row is looked up. */
type RowText = Readonly<Record<ColumnRole, string>>;

const LABELS: Record<ColumnRole, string> = {
	name: 'Name',
	idno: 'IDNO',
	city: 'Place',
	legalForm: 'Form',
};

/** Longer texts are compared, and stored, by their beginning. */
const MOST_LETTERS = 100;

/** For `match_input`: "Name: Agro Nord; Place: Orhei". */
function inputText(says: RowText): string {
	const parts = Object.entries(LABELS).map(([role, label]) => {
		const value = says[role as ColumnRole].replace(/\s+/gu, ' ').slice(0, MOST_LETTERS).trim();
		return value && `${label}: ${value}`;
	});
	return parts.filter(Boolean).join('; ');
}

/** The own cells of a row that differ from what was looked up, with what they said then. */
function correctionsOf(says: RowText, input: unknown, known?: unknown): Map<ColumnRole, string> {
	if (isBlankCell(input)) return new Map();
	const [before, now] = [normalText(input), inputText(says)];
	const corrected = Object.entries(LABELS).flatMap(([role, label]) => {
		const part = new RegExp(`(?:^|; )${label}: (.*?)(?=; (?:IDNO|Place|Form): |$)`);
		const [from = '', to = ''] = [before, now].map((each) => part.exec(each)?.[1]);
		// The company's own IDNO may stand in a column of the node whose name can't be read.
		const isKnown = role === 'idno' && known !== undefined && readIdno(to) === readIdno(known);
		const isSame = isKnown || comparable(from) === comparable(to);
		return isSame ? [] : [[role as ColumnRole, from] as const];
	});
	return new Map(corrected);
}

const comparable = (text: string) => readIdno(text) ?? fold(text).replace(/\s+/gu, ' ').trim();

/** Whether a row was checked so recently that it's skipped. */
export function isSkipped({ skipDays, earlier: { checkedAt } }: Row): boolean {
	const age = systemClock.now() - (checkedAt ?? NaN);
	// East of Greenwich, today's date can still be in the future in UTC.
	return skipDays > 0 && age > -DAY_MS && age < skipDays * DAY_MS;
}
