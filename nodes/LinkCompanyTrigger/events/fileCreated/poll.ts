import type { Json, Page } from '../../../shared/http/envelope';
import { PAGE_SIZE } from '../../../shared/http/pagination';
import { completed, newSweep, orderOf, remembered } from './state';
import type { FileState, Sweep } from './state';
import {
	CONVINCING_ROWS,
	follows,
	idsOf,
	isFalling,
	isRising,
	placeAfter,
	windowAfter,
	windowAtEnd,
} from './listOrder';
import type { PageReader } from '../../pageReader';
import type { Row, Snapshot } from './snapshot';
import { snapshotOf, trendOf } from './snapshot';
import type { Window } from './windows';
import { windowOf, windowOver } from './windows';

/** The file list, as far as the event needs it. */
export interface FileList {
	/** @throws ServiceError */
	page(page: number, size: number): Promise<Page>;
}

export interface FileOptions {
	/** Emits the files that are there at the first poll. */
	emitExisting: boolean;
}

export interface FileOutcome {
	/** Undefined when the poll ended before anything could be remembered. */
	state: FileState | undefined;
	/** New files, oldest first. */
	events: Json[];
}

/** Counters that tell of smaller pages are not believed. */
const SMALLEST_PAGE = 3;
/** A list that goes on for longer is one page, again and again. */
const MAX_ROWS = 1e9;
/** Windows without a new row, after which a sweep is over whatever the counters promise. */
const STALE_WINDOWS = 2;
/** Looks that find the list changed under the poll, after which the next poll tries again. */
const MAX_MISSES = 25;

/**
 * Finds the files that are new since the stored state. Assumes that ids grow.
 *
 * Whether a file is new is decided by its id alone, and the mark only moves over ids that one
 * snapshot shows side by side with files at or below the mark. So neither rows that slip between
 * pages, nor deletions, nor an end of the reading in the middle lose or repeat a file. A quiet
 * poll of an ordered list is one request; a list without an order is swept each time.
 */
export async function pollFiles(
	stored: FileState | undefined,
	list: FileList,
	reading: PageReader,
	options: FileOptions,
): Promise<FileOutcome> {
	const poll = new FilePoll(list, reading, stored?.emitted ?? []);
	const state = stored ? await poll.next({ ...stored }) : await poll.first(options);
	return {
		state: state && { ...state, emitted: poll.emittedAbove(state.mark) },
		events: poll.events,
	};
}

/** The list is not in the order that was learnt. */
const BROKEN = Symbol('broken order');
type Result = FileState | typeof BROKEN;

class FilePoll {
	private readonly found = new Map<number, Json>();
	/** Ids that must not be emitted (again). */
	private readonly emitted: Set<number>;
	private misses = 0;

	constructor(
		private readonly list: FileList,
		private readonly reading: PageReader,
		emitted: readonly number[],
	) {
		this.emitted = new Set(emitted);
	}

	get events(): Json[] {
		return [...this.found].sort(([a], [b]) => a - b).map(([, record]) => record);
	}

	emittedAbove(mark: number): number[] {
		return [...this.emitted].filter((id) => id > mark).sort((a, b) => a - b);
	}

	async first({ emitExisting }: FileOptions): Promise<FileState | undefined> {
		const head = await this.look(windowOf(1, PAGE_SIZE));
		if (!head) return undefined;
		const trend = trendOf(idsOf(head));
		const convincing = head.ends || head.rows.length >= CONVINCING_ROWS;
		const order = convincing ? orderOf(trend) : 'none';
		const pageSize = Math.max(SMALLEST_PAGE, head.size);
		const state: FileState = { mark: -1, order, pageSize, emitted: [], sweptTo: -1 };
		if (emitExisting) {
			return await this.next(state, head);
		}
		if (head.ends || order === 'newestFirst') {
			return remembered(state, head);
		}
		if (order === 'oldestFirst') return await this.rememberEnd(state, head);
		return await this.sweep({ ...state, sweep: newSweep(true) });
	}

