import { z } from 'zod';

import type { Json } from '../http/envelope';
import type { InputError } from '../http/errors';
import type { PollOutcome, StateSchema, Watcher } from './event';
import { inKeyOrder, numberOf } from './keys';
import {
	endLap,
	highestOfLap,
	isFalling,
	newReading,
	notReached,
	readingFields,
	readLap,
	storedReading,
	withKeys,
} from './lap';
import type { Lap, LapEnd, ListReading, WatchedList } from './lap';
import type { Session } from './session';

/** Ids from one to another, the higher one first. */
type Range = [high: number, low: number];

interface RowsState extends ListReading {
	/** Laps that must still show the list in the order of its ids, the newest first; 0 if it is in it. */
	unproven: number;
	/** Ids that are not new, the highest first. Between two ranges, a row may have been skipped. */
	known: Range[];
	/** The ids between the first and the last row of each page of this lap. */
	spanned: Range[];
	/** Rows of the list, as the service counted them in the last lap. */
	total?: number;
}

export interface NewRows {
	/** @param scope of the list that the last poll read */
	list(session: Session, scope?: string): WatchedList;
	/** Where a test event is read. Default: the list. */
	samples?(session: Session): WatchedList;
	/** The event for a new row; undefined if it is not an event. */
	event(row: Json): Json | undefined;
	/** The error for a test event, if there is no row. */
	none: InputError;
}

/** Rows of the same second can be in the order of their ids by chance, even a few times. */
const LAPS_TO_PROVE = 4;

/**
 * Finds the rows of a list that were not there before.
 *
 * If a list has the newest IDs first, a poll ends at the first page that reaches the known ones, so a
 * quiet poll reads one page. Any other list is read to its end in every lap.
 *
 * The service reads a page at one moment, so no row is missing between its first and its last ID. But
 * a row can slip through between two pages. So the polls that follow read down to the lowest such
 * place until a page spans it, or until one of them finds nothing new.
 */
export function newRows(options: NewRows): Watcher<RowsState> {
	return {
		state: stateSchema,
		poll: async (stored, session) => await pollRows(options, stored, session),
		sample: async (session) => await sampleRow(options, session),
	};
}

function stateSchema(): StateSchema<RowsState> {
	const id = () => z.number().int().min(-1).max(Number.MAX_SAFE_INTEGER);
	const ranges = () => z.array(z.tuple([id(), id()]));
	return z
		.object({
			...readingFields(),
			unproven: z.number().int().min(0),
			known: ranges(),
			spanned: ranges(),
			total: z.number().optional(),
		})
		.transform(withKeys);
}

function newState(session: Session, scope?: string): RowsState {
	return { ...newReading(session, scope), unproven: 1, known: [], spanned: [] };
}

async function pollRows(
	{ list: listFor, event }: NewRows,
	stored: RowsState | undefined,
	session: Session,
): Promise<PollOutcome> {
	const list = listFor(session, stored?.scope);
	const { scope = '' } = list;
	const isNew = stored?.scope !== scope;
	const state = isNew ? newState(session, scope) : stored;
	const { ready: wasReady } = state;
	const found = new Map<string, Json>();
	const reader = {
		note(row: Json, key: string) {
			if (state.keys.has(key) || isInRange(state, key)) return false;
			if (state.ready) found.set(key, row);
			return true;
		},
		notePage: (keys: readonly string[]) => notePage(state, keys),
		isEnough: () => isEnough(state),
	};
	do {
		const end = await readLap(state, list, session, reader);
		if (!end) break;
		list.check?.(state.lap, end, isNew);
		finishLap(state, end, list, session);
	} while (!state.ready);
	if (isNew && !session.hasRead && !session.failure && list.exhausted) throw list.exhausted();
	const events = [...found].sort(inKeyOrder).map(([, row]) => event(row));
	const { ready, keys, before = 0, total = 0 } = state;
	const recorded = { count: ready ? Math.max(before, total) : keys.size, isComplete: ready };
	return {
		state: { ...storedReading(state) },
		events: events.filter((record) => record !== undefined),
		...(!wasReady && { recorded }),
	};
}

function isInRange({ known }: RowsState, key: string): boolean {
	const id = numberOf(key) ?? -1;
	return known.some(([high, low]) => id <= high && id >= low);
}

/** Whether the rest of the list can't contain new rows. */
function isEnough({ ready, unproven, lap, known, total }: RowsState): boolean {
	if (!ready) return isFalling(lap);
	const [high, low] = known.at(-1) ?? [-1, 0];
	const isReached = low === 0 && (lap.lowest ?? Infinity) <= high;
	const grewUnseen = (lap.total ?? 0) - (total ?? Infinity) > lap.fresh;
	return unproven === 0 && !lap.unordered && isReached && !grewUnseen;
}

function notePage({ lap, spanned }: RowsState, keys: readonly string[]): void {
	const [first = -1, last = 0] = [keys[0], keys.at(-1)].map((key) => numberOf(key ?? ''));
	if (!lap.unordered && first >= last) spanned.push([first, last]);
}

function finishLap(state: RowsState, end: LapEnd, list: WatchedList, session: Session): void {
	const { lap, ready: wasReady } = state;
	const highest = highestOfLap(state);
	const { isStable } = endLap(state, end, list, session);
	// Rows with lower IDs existed before.
	state.ready ||= isFalling(lap);
	if (lap.unordered) state.unproven = LAPS_TO_PROVE;
	else if (isFalling(lap)) state.unproven = Math.max(0, state.unproven - 1);
	const isSorted = state.unproven === 0 && !lap.unordered && lap.lowest !== undefined;
	// Rows that the baseline may have skipped count as existing, unless their IDs are higher.
	if (!wasReady && state.ready && (isSorted || !isStable)) state.known = [[highest, 0]];
	else if (wasReady && isSorted) state.known = knownAfter(state, lap, end);
	Object.assign(state, { total: lap.total, spanned: [] });
	for (const key of state.keys.keys()) if (isInRange(state, key)) state.keys.delete(key);
}

/** What is known after a lap of a list with the newest IDs first. */
function knownAfter(
	{ known, spanned }: RowsState,
	{ lowest = 0, fresh }: Lap,
	end: LapEnd,
): Range[] {
	// Below the last row there is none.
	const rest: Range[] = end === 'counted' ? [[lowest, 0]] : [];
	const ranges = merged([...known, ...spanned, ...rest]);
	// This lap, too, has found no row between them.
	const isConfirmed = end !== 'assumed' && fresh === 0;
	return isConfirmed ? ranges.slice(0, 1).map(([high]) => [high, 0]) : ranges;
}

function merged(ranges: Range[]): Range[] {
	const result: Range[] = [];
	for (const [high, low] of ranges.sort(([a], [b]) => b - a)) {
		const last = result.at(-1);
		if (last && high >= last[1] - 1) last[1] = Math.min(last[1], low);
		else result.push([high, low]);
	}
	return result;
}

/** The row with the highest ID on the first page that has an event. */
async function sampleRow({ list, samples = list, event, none }: NewRows, session: Session) {
	const found = new Map<string, Json>();
	const note = (row: Json, key: string) => {
		const record = event(row);
		if (record) found.set(key, record);
		return true;
	};
	const reader = { note, isEnough: () => found.size > 0 };
	const end = await readLap(newReading(session), samples(session), session, reader);
	const newest = [...found].sort(inKeyOrder).at(-1);
	if (newest) return newest[1];
	throw session.failure ?? (end ? none : notReached());
}
