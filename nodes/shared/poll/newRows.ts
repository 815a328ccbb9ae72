import { z } from 'zod';

import type { Json } from '../http/envelope';
import type { InputError } from '../http/errors';
import type { PollOutcome, StateSchema, Watcher } from './event';
import { highestOf, inKeyOrder, numberOf } from './keys';
import {
	endLap,
	isFalling,
	newReading,
	notReached,
	readingFields,
	readLap,
	storedReading,
	withKeys,
} from './lap';
import type { Lap, LapEnd, LapResult, ListReading, WatchedList } from './lap';
import type { Session } from './session';

/** A range of IDs, the higher end first. */
type Range = [high: number, low: number];

interface RowsState extends ListReading {
	/** How many more laps have to show the newest IDs first before polls can end early. */
	unproven: number;
	/** IDs that aren't new, the highest first. Between two ranges, a row may have been skipped. */
	known: Range[];
	/** For each page of the lap, the IDs from its first row to its last. */
	spanned: Range[];
	/** The highest ID and the service's own count of the rows in the previous lap. */
	top?: number;
	total?: number;
}

export interface NewRows {
	/** @param scope of the list that the previous poll read */
	list(session: Session, scope?: string): WatchedList;
	/** The list for test events, if it's a different one. */
	samples?(session: Session): WatchedList;
	/** The event for a new row; undefined if the user doesn't want it. */
	event(row: Json): Json | undefined;
	/** The error if there's no row for a test event. */
	none: InputError;
}

/** Rows of one second come in any order, which can be that of their IDs by chance. */
const LAPS_TO_PROVE = 4;

/**
 * Finds the rows of a list that weren't there before.
 *
 * If the newest IDs come first, a lap ends at the first page that reaches known ones, so a quiet poll
 * takes one request. Any other list is read to its end.
 *
 * The service reads a page at one moment, so every row between the page's first and last ID is on it. A
 * row whose upload began earlier but took longer can follow by the next lap, so IDs above the previous
 * lap's highest one aren't known yet.
 * But if rows are deleted before the next page is read, a row can slip through between the two. So the
 * following laps read down to that place again, until a page spans it or a lap finds nothing new.
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
			top: id().optional(),
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
		if (finishLap(state, end, list, session).isCutShort) break;
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

function finishLap(state: RowsState, end: LapEnd, list: WatchedList, session: Session): LapResult {
	const { lap, ready: wasReady } = state;
	const result = endLap(state, end, list, session);
	// Rows with lower IDs existed before.
	state.ready ||= isFalling(lap);
	if (lap.unordered) state.unproven = LAPS_TO_PROVE;
	else if (isFalling(lap)) state.unproven = Math.max(0, state.unproven - 1);
	const isSorted = state.unproven === 0 && !lap.unordered && lap.lowest !== undefined;
	// A row that the baseline skipped must not become an event later.
	if (!wasReady && state.ready && (isSorted || !result.isStable))
		state.known = [[highestOf(state.keys.keys()), 0]];
	else if (wasReady && isSorted) state.known = knownAfter(state, lap, end);
	Object.assign(state, { top: state.spanned[0]?.[0], total: lap.total, spanned: [] });
	for (const key of state.keys.keys()) if (isInRange(state, key)) state.keys.delete(key);
	return result;
}

/** The known IDs after a lap of a list with the newest first. */
function knownAfter(
	{ known, spanned, top = Infinity }: RowsState,
	{ lowest = 0, fresh }: Lap,
	end: LapEnd,
): Range[] {
	// Nothing comes after the last row.
	const rest: Range[] = end === 'counted' ? [[lowest, 0]] : [];
	const shown = [...spanned, ...rest].filter(([, low]) => low <= top);
	const ranges = merged([
		...known,
		...shown.map(([high, low]): Range => [Math.min(high, top), low]),
	]);
	// A second lap has found no row between the ranges.
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

/** The newest row on the first page that has any. */
async function sampleRow({ list, samples = list, event, none }: NewRows, session: Session) {
	const found = new Map<string, Json>();
	const note = (row: Json, key: string) => {
		const record = event(row);
		if (record) found.set(key, record);
		return true;
	};
	const reader = { note, isEnough: () => found.size > 0 };
	const reading = newReading(session);
	const { lap } = reading;
	const watched = samples(session);
	const end = await readLap(reading, watched, session, reader);
	// The user should learn now why publishing would fail.
	if (end) watched.check?.(lap, end, true);
	const newest = [...found].sort(inKeyOrder).at(-1);
	if (newest) return newest[1];
	throw session.failure ?? (end ? none : notReached());
}