	/** Oldest first: the end of the list has the highest id. */
	private async rememberEnd(state: FileState, head: Snapshot): Promise<FileState | undefined> {
		const last = await this.look(windowOf(head.lastPage ?? 2, state.pageSize), state);
		if (!last) return undefined;
		const begun = last.rows.length > 0 ? last : head;
		const known = remembered(state, begun);
		const result = !follows(last, head)
			? BROKEN
			: begun.ends
				? known
				: await this.oldestFirst(known);
		this.found.clear();
		this.emitted.clear();
		if (result !== BROKEN && !this.reading.cutShort) return result;
		return await this.sweep({ ...state, order: 'none', sweep: newSweep(true) });
	}

	/** @param head the first page, where it was read already */
	async next(state: FileState, head?: Snapshot): Promise<FileState> {
		const kept = { ...state };
		const result =
			state.order === 'newestFirst'
				? await this.newestFirst(state, head)
				: state.order === 'oldestFirst'
					? await this.oldestFirst(state)
					: await this.sweep(state);
		if (result !== BROKEN) return result;
		// The mark may have moved on the word of an order that was none. What was emitted is known.
		const { pageSize, fixedPages } = state;
		return await this.sweep({
			...kept,
			order: 'none',
			pageSize,
			fixedPages,
			end: undefined,
			sweptTo: kept.mark,
		});
	}

	private async newestFirst(state: FileState, given?: Snapshot): Promise<Result> {
		let near: Snapshot | undefined | typeof BROKEN;
		if (!state.place) {
			const head = given ?? (await this.look(windowOf(1, state.pageSize), state));
			if (!head) return state;
			if (head.ends) return this.take(state, head);
			if (!isFalling(head)) return BROKEN;
			if (straddles(state, head)) near = head;
		}
		near ??= await this.locate(state);
		// From the oldest of the new files to the newest, so that the poll may end at any time.
		while (near) {
			if (near === BROKEN) return BROKEN;
			this.take(state, near);
			state.place = undefined;
			if (near.start === 0) return state;
			state.place = { newer: near.start - 1, older: near.start };
			const window = windowOver(near.start, near.start, state.pageSize, 'before');
			const next: Snapshot | undefined =
				window && window.start < near.start ? await this.look(window, state) : undefined;
			if (this.reading.cutShort) return state;
			if (next && !isFalling(next)) return BROKEN;
			near = next && straddles(state, next) ? next : await this.locate(state);
		}
		return state;
	}

	/** Newest first: finds where the files that are new meet those that are known. */
	private async locate(state: FileState): Promise<Snapshot | undefined | typeof BROKEN> {
		let { newer, older = Infinity } = state.place ?? { newer: 0 };
		while (this.misses < MAX_MISSES) {
			state.place = { newer, older: older === Infinity ? undefined : older };
			const window = this.windowBetween(newer, older, state.pageSize);
			if (!window || newer > MAX_ROWS) return BROKEN;
			const seen = await this.look(window, state);
			if (!seen) return undefined;
			if (state.fixedPages || !isFalling(seen)) return BROKEN;
			if (straddles(state, seen)) {
				const wide = await this.widened(state, seen);
				if (wide !== 'moved') return wide;
				newer = 0;
				older = Infinity;
				this.misses++;
				continue;
			}
			const first = seen.rows[0];
			if (!first || first.id <= state.mark) older = Math.min(older, seen.start);
			else newer = Math.max(newer, seen.start + seen.rows.length - 1);
			if (newer >= older) {
				newer = 0;
				older = Infinity;
				this.misses++;
			}
		}
		return undefined;
	}

