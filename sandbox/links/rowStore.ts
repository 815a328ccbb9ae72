export const ORDERS = ['newest-first', 'oldest-first', 'none'] as const;
type ListOrder = (typeof ORDERS)[number];

/** Rows of a list, to be cut into pages. */
export interface Rows<T> {
	size: number;
	slice(order: ListOrder, start: number, length: number): T[];
}

/**
 * Rows with increasing IDs. A generated row is created when it is first read, so that 100,000 rows
 * don't slow down the start.
 */
export class RowStore<T extends { id: number }> implements Rows<T> {
	private readonly ids: number[];
	private readonly rows = new Map<number, T>();
	private scattered: number[] | undefined;
	private nextId: number;

	constructor(
		private readonly generated: number,
		private readonly generate: (id: number, count: number) => T,
	) {
		this.ids = Array.from({ length: generated }, (_, index) => index + 1);
		this.nextId = generated + 1;
	}

	get size(): number {
		return this.ids.length;
	}

	has(id: number): boolean {
		return this.ids[position(this.ids, id, identity)] === id;
	}

	/** The row itself: changing it changes the store. */
	get(id: number): T | undefined {
		if (!this.has(id)) return undefined;
		const row = this.rows.get(id) ?? this.generate(id, this.generated);
		this.rows.set(id, row);
		return row;
	}

	/** Adds a row under the next ID; IDs are never reused. */
	insert(make: (id: number) => T): T {
		const id = this.nextId++;
		const row = make(id);
		this.rows.set(id, row);
		this.ids.push(id);
		this.scattered?.splice(position(this.scattered, id, scatter), 0, id);
		return row;
	}

	/** Adds a row like the generated ones, with the given fields. */
	insertGenerated(fields: Partial<Omit<T, 'id'>>): T {
		return this.insert((id) => ({ ...this.generate(id, this.generated), ...fields, id }));
	}

	delete(id: number): boolean {
		if (!this.has(id)) return false;
		this.ids.splice(position(this.ids, id, identity), 1);
		this.scattered?.splice(position(this.scattered, id, scatter), 1);
		this.rows.delete(id);
		return true;
	}

	/** The rows from position `start` on, in the order of the list. */
	slice(order: ListOrder, start: number, length: number): T[] {
		return this.idsFrom(order, start, length).map((id) => this.get(id) as T);
	}

	/** Every row, oldest first. */
	all(): T[] {
		return this.slice('oldest-first', 0, this.size);
	}

	private idsFrom(order: ListOrder, start: number, length: number): number[] {
		if (order === 'newest-first') {
			const end = Math.max(0, this.size - start);
			return this.ids.slice(Math.max(0, end - length), end).reverse();
		}
		if (order === 'oldest-first') return this.ids.slice(start, start + length);
		this.scattered ??= [...this.ids].sort((a, b) => scatter(a) - scatter(b));
		return this.scattered.slice(start, start + length);
	}
}

/** Rows that are not in a store, given oldest first. */
export function rowsOf<T>(rows: readonly T[]): Rows<T> {
	const places = new RowStore(rows.length, (id) => ({ id }));
	return {
		size: rows.length,
		slice: (...part) => places.slice(...part).map(({ id }) => rows[id - 1] as T),
	};
}

const identity = (id: number): number => id;

/** Multiplying by an odd number permutes the 32-bit integers, so no two IDs get the same place. */
const scatter = (id: number): number => Math.imul(id, 0x9e3779b1) >>> 0;

/** Where the id is, or would be, in a list sorted by `key`. */
function position(sorted: readonly number[], id: number, key: (id: number) => number): number {
	let low = 0;
	let high = sorted.length;
	while (low < high) {
		const middle = (low + high) >>> 1;
		if (key(sorted[middle] as number) < key(id)) low = middle + 1;
		else high = middle;
	}
	return low;
}
