import { z } from 'zod';

import { DAY_MS } from '../http/clock';
import type { Json, Page } from '../http/envelope';
import { InputError, ServiceError } from '../http/errors';
import { isBeyondEnd, LIST_START, positionAfter } from '../http/pages';
import { keysSchema, numberOf, storedKeys } from './keys';
import type { Session } from './session';

/** A list, as a watcher reads it. */
export interface WatchedList {
	/** Reads a page. @throws ServiceError */
	page(session: Session, number: number): Promise<Page>;
	/** Identifies a row; undefined for a row that has no key. */
	key(row: Json): string | undefined;
	/** Its documented `total` is the number of rows: a lap that has shown as many has shown all. */
	hasTotal?: boolean;
	/** Identifies what the list shows. When it changes, the list is read as a new one. */
	scope?: string;
	/** Whether a budget allows another page; and the error if the first poll may not read any. */
	mayRead?(): boolean;
	exhausted?(): Error;
	/** Checks a lap that has ended. @throws InputError */
	check?(lap: Lap, end: LapEnd, isFirst: boolean): void;
}

/** Rows that a trigger can remember. */
const MOST_ROWS = 500_000;
/** This many decreasing IDs in a row show that the list is sorted by them. */
const CLEARLY = 30;

/** One reading of a list, page after page, over as many polls as it takes. */
export interface Lap {
	/** Laps are numbered. */
	number: number;
	/** Where it continues. */
	at: { page: number; read: number; stale: number };
	/** Rows that its pages had, and how many different ones with a key. */
	read: number;
	shown: number;
	/** A row appeared again on a later page, so another one may have been skipped. */
	hasRepeats: boolean;
	/** How many of its rows were not known before. */
	fresh: number;
	/** Rows of the list, as the service counted them on page 1. */
	total?: number;
	/** Another page had another total. */
	changed: boolean;
	/** The id of its last row, as long as the ids have fallen from row to row. */
	lowest?: number;
	/** The ids have not fallen from row to row. */
	unordered: boolean;
}

/** State that both watchers share: laps, and what these have shown of the list. */
export interface ListReading {
	scope: string;
	/** What is new is an event. Until then, the laps take the baseline: the rows that exist already. */
	ready: boolean;
	lap: Lap;
	/** Each row's key, with the number of the lap that has shown it last. */
	keys: Map<string, number>;
	/** Rows that the lap before has shown. */
	before?: number;
	/** Laps since one was settled, how many of the latest have shown no new row, and rows of the fullest. */
	laps: number;
	quietLaps: number;
	most: number;
	/** What complete laps have not shown since a time on the trigger's clock is forgotten at its end. */
	period: { since: number; firstLap: number; laps: number };
}

const whole = (min: number) => z.number().int().min(min).max(Number.MAX_SAFE_INTEGER);