	/** A few rows at the end of the list may be in order by chance, so more of them are looked at. */
	private async widened(
		state: FileState,
		seen: Snapshot,
	): Promise<Snapshot | undefined | 'moved' | typeof BROKEN> {
		const { start, rows } = seen;
		if (start === 0 || rows.length >= CONVINCING_ROWS) return seen;
		const from = Math.max(0, start + rows.length - CONVINCING_ROWS);
		const window = windowOver(from, start + rows.length, state.pageSize, 'before');
		if (!window) return seen;
		const wide = await this.look(window, state);
		if (!wide) return undefined;
		if (!isFalling(wide)) return BROKEN;
		return straddles(state, wide) ? wide : 'moved';
	}

	private windowBetween(newer: number, older: number, pageSize: number): Window | undefined {
		if (older === Infinity) {
			const further = Math.max(pageSize, newer * 2);
			return windowOver(further, further, pageSize, 'before');
		}
		const both = windowOver(newer, older, pageSize, 'before');
		if (both || older - newer === 1) return both;
		const middle = Math.floor((newer + older) / 2);
		return windowOver(middle, middle, pageSize, 'before');
	}

	private async oldestFirst(state: FileState): Promise<Result> {
		let back = 1;
		while (this.misses < MAX_MISSES) {
			const at = Math.max(0, state.end?.position ?? 0);
			const window = windowAtEnd(at, state.pageSize);
			if (!window) return BROKEN;
			const seen = await this.look(window, state);
			if (!seen) return state;
			if (state.fixedPages || !isRising(seen)) return BROKEN;
			if (seen.start > 0 && !seen.rows.some(({ id }) => id <= state.mark)) {
				// Files before it were deleted, or the order changed: the place is further ahead.
				const told = seen.rows.length === 0 ? lastStart(seen) : undefined;
				const position = Math.max(0, Math.min(told ?? Infinity, seen.start - back));
				state.end = { position, id: state.end?.id ?? state.mark };
				back *= 2;
				this.misses++;
				continue;
			}
			const expected = state.end?.id;
			const before = state.end?.position ?? -1;
			const brought = seen.rows.some(({ id }) => id > state.mark);
			const last = seen.rows.at(-1);
			const end = seen.start + seen.rows.length - 1;
			// Without a new file the end cannot move on, or new files stand elsewhere in the list.
			if (!brought && expected !== undefined && last?.id === expected && end > before) {
				return BROKEN;
			}
			if (seen.ends) {
				const sure = brought || last?.id === expected || seen.start === 0;
				if (!sure && !(await this.beginsBelow(state, seen))) {
					return this.reading.cutShort ? state : BROKEN;
				}
			}
			this.take(state, seen);
			if (last) state.end = { position: end, id: last.id };
			else state.end = undefined;
			if (seen.ends) return state;
			if (!brought) this.misses++;
			if (state.end?.position === before && !brought) {
				// More is promised, but the place after the last row is empty.
				const beyond = await this.look(windowOf(window.page + 1, window.size), state);
				if (!beyond || beyond.rows.length === 0) return state;
				return BROKEN;
			}
		}
		return state;
	}

	/** The last known row is gone: was it deleted, or is the list in another order now? */
	private async beginsBelow(state: FileState, seen: Snapshot): Promise<boolean> {
		const head = await this.look(windowOf(1, state.pageSize), state);
		const first = head?.rows[0];
		const lowest = seen.rows[0];
		if (!head || !first || !lowest) return false;
		return isRising(head) && first.id < lowest.id && !seen.rows.some(({ id }) => id === first.id);
	}

