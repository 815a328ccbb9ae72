/** The rows of one request: page `page` of `size` rows, which begins at row `start` (from 0). */
export interface Window {
	page: number;
	size: number;
	start: number;
}

export function windowOf(page: number, size: number): Window {
	return { page, size, start: (page - 1) * size };
}

/**
 * The window that holds the rows `from` to `to` and as many as possible before or after them.
 *
 * A service cuts its lists into pages, and rows that come or go between two requests slip over
 * the cuts. Another page size has its cuts elsewhere, so for any two neighbours there is a window
 * that shows both, and one snapshot proves that nothing is between them.
 *
 * @param largest rows per page that the service honours
 * @returns undefined where every size up to `largest` cuts between the rows (only if it is tiny)
 */
export function windowOver(
	from: number,
	to: number,
	largest: number,
	room: 'before' | 'after',
): Window | undefined {
	let best: Window | undefined;
	let bestRoom = -1;
	for (let size = largest; size >= 2; size--) {
		const page = Math.floor(from / size) + 1;
		const window = windowOf(page, size);
		if (to >= window.start + size) continue;
		const found = room === 'before' ? from - window.start : window.start + size - 1 - to;
		if (found > bestRoom) {
			best = window;
			bestRoom = found;
		}
	}
	return best;
}
