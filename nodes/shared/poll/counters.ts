import { z } from 'zod';

import type { Json } from '../http/envelope';
import type { InputError } from '../http/errors';
import type { ListPage } from '../http/pages';
import type { PollOutcome, Watcher } from './event';
import { highestOf, inKeyOrder, numberOf } from './keys';
import { endReading, newProgress, notReached, progressFields } from './session';
import type { Progress, Session, WatchedList } from './session';

export interface Counters {
	list: WatchedList;
	/** The field that counts. */
	field: string;
	/** The end of an event's field names, e.g. `Scans` for `previousScans` and `newScans`. */
	noun: string;
	/** The records to watch, by their keys, with what the user calls them. Default: all. */
	only?: ReadonlyMap<string, string>;
	/** Reads one record; undefined if the service doesn't show it. */
	one?(session: Session, key: string): Promise<Json | undefined>;
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
		/** Selected records that don't exist. The log has a warning for each. */
		missing: z.array(z.string()),
	});
}

/** A page of the list has a hundred records, so more than these aren't read one by one. */
const MOST_SINGLE = 3;

/**
 * Finds the records of a list whose counter has risen. Unless only a few are selected, every poll reads
 * the list to its end.
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
	const { only } = options;
	const scope = only ? 'selected' : '';
	const counts = stored?.counts ?? new Map<string, number>();
	// Between All and Selected, reading starts over, but the counts stay.
	const state: CountsState =
		stored?.scope === scope
			? stored
			: { ...newProgress(session, scope), counts, floor: -1, missing: [] };
	const { ready: wasReady } = state;
	if (only) for (const key of counts.keys()) if (!only.has(key)) counts.delete(key);

	const found = new Map<string, Json>();
	let readsAgain = true;
	while (readsAgain && !session.isOver()) {
		const shown = await readCounts(options, state, session, (key, row) => {
			const event = noteCount(options, state, key, row);
			if (event) found.set(key, event);
		});
		if (!shown) break;
		if (only) noteMissing(options, state, session, shown);
		readsAgain = shown.last !== undefined && endReading(state, shown.last, counts.size > 0);
		if (state.ready && !wasReady && !only) state.floor = highestOf(counts.keys());
	}
	return {
		state: { ...state, counts: Object.fromEntries(counts) },
		events: [...found].sort(inKeyOrder).map(([, event]) => event),
	};
}

interface Shown {
	keys: Set<string>;
	/** The list's last page that was needed; undefined if none was. */
	last?: ListPage;
	/** The list isn't empty, and this poll began with its first page. */
	isWhole?: boolean;
}

/**
 * Reads the watched records: a few selected ones one by one, all others in the list.
 *
 * @returns undefined if the poll has to end first
 */
async function readCounts(
	{ list, only, one }: Counters,
	progress: Progress,
	session: Session,
	note: (key: string, row: Json) => void,
	hasEnough: () => boolean = () => false,
): Promise<Shown | undefined> {
	const keys = new Set<string>();
	const see = (row: Json, key = list.key(row)) => {
		if (key === undefined || keys.has(key) || only?.has(key) === false) return;
		keys.add(key);
		note(key, row);
	};
	for (const key of one && only && only.size <= MOST_SINGLE ? only.keys() : []) {
		if (session.hasRead && session.isOver()) return undefined;
		const row = await one?.(session, key).catch((error: unknown) => session.end(error));
		if (session.failure) return undefined;
		session.hasRead = true;
		if (row) see(row, key);
	}
	if (keys.size === only?.size) return { keys };
	const isFromOne = progress.page === 1;
	for await (const last of session.pages(list, progress)) {
		for (const row of last.rows) see(row);
		if (last.next !== undefined && keys.size !== only?.size && !hasEnough()) continue;
		progress.page = 1;
		return { keys, last, isWhole: isFromOne && progress.read > 0 };
	}
	return undefined;
}

/** @throws InputError if none of the selected records is there or has ever been */
function noteMissing(
	{ only = new Map(), none }: Counters,
	state: CountsState,
	session: Session,
	{ keys, isWhole = true }: Shown,
): void {
	Object.assign(state, { ready: true, floor: Number.MAX_SAFE_INTEGER });
	if (state.counts.size === 0) throw none(undefined, [...only.values()]);
	if (!isWhole) return;
	const missing = [...only.keys()].filter((key) => !keys.has(key));
	const gone = missing.filter((key) => !state.missing.includes(key));
	for (const key of gone) session.warn(none(undefined, [only.get(key) ?? key]).message);
	state.missing = missing;
}

/** @returns the event, if the counter has risen enough */
function noteCount(
	options: Counters,
	{ counts, ready, floor }: CountsState,
	key: string,
	row: Json,
): Json | undefined {
	const { field, minimum, matches } = options;
	const known = counts.get(key);
	// The service may return null for a count of 0. Later, a count that's missing says nothing.
	const now = known === undefined && row[field] === null ? 0 : countOf(row, field);
	if (now === undefined) return undefined;
	const isNew = ready && (numberOf(key) ?? 0) > floor;
	const before = known ?? (isNew ? 0 : now);
	const isWanted = matches?.(row) ?? true;
	const isEvent = isWanted && now - before >= Math.max(1, minimum);
	counts.set(key, isEvent || !isWanted ? now : Math.min(before, now));
	return isEvent ? eventOf(options, row, before, now) : undefined;
}

function countOf(row: Json, field: string): number | undefined {
	const value = row[field] ?? '';
	const number = value === '' ? NaN : Number(value);
	return Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

/** What has happened comes right after what identifies the record. */
function eventOf({ field, noun }: Counters, row: Json, before: number, now: number): Json {
	const { id, name, ...others } = row;
	const counted = { [`new${noun}`]: now - before, [field]: now, [`previous${noun}`]: before };
	return { id, ...(name !== undefined && { name }), ...counted, ...others, ...counted };
}

/** The record with the highest count, from the first page on which a count is above 0. */
async function sampleCount(options: Counters, session: Session): Promise<Json> {
	const { only = new Map<string, string>(), matches, field, none } = options;
	const counted = (row: Json) => countOf(row, field) ?? 0;
	let top: Json | undefined;
	const note = (_key: string, row: Json) => {
		if ((matches?.(row) ?? true) && counted(row) > (top ? counted(top) : -1)) top = row;
	};
	const hasCount = () => top !== undefined && counted(top) > 0;
	const shown = await readCounts(options, newProgress(session), session, note, hasCount);
	if (top && hasCount()) return eventOf(options, top, counted(top) - 1, counted(top));
	if (!shown) throw session.failure ?? notReached();
	const missing = [...only].filter(([key]) => !shown.keys.has(key));
	throw none(
		top,
		missing.map(([, name]) => name),
	);
}