	/** Reads on with the sweep over the whole list, or begins one; at most one per poll. */
	private async sweep(state: FileState): Promise<FileState> {
		state.sweep = state.sweep ? { ...state.sweep, tail: [...state.sweep.tail] } : newSweep();
		let stale = 0;
		while (this.misses < MAX_MISSES) {
			const { sweep } = state;
			const window = state.fixedPages
				? windowOf(sweep.page + 1, state.pageSize)
				: sweep.position < 0
					? windowOf(1, state.pageSize)
					: windowAfter(sweep.position, state.pageSize);
			if (!window) {
				state.fixedPages = true;
				state.sweep = newSweep(sweep.remembers);
				continue;
			}
			const seen = await this.look(window, state);
			if (!seen) return state;
			if (state.fixedPages && window.start !== seen.start && sweep.position >= 0) {
				// Found out just now: the pages are cut differently than the sweep assumed.
				state.sweep = newSweep(sweep.remembers);
				this.misses++;
				continue;
			}
			const place = state.fixedPages ? 0 : placeAfter(seen, sweep.tail);
			if (place === undefined) {
				this.misses++;
				const back = Math.max(1, Math.floor(state.pageSize / 2)) * this.misses;
				sweep.position = Math.min(sweep.position, seen.start) - back;
			}
			if (place === undefined || place === 'shuffled') {
				if (place === 'shuffled') this.misses++;
				if (place === 'shuffled' || sweep.position < 0) state.sweep = newSweep(sweep.remembers);
				continue;
			}
			const lastRead = sweep.tail.at(-1);
			const fresh = seen.rows.slice(place);
			this.sweepOver(state, sweep, fresh);
			sweep.page = window.page;
			if (seen.rows.length > 0) {
				sweep.position = seen.start + seen.rows.length - 1;
				sweep.tail = idsOf(seen);
			}
			const atOnce = seen.start === 0 && seen.ends;
			stale = fresh.length === 0 && sweep.tail.at(-1) === lastRead ? stale + 1 : 0;
			if (seen.ends || stale === STALE_WINDOWS) return completed(state, sweep, atOnce);
			if (stale > 0 && (await this.nothingAfter(state, window))) {
				return completed(state, sweep, atOnce);
			}
		}
		return state;
	}

	private sweepOver(state: FileState, sweep: Sweep, fresh: Row[]): void {
		const last = sweep.tail.at(-1);
		const ids = fresh.map(({ id }) => id);
		sweep.trend = trendOf(last === undefined ? ids : [last, ...ids], sweep.trend);
		sweep.rows += fresh.length;
		for (const row of fresh) {
			sweep.top = Math.max(sweep.top, row.id);
			if (!sweep.remembers) this.emit(state, row);
		}
	}

	/** The counters promise more, but nothing new came: is there a page after this one? */
	private async nothingAfter(state: FileState, { page, size }: Window): Promise<boolean> {
		const beyond = await this.look(windowOf(page + 1, size), state);
		return beyond !== undefined && beyond.rows.length === 0;
	}

	/** Takes the new files of a snapshot that joins what is known: the mark moves over them. */
	private take(state: FileState, { rows }: Snapshot): FileState {
		for (const row of rows) this.emit(state, row);
		state.mark = Math.max(state.mark, ...rows.map(({ id }) => id));
		return state;
	}

	private emit({ mark }: FileState, { id, record }: Row): void {
		if (id <= mark || this.emitted.has(id)) return;
		this.emitted.add(id);
		this.found.set(id, record);
	}

	/** One request. Learns from the answer how large the service's pages are. */
	private async look(asked: Window, state?: FileState): Promise<Snapshot | undefined> {
		const page = await this.reading.read(async () => await this.list.page(asked.page, asked.size));
		if (!page) return undefined;
		const seen = snapshotOf(asked, page);
		if (state && seen.size < asked.size) state.pageSize = Math.max(seen.size, SMALLEST_PAGE);
		if (state && seen.size > asked.size) state.fixedPages = true;
		return seen;
	}
}

/**
 * Newest first: the new files of the snapshot stand right beside known ones, or beside the end of
 * the list, so that nothing can be between them.
 */
function straddles({ mark }: FileState, { rows, ends, start }: Snapshot): boolean {
	const hasKnown = rows.some(({ id }) => id <= mark) || ends;
	const hasNew = rows.some(({ id }) => id > mark) || start === 0;
	return hasKnown && hasNew;
}

function lastStart({ lastPage, size }: Snapshot): number | undefined {
	return lastPage === undefined ? undefined : (lastPage - 1) * size;
}
