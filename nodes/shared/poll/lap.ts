import { z } from 'zod';

import { DAY_MS } from '../http/clock';
import type { Json, Page } from '../http/envelope';
import { InputError, ServiceError } from '../http/errors';
import { isBeyondEnd, LIST_START, positionAfter } from '../http/pages';
import { highestOf, keysSchema, numberOf, storedKeys } from './keys';
import type { Session } from './session';

/** A list, as a watcher reads it. */
export interface WatchedList {
	/**
	 * Reads a page.
	 *
	 * @param shown keys of the rows on the pages before it
	 * @throws ServiceError
	 */
	page(session: Session, number: number, shown: ReadonlySet<string>): Promise<Page>;
	/** Identifies a row; undefined for a row that has no key. */
	key(row: Json): string | undefined;
	/** Changes when the list shows other records: their rows are not new. */
	scope?: string;
	/** Whether a budget allows another page; and the error if the first poll may not read any. */
	mayRead?(): boolean;
	exhausted?(): Error;
	/** Checks a lap that has ended. @throws InputError */
	check?(lap: Lap, end: LapEnd, isFirst: boolean): void;
	/** Rows that can be watched. */
	most?: number;
	/** Its documented `total` is the number of rows: a lap that has shown as many has shown all. */
	hasTotal?: boolean;
}

const MOST_ROWS = 500_000;
/** This many decreasing IDs in a row show that the list is sorted by them. */
const CLEARLY = 30;

/** One reading of a list, page after page, over as many polls as it takes. */
export interface Lap {
	/** Where it continues. */
	at: { page: number; read: number; stale: number };
	/** Rows that it has shown. */
	keys: Set<string>;
	/** A row appeared again on a later page, so another one may have been skipped. */
	hasRepeats: boolean;
	/** How many of its rows were not known before. */
	fresh: number;
	/** Rows of the list, as the service counted them on page 1. */
	total?: number;
	/** The same on its last page. */
	lastTotal?: number;
	/** The id of its last row, as long as the ids have fallen from row to row. */
	lowest?: number;
	/** The ids have not fallen from row to row. */
	unordered: boolean;
}

/** What both watchers have in common: laps, and what these have shown of the list. */
export interface ListReading {
	scope: string;
	/** The baseline is complete: every row that existed at the beginning is known. */
	ready: boolean;
	/** Rows of the baseline are events. */
	emitting: boolean;
	lap: Lap;
	/** Rows that the lap before has shown. */
	before?: number;
	/** Laps of the baseline, and how many of the latest have shown no new row. */
	laps: number;
	quietLaps: number;
	/** Ids up to this one are not new. */
	floor?: number;
	/** The keys seen since a time on the trigger's clock, and in how many laps. */
	seen: { keys: Set<string>; since: number; laps: number };
}

const whole = (min: number) => z.number().int().min(min).max(Number.MAX_SAFE_INTEGER);

export const readingFields = () => ({
	scope: z.string(),
	ready: z.boolean(),
	emitting: z.boolean(),
	lap: z.object({
		at: z.object({ page: whole(1), read: whole(0), stale: whole(0) }),
		keys: keysSchema(),
		hasRepeats: z.boolean(),
		fresh: whole(0),
		total: whole(0).optional(),
		lastTotal: whole(0).optional(),
		lowest: whole(0).optional(),
		unordered: z.boolean(),
	}),
	before: whole(0).optional(),
	laps: whole(0),
	quietLaps: whole(0),
	floor: whole(0).optional(),
	seen: z.object({ keys: keysSchema(), since: z.number(), laps: whole(0) }),
});

export function storedReading<R extends ListReading>(reading: R) {
	const { lap, seen } = reading;
	return {
		...reading,
		lap: { ...lap, keys: storedKeys(lap.keys) },
		seen: { ...seen, keys: storedKeys(seen.keys) },
	};
}

export function newLap(): Lap {
	const empty = { keys: new Set<string>(), hasRepeats: false, fresh: 0, unordered: false };
	return { at: LIST_START, ...empty };
}

export function newReading({ clock, emitExisting }: Session, scope = ''): ListReading {
	return {
		scope,
		ready: false,
		emitting: emitExisting,
		lap: newLap(),
		laps: 0,
		quietLaps: 0,
		seen: { keys: new Set(), since: clock, laps: 0 },
	};
}

/** The reading for a changed scope: it keeps what is known, but starts a new lap and baseline. */
export function startOver<R extends ListReading>(reading: R, session: Session, scope = ''): R {
	const { lap, laps, quietLaps, before, ready, floor } = newReading(session, scope);
	return { ...reading, scope, lap, laps, quietLaps, before, ready, floor, emitting: false };
}

export type LapEnd =
	/** The list's end, by its counters. */
	| 'counted'
	/** The list's end, as far as it shows: pages were empty, repeated or rejected. */
	| 'assumed'
	/** The watcher has seen enough. */
	| 'enough';

/**
 * Continues a lap to its end.
 *
 * @param note takes a row; returns whether it was not known before
 * @param isEnough ends a lap before the list's end; asked after every page
 * @returns undefined when the poll has to end before the lap does
 */
