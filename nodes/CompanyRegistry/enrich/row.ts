import type { IDataObject } from 'n8n-workflow';

import { DAY_MS, systemClock } from '../../shared/http/clock';
import { InputError } from '../../shared/http/inputError';
import type { Json } from '../../shared/http/json';
import { readMoment } from '../../shared/http/moments';
import { processMap } from '../../shared/http/processMap';
import { isTool } from '../../shared/node/nodeError';
import type { OperationCall } from '../../shared/node/operation';
import { normalText } from '../../shared/node/texts';
import { oneOf, readFlag, text, validateOrThrow, wholeNumber } from '../../shared/node/validators';
import { snakeCase } from '../company';
import { idnosIn, readIdno } from '../idno';
import { LEAST_SCORE } from '../names/compare';
import type { MatchQuality } from '../names/compare';
import { fold } from '../names/words';
import { isUnchanged } from '../output/changes';
import { cellsIn, isBlankCell, unwrapped } from './cells';
import type { Cell } from './cells';
import { columnsAmong, isCompanyPlace, isEmptyCell, pathsOf } from './columns';
import type { ColumnRole, RowColumns } from './columns';
import { decoded } from './headings';
import { CHECKED_AT, isState, OWN_COLUMNS, PREFIX, readState, STATE } from './state';
import type { State } from './state';

