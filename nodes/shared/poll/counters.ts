import { z } from 'zod';

import type { InputError } from '../http/inputError';
import type { Json } from '../http/json';
import type { PollOutcome, Watcher } from './event';
import { inKeyOrder, numberOf } from './keys';
import { endReading, newProgress, NOT_REACHED, progressFields } from './session';
import type { Progress, Session, WatchedList } from './session';

export interface Counters {
	list: WatchedList;
	/** The field that counts. */
	field: string;
	/** The end of an event's field names, e.g. `Scans` for `previousScans` and `newScans`. */
	noun: string;
	/** The records to watch, by their keys, with what the user calls them. Default: all. */
	only?: ReadonlyMap<string, string>;
	/** Whether a record passes the user's filter. */
	matches?(row: Json): boolean;
	/** The smallest increase that is an event. */
	minimum: number;
	/**
	 * The error if no counter is above 0 for a sample event.
	 *
	 * @param row undefined if there are no records
	 * @param missing the names of selected records that don't exist
	 */
	none(row: Json | undefined, missing: readonly string[]): InputError;
}

type CountsState = z.infer<ReturnType<typeof countsSchema>>;

function countsSchema() {
	const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
	return z.object({
		...progressFields(),
		/** The number that the last event reported, by key. */
		counts: z
			.record(z.string(), count)
			.transform((counts) => new Map<string, number>(Object.entries(counts))),
		/**
		 * A record with a higher ID came after the first reading, so its counter started at 0. So does that of
		 * any new record if no ID was a number.
		 */
		floor: z.number().int().min(-1),
	});
}

/**
 * Finds the records of a list whose counter has risen. Every poll reads the list to its end, or until it
 * has shown all selected records.
 *
 * A counter's stored number stays until an event reports the rise. After a reset or a correction,
 * counting continues from the lower number.
 */
export function counters(options: Counters): Watcher<CountsState> {
	return {
		state: countsSchema,
		poll: async (stored, session) => await pollCounters(options, stored, session),
		sample: async (session) => await sampleCount(options, session),
	};
}

async function pollCounters(
	options: Counters,
	stored: CountsState | undefined,
	session: Session,
): Promise<PollOutcome> {
	const { only, none } = options;
	const scope = only ? 'selected' : '';
	const counts = stored?.counts ?? new Map<string, number>();
	// Between All and Selected, reading starts over, but the counts stay.
	const state: CountsState =
		stored?.scope === scope ? stored : { ...newProgress(session, scope), counts, floor: -1 };
	for (const key of counts.keys()) if (only?.has(key) === false) counts.delete(key);

	const found = new Map<string, Json>();
	const isFromStart = state.page === 1;
	for await (const { page, rows, missing, isEnd } of watchedPages(options, state, session)) {
		for (const [key, row] of rows) {
			const event = noteCount(options, state, key, row);
			if (event) found.set(key, event);
		}
		if (!isEnd) continue;
		state.page = 1;
		if (only) {
			if (counts.size === 0) throw none(undefined, [...only.values()]);
			// A record that's selected later counts from its present number.
			Object.assign(state, { ready: true, floor: Number.MAX_SAFE_INTEGER });
			for (const [key, name] of missing) {
				// Earlier polls may have shown it, if they began this reading.
				const isMissing = isFromStart || !counts.has(key);
				if (isMissing) session.warnOnce(key, none(undefined, [name]).message);
			}
		} else {
			endReading(state, page);
		}
	}
	return {
		state: { ...state, counts: Object.fromEntries(counts) },
		events: [...found].sort(inKeyOrder).map(([, event]) => event),
	};
}

/**
 * Reads on in the list, until it ends or has shown all selected records. Of each page, it returns the
 * watched rows and the selected records that haven't been shown yet.
 */
async function* watchedPages({ list, only }: Counters, progress: Progress, session: Session) {
	const missing = new Map(only);
	for await (const page of session.pages(list, progress)) {
		const rows = page.rows.flatMap((row) => {
			const key = list.key(row);
			return key === undefined || only?.has(key) === false ? [] : [[key, row] as const];
		});
		for (const [key] of rows) missing.delete(key);
		const isEnd = page.next === undefined || (only !== undefined && missing.size === 0);
		yield { page, rows, missing, isEnd };
		if (isEnd) return;
	}
}

/** @returns the event, if the counter has risen enough */
function noteCount(options: Counters, state: CountsState, key: string, row: Json) {
	const { field, minimum, matches } = options;
	const { counts, ready } = state;
	const id = numberOf(key);
	if (!ready) state.floor = Math.max(state.floor, id ?? -1);
	const known = counts.get(key);
	// The service may return null for a count of 0. Later, a count that's missing says nothing.
	const now = known === undefined && row[field] === null ? 0 : countOf(row, field);
	if (now === undefined) return undefined;
	const isNew = ready && (id ?? 0) > state.floor;
	const before = known ?? (isNew ? 0 : now);
	const isWanted = matches?.(row) ?? true;
	const isEvent = isWanted && now - before >= Math.max(1, minimum);
	counts.set(key, isEvent || !isWanted ? now : Math.min(before, now));
	return isEvent ? eventOf(options, row, before, now) : undefined;
}

function countOf(row: Json, field: string): number | undefined {
	const number = Number(row[field] ?? NaN);
	return Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

/** What has happened comes right after what identifies the record. */
function eventOf({ field, noun }: Counters, row: Json, before: number, now: number): Json {
	const { id, name } = row;
	const counted = { [`new${noun}`]: now - before, [field]: now, [`previous${noun}`]: before };
	return { id, name, ...counted, ...row, ...counted };
}

/** The first record whose count is above 0. */
async function sampleCount(options: Counters, session: Session): Promise<Json> {
	const { matches, field, none } = options;
	const pages = watchedPages(options, newProgress(session), session);
	let first: Json | undefined;
	for await (const { rows, missing, isEnd } of pages) {
		for (const [, row] of rows) {
			if (matches?.(row) === false) continue;
			const now = countOf(row, field) ?? 0;
			if (now > 0) return eventOf(options, row, now - 1, now);
			first ??= row;
		}
		if (isEnd) throw none(first, [...missing.values()]);
	}
	throw session.failure ?? NOT_REACHED;
}
