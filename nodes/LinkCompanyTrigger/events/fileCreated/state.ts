import { CONVINCING_ROWS } from './listOrder';
import type { Snapshot, Trend } from './snapshot';

export type ListOrder = 'newestFirst' | 'oldestFirst' | 'none';

/** What a poll remembers of the list: a few numbers, however many files there are. */
export interface FileState {
	/** Every file with this id or a lower one was emitted, or was there before. */
	mark: number;
	order: ListOrder;
	/** Rows per page that the service honours. */
	pageSize: number;
	/** The service gives pages of its own size, whatever is asked for. */
	fixedPages?: boolean;
	/** Oldest first: the last row of the list. */
	end?: { position: number; id: number };
	/**
	 * Newest first: where the search for the mark stopped, in the middle of a long way. The row
	 * `newer` was above the mark, the row `older` was not.
	 */
	place?: { newer: number; older?: number };
	/**
	 * Ids above the mark that were emitted. Empty for an ordered list; for one without an order,
	 * those of the last two sweeps.
	 */
	emitted: number[];
	/** Highest id of the last complete sweep; the files up to there were all shown by the next. */
	sweptTo: number;
	/** A sweep over the whole list that is under way. */
	sweep?: Sweep;
}

/** A reading of the whole list, over as many polls as it takes. */
export interface Sweep {
	/** Ids of the rows read last, in the order of the list: the next window must show some. */
	tail: number[];
	/** Position of the last row read, -1 at the beginning. */
	position: number;
	/** Number of the last page read, where pages have a fixed size. */
	page: number;
	/** Highest id so far. */
	top: number;
	rows: number;
	trend: Trend;
	/** The first sweep: what there is, is remembered and not emitted. */
	remembers?: boolean;
}

/** @param remembers whether what there is, is remembered and not emitted */
export function newSweep(remembers?: boolean): Sweep {
	return { tail: [], position: -1, page: 0, top: -1, rows: 0, trend: 'unknown', remembers };
}

/** The state after a first look that shows the end with the highest ids. */
export function remembered(state: FileState, { rows, start }: Snapshot): FileState {
	const last = rows.at(-1);
	return {
		...state,
		mark: Math.max(state.mark, ...rows.map(({ id }) => id)),
		end:
			state.order === 'oldestFirst' && last
				? { position: start + rows.length - 1, id: last.id }
				: undefined,
	};
}

/**
 * The end of a sweep. What it certainly showed are the files that were there when it began, and
 * those are at least the ones up to the top of the sweep before it.
 *
 * @param atOnce the whole list was one snapshot
 */
export function completed(state: FileState, sweep: Sweep, atOnce: boolean): FileState {
	const certain = atOnce || sweep.remembers ? sweep.top : state.sweptTo;
	const mark = Math.max(state.mark, certain);
	const convincing = atOnce || sweep.rows >= CONVINCING_ROWS;
	const order = state.fixedPages || !convincing ? 'none' : orderOf(sweep.trend);
	return {
		mark,
		order,
		pageSize: state.pageSize,
		fixedPages: state.fixedPages,
		end: endOf(order, sweep),
		emitted: state.emitted,
		sweptTo: Math.max(mark, sweep.top),
	};
}

function endOf(order: ListOrder, { position, tail }: Sweep): FileState['end'] {
	const id = tail.at(-1);
	return order === 'oldestFirst' && id !== undefined ? { position, id } : undefined;
}

/** The order of a list whose ids have this trend. */
export function orderOf(trend: Trend): ListOrder {
	if (trend === 'mixed') return 'none';
	return trend === 'up' ? 'oldestFirst' : 'newestFirst';
}
