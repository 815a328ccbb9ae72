import { z } from 'zod';

import type { InputError } from '../http/inputError';
import type { Json } from '../http/json';
import type { PollOutcome, Watcher } from './event';
import { inKeyOrder, keysSchema, numberOf, storedKeys } from './keys';
import { endReading, newProgress, NOT_REACHED, progressFields } from './session';
import type { Session, WatchedList } from './session';

export interface NewRows {
	list: WatchedList;
	/** The event for a new row; undefined if the user doesn't want it. */
	event(row: Json): Json | undefined;
	/** The error if there's no row for a sample event. */
	none: InputError;
}

type RowsState = z.infer<ReturnType<typeof rowsSchema>>;

export function rowsSchema() {
	const id = () => z.number().int().min(-1).max(Number.MAX_SAFE_INTEGER);
	return z.object({
		...progressFields(),
		/** Rows that have been seen, except those that `from` covers. */
		seen: keysSchema(),
		/** All IDs up to this one are known; -1: none. */
		from: id(),
		/** Where `from` rises to at the end of this reading; -1: nowhere. */
		rise: id(),
		/** The list shows the newest IDs first. */
		falls: z.boolean(),
	});
}

/** This many IDs in descending order aren't a coincidence. */
const CLEARLY = 20;

/**
 * Finds the rows of a list that weren't there before.
 *
 * If the newest IDs come first, a poll ends at the first page that reaches an ID which was known before
 * the reading began, so a quiet poll takes one request. Any other list is read to its end.
 *
 * The service reads a page at one moment, but until the next one, rows can move to a page that has been
 * read already. So `from` only rises where nothing can have slipped through. Otherwise, the next poll
 * reads down to the same place once more.
 */
export function newRows(options: NewRows): Watcher<RowsState> {
	return {
		state: rowsSchema,
		poll: async (stored, session) => await pollRows(options, stored, session),
		sample: async (session) => await sampleRow(options, session),
	};
}

async function pollRows(
	{ list, event }: NewRows,
	stored: RowsState | undefined,
	session: Session,
): Promise<PollOutcome> {
	const { scope = '' } = list;
	const state: RowsState =
		stored?.scope === scope
			? stored
			: { ...newProgress(session, scope), seen: new Set(), from: -1, rise: -1, falls: false };
	const found = await readRows(state, list, session);
	const events = [...found].sort(inKeyOrder).map(([, row]) => event(row));
	return {
		state: { ...state, seen: storedKeys(state.seen) },
		events: events.filter((record) => record !== undefined),
	};
}

/** Reads on, and returns the new rows by their keys. */
async function readRows(
	state: RowsState,
	list: WatchedList,
	session: Session,
): Promise<Map<string, Json>> {
	const { from, total: before, seen } = state;
	const found = new Map<string, Json>();
	/** How many rows up to here have descending IDs, and the last of these. */
	let run = 0;
	let last = Infinity;
	let fresh = 0;
	let grew = 0;
	for await (const page of session.pages(list, state)) {
		const { number, next } = page;
		const { total } = page.page;
		const rows = page.rows.map((row) => ({ row, key: list.key(row) ?? '' }));
		const ids = rows.map(({ key }) => numberOf(key) ?? NaN);
		const isKnown = (key: string, id = NaN) => key === '' || id <= from || seen.has(key);
		const news = rows.filter(({ key }, at) => !isKnown(key, ids[at]));
		for (const { row, key } of news) {
			seen.add(key);
			if (state.ready) found.set(key, row);
		}
		fresh += news.length;

		for (const id of ids) {
			run = id < last ? run + 1 : 1;
			last = id;
		}
		state.falls = run >= rows.length && (state.falls || run >= CLEARLY);
		const isUncounted = total === undefined ? news.length > 0 : rows.length === 0;
		if (number === 1) {
			// A page with known rows shows all new ones, so nothing can have slipped through below it.
			const isEnd = !state.ready || news.length < rows.length;
			const lowest = Math.min(...ids);
			const canRise = Number.isFinite(lowest) && (isEnd || total !== undefined);
			state.rise = canRise ? lowest : -1;
			// The list's own count may say that more is new than has been found.
			grew = state.ready ? (total ?? 0) - (before ?? Infinity) : 0;
			// On later pages, the same count says that no row has moved up, unless a page is empty by a fault.
		} else if (state.ready && (total !== state.total || isUncounted)) state.rise = -1;

		const isOlder = state.ready
			? last <= from && fresh >= grew
			: run === state.read && state.rise >= 0;
		const isEnough = state.falls && isOlder;
		if (next !== undefined && !isEnough) continue;
		state.page = 1;
		if (state.falls) state.from = Math.max(from, state.rise);
		for (const key of seen) if ((numberOf(key) ?? Infinity) <= state.from) seen.delete(key);
		state.ready ||= isEnough;
		endReading(state, page);
		break;
	}
	return found;
}

/** The newest row on the first page that has any. */
async function sampleRow({ list, event, none }: NewRows, session: Session): Promise<Json> {
	for await (const { rows, next } of session.pages(list, newProgress(session))) {
		const events = rows.map((row) => [list.key(row) ?? '', event(row)] as const);
		const wanted = events.filter(([, record]) => record !== undefined);
		const newest = wanted.sort(inKeyOrder).at(-1)?.[1];
		if (newest) return newest;
		if (next === undefined) throw none;
	}
	throw session.failure ?? NOT_REACHED;
}
