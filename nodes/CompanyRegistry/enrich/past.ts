import { DAY_MS, systemClock } from '../../shared/http/clock';
import type { Json } from '../../shared/http/json';
import { readMoment } from '../../shared/http/moments';
import { normalText } from '../../shared/node/texts';
import { isBlank } from '../../shared/node/values';
import { COMPANY_FIELDS } from '../company';
import { idnoWithin, isIdno, readIdno } from '../idno';
import { isEmptyCell } from './blanks';
import { unwrapped } from './cells';
import { OWN_MATCH, TELLING, type OwnCell } from './ownColumns';
import { CHECKED_AT, NOTES, PREFIX, STATE, type State } from './state';

const IDNO = `${PREFIX}idno`;
const COMPANY_COLUMNS = new Set(COMPANY_FIELDS.map((field) => PREFIX + field));
/** Fields that only a search has. */
const ONLY_SEARCHED = COMPANY_FIELDS.filter((field) => !['idno', 'name', 'status'].includes(field));

/**
 * What earlier runs have found out about a row. If the row has a state, the state is its past, and its
 * columns only say what the state doesn't. If it has none, its columns are its past, as far as
 * other programs have left them readable.
 */
export class Past {
	/** The cell of the state that counts. */
	readonly state?: OwnCell;
	/** When the row was checked, in ms since the epoch. */
	readonly checkedAt?: number;
	/** The same as the column has it. */
	readonly date: unknown;
	/** What's known of the match, by column. */
	readonly match: Json = {};
	/** What only a state says (`NOTES`). */
	readonly notes: Json = {};
	/** What's known of the company, by field: `null` for what was read as empty. */
	readonly company: Json = {};
	readonly hasCompany: boolean;
	readonly idno?: string;
	/** The IDNO that a person has entered beside the state. */
	readonly chosen?: string;
	/** The path of a column of the node that can't be read. */
	readonly unreadable?: string;

	/**
	 * @param own the node's cells
	 * @param row columns of further fields, which can have any name, are read in it
	 * @param fits whether a state with this input can be the row's, if there are several
	 */
	constructor(
		own: readonly OwnCell[],
		private readonly row: Json,
		fits: (input: unknown) => boolean,
	) {
		const isFilled = ({ name, value }: OwnCell) => name !== STATE && !saysNothing(name, value);
		// The topmost column of a name counts.
		const cells = own.filter(isFilled).toReversed();
		const columns = new Map(cells.map(({ name, value }) => [name, value]));
		const date = columns.get(CHECKED_AT);
		const cell = stateAmong(own, fits);
		this.state = cell && !isOutdated(cell.state!.checkedAt, date) ? cell : undefined;
		const state = this.state?.state;
		this.date = state ? new Date(state.checkedAt).toISOString() : date;
		this.checkedAt = readMoment(this.date);
		const values = state
			? valuesOf(state, String(this.state!.value).length, columns)
			: new Map([...columns, ...notesIn(columns.get('match_reason'), this.checkedAt)]);
		for (const [name, value] of values) {
			if (OWN_MATCH.includes(name)) this.match[name] = value;
			else if (name.startsWith('match_')) this.notes[name] = value;
			else if (!TELLING.includes(name)) this.company[name.slice(PREFIX.length)] = value;
		}
		this.hasCompany = COMPANY_FIELDS.some((name) => !isBlank(this.company[name]));
		this.idno = readIdno(this.company.idno);
		// Or a line of match_alternatives. A stale column may have the number of the company before.
		const number = idnoWithin(String(columns.get(IDNO)));
		const given = state && isIdno(number) ? number : undefined;
		const isOld = given === this.idno || given === readIdno(this.notes[NOTES.former]);
		this.chosen = isOld ? undefined : given;
		const isDated = state !== undefined || this.checkedAt !== undefined;
		this.unreadable = isDated ? undefined : own.find(isUnreadable)?.path;
	}

	/** A field of the company: `null` if it was read as empty, undefined if it isn't known. */
	field(name: string): unknown {
		if (this.state || name in this.company) return this.company[name];
		const value = unwrapped(this.row[PREFIX + name]);
		return saysNothing(PREFIX + name, value) ? undefined : value;
	}

	/** The row's match status. A list may store only the company and the date. */
	get status(): unknown {
		const isFound = this.checkedAt !== undefined && this.idno !== undefined;
		return this.match.match_status ?? (isFound ? 'found' : undefined);
	}

