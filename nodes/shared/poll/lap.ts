import { z } from 'zod';

import { DAY_MS } from '../http/clock';
import type { Json, Page } from '../http/envelope';
import { InputError, ServiceError } from '../http/errors';
import { isBeyondEnd } from '../http/pages';
import { keysSchema, numberOf, storedKeys } from './keys';
import type { Session } from './session';

/** How a watcher reads a list. */
export interface WatchedList {
	/** Reads a page. @throws ServiceError */
	page(session: Session, number: number): Promise<Page>;
	/** What identifies a row; undefined if nothing does. */
	key(row: Json): string | undefined;
	/** The API documents that `total` counts all rows, so one lap that shows as many is enough. */
	hasTotal?: boolean;
	/** Which records the list shows. If that changes, the trigger starts over. */
	scope?: string;
	/** Whether the budget allows another page, and the error if it doesn't even allow the first. */
	mayRead?(): boolean;
	exhausted?(): Error;
	/** Called at the end of a lap. @throws InputError if the list can't be watched */
	check?(lap: Lap, end: LapEnd, isFirst: boolean): void;
}

/** Limits the stored state: 500,000 UUIDs take 20 MB. */
const MOST_ROWS = 500_000;
/** This many IDs in descending order aren't a coincidence. */
const CLEARLY = 30;

/** One pass over a list. It can take several polls. */
export interface Lap {
	number: number;
	/** The next page to read; at the end of the lap, its last page. `read` counts repeated rows as well. */
	at: { page: number; read: number; stale: number };
	/** Different rows so far. */
	shown: number;
	/** A row came again on a later page, so another may have been skipped. */
	hasRepeats: boolean;
	/** Rows that no lap had shown before. */
	fresh: number;
	/** The service's own count of the rows, on page 1. */
	total?: number;
	/** A later page had a different total. */
	changed: boolean;
	/** The ID of the latest row. */
	lowest?: number;
	/** The IDs aren't in descending order, or aren't numbers. */
	unordered: boolean;
}

/** The part of the state that both watchers need. */
export interface ListReading {
	scope: string;
	/** The baseline is complete, so new rows are events. */
	ready: boolean;
	lap: Lap;
	/** By key: the last lap that showed the row. */
	keys: Map<string, number>;
	/** Rows that the previous lap showed. */
	before?: number;
	/** The laps since the last settled one, and those since the last new row. */
	laps: number;
	quietLaps: number;
	/** A day or more, by the trigger's clock. Rows that are missing all that time are forgotten. */
	period: { since: number; firstLap: number; laps: number };
}

const whole = (min: number) => z.number().int().min(min).max(Number.MAX_SAFE_INTEGER);

export const readingFields = () => ({
	scope: z.string(),
	ready: z.boolean(),
	lap: z.object({
		number: whole(1),
		at: z.object({ page: whole(1), read: whole(0), stale: whole(0) }),
		shown: whole(0),
		hasRepeats: z.boolean(),
		fresh: whole(0),
		total: whole(0).optional(),
		changed: z.boolean(),
		lowest: whole(0).optional(),
		unordered: z.boolean(),
	}),
	keys: z.object({ inLap: keysSchema(), inPeriod: keysSchema(), before: keysSchema() }),
	before: whole(0).optional(),
	laps: whole(0),
	quietLaps: whole(0),
	period: z.object({ since: z.number(), firstLap: whole(1), laps: whole(0) }),
});

type StoredKeys<T> = Record<'inLap' | 'inPeriod' | 'before', T>;

/** Undoes `storedReading`. */
export function withKeys<R extends Omit<ListReading, 'keys'> & { keys: StoredKeys<Set<string>> }>(
	reading: R,
): Omit<R, 'keys'> & Pick<ListReading, 'keys'> {
	const { lap, period } = reading;
	const { inLap, inPeriod, before } = reading.keys;
	const keys = new Map<string, number>();
	for (const key of before) keys.set(key, 0);
	for (const key of inPeriod) keys.set(key, period.firstLap);
	for (const key of inLap) keys.set(key, lap.number);
	return { ...reading, keys };
}