export const readingFields = () => ({
	scope: z.string(),
	ready: z.boolean(),
	lap: z.object({
		number: whole(1),
		at: z.object({ page: whole(1), read: whole(0), stale: whole(0) }),
		read: whole(0),
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
	most: whole(0).default(0),
	period: z.object({ since: z.number(), firstLap: whole(1), laps: whole(0) }),
});

type StoredKeys<T> = Record<'inLap' | 'inPeriod' | 'before', T>;

/** A stored reading as the watchers need it: each key is stored once, in the group of its lap. */
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
	const none = { read: 0, shown: 0, fresh: 0 };
	const flags = { changed: false, hasRepeats: false, unordered: false };
	return { number: number + 1, at: LIST_START, ...none, ...flags };
}

/** With "Emit Existing Records", nothing exists already: every row is new. */
export function newReading({ clock, emitExisting }: Session, scope = ''): ListReading {
	return {
		scope,
		ready: emitExisting,
		lap: lapAfter(0),
		keys: new Map(),
		laps: 0,
		quietLaps: 0,
		most: 0,
		period: { since: clock, firstLap: 1, laps: 0 },
	};
}

export type LapEnd =
	/** The list's end, by its counters. */
	| 'counted'
	/** The list's end, as far as it shows: pages were empty, repeated or rejected. */
	| 'assumed'
	/** The watcher has seen enough. */
	| 'enough';

/** What a watcher does with the rows of a lap. */
export interface LapReader {
	/** Takes a row that the lap has not shown yet. @returns whether it was not known before */
	note(row: Json, key: string): boolean;
	/** Takes the keys of a page, in its order: what the list showed at one moment. */
	notePage?(keys: readonly string[]): void;
	/** Ends the lap before the list's end; asked after every page. */
	isEnough?(): boolean | Promise<boolean>;
}

/**
 * Continues a lap to its end.
 *
 * @returns undefined when the poll has to end before the lap does
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
		// A lap that passes over an empty page hasn't shown all rows, so it ends there.
		const next = page.rows.length > 0 ? positionAfter(lap.at, page, fresh) : undefined;
		const isEnough = (await reader.isEnough?.()) ?? false;
		if (!isEnough && next) {
			lap.at = next;
			continue;
		}
		if (lap.read > 0 && lap.shown === 0) throw withoutKeys();
		if (isEnough) return 'enough';
		return fresh > 0 || saysNone(page, lap) ? 'counted' : 'assumed';
	}
}

/** The list has become shorter, or its counters promise too much. */
function pageBeyondEnd(number: number): (error: unknown) => Page {
	return (error) => {
		if (number > 1 && isBeyondEnd(error)) return { rows: [] };
		throw error;
	};
}

/** An empty page is the end if all counters agree with it, including those of the first page. */
function saysNone({ rows, nextPage, total = 0 }: Page, lap: Lap): boolean {
	return rows.length === 0 && nextPage === null && Math.max(total, lap.total ?? 0) <= lap.read;
}

/** @returns how many rows no page before has shown */
function addRows(
	{ lap, keys }: ListReading,
	{ rows }: Page,
	{ key: keyOf }: WatchedList,
	{ note, notePage }: LapReader,
): number {
	const before = lap.shown;
	const here = new Set<string>();
	lap.read += rows.length;
	for (const row of rows) {
		const key = keyOf(row);
		if (key === undefined) continue;
		// A row that is repeated within one page doesn't mean that another was skipped.
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

/** Whether the list is in the order of its ids, the newest first, as far as the lap shows it. */
export function isFalling({ unordered, shown }: Lap, clearly = CLEARLY): boolean {
	return !unordered && shown >= clearly;
}

/** The highest id of the lap that is being read. */
export function highestOfLap({ keys, lap }: ListReading): number {
	let highest = -1;
	for (const [key, number] of keys) {
		if (number === lap.number) highest = Math.max(highest, numberOf(key) ?? -1);
	}
	return highest;
}

/** Whether a lap has shown as many rows as the service counted, from its beginning to its end. */
export function isWhole({ total, shown, changed }: Lap): boolean {
	return !changed && total === shown;
}

const LAPS_TO_FORGET = 3;
/** Laps without a new row that settle a list if no lap is stable. */
const QUIET_LAPS = 8;
/** A lap that shows less of the fullest one was cut off by a fault: that it shows nothing new says little. */
const NEARLY_FULL = 0.9;
/** Laps that settle a list even if it changes in each of them. */
const MOST_LAPS = 40;

/** What a lap has shown. */
export interface LapResult {
	/** No row of the list was skipped. */
	isStable: boolean;
	/** The lap is stable, or no better one can be expected. */
	isSettled: boolean;
	/** Where a period ended: the keys that were forgotten. */
	forgotten?: string[];
}

/**
 * Ends a lap. The service reads a page at one moment, but between two pages rows can move, so that one
 * is shown twice or skipped. So a lap of several pages is stable if it shows no row twice and exactly
 * the rows of the lap before, or as many rows as a documented counter says. A stable lap completes the baseline. If no lap is stable, because rows are
 * repeated in every lap or the counters do not confirm the end, eight laps without a new row complete
 * it, and so does the fortieth.
 */
export function endLap(
	reading: ListReading,
	end: LapEnd,
	{ hasTotal }: WatchedList,
	session: Session,
): LapResult {
	const { lap, before } = reading;
	const isSame = lap.fresh === 0 && before === lap.shown && !lap.hasRepeats;
	const isAll = hasTotal === true && isWhole(lap);
	const isStable = end !== 'assumed' && (lap.at.page === 1 || isSame || isAll);
	reading.most = Math.max(reading.most, lap.shown);
	if (lap.fresh > 0) reading.quietLaps = 0;
	else if (lap.shown >= reading.most * NEARLY_FULL) reading.quietLaps++;
	reading.laps++;
	const isSettled = isStable || reading.quietLaps >= QUIET_LAPS || reading.laps >= MOST_LAPS;
	if (isSettled) Object.assign(reading, { laps: 0, most: lap.shown });
	reading.ready ||= isSettled;
	const forgotten = forgetMissing(reading, end, session);
	reading.before = lap.shown;
	reading.lap = lapAfter(lap.number);
	return { isStable, isSettled, forgotten };
}

/**
 * Forgets the keys that were missing for a day and in three complete laps. A lap is complete if the
 * list's counters confirm its end: pages that are empty or rejected are more often a fault, and so is
 * an empty list.
 */
function forgetMissing(
	reading: ListReading,
	end: LapEnd,
	{ clock }: Session,
): string[] | undefined {
	const { lap, keys, period } = reading;
	if (end !== 'counted' || lap.shown === 0) return undefined;
	period.laps++;
	if (period.laps < LAPS_TO_FORGET || clock - period.since < DAY_MS) return undefined;
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

/** The error of a test event that ran out of time before it found an example. */
export function notReached(): InputError {
	return new InputError(
		'No test event was found in time',
		'The list is long, or the service is slow or has reached its rate limit. Try again in a minute. A published workflow continues where a poll stopped, so it reaches every record.',
	);
}
