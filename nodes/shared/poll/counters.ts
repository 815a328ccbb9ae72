import { z } from 'zod';

import type { Json } from '../http/envelope';
import type { InputError } from '../http/errors';
import type { PollOutcome, StateSchema, Watcher } from './event';
import { highestOf, inKeyOrder, numberOf } from './keys';
import {
	endLap,
	isFalling,
	isWhole,
	newReading,
	notReached,
	readingFields,
	readLap,
	storedReading,
	tooManyRows,
	withKeys,
} from './lap';
import type { LapEnd, LapReader, LapResult, ListReading, WatchedList } from './lap';
import type { Session } from './session';

/**
 * A record's counter, how much it has risen since the record's last event, and, if it has just fallen,
 * the number it fell from.
 */
type Count = [count: number, risen: number, ...former: number[]];

interface CountsState extends ListReading {
	counts: Map<string, Count>;
	/** Selected records that a complete lap didn't show. */
	absent: Set<string>;
	/** A record with a higher ID is new. */
	floor: number;
}

export interface Counters {
	list: WatchedList;
	/** The field that counts. */
	field: string;
	/** The end of an event's field names, e.g. `Scans` for `previousScans` and `newScans`. */
	noun: string;
	/** The records to watch, by their keys. Default: all. */
	only?: ReadonlySet<string>;
	/** Reads one record; undefined if the service doesn't show it. */
	one?(session: Session, key: string): Promise<Json | undefined>;
	/** Whether a record passes the user's filter. */
	matches?(row: Json): boolean;
	/** The smallest increase that is an event. */
	minimum: number;
	/** The error if no counter is above 0 for a test event; without a row if there are no records. */
	none(row: Json | undefined): InputError;
}

/** Limits the stored state, which has a count for each record. */
const MOST_COUNTERS = 50_000;
/** If more selected records than this are missing, reading the list takes fewer requests. */
const MOST_SINGLE = 30;

/**
 * Finds the records of a list whose counter has risen. Unless records are selected, every lap reads the
 * list to its end.
 *
 * A record with a higher ID than any before it is new, so its counter started at 0. Any other record
 * that turns up has been hidden, so it counts from its current number.
 */
export function counters(options: Counters): Watcher<CountsState> {
	return {
		state: stateSchema,
		poll: async (stored, session) => await pollCounters(options, stored, session),
		sample: async (session) => await sampleCount(options, session),
	};
}

const count = () => z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

function stateSchema(): StateSchema<CountsState> {
	return z
		.object({
			...readingFields(),
			counts: z
				.record(z.string(), z.tuple([count(), count()]).rest(count()))
				.transform((counts) => new Map(Object.entries(counts))),
			absent: z.array(z.string()).transform((keys) => new Set(keys)),
			floor: z.number().int().min(-1),
		})
		.transform(withKeys);
}

async function pollCounters(
	options: Counters,
	stored: CountsState | undefined,
	session: Session,
): Promise<PollOutcome> {
	const { only, minimum } = options;
	const list = { ...options.list, scope: only ? 'selected' : '' };
	const state = stateFor(stored, session, list.scope);
	const { counts, absent, ready: wasReady } = state;
	if (only) for (const key of counts.keys()) if (!only.has(key)) counts.delete(key);

	const shown = new Map<string, Json>();
	const note = (row: Json, key: string) => {
		shown.set(key, row);
		absent.delete(key);
		return noteCount(options, state, row, key);
	};
	const isEnough = selectedReader(options, state, session, note);
	do {
		const end = await readLap(state, list, session, { note, isEnough });
		if (!end) break;
		if (counts.size > MOST_COUNTERS) throw tooManyRows(MOST_COUNTERS);
		if (only) noteMissing(options, state, end);
		const { isCutShort } = finishLap(state, end, list, session);
		if (only) Object.assign(state, { ready: true, floor: Number.MAX_SAFE_INTEGER });
		if (isCutShort) break;
	} while (!state.ready);

	const events = [...shown].sort(inKeyOrder).flatMap(([key, row]) => {
		const [now, rise, ...former] = counts.get(key) ?? [0, 0];
		if (rise < Math.max(1, minimum)) return [];
		counts.set(key, [now, 0, ...former]);
		return [eventOf(options, row, now, rise)];
	});
	return {
		state: {
			...storedReading(state),
			counts: Object.fromEntries(counts),
			absent: [...absent],
		},
		events,
		...(!wasReady && { recorded: { count: counts.size, isComplete: state.ready } }),
	};
}

/** @throws InputError if none of the selected records is there or has ever been */
function noteMissing({ only, none }: Counters, state: CountsState, end: LapEnd): void {
	const { counts, absent, keys, lap } = state;
	const missing = [...(only ?? [])].filter((key) => keys.get(key) !== lap.number);
	if (counts.size === 0 && missing.length === only?.size) throw none(undefined);
	if (end === 'counted') for (const key of missing) absent.add(key);
}