export async function readLap(
	lap: Lap,
	list: WatchedList,
	session: Session,
	note: (row: Json, key: string) => boolean,
	isEnough: () => boolean = () => false,
): Promise<LapEnd | undefined> {
	for (;;) {
		if (list.mayRead?.() === false) return undefined;
		const { page: number } = lap.at;
		const page = await session.read(
			async () => await list.page(session, number, lap.keys).catch(pageBeyondEnd(number)),
		);
		if (!page) return undefined;
		if (number === 1) lap.total = page.total;
		lap.lastTotal = page.total ?? lap.lastTotal;
		const fresh = addRows(lap, page, list, note);
		const { most = MOST_ROWS } = list;
		if (lap.keys.size > most) throw tooManyRows(most);
		// A lap that passes over an empty page hasn't shown all rows, so it ends there.
		const next = page.rows.length > 0 ? positionAfter(lap.at, page, fresh) : undefined;
		if (isEnough()) return 'enough';
		if (!next) return fresh > 0 || saysNone(page, lap) ? 'counted' : 'assumed';
		lap.at = next;
	}
}

/** The list has become shorter, or its counters promise too much. */
function pageBeyondEnd(number: number): (error: unknown) => Page {
	return (error) => {
		if (number > 1 && isBeyondEnd(error)) return { rows: [] };
		throw error;
	};
}

function saysNone({ rows, nextPage, total = 0 }: Page, { at }: Lap): boolean {
	return rows.length === 0 && nextPage === null && total <= at.read;
}

/** @returns how many rows no page before has shown */
function addRows(
	lap: Lap,
	{ rows }: Page,
	{ key: keyOf }: WatchedList,
	note: (row: Json, key: string) => boolean,
): number {
	const before = lap.keys.size;
	const here = new Set<string>();
	for (const row of rows) {
		const key = keyOf(row);
		if (key === undefined) continue;
		if (lap.keys.has(key)) {
			// A row that is repeated within a page hides no other row.
			lap.hasRepeats ||= !here.has(key);
			continue;
		}
		if (note(row, key)) lap.fresh++;
		here.add(key);
		lap.keys.add(key);
		const id = numberOf(key);
		if (id === undefined || id >= (lap.lowest ?? Infinity)) lap.unordered = true;
		lap.lowest = id ?? lap.lowest;
	}
	if (rows.length > 0 && rows.every((row) => keyOf(row) === undefined)) throw withoutKeys();
	return lap.keys.size - before;
}

/** Whether the list is in the order of its ids, the newest first, as far as the lap shows it. */
export function isFalling({ unordered, keys }: Lap, clearly = CLEARLY): boolean {
	return !unordered && keys.size >= clearly;
}

/** The highest id of a lap. */
export function firstOf(lap: Lap): number | undefined {
	return highestOf(lap.keys);
}

const LAPS_TO_FORGET = 3;
/** Laps without a new row that complete a baseline if no lap is stable. */
const QUIET_LAPS = 8;
/** Laps that complete a baseline even if the list changes in each of them. */
const MOST_LAPS = 40;

/**
 * Ends a lap. The service reads a page at one moment, but between two pages rows can move, so that one
 * is shown twice or skipped. So a lap of several pages is stable if it shows no row twice and exactly
 * the rows of the lap before. A stable lap completes the baseline. If no lap is stable, because rows are
 * repeated in every lap or the counters do not confirm the end, eight laps without a new row complete
 * it, and so does the fortieth.
 *
 * @returns whether the lap is stable: no row of the list was skipped
 */
export function endLap(reading: ListReading, end: LapEnd, { hasTotal }: WatchedList): boolean {
	const { lap, before } = reading;
	const { keys } = lap;
	const isSame = lap.fresh === 0 && before === keys.size && !lap.hasRepeats;
	const isAll = hasTotal && lap.total === lap.lastTotal && lap.total === keys.size;
	const stable = end !== 'assumed' && (lap.at.page === 1 || isSame || isAll === true);
	if (!reading.ready) {
		reading.laps++;
		reading.quietLaps = lap.fresh > 0 ? 0 : reading.quietLaps + 1;
		const isQuiet = reading.quietLaps >= QUIET_LAPS || reading.laps >= MOST_LAPS;
		reading.ready = stable || isQuiet || (isFalling(lap) && !reading.emitting);
		// What may have been skipped existed, too, unless its id is higher.
		if (reading.ready && !stable) reading.floor = firstOf(lap);
		if (reading.ready) reading.emitting = false;
	}
	reading.before = keys.size;
	reading.lap = newLap();
	return stable;
}

/**
 * Counts a complete lap, and forgets the keys that were missing for a day and in three laps. After an
 * empty list, nothing is forgotten: it is more often a fault than the end of all records.
 */
export function forgetMissing(
	{ seen }: ListReading,
	shown: ReadonlySet<string>,
	{ clock }: Session,
	known: { keys(): Iterable<string>; delete(key: string): unknown },
): void {
	if (shown.size === 0) return;
	for (const key of shown) seen.keys.add(key);
	seen.laps++;
	if (seen.laps < LAPS_TO_FORGET || clock - seen.since < DAY_MS) return;
	for (const key of [...known.keys()]) if (!seen.keys.has(key)) known.delete(key);
	Object.assign(seen, { keys: new Set(), since: clock, laps: 0 });
}

export function tooManyRows(most: number): InputError {
	return new InputError(
		`There are more than ${most.toLocaleString('en')} records`,
		'A trigger cannot remember that many. Watch fewer records.',
	);
}

function withoutKeys(): ServiceError {
	return new ServiceError('The records have no ID', {
		description: 'The trigger cannot tell which of them are new.',
		failure: { cause: 'node-defect' },
	});
}
