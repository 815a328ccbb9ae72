import { DAY_MS } from '../../shared/http/clock';
import type { Json } from '../../shared/http/json';
import { readMoment } from '../../shared/http/moments';
import { isBlank } from '../../shared/node/validators';
import { COMPANY_FIELDS, RECOMMENDATION_FIELDS, snakeCase } from '../company';
import { readIdno } from '../idno';
import { isUnchanged } from '../output/changes';
import { isBlankCell, type Cell } from './cells';
import {
	CHECKED_AT,
	isState,
	LEFT_OUT,
	OWN_COLUMNS,
	PREFIX,
	readState,
	STATE,
	withUsual,
} from './state';
import type { State } from './state';

// Later runs recognize a check's outcome by what its reason begins with.

/** The row is due again, although it has the date of a check. */
export const CHECK_FAILED = 'The check failed.';
/** The recommendation is the only thing that's missing. */
export const CREDIT_WAITS = 'The credit recommendation is waiting for';
const NOT_SHOWN = /not shown since (\d{4}-\d\d-\d\d)/i;

const IDNO = `${PREFIX}idno`;

/** What an earlier run wrote into a row, in its columns and in its state. */
export class EarlierRun {
	/** The node's own names by the paths of its columns, whose names another program may have changed. */
	readonly columns: ReadonlyMap<string, string>;
	/** The values by the node's own names, {@link LEFT_OUT} if nobody knows them. */
	readonly values: ReadonlyMap<string, unknown>;
	/** When the row was checked, in ms since the epoch; 0 if the date can't be read. */
	readonly checkedAt?: number;
	/** The path of a column that looks like the node's, but can't be read. */
	readonly unreadable?: string;
	readonly state?: State;

	/**
	 * If the columns and the state differ, the newer one counts; if they're of the same date, a person has
	 * changed or emptied the cell.
	 *
	 * @param fits whether a state with this `match_input` can be the row's, if there are several
	 */
	constructor(own: readonly OwnCell[], fits: (input: unknown) => boolean) {
		const cells = own.filter(({ name }) => name !== STATE);
		// The topmost column of a name counts.
		const inColumns = new Map(
			cells.toReversed().map(({ name, value }) => [name, value === false ? null : value]),
		);
		const date = cells.find(({ name }) => name === CHECKED_AT);
		const dated = isBlankCell(date?.value) ? undefined : (readMoment(date?.value) ?? 0);
		const states = own.filter(({ name, value }) => name === STATE && !isBlankCell(value));
		const state = stateAmong(states, fits);
		const inState = state?.values ?? new Map<string, unknown>();
		const isFilled = cells.some(({ value }) => !isBlankCell(value));
		// Columns without the date are as old as the state, unless nobody fills them.
		const age = dated ?? (isFilled && !date ? state?.checkedAt : undefined);
		// A date may have been stored without the time, or in another time zone.
		const isStateNewer = state !== undefined && state.checkedAt - (age ?? 0) > DAY_MS;
		const [older, newer] = isStateNewer ? [inColumns, inState] : [inState, inColumns];
		const isOneCompany =
			!newer.has(IDNO) || !older.has(IDNO) || isUnchanged(older.get(IDNO), newer.get(IDNO));
		const said = new Map([...(isOneCompany ? older : []), ...newer]);
		this.columns = new Map(own.map(({ path, name }) => [path, name]));
		this.checkedAt = isStateNewer ? state.checkedAt : age;
		// A list may store only some of the columns.
		this.values = this.checkedAt === undefined ? said : withUsual(said);
		this.state = state;
		this.unreadable = (dated === 0 ? date : state ? undefined : states[0])?.path;
	}

	/** A field of the company; undefined if it isn't known. */
	field(name: string): unknown {
		const value = this.values.get(PREFIX + name);
		return value === LEFT_OUT ? undefined : value;
	}

	/** The company, as the row has it now. */
	get company(): Json {
		return Object.fromEntries(COMPANY_FIELDS.map((name) => [name, this.field(name)]));
	}

	/** The IDNO of the company that was found for the row. */
	get idno(): string | undefined {
		return readIdno(this.field('idno'));
	}

	get status(): unknown {
		return this.values.get('match_status');
	}

	private get reason(): string {
		return String(this.values.get('match_reason'));
	}

	/** Whether the last check has failed, so the row isn't skipped although it has its date. */
	get hasFailed(): boolean {
		return this.reason.startsWith(CHECK_FAILED);
	}

	/** Whether the quota ended at the row's recommendation, so one request finishes it. */
	get lacksCredit(): boolean {
		return this.reason.startsWith(CREDIT_WAITS);
	}

	/** The day since when the registry hasn't shown the row's company, by the last check. */
	get missingSince(): string | undefined {
		return NOT_SHOWN.exec(this.reason)?.[1];
	}

	/**
	 * What the node itself wrote about the company, as opposed to a user's `registry_contact`: empty columns
	 * only if the state says that they were read.
	 */
	get known(): Json {
		const isKnown = ([name, value]: [string, unknown]) =>
			this.isInState(name) || (OWN_COLUMNS.has(name) && !isBlank(value));
		const columns = [...this.values].filter(([name]) => name.startsWith(PREFIX));
		return Object.fromEntries(columns.filter(isKnown));
	}

	/** A field as it was read: `null` if it was empty, undefined if it wasn't read. */
	read(field: string): unknown {
		const value = this.values.get(PREFIX + field);
		if (value === LEFT_OUT) return undefined;
		if (!isBlank(value)) return value;
		// A person has emptied it, which isn't news.
		if (field === 'idno' && !isBlank(this.field('name'))) return undefined;
		if (this.isInState(PREFIX + field)) return null;
		if (this.checkedAt === undefined) return undefined;
		if (isBlank(this.field('idno')) && this.status === 'notFound') return null;
		// A table's columns can be there, but empty, before anything has been read for them.
		const group = RECOMMENDATION_FIELDS.includes(field) ? RECOMMENDATION_FIELDS : COMPANY_FIELDS;
		return group.some((each) => !isBlank(this.field(each))) ? value : undefined;
	}

	private isInState(name: string): boolean {
		return this.state?.values.has(name) === true;
	}
}

/** The topmost state. Of several at one depth, those that don't fit the row are about other rows. */
function stateAmong(
	cells: readonly OwnCell[],
	fits: (input: unknown) => boolean,
): State | undefined {
	const top = cells.filter(({ depth }) => depth === cells[0]?.depth);
	const texts = [...new Set(top.map(({ value }) => String(value)))];
	const states = texts.flatMap((text) => readState(text) ?? []);
	const possible =
		states.length > 1 ? states.filter(({ values }) => fits(values.get('match_input'))) : states;
	return possible.sort((one, other) => other.checkedAt - one.checkedAt)[0];
}

const ADDED = /^(?:registry_.+|match_(?:status|quality|reason|alternatives|input))$/;

const DATE = /registry[\W_]*checked[\W_]*at/i;
const DATE_OR_STATE = /registry[\W_]*(?:checked[\W_]*at|state)/i;

export interface OwnCell extends Cell {
	/** The node's name for its column. */
	name: string;
}

/**
 * The node's columns, those at the top first. Other spellings of their names count only beside the column
 * of the date or the state, and only with the same around them, so a `payment_match_status` stays.
 */
export function ownCellsOf(cells: readonly Cell[]): OwnCell[] {
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
const OWN_LETTERS = [...OWN_COLUMNS].map((name) => [lettersOf(name), name] as const);

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
