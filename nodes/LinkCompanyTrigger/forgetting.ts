import { z } from 'zod';

/** How long what is seen counts, before what is missing is forgotten. */
export interface MemoryPeriod {
	/** When it began, in ms since the epoch. */
	since: number;
	/** Complete readings of the list since then, up to `PASSES`. */
	passes: number;
}

const DAY_MS = 86_400_000;
/** One reading can miss a record, and a clock can jump. */
const PASSES = 3;

export const periodSchema = z.object({
	since: z.number().int(),
	passes: z.number().int().min(0).max(PASSES),
});

/**
 * Counts a complete reading of the list. When the period is over, what it has not seen was missing
 * for a day, and a new period begins. A reading without records does not count: an empty list is
 * more often a fault of the service than the end of all records.
 *
 * @param records number of records that the reading showed
 */
export function countReading(
	period: MemoryPeriod,
	records: number,
	now: number,
): { over: boolean; period: MemoryPeriod } {
	if (records === 0) return { over: false, period };
	const { since, passes } = period;
	const read = Math.min(PASSES, passes + 1);
	// A clock that was set back would make the period longer.
	if (now < since) return { over: false, period: { since: now, passes: read } };
	const over = now - since >= DAY_MS && read === PASSES;
	return { over, period: over ? { since: now, passes: 0 } : { since, passes: read } };
}
