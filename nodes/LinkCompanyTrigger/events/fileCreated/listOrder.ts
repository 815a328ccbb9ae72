import type { Snapshot } from './snapshot';
import { trendOf } from './snapshot';
import type { Window } from './windows';
import { windowOver } from './windows';

/** Rows in order that convince: by chance it happens once in 20,000 lists without an order. */
export const CONVINCING_ROWS = 8;
/** New rows among those that a sweep knows, before it takes the list for a shuffled one. */
const TOLERATED_STRANGERS = 1;
/** Rows before the last one that the next window of a sweep shows again. */
const OVERLAP = 2;

/** The ids of a snapshot, in the order of the list. */
export function idsOf({ rows }: Snapshot): number[] {
	return rows.map(({ id }) => id);
}

/** Whether a snapshot can be of a list that is newest first. */
export function isFalling(seen: Snapshot): boolean {
	const trend = trendOf(idsOf(seen));
	return trend === 'down' || trend === 'unknown';
}

/** Whether a snapshot can be of a list that is oldest first. */
export function isRising(seen: Snapshot): boolean {
	const trend = trendOf(idsOf(seen));
	return trend === 'up' || trend === 'unknown';
}

/** Oldest first: a later page has higher ids. */
export function follows(later: Snapshot, { rows }: Snapshot): boolean {
	const first = later.rows[0];
	const last = rows.at(-1);
	return !first || !last || later.start === 0 || (isRising(later) && first.id > last.id);
}

/**
 * Where a sweep goes on in a snapshot: after the last of the rows it has read already. Two of them
 * must be there, in the order in which they were read, and hardly any other row among them.
 *
 * @returns undefined when the snapshot does not show the place, `shuffled` when the order changed
 */
export function placeAfter({ rows }: Snapshot, tail: number[]): number | 'shuffled' | undefined {
	const places = tail.map((id) => rows.findIndex((row) => row.id === id)).filter((at) => at >= 0);
	if (places.some((at, index) => index > 0 && at < (places[index - 1] as number))) {
		return 'shuffled';
	}
	if (places.length < Math.min(2, tail.length)) return undefined;
	const place = (places.at(-1) ?? -1) + 1;
	return place - places.length > TOLERATED_STRANGERS ? 'shuffled' : place;
}

/**
 * The window with the last row, room for new ones after it, and enough rows before it to see
 * whether the list is still in order.
 */
export function windowAtEnd(last: number, pageSize: number): Window | undefined {
	for (let rows = CONVINCING_ROWS; rows > 0; rows--) {
		const from = Math.max(0, last - rows + 1);
		const window = windowOver(from, last + 1, pageSize, 'after');
		if (window) return window;
	}
	return undefined;
}

/** The window that shows the row after `last`, and rows before it to find the place by. */
export function windowAfter(last: number, pageSize: number): Window | undefined {
	for (let overlap = OVERLAP; overlap > 0; overlap--) {
		const window = windowOver(Math.max(0, last - overlap), last + 1, pageSize, 'after');
		if (window) return window;
	}
	return windowOver(last, last + 1, pageSize, 'before');
}
