import { z } from 'zod';
import type { ZodType, ZodTypeDef } from 'zod';

import type { Json } from '../http/envelope';
import { InputError } from '../http/errors';
import type { PollOutcome, Watcher } from './event';
import { inKeyOrder, keysSchema, numberOf, storedKeys } from './keys';
import {
	endLap,
	firstOf,
	forgetMissing,
	isFalling,
	newReading,
	readingFields,
	readLap,
	startOver,
	storedReading,
} from './lap';
import type { LapEnd, ListReading, WatchedList } from './lap';
import type { Session } from './session';

interface RowsState extends ListReading {
	/** Keys that are not new, beside the ids up to the floor. */
	known: Set<string>;
	/** New rows come first: the list was in the order of its ids when it was read last. */
	newestFirst: boolean;
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

/**
 * Finds the rows of a list that were not there before.
 *
 * If a list has the newest IDs first, nothing below the first known ID is new, so a quiet poll reads
 * one page. Any other list is read to its end in every lap.
 */
export function newRows(options: NewRows): Watcher<RowsState> {
	return {
		state: stateSchema,
		poll: async (stored, session) => await pollRows(options, stored, session),
		sample: async (session) => await newest(options, session),
	};
}

function stateSchema(): ZodType<RowsState, ZodTypeDef, unknown> {
	return z.object({
		...readingFields(),
		known: keysSchema(),
		newestFirst: z.boolean(),
		total: z.number().optional(),
	});
}

async function pollRows(
	{ list: listFor, event }: NewRows,
	stored: RowsState | undefined,
	session: Session,
): Promise<PollOutcome> {
	const list = listFor(session, stored?.scope);
	const { scope = '' } = list;
	let state = stored ?? { ...newReading(session, scope), known: new Set(), newestFirst: false };
	if (state.scope !== scope) state = startOver(state, session, scope);
	const found = new Map<string, Json>();
	const note = (row: Json, key: string) => {
		if (isKnown(state, key)) return false;
		state.known.add(key);
		if (state.ready || state.emitting) found.set(key, row);
		return true;
	};
	do {
		const end = await readLap(state.lap, list, session, note, () => isEnough(state));
		if (!end) break;
		list.check?.(state.lap, end, !stored);
		finishLap(state, end, list, session);
	} while (!state.ready);
	if (!stored && !session.hasRead && !session.failure && list.exhausted) throw list.exhausted();
	const events = [...found].sort(inKeyOrder).map(([, row]) => event(row));
	return {
		state: { ...storedReading(state), known: storedKeys(state.known) },
		events: events.filter((record) => record !== undefined),
	};
}

function isKnown({ known, floor = -1 }: RowsState, key: string): boolean {
	return (numberOf(key) ?? Infinity) <= floor || known.has(key);
}

/** Whether the rest of the list can't contain new rows. */
function isEnough({ ready, emitting, newestFirst, lap, floor = -1, total }: RowsState): boolean {
	// Rows with lower IDs existed before.
	if (!ready) return !emitting && isFalling(lap);
	if (!newestFirst || !isFalling(lap, 1)) return false;
	const isWhereItWas = (firstOf(lap) ?? -1) >= floor || isFalling(lap);
	const grewUnseen = (lap.total ?? 0) - (total ?? Infinity) > lap.fresh;
	return isWhereItWas && (lap.lowest ?? Infinity) <= floor && !grewUnseen;
}

function finishLap(state: RowsState, end: LapEnd, list: WatchedList, session: Session): void {
	const { lap } = state;
	const stable = endLap(state, end, list);
	if (lap.unordered) state.newestFirst = false;
	else if (end === 'enough' || (stable && isFalling(lap))) state.newestFirst = true;
	state.total = lap.total;
	if (end !== 'enough') forgetMissing(state, lap.keys, session, state.known);
	if (!stable || !state.newestFirst) return;
	const { floor = 0, known } = state;
	state.floor = Math.max(floor, firstOf(lap) ?? 0);
	// The floor replaces them.
	state.known = new Set([...known].filter((key) => (numberOf(key) ?? Infinity) > state.floor!));
}

/** The row with the highest ID on the first or the last page. */
async function newest({ list, samples = list, event, none }: NewRows, session: Session) {
	const { key: keyOf, page } = samples(session);
	const first = await page(session, 1, new Set());
	const { lastPage = 1 } = first;
	const last = lastPage > 1 ? await page(session, lastPage, new Set()) : { rows: [] };
	const keyed = [...first.rows, ...last.rows].map((row) => [keyOf(row) ?? '', row] as const);
	for (const [, row] of keyed.sort(inKeyOrder).reverse()) {
		const record = event(row);
		if (record) return record;
	}
	throw none;
}
