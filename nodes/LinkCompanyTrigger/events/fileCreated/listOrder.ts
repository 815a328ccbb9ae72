import { z } from 'zod';

/** A row of a list, as far as its order shows. */
export interface OrderedRow {
	id: number;
	/** Date-time text that sorts as it is written; absent where the row has none. */
	date?: string;
}

/**
 * The order of the rows read so far. Rows with the same date are adjacent, in any order; between
 * rows of different dates, or without dates, ids only decrease or only increase.
 */
export interface ListOrder {
	direction: 'unknown' | 'falling' | 'rising' | 'none';
	/**
	 * The ids that the next group of one date must stay below (decreasing) or above (increasing).
	 */
	bound?: number;
	/** The current group. */
	date?: string;
	low?: number;
	high?: number;
	/** Rows in the current group, and in total. */
	group: number;
	rows: number;
	/** Logarithm of how improbable the order is by chance. */
	evidence: number;
}

export const noOrder = (): ListOrder => ({ direction: 'unknown', group: 0, rows: 0, evidence: 0 });

/** Eight rows in order: by chance it happens once in 40,000 lists. */
const CONVINCING = Math.log(40_000);

export function isConvincing({ direction, evidence }: ListOrder): boolean {
	return (direction === 'falling' || direction === 'rising') && evidence > CONVINCING;
}

/** The order after one more row. */
export function withRow(order: ListOrder, { id, date }: OrderedRow): ListOrder {
	const { direction, low = id, high = id } = order;
	const rows = order.rows + 1;
	const sameGroup = order.rows > 0 && date !== undefined && date === order.date;
	const group = sameGroup ? order.group + 1 : 1;
	const next = {
		...order,
		date,
		rows,
		group,
		low: sameGroup ? Math.min(low, id) : id,
		high: sameGroup ? Math.max(high, id) : id,
		evidence: order.evidence + Math.log(rows) - Math.log(group),
	};
	if (order.rows === 0 || direction === 'none') return next;
	if (sameGroup) return fits(direction, id, order.bound) ? next : { ...next, direction: 'none' };
	const way = direction !== 'unknown' ? direction : id < low ? 'falling' : 'rising';
	const bound = way === 'falling' ? low : high;
	const dated = date !== undefined && order.date !== undefined;
	const dateFits = !dated || (way === 'falling' ? date < order.date! : date > order.date!);
	const fitting = dateFits && fits(way, id, bound);
	return { ...next, bound, direction: fitting ? way : 'none' };
}

function fits(direction: ListOrder['direction'], id: number, bound: number | undefined): boolean {
	if (bound === undefined || direction === 'unknown') return true;
	return direction === 'falling' ? id < bound : id > bound;
}

export const orderSchema = z.object({
	direction: z.enum(['unknown', 'falling', 'rising', 'none']),
	bound: z.number().optional(),
	date: z.string().optional(),
	low: z.number().optional(),
	high: z.number().optional(),
	group: z.number(),
	rows: z.number(),
	evidence: z.number(),
});