	/** What was looked up; undefined if that isn't known. */
	get input(): unknown {
		return this.checkedAt === undefined ? undefined : this.match.match_input;
	}

	/** Why the row is due whatever its date: its check has `failed`, or only its `credit` recommendation is missing. */
	get due(): unknown {
		return this.notes[NOTES.due];
	}

	/** Since when the registry hasn't shown the company, in ms since the epoch. */
	get missingSince(): number | undefined {
		return readMoment(this.notes[NOTES.missingSince]);
	}

	/** When the search last ran for the company, in ms since the epoch. */
	get searchedAt(): number | undefined {
		const isSearched = this.state ?? ONLY_SEARCHED.some((name) => !isBlank(this.company[name]));
		return readMoment(this.notes[NOTES.searchedAt]) ?? (isSearched ? this.checkedAt : undefined);
	}
}

/**
 * What a state says, and the columns for what it had no room for, or has lost with its end. Where a program
 * has cut off the state, it has also cut off any column that is at least as long as the rest of the state.
 */
function valuesOf(state: State, left: number, columns: ReadonlyMap<string, unknown>) {
	const isWhole = ([, value]: [string, unknown]) => String(value).length < left;
	const known = state.hasMore ? [...columns].filter(isWhole) : [];
	const said = [...state.values].map(([name, value]): [string, unknown] => {
		return [name, value === undefined ? columns.get(name) : value];
	});
	return new Map([...known, ...said]);
}

/** Whether a cell looks like the state or the date, but can't be read. */
function isUnreadable({ name, value, state }: OwnCell): boolean {
	if (isBlank(value, { orFalse: true })) return false;
	return name === STATE
		? state === undefined
		: name === CHECKED_AT && readMoment(value) === undefined;
}

/** Programs put words such as "N/A" where nothing was. A recommendation's risk can be "none". */
function saysNothing(column: string, value: unknown): boolean {
	const isWord = COMPANY_COLUMNS.has(column) && isEmptyCell(value);
	return isWord || isBlank(value, { orFalse: true });
}

/** The topmost state; of several, the newest whose input fits the row. */
function stateAmong(own: readonly OwnCell[], fits: (input: unknown) => boolean) {
	const states = own.filter(({ state }) => state !== undefined);
	const top = states.filter(({ depth }) => depth === states[0]!.depth);
	const isOne = new Set(top.map(({ value }) => value)).size === 1;
	const possible = isOne ? top : top.filter(({ state }) => fits(state!.values.get('match_input')));
	return possible.sort((one, other) => other.state!.checkedAt - one.state!.checkedAt)[0];
}

/** Whether the columns show that the state is no longer written back. */
function isOutdated(checkedAt: number, date: unknown): boolean {
	// Other forms may have the month first, or lack the time.
	const isClear = typeof date === 'object' || /^\d{4}-\d\d-\d\d[T ]\d\d:/.test(String(date));
	const dated = isClear ? readMoment(date) : undefined;
	return dated !== undefined && dated - checkedAt > DAY_MS && dated <= systemClock.now();
}

export const CHECK_FAILED = 'The check failed.';
export const CREDIT_FAILED = "The credit recommendation couldn't be read:";
export const CREDIT_WAITS = 'The credit recommendation is waiting for';

/** Programs write them in several ways. */
const withoutApostrophes = (text: string) => text.replace(/['`’‘]/g, '');

/** Notes that a row without a state only has in its reason. */
function notesIn(reason: unknown, checkedAt = Infinity): Array<[name: string, value: unknown]> {
	const text = withoutApostrophes(normalText(reason));
	const [, day] = /hasnt shown the company since (\d{4}-\d\d-\d\d)/.exec(text) ?? [];
	// The last check, unless it was on a later day.
	const since = day && Math.min(checkedAt, Date.parse(day) + DAY_MS - 1);
	const beginnings = [CHECK_FAILED, CREDIT_FAILED].map(withoutApostrophes);
	const hasFailed = beginnings.some((start) => text.startsWith(start));
	const isCreditDue = text.startsWith(CREDIT_WAITS) ? 'credit' : undefined;
	return [
		[NOTES.missingSince, since],
		[NOTES.due, hasFailed ? 'failed' : isCreditDue],
	];
}