/** Stores each key once, in the group of its lap, which is shorter than storing the lap's number. */
export function storedReading<R extends ListReading>(reading: R) {
	const { lap, period } = reading;
	const groups: StoredKeys<string[]> = { inLap: [], inPeriod: [], before: [] };
	for (const [key, number] of reading.keys) {
		if (number === lap.number) groups.inLap.push(key);
		else groups[number >= period.firstLap ? 'inPeriod' : 'before'].push(key);
	}
	const { inLap, inPeriod, before } = groups;
	return {
		...reading,
		keys: {
			inLap: storedKeys(inLap),
			inPeriod: storedKeys(inPeriod),
			before: storedKeys(before),
		},
	};
}

function lapAfter(number: number): Lap {
	const flags = { changed: false, hasRepeats: false, unordered: false };
	return { number: number + 1, at: LIST_START, shown: 0, fresh: 0, ...flags };
}

/** With "Emit Existing Records" there's no baseline: every row is new. */
export function newReading({ clock, emitExisting }: Session, scope = ''): ListReading {
	return {
		scope,
		ready: emitExisting,
		lap: lapAfter(0),
		keys: new Map(),
		laps: 0,
		quietLaps: 0,
		period: { since: clock, firstLap: 1, laps: 0 },
	};
}

export type LapEnd =
	/** At the list's end, as its counters confirm. */
	| 'counted'
	/** Probably at the list's end: the pages were empty, repeated or rejected. */
	| 'assumed'
	/** Before the list's end, because the watcher has seen enough. */
	| 'enough';

/** What a watcher does while a lap is being read. */
export interface LapReader {
	/** Called once per row. @returns whether no earlier lap showed it */
	note(row: Json, key: string): boolean;
	/** Called after every page, with its keys in the page's order. */
	notePage?(keys: readonly string[]): void;
	/** Called after every page. Whether the rest of the list isn't needed. */
	isEnough?(): boolean | Promise<boolean>;
}

/**
 * Reads on, to the end of the lap.
 *
 * @returns undefined if the poll has to end first
 */
export async function readLap(
	reading: ListReading,
	list: WatchedList,
	session: Session,
	reader: LapReader,
): Promise<LapEnd | undefined> {
	const { lap } = reading;
	for (;;) {
		if (list.mayRead?.() === false) return undefined;
		const { page: number } = lap.at;
		const page = await session.read(
			async () => await list.page(session, number).catch(pageBeyondEnd(number)),
		);
		if (!page) return undefined;
		if (number === 1) lap.total = page.total;
		lap.changed ||= page.total !== lap.total;
		const fresh = addRows(reading, page, list, reader);
		if (reading.keys.size > MOST_ROWS) throw tooManyRows(MOST_ROWS);
		// The lap ends at an empty page, because it can't show every row anymore.
		const next = page.rows.length > 0 ? positionAfter(lap.at, page, fresh) : undefined;
		const isEnough = (await reader.isEnough?.()) ?? false;
		if (!isEnough && next) {
			lap.at = next;
			continue;
		}
		lap.at = { ...lap.at, read: lap.at.read + page.rows.length };
		if (lap.at.read > 0 && lap.shown === 0) throw withoutKeys();
		if (isEnough) return 'enough';
		return fresh > 0 || saysNone(page, lap) ? 'counted' : 'assumed';
	}
}

/** A missing page means that the list has become shorter, or that its counters promise too much. */
function pageBeyondEnd(number: number): (error: unknown) => Page {
	return (error) => {
		if (number > 1 && isBeyondEnd(error)) return { rows: [] };
		throw error;
	};
}

/** Whether all counters, including those of page 1, agree that the list ends before this empty page. */
function saysNone({ rows, nextPage, total = 0 }: Page, lap: Lap): boolean {
	return rows.length === 0 && nextPage === null && Math.max(total, lap.total ?? 0) <= lap.at.read;
}