/** What a row says about its company, where empty text means nothing, and the settings for looking it up. */
export interface Row extends Record<ColumnRole, string> {
	input: IDataObject;
	/** The columns that were found; empty if the user chose them. */
	columns: RowColumns;
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
export function rowOf(call: OperationCall): Row {
	const item = call.context.getInputData() as { json?: IDataObject } | undefined;
	const input = item?.json ?? {};
	const cells = cellsIn(input);
	const own = ownCellsOf(cells);
	// An agent has no columns, so it fills in the fields.
	const isChosen =
		call.parameter<unknown>('columns', 'auto') === 'choose' || isTool(call.context.getNode());
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
		const given = isChosen ? unwrapped(call.parameter(parameter, '')) : found[role]?.value;
		return isEmptyCell(given) ? '' : validateOrThrow<string>(text, given, label);
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
		earlier,
		corrected: isOwn ? new Map() : correctionsOf(says, before),
		matchInput: inputText(says),
		isIdnoNamed: found.idno === undefined || found.idno.idno !== undefined,
		isOwnPlace: found.city === undefined || isCompanyPlace(cells, found.city),
		minScore: LEAST_SCORE[validateOrThrow<MatchQuality>(minimum, level, 'Minimum Match')],
		excluded: new Set(idnosIn(options.excludedIdnos)),
		addCredit: readFlag(call.parameter('addCredit', false), 'Add Credit Recommendation'),
		compareWith: call.parameter('compareWith', {}),
		skipDays: validateOrThrow(wholeNumber(0), days, 'Skip Rows Checked in the Last (Days)'),
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

/** The column of the date, or of the state. */
const DATE = /registry[\W_]*checked[\W_]*at/i;
const ANCHOR = /registry[\W_]*(?:checked[\W_]*at|state)/i;

interface OwnCell extends Cell {
	/** The node's name for its column. */
	name: string;
}

interface Spelling {
	/** Whether it's one of the node's names. */
	isExact: boolean;
	isDate: boolean;
	/** What stands before and after the node's name: `x_studio_` in `x_studio_registry_checked_at`. */
	around?: [before: string, after: string];
}

/** Names repeat in every row, so they're read once. */
const spellings = processMap<Spelling>();

function spellingOf(key: string): Spelling {
	const known = spellings.get(key);
	if (known) return known;
	const whole = decoded(key);
	const [before, after] = whole.split(ANCHOR);
	const around = after === undefined ? undefined : ([before!, after] satisfies [string, string]);
	const spelling = { isExact: whole === key && ADDED.test(key), isDate: DATE.test(whole), around };
	spellings.set(key, spelling);
	return spelling;
}

const lettersOf = (name: string) => name.toLowerCase().replace(/[^a-z\d]/g, '');
const byLetters = new Map(OWN_COLUMNS.map((name) => [lettersOf(name), name]));

/** The node's name for a column that has the same around it as the column of the date. */
function nameAmong([before, after]: [string, string], key: string): string | undefined {
	const whole = decoded(key);
	const lower = whole.toLowerCase();
	if (!lower.startsWith(before.toLowerCase()) || !lower.endsWith(after.toLowerCase())) {
		return undefined;
	}
	const middle = whole.slice(before.length, whole.length - after.length);
	const name = byLetters.get(lettersOf(middle)) ?? snakeCase(middle);
	return ADDED.test(name) ? name : undefined;
}

/**
 * The node's columns, those at the top first. Other spellings of their names count only beside the column
 * of the date or the state, and only with the same around them, so a `payment_match_status` stays.
 */
function ownCellsOf(cells: readonly Cell[]): OwnCell[] {
	const around = cells.flatMap(({ key, value }) => {
		const spelling = spellingOf(key);
		return spelling.around && (spelling.isDate || isState(value)) ? [spelling.around] : [];
	});
	return cells.flatMap((cell) => {
		const { key, value } = cell;
		const others = around.map((each) => nameAmong(each, key));
		const spelled = spellingOf(key).isExact ? key : others.find((each) => each !== undefined);
		const name = isState(value) ? STATE : spelled;
		return name === undefined ? [] : [{ ...cell, name }];
	});
}

/** Programs move a day's date by their time zone, or store it without the time. */
const SAME_CHECK_MS = DAY_MS;

/**
 * Puts together what the columns and the state say. If they differ, the newer one counts; of the same
 * date, a cell that a person has changed or emptied.
 *
 * @param says what the row says now, to choose among several states
 */
function earlierRun(own: readonly OwnCell[], says: RowText): EarlierRun {
	const columns = new Map(own.map(({ path, name }) => [path, name]));
	const entries = own
		.filter(({ name }) => name !== STATE)
		.map(({ name, value }): [string, unknown] => [name, value === false ? null : value]);
	// The topmost column of a name counts.
	const inColumns = new Map(entries.toReversed());
	const date = inColumns.get(CHECKED_AT);
	const dated = isBlankCell(date) ? undefined : (readMoment(date) ?? 0);
	const states = own.filter(({ value }) => isState(value));
	const state = stateFor(states, says);
	const isDocumented = ([name]: [string, unknown]) => OWN_COLUMNS.includes(name);
	const unreadable =
		(dated === 0 ? own.find(({ name }) => name === CHECKED_AT) : !state && states[0]) || undefined;
	if (!state) {
		const written = new Map([...inColumns].filter(isDocumented));
		return { columns, values: inColumns, written, checkedAt: dated, unreadable: unreadable?.path };
	}
	const isFilled = [...inColumns.values()].some((value) => !isBlankCell(value));
	// Columns without that of the date are as old as the state, unless nobody fills them.
	const age = dated ?? (isFilled && !inColumns.has(CHECKED_AT) ? state.checkedAt : -Infinity);
	const isOlder = state.checkedAt - age > SAME_CHECK_MS;
	const isNewer = age - state.checkedAt > SAME_CHECK_MS;
	const [older, newer] = isOlder ? [inColumns, state.values] : [state.values, inColumns];
	const idnos = [older, newer].map((each) => each.get(`${PREFIX}idno`));
	const isOneCheck = !isOlder && !isNewer;
	const isOneCompany = isOneCheck || isUnchanged(idnos[0], idnos[1]);
	const values = new Map([...(isOneCompany ? older : []), ...newer]);
	return {
		columns,
		values,
		written: new Map([...values].filter((each) => isDocumented(each) || state.values.has(each[0]))),
		checkedAt: isNewer ? age : state.checkedAt,
		state,
		unreadable: unreadable?.path,
	};
}

/** The topmost state. Of several at one depth, it's the one that fits the row, since others are about other rows. */
function stateFor(texts: readonly OwnCell[], says: RowText): State | undefined {
	const top = texts.filter(({ depth }) => depth === texts[0]?.depth);
	const states = [...new Set(top.map(({ value }) => String(value)))].flatMap(
		(text) => readState(text) ?? [],
	);
	if (states.length <= 1) return states[0];
	const fitting = states.filter(
		({ values }) => correctionsOf(says, values.get('match_input')).size === 0,
	);
	return fitting.sort((one, other) => other.checkedAt - one.checkedAt)[0];
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
function correctionsOf(says: RowText, input: unknown): Map<ColumnRole, string> {
	if (isBlankCell(input)) return new Map();
	const [before, now] = [partsOf(normalText(input)), partsOf(inputText(says))];
	const corrected = Object.entries(LABELS).flatMap(([role, label]) => {
		const [from = '', to = ''] = [before.get(label), now.get(label)];
		return comparable(from) === comparable(to) ? [] : [[role as ColumnRole, from] as const];
	});
	return new Map(corrected);
}

function partsOf(input: string): Map<string, string> {
	const labels = Object.values(LABELS).join('|');
	const parts = input.split(new RegExp(`(?:^|; )(${labels}): `)).slice(1);
	return new Map(parts.flatMap((part, index) => (index % 2 ? [] : [[part, parts[index + 1]!]])));
}

const comparable = (text: string) => readIdno(text) ?? fold(text).replace(/\s+/gu, ' ').trim();

/** Whether a row was checked so recently that it's skipped. */
export function isSkipped({ skipDays, earlier: { checkedAt } }: Row): boolean {
	const age = systemClock.now() - (checkedAt ?? NaN);
	// East of Greenwich, today's date can still be in the future in UTC.
	return skipDays > 0 && age > -DAY_MS && age < skipDays * DAY_MS;
}
