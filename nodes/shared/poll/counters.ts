import { z } from 'zod';
import type { ZodType, ZodTypeDef } from 'zod';

import type { Json } from '../http/envelope';
import type { InputError } from '../http/errors';
import type { PollOutcome, Watcher } from './event';
import { highestOf, inKeyOrder, numberOf } from './keys';
import {
	endLap,
	forgetMissing,
	newReading,
	readingFields,
	readLap,
	startOver,
	storedReading,
} from './lap';
import type { ListReading, WatchedList } from './lap';
import type { Session } from './session';

/** A record's counter when it was last seen, and how much it has risen since its last event. */
type Count = [count: number, risen: number];

interface CountsState extends ListReading {
	counts: Map<string, Count>;
}

export interface Counters {
	list: WatchedList;
	/** The field that counts. */
	field: string;
	/** Names the counts of an event, e.g. `previousScans` and `newScans`. */
	noun: string;
	/** The records to watch, by their keys. Default: all. */
	only?: ReadonlySet<string>;
	/** Whether the user wants events for a record. */
	matches?(row: Json): boolean;
	/** A smaller increase is not an event yet. */
	minimum: number;
	/** The error for a test event, if no counter has risen yet; without a row if there is no record. */
	none(row: Json | undefined): InputError;
}

/** Records that one trigger can remember. */
const MOST_COUNTERS = 50_000;

/**
 * Finds the records of a list whose counter has risen. Every poll reads the list to its end.
 *
 * A record that appears with a higher ID than all others is new, so its counter started at 0. Any
 * other existed before but was not shown; it counts from its current number.
 */
export function counters(options: Counters): Watcher<CountsState> {
	return {
		state: stateSchema,
		poll: async (stored, session) => await pollCounters(options, stored, session),
		sample: async (session) => await highestCount(options, session),
	};
}

const count = () => z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

function stateSchema(): ZodType<CountsState, ZodTypeDef, unknown> {
	return z.object({
		...readingFields(),
		counts: z
			.record(z.tuple([count(), count()]))
			.transform((counts) => new Map(Object.entries(counts))),
	});
}

async function pollCounters(
	options: Counters,
	stored: CountsState | undefined,
	session: Session,
): Promise<PollOutcome> {
	const { only, minimum, none } = options;
	const list = { most: MOST_COUNTERS, ...options.list, scope: only ? 'selected' : '' };
	let state = stored ?? { ...newReading(session, list.scope), counts: new Map() };
	if (state.scope !== list.scope) state = startOver(state, session, list.scope);
	const { counts } = state;
	if (only) for (const key of counts.keys()) if (!only.has(key)) counts.delete(key);

	const shown = new Map<string, Json>();
	const note = (row: Json, key: string) => {
		shown.set(key, row);
		return noteCount(options, state, row, key);
	};
	const hasAll = () => only !== undefined && [...only].every((key) => state.lap.keys.has(key));
	do {
		const end = await readLap(state.lap, list, session, note, hasAll);
		if (!end) break;
		const { keys } = state.lap;
		if (only && counts.size === 0 && ![...only].some((key) => keys.has(key))) throw none(undefined);
		const isStable = endLap(state, end, list);
		if (end !== 'enough') forgetMissing(state, keys, session, counts);
		if (only) state.ready = true;
		// A lap that is not stable may have skipped a record that is new.
		const isKnown = isStable || end === 'enough' || state.floor === undefined;
		if (state.ready && isKnown) state.floor = Math.max(state.floor ?? 0, highestOf(keys) ?? 0);
	} while (!state.ready);

	const events = [...shown].sort(inKeyOrder).flatMap(([key, row]) => {
		const [now, rise] = counts.get(key) ?? [0, 0];
		if (rise < Math.max(1, minimum)) return [];
		counts.set(key, [now, 0]);
		return [eventOf(options, row, now, rise)];
	});
	return { state: { ...storedReading(state), counts: Object.fromEntries(counts) }, events };
}

/** @returns whether the record was not known */
function noteCount(options: Counters, state: CountsState, row: Json, key: string): boolean {
	const { only, matches, field } = options;
	const { counts, ready, emitting, floor = Infinity } = state;
	if (only && !only.has(key)) return false;
	const known = counts.get(key);
	const isNew = ready && !only && (numberOf(key) ?? -1) > floor;
	// Nothing was counted yet; of a known record, the count is missing.
	const isUncounted = row[field] === null || (isNew && row[field] === undefined);
	const now = isUncounted && !known ? 0 : countOf(row, field);
	if (now === undefined) return false;
	const [before, risen] = known ?? [isNew || emitting ? 0 : now, 0];
	// A counter that fell was reset or corrected: counting continues from there.
	const rise = risen + Math.max(0, now - before);
	counts.set(key, [now, (matches?.(row) ?? true) ? rise : 0]);
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
	// After a reset, the increase can be higher than the counter.
	const previous = Math.max(0, now - rise);
	return { ...row, [field]: now, [`previous${noun}`]: previous, [`new${noun}`]: rise };
}

/** The record with the highest count on the first page, or among the watched records. */
async function highestCount(options: Counters, session: Session): Promise<Json> {
	const { list, only, matches, field, none } = options;
	const found = new Map<string, Json>();
	const { lap } = newReading(session);
	const note = (row: Json, key: string) => {
		if ((only?.has(key) ?? true) && (matches?.(row) ?? true)) found.set(key, row);
		return false;
	};
	await readLap(lap, list, session, note, () => found.size >= (only?.size ?? 1));
	if (session.failure) throw session.failure;
	const counted = (row: Json) => countOf(row, field) ?? 0;
	const [top] = [...found.values()].sort((a, b) => counted(b) - counted(a));
	if (top && counted(top) > 0) return eventOf(options, top, counted(top), 1);
	throw none(top);
}