/** @returns how many rows no earlier page of the lap had */
function addRows(
	{ lap, keys }: ListReading,
	{ rows }: Page,
	{ key: keyOf }: WatchedList,
	{ note, notePage }: LapReader,
): number {
	const before = lap.shown;
	const here = new Set<string>();
	for (const row of rows) {
		const key = keyOf(row);
		if (key === undefined) continue;
		// The service reads a page at one moment, so a row that's on it twice hasn't moved.
		const isRepeated = keys.get(key) === lap.number;
		if (isRepeated) lap.hasRepeats ||= !here.has(key);
		here.add(key);
		if (isRepeated) continue;
		if (note(row, key)) lap.fresh++;
		keys.set(key, lap.number);
		lap.shown++;
		const id = numberOf(key);
		if (id === undefined || id >= (lap.lowest ?? Infinity)) lap.unordered = true;
		lap.lowest = id ?? lap.lowest;
	}
	notePage?.([...here]);
	return lap.shown - before;
}

/** Whether the lap shows that the list has the newest IDs first. */
export function isFalling({ unordered, shown }: Lap): boolean {
	return !unordered && shown >= CLEARLY;
}

/** Whether a lap has shown exactly the rows that the service counted, and no page counted differently. */
export function isWhole({ total, shown, changed }: Lap): boolean {
	return !changed && total === shown;
}

const LAPS_TO_FORGET = 3;
/** After this many laps without a new row, a list counts as settled even if no lap was stable. */
const QUIET_LAPS = 8;
/** A lap that shows less than this share of the rows that are there was cut short by a fault. */
const NEARLY_FULL = 0.9;
/** After this many laps, a list counts as settled whatever they showed. */
const MOST_LAPS = 40;

export interface LapResult {
	/** The lap skipped no row. */
	isStable: boolean;
	/** The lap is stable, or waiting for a better one is pointless. */
	isSettled: boolean;
	/** A fault has hidden a part of the list, so another lap should wait for the next poll. */
	isCutShort: boolean;
	/** Keys that no complete lap has shown for a day. */
	forgotten: string[];
}

/**
 * Ends a lap, and with it the baseline if the lap is settled.
 *
 * While a lap is being read, rows can move from page to page, so that one comes twice or is skipped. A
 * lap of several pages is only stable if no row came twice and it has the same rows as the previous
 * lap, or as many as a documented counter says.
 */
export function endLap(
	reading: ListReading,
	end: LapEnd,
	{ hasTotal }: WatchedList,
	session: Session,
): LapResult {
	const { lap, keys, before } = reading;
	const isSame = lap.fresh === 0 && before === lap.shown && !lap.hasRepeats;
	const isAll = hasTotal === true && isWhole(lap);
	const isStable = end !== 'assumed' && (lap.at.page === 1 || isSame || isAll);
	const hasNearly = (rows: number) => lap.shown >= rows * NEARLY_FULL;
	const isCutShort = !hasNearly(lap.total ?? 0);
	if (lap.fresh > 0) reading.quietLaps = 0;
	else if (!isCutShort && hasNearly(keys.size)) reading.quietLaps++;
	// A list without rows whose counters promise some is never settled.
	if (lap.shown > 0 || !isCutShort) reading.laps++;
	const isSettled = isStable || reading.quietLaps >= QUIET_LAPS || reading.laps >= MOST_LAPS;
	if (isSettled) reading.laps = 0;
	reading.ready ||= isSettled;
	const forgotten = forgetMissing(reading, end, session);
	reading.before = lap.shown;
	reading.lap = lapAfter(lap.number);
	return { isStable, isSettled, isCutShort, forgotten };
}

/**
 * Forgets the keys that were missing for a day and from three complete laps. A lap is only complete if
 * the counters confirm its end, because an empty or rejected page is usually a fault. So is an empty list.
 */
