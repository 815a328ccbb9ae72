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
import type { LapEnd, ListReading, WatchedList } from './lap';
import type { Session } from './session';

/** IDs above `below` and below `above`: a record that has one may not have been seen yet. */
type Gap = [above: number, below: number];

interface RowsState extends ListReading {
	/** Laps that must still show the list in the order of its ids, the newest first; 0 if it is in it. */
	unproven: number;
	/** The highest id of such a list. */
	top: number;
	/** Gaps below the top that the laps before have left, and those that the present lap still has. */
	gaps: Gap[];
	lapGaps: Gap[];
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
 * A page shows all rows between its first and its last id, because the service reads it at one moment.
 * Between two pages, a row can slip through. Such a gap is read again by the next poll, until one page
 * spans it, or a lap without a new row ends its pages in the same places. So a poll may not end above it.
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
	const gaps = () => z.array(z.tuple([id(), id()]));
	return z
		.object({
			...readingFields(),
			unproven: z.number().int().min(0),
			top: id(),
			gaps: gaps(),
			lapGaps: gaps(),
			total: z.number().optional(),
		})
		.transform(withKeys);
}

function newState(session: Session, scope?: string): RowsState {
	const reading = newReading(session, scope);
	return { ...reading, unproven: 1, top: -1, gaps: [], lapGaps: [aboveTop(-1)] };
}

async function pollRows(
	{ list: listFor, event }: NewRows,
	stored: RowsState | undefined,
	session: Session,
): Promise<PollOutcome> {
	const list = listFor(session, stored?.scope);
	const { scope = '' } = list;
	const state = stored?.scope === scope ? stored : newState(session, scope);
	const found = new Map<string, Json>();
	const reader = {
		note(row: Json, key: string) {
			if (isKnown(state, key)) return false;
			if (state.ready) found.set(key, row);
			return true;
		},
		notePage: (keys: readonly string[]) => closeGaps(state, keys),
		isEnough: () => isEnough(state),
	};
	do {
		const end = await readLap(state, list, session, reader);
		if (!end) break;
		list.check?.(state.lap, end, !stored);
		finishLap(state, end, list, session);
	} while (!state.ready);
	if (!stored && !session.hasRead && !session.failure && list.exhausted) throw list.exhausted();
	const events = [...found].sort(inKeyOrder).map(([, row]) => event(row));
	return {
		state: { ...storedReading(state) },
		events: events.filter((record) => record !== undefined),
	};
}

function isKnown({ keys, floor }: RowsState, key: string): boolean {
	return (numberOf(key) ?? Infinity) <= floor || keys.has(key);
}

/** Whether the rest of the list can't contain new rows. */
function isEnough({ ready, unproven, lap, floor, top, total, keys }: RowsState): boolean {
	if (!ready) return isFalling(lap);
	if (unproven > 0 || !isFalling(lap, 1)) return false;
	const isWhereItWas = keys.get(String(top)) === lap.number || lap.fresh > 0 || isFalling(lap);
	const grewUnseen = (lap.total ?? 0) - (total ?? Infinity) > lap.fresh;
	return isWhereItWas && (lap.lowest ?? Infinity) <= floor && !grewUnseen;
}

/** The gap in which the rows are that came since the last lap. */
function aboveTop(top: number): Gap {
	return [Number.MAX_SAFE_INTEGER, top];
}

function closeGaps(state: RowsState, keys: readonly string[]): void {
	const [first, last] = [numberOf(keys[0] ?? ''), numberOf(keys.at(-1) ?? '')];
	if (first !== undefined && last !== undefined)
		state.lapGaps = outside(state.lapGaps, first, last);
}

/** What is left of the gaps if all rows from one id to another are known. */
function outside(gaps: readonly Gap[], first: number, last: number): Gap[] {
	return gaps.flatMap(([above, below]): Gap[] => {
		if (first <= below || last >= above) return [[above, below]];
		const rest: Gap[] = [
			[above, first],
			[last, below],
		];
		return rest.filter(([upper, lower]) => upper - lower > 1);
	});
}

function finishLap(state: RowsState, end: LapEnd, list: WatchedList, session: Session): void {
	const { lap, ready: wasReady } = state;
	const highest = highestOfLap(state);
	const { isStable } = endLap(state, end, list, session);
	// Rows with lower IDs existed before.
	state.ready ||= isFalling(lap);
	if (lap.unordered) state.unproven = LAPS_TO_PROVE;
	else if (isFalling(lap)) state.unproven = Math.max(0, state.unproven - 1);
	state.total = lap.total;
	const isSorted = state.unproven === 0 && !lap.unordered && lap.shown > 0;
	if (!wasReady) {
		// Rows that may have been skipped count as existing, unless their IDs are higher.
		if (state.ready && (isSorted || !isStable))
			Object.assign(state, { floor: highest, top: highest });
	} else if (isSorted) settleGaps(state, lap, end, highest);
	state.lapGaps = [aboveTop(state.top), ...state.gaps];
	// The floor covers these now.
	for (const key of state.keys.keys()) {
		if ((numberOf(key) ?? Infinity) <= state.floor) state.keys.delete(key);
	}
}

/** Keeps the gaps that a lap of a sorted list has left, and raises the floor to the lowest one. */
function settleGaps(
	state: RowsState,
	{ fresh, lowest = -1 }: RowsState['lap'],
	end: LapEnd,
	highest: number,
): void {
	const { gaps: known, lapGaps } = state;
	const isKnownGap = ([above, below]: Gap) =>
		known.some((gap) => gap[0] === above && gap[1] === below);
	// Below the last row there is none.
	const open = end === 'counted' ? outside(lapGaps, lowest, -1) : lapGaps;
	// Rows above the first one are those of the next poll.
	const left = open.filter(([above]) => above < Number.MAX_SAFE_INTEGER);
	const isConfirmed = (gap: Gap) => end !== 'assumed' && fresh === 0 && isKnownGap(gap);
	state.gaps = left.filter((gap) => !isConfirmed(gap));
	state.top = Math.max(state.top, highest);
	state.floor = Math.max(state.floor, Math.min(state.top, ...state.gaps.map(([, below]) => below)));
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
