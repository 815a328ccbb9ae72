import { z } from 'zod';

import type { InputError } from '../http/inputError';
import type { Json } from '../http/json';
import type { Watcher } from './event';
import { inKeyOrder, keysSchema, numberOf, storedKeys, wholeSchema } from './keys';
import { Progress, progressSchema } from './progress';
import type { WatchedList, WatchedPage, WatchedRow } from './session';

interface NewRows {
	list: WatchedList;
	/** The event for a new row; undefined if the user doesn't want it. */
	event(row: Json): Json | undefined;
	/** The error if there's no row for a sample event. */
	none: InputError;
}

type RowsState = z.infer<ReturnType<typeof rowsSchema>>;

export function rowsSchema() {
	return z.object({
		progress: progressSchema(),
		/** Rows that have been seen, except those that `from` covers. */
		seen: keysSchema(),
		/** All IDs up to this one are known. */
		from: wholeSchema().optional(),
		/** Where `from` rises to at the end of this reading, unless something may have slipped through. */
		rise: wholeSchema().optional(),
	});
}

/** This many IDs in descending order aren't a coincidence. */
const CLEARLY = 10;

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
export function newRows({ list, event, none }: NewRows): Watcher<RowsState> {
	const { scope = '' } = list;
	const eventsOf = (rows: Iterable<readonly [key: string, row: Json]>) => {
		const inOrder = [...rows].sort(inKeyOrder).map(([, row]) => event(row));
		return inOrder.filter((record) => record !== undefined);
	};
	return {
		state: rowsSchema,
		async poll(stored, session) {
			const isSame = stored?.progress.state.scope === scope;
			const progress = isSame ? stored.progress : Progress.start(scope);
			const state: RowsState = isSame ? stored : { progress, seen: new Set() };
			const { seen } = state;
			const found = new Map<string, Json>();
			const reading = new Reading(state);
			await session.read(list, progress, (page) => {
				const fresh = page.watched.filter((row) => !isKnown(row, state));
				for (const { row, key, id } of fresh) {
					seen.add(key);
					if (progress.isReady || progress.isLater(id)) found.set(key, row);
				}
				const isEnough = reading.notePage(page, fresh.length);
				if (isEnough || page.next === undefined) reading.noteEnd();
				return isEnough;
			});
			return {
				state: { ...state, progress: progress.state, seen: storedKeys(seen) },
				events: eventsOf(found),
			};
		},
		async sample(session) {
			const newestIn = (rows: readonly WatchedRow[]) =>
				eventsOf(rows.map(({ key, row }) => [key, row])).at(-1);
			return await session.sample(list, newestIn, () => none);
		},
	};
}

/** Rows without a key are never new. */
function isKnown({ key, id = Infinity }: WatchedRow, { from = -1, seen }: RowsState): boolean {
	return key === '' || id <= from || seen.has(key);
}

/** What a poll learns from page to page about the order of a list. */
class Reading {
	/** How many rows up to here have descending IDs. */
	private descending = 0;
	/** The last ID; undefined if it isn't a number. */
	private last: number | undefined;
	/** Whether the list shows the newest IDs first. */
	private falls = false;
	/** How many rows were new since page 1. */
	private fresh = 0;
	/** How many rows are new, according to the list's own count. */
	private grew = 0;

	/** The list's own count in the reading before. */
	private readonly before: number | undefined;

	constructor(private readonly state: RowsState) {
		this.before = state.progress.state.total;
	}

	/** @returns whether everything new has been found, so that the rest of the list doesn't matter */
	notePage({ number, page, watched: rows }: WatchedPage, fresh: number): boolean {
		const { state } = this;
		const { isReady } = state.progress;
		const { read, total } = state.progress.state;
		const isCounted = page.total !== undefined;
		if (number === 1) {
			this.descending = this.fresh = 0;
			this.grew = isReady ? (page.total ?? 0) - (this.before ?? Infinity) : 0;
			// A page with known rows shows all new ones, so nothing can have slipped through below it.
			const isSafe = !isReady || isCounted || fresh < rows.length;
			state.rise = isSafe ? lowestOf(rows) : undefined;
		} else if (isReady) {
			// The same count says that no row has moved up, unless a page is empty by a fault.
			const isSame = page.total === total && (isCounted ? rows.length > 0 : fresh === 0);
			if (!isSame) state.rise = undefined;
		}
		this.fresh += fresh;
		for (const { id } of rows) {
			const descends = id !== undefined && (this.descending === 0 || id < (this.last ?? -1));
			this.descending = descends ? this.descending + 1 : 1;
			this.last = id;
		}
		this.falls = this.descending >= Math.max(CLEARLY, rows.length);
		if (!this.falls) return false;
		if (!isReady) return this.descending === read && state.rise !== undefined;
		return (this.last ?? Infinity) <= (state.from ?? -1) && this.fresh >= this.grew;
	}

	/** At the end of a reading, `from` covers what has been read. */
	noteEnd(): void {
		const { from = -1, rise = -1, seen } = this.state;
		if (!this.falls || rise <= from) return;
		this.state.from = rise;
		for (const key of seen) if ((numberOf(key) ?? Infinity) <= rise) seen.delete(key);
	}
}

/** The lowest ID of a page; undefined if it's empty or has other keys. */
function lowestOf(rows: readonly WatchedRow[]): number | undefined {
	const ids = rows.flatMap(({ id }) => id ?? []);
	return ids.length === rows.length && ids.length > 0 ? Math.min(...ids) : undefined;
}