function forgetMissing(reading: ListReading, end: LapEnd, { clock }: Session): string[] {
	const { lap, keys, period } = reading;
	if (end !== 'counted' || lap.shown === 0) return [];
	period.laps++;
	if (period.laps < LAPS_TO_FORGET || clock - period.since < DAY_MS) return [];
	const missing = [...keys].filter(([, number]) => number < period.firstLap).map(([key]) => key);
	for (const key of missing) keys.delete(key);
	reading.period = { since: clock, firstLap: lap.number + 1, laps: 0 };
	return missing;
}

export function tooManyRows(most: number): InputError {
	return new InputError(
		`There are more than ${most.toLocaleString('en')} records`,
		"A trigger can't keep track of that many. Select the records to watch, use a filter, or narrow the search.",
	);
}

function withoutKeys(): ServiceError {
	return new ServiceError('The records have no ID', {
		description:
			"Without IDs, the trigger can't tell which records are new. Watch a different list, or read this one with a Schedule Trigger and the action node.",
		failure: { cause: 'node-defect' },
	});
}

/** The error if the time for a test event was over before an example turned up. */
export function notReached(): InputError {
	return new InputError(
		'No test event was found in time',
		"The list is long, the service is slow, or you've reached the rate limit. Try again in a minute. A published workflow continues where a poll stopped, so it reaches every record.",
	);
}

/** How far a list has been read. Plain data, so a trigger can store it between polls. */
interface ListPosition {
	/** Number of the next page to request. */
	page: number;
	/** Rows on all earlier pages. */
	read: number;
	/** How many pages in a row, up to here, had no new rows. */
	stale: number;
}

const LIST_START: ListPosition = { page: 1, read: 0, stale: 0 };

/** Rows can move by a whole page, so a single page without new rows doesn't prove that pages repeat. */
const STALE_PAGES = 2;

/**
 * Returns the position after a page, or undefined if the list ends with that page. It ends
 *
 * - if no counter says that there's more. `nextpage`, `maxpage`, `total` and `maxpage` times
 *   `perpage` can contradict each other, in which case the largest one counts. Without any counters,
 *   the list goes on.
 * - at an empty page, unless all counters say that there's more
 * - after two pages in a row without new rows, because the service ignores `page` or its counters
 *   are wrong
 *
 * @param position the position of the page
 * @param newRows how many of its rows weren't on an earlier page
 */
function positionAfter(
	position: ListPosition,
	page: Page,
	newRows: number,
): ListPosition | undefined {
	const { rows, nextPage, lastPage } = page;
	const next = {
		page: position.page + 1,
		read: position.read + rows.length,
		stale: newRows > 0 ? 0 : position.stale + 1,
	};
	if (next.stale >= STALE_PAGES) return undefined;
	if (rows.length === 0) return isPromised(page, next) ? next : undefined;
	const promised = promisedRows(page);
	const pages = Math.max(nextPage ?? 0, lastPage ?? 0);
	// Ignore a `nextpage` that isn't ahead of this page. null means that there's no next page.
	const isSilent = nextPage !== null && lastPage === undefined && promised === 0;
	return pages > position.page || promised > next.read || isSilent ? next : undefined;
}

/** The minimum number of rows in the list, according to the counters. */
function promisedRows({ total = 0, lastPage = 0, perPage = 0 }: Page): number {
	return Math.max(total, lastPage > 1 ? (lastPage - 1) * perPage + 1 : 0);
}

/** Whether all of a page's counters say that there's another page. Undefined if it has no counters. */
function isPromised({ nextPage, lastPage, total }: Page, next: ListPosition): boolean | undefined {
	const promises = [
		nextPage === undefined ? undefined : (nextPage ?? 0) >= next.page,
		lastPage === undefined ? undefined : lastPage >= next.page,
		total === undefined ? undefined : total > next.read,
	].filter((each) => each !== undefined);
	return promises.length === 0 ? undefined : promises.every(Boolean);
}
