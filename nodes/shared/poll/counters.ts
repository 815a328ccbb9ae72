import { z } from 'zod';

import type { InputError } from '../http/inputError';
import type { Json } from '../http/json';
import type { Watcher } from './event';
import { inKeyOrder, wholeSchema } from './keys';
import { Progress, progressSchema } from './progress';
import type { WatchedList, WatchedRow } from './session';

interface Counters {
	list: WatchedList;
	field: string;
	/** The end of an event's field names, e.g. `Scans` for `previousScans` and `newScans`. */
	noun: string;
	/** The records to watch, by their keys, with what the user calls them. Default: all. */
	only?: ReadonlyMap<string, string>;
	/** Whether a record passes the user's filter. */
	matches?(row: Json): boolean;
	/** The smallest increase that is an event, 1 or more. */
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
	const counts = () =>
		z.record(z.string(), wholeSchema()).transform((byKey) => new Map(Object.entries(byKey)));
	return z.object({
		progress: progressSchema(),
		/** The number that the last event reported, by key. */
		counts: counts(),
		/** Lower numbers that one poll has shown. */
		lower: counts(),
	});
}

/**
 * Finds the records of a list whose counter has risen. Every poll reads the list to its end, or until it
 * has shown all selected records.
 *
 * A counter's stored number stays until an event reports the rise. After a reset or a correction, which
 * two polls have to show, counting continues from the lower number.
 */
export function counters(options: Counters): Watcher<CountsState> {
	const { list, only, none } = options;
	return {
		state: countsSchema,
		async poll(stored, session) {
			const state = resumedCounts(options, stored);
			const { progress, counts, lower } = state;
			const isFromStart = progress.state.page === 1;
			const events = new Map<string, Json>();
			const missing = new Map(only);
			await session.read(list, progress, ({ watched, next }) => {
				for (const each of watched.filter((row) => isWatched(row, options))) {
					missing.delete(each.key);
					// A poll can see a page twice. What was counted in between is for the next poll.
					if (events.has(each.key)) continue;
					const event = noteCount(options, state, each);
					if (event) events.set(each.key, event);
				}
				if (!only || (next !== undefined && missing.size > 0)) return false;
				if (!stored && missing.size === only.size) throw none(undefined, [...only.values()]);
				for (const [key, name] of missing) {
					// Earlier polls may have shown it, if they began this reading.
					const isMissing = isFromStart || !counts.has(key);
					if (isMissing) session.warnOnce(key, none(undefined, [name]).message);
				}
				return true;
			});
			return {
				state: {
					progress: progress.state,
					counts: Object.fromEntries(counts),
					lower: Object.fromEntries(lower),
				},
				events: [...events].sort(inKeyOrder).map(([, event]) => event),
			};
		},
		async sample(session) {
			const missing = new Map(only);
			let first: Json | undefined;
			const sampleIn = (rows: readonly WatchedRow[]) => {
				for (const { key, row } of rows.filter((each) => isWatched(each, options))) {
					missing.delete(key);
					if (options.matches?.(row) === false) continue;
					const now = countOf(row, options.field) ?? 0;
					if (now > 0) return eventOf(options, row, now - 1, now);
					first ??= row;
				}
				if (only && missing.size === 0) throw none(first, []);
				return undefined;
			};
			return await session.sample(list, sampleIn, () => none(first, [...missing.values()]));
		},
	};
}

function resumedCounts({ only }: Counters, stored: CountsState | undefined): CountsState {
	const scope = only ? 'selected' : '';
	if (!stored) return { progress: Progress.start(scope), counts: new Map(), lower: new Map() };
	const { progress, counts } = stored;
	for (const key of counts.keys()) if (only?.has(key) === false) counts.delete(key);
	// Between All and Selected, reading starts over, but the counts stay, and what is added isn't new.
	return progress.state.scope === scope ? stored : { ...stored, progress: Progress.start(scope) };
}

function isWatched({ key }: WatchedRow, { only }: Counters): boolean {
	return key !== '' && only?.has(key) !== false;
}

/** @returns the event, if the counter has risen enough */
function noteCount(options: Counters, state: CountsState, { key, id, row }: WatchedRow) {
	const { field, minimum, matches, only } = options;
	const { progress, counts } = state;
	const known = counts.get(key);
	// The service may return null for a count of 0. Later, a count that's missing says nothing.
	const now = known === undefined && row[field] === null ? 0 : countOf(row, field);
	if (now === undefined) return undefined;
	// A record that came later started at 0. One that's only selected later can be older.
	const isNew = !only && progress.isLater(id);
	const before = known === undefined ? (isNew ? 0 : now) : confirmedCount(state, key, known, now);
	const isWanted = matches?.(row) ?? true;
	const isEvent = isWanted && now - before >= minimum;
	counts.set(key, isEvent || (!isWanted && now > before) ? now : before);
	return isEvent ? eventOf(options, row, before, now) : undefined;
}

/** The number to count from. A single poll that shows a lower one can be wrong. */
function confirmedCount({ lower }: CountsState, key: string, known: number, now: number): number {
	const earlier = lower.get(key);
	lower.delete(key);
	if (now >= known) return known;
	if (earlier !== undefined) return Math.min(earlier, now);
	lower.set(key, now);
	return known;
}

/** Undefined if the field isn't a number, e.g. because it's blank. */
function countOf(row: Json, field: string): number | undefined {
	const value = row[field];
	const isGiven = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
	const number = isGiven ? Number(value) : -1;
	return Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

/** Puts the event's own fields right after those that identify the record. */
function eventOf({ field, noun }: Counters, row: Json, before: number, now: number): Json {
	const { id, name } = row;
	const counted = { [`new${noun}`]: now - before, [field]: now, [`previous${noun}`]: before };
	return { id, name, ...counted, ...row, ...counted };
}