function finishLap(
	state: CountsState,
	end: LapEnd,
	list: WatchedList,
	session: Session,
): LapResult {
	const { counts, keys, lap, ready: wasReady } = state;
	const result = endLap(state, end, list, session);
	const { isSettled, forgotten } = result;
	// Where new records come first, they only push others to later pages, so none is skipped.
	state.ready ||= end === 'counted' && isFalling(lap) && isWhole(lap);
	// An unsettled lap may have skipped a new record, so the floor only rises to what was forgotten.
	const isSure = isSettled || (state.ready && !wasReady);
	const known = [...forgotten, ...(isSure ? keys.keys() : [])];
	state.floor = Math.max(state.floor, highestOf(known));
	for (const key of forgotten) counts.delete(key);
	return result;
}

/** Between All and Selected, the laps start over, but the counts stay. */
function stateFor(stored: CountsState | undefined, session: Session, scope: string): CountsState {
	if (stored?.scope === scope) return stored;
	const counts = stored?.counts ?? new Map<string, Count>();
	const reading = newReading(session, scope);
	return { ...reading, counts, absent: new Set(), floor: -1 };
}

/**
 * Ends a lap as soon as it has shown the selected records. When no more are missing than pages have
 * been read, they're read one by one. If the service doesn't show one, a single complete lap looks for
 * it in the list.
 */
function selectedReader(
	{ only, one }: Counters,
	state: CountsState,
	session: Session,
	note: LapReader['note'],
): LapReader['isEnough'] {
	if (!only) return undefined;
	const asked = new Set<string>();
	const gone = new Set<string>();
	return async () => {
		const { lap, keys, absent } = state;
		const isMissing = (key: string) => keys.get(key) !== lap.number && !gone.has(key);
		const missing = [...only].filter(isMissing);
		if (!one || missing.length > Math.min(MOST_SINGLE, lap.at.page)) return missing.length === 0;
		for (const key of missing.filter((each) => !asked.has(each))) {
			const row = await session.read(async () => (await one(session, key)) ?? null);
			if (row === undefined) return false;
			asked.add(key);
			if (row) {
				note(row, key);
				keys.set(key, lap.number);
			} else if (absent.has(key)) gone.add(key);
		}
		return !missing.some(isMissing);
	};
}

/** After a reset to 0, a counter can reach a number this low again before the next poll. */
const FEW = 20;

/** @returns whether the record is a new one or has been hidden */
function noteCount(options: Counters, state: CountsState, row: Json, key: string): boolean {
	const { only, matches, field } = options;
	const { counts, ready, floor } = state;
	if (only && !only.has(key)) return false;
	const known = counts.get(key);
	const isNew = ready && (numberOf(key) ?? 0) > floor;
	// The service may leave out a count of 0. A count that is missing for once says nothing.
	const isUncounted = row[field] === null || (isNew && row[field] === undefined);
	const now = isUncounted && !known ? 0 : countOf(row, field);
	if (now === undefined) return false;
	const [before, risen, former] = known ?? [isNew ? 0 : now, 0];
	// The lower number came from a server that lags behind.
	const wasMisread = now === former && (before > 0 || former >= FEW);
	// After a reset or a correction, counting continues from the lower number.
	const rise = risen + (wasMisread ? 0 : Math.max(0, now - before));
	const fell = now < before ? [before] : [];
	counts.set(key, [now, (matches?.(row) ?? true) ? rise : 0, ...fell]);
	return known === undefined;
}

function countOf(row: Json, field: string): number | undefined {
	const value = row[field] ?? NaN;
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0
		? number
		: undefined;
}

function eventOf({ field, noun }: Counters, row: Json, now: number, rise: number): Json {
	// After a reset, the total increase can exceed the counter.
	const previous = Math.max(0, now - rise);
	return { ...row, [field]: now, [`previous${noun}`]: previous, [`new${noun}`]: rise };
}

/** The record with the highest count, from the first page on which a count is above 0. */
async function sampleCount(options: Counters, session: Session): Promise<Json> {
	const { list, only, matches, field, none } = options;
	const found: Json[] = [];
	const counted = (row: Json) => countOf(row, field) ?? 0;
	const note = (row: Json, key: string) => {
		if ((only?.has(key) ?? true) && (matches?.(row) ?? true)) found.push(row);
		return true;
	};
	const state = stateFor(undefined, session, '');
	const hasAll = selectedReader(options, state, session, note);
	const isEnough = async () => {
		const isComplete = await hasAll?.();
		return isComplete || found.some((row) => counted(row) > 0);
	};
	const end = await readLap(state, list, session, { note, isEnough });
	const [top] = found.sort((a, b) => counted(b) - counted(a));
	if (top && counted(top) > 0) return eventOf(options, top, counted(top), 1);
	throw session.failure ?? (end ? none(top) : notReached());
}
