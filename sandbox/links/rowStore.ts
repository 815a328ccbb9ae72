import type { LinkSettings, ListName } from './settings';

export type ListOrder = LinkSettings['order'][ListName];

/**
 * Rows with growing ids. A generated row comes into being when it is first looked at, so that a
 * hundred thousand of them cost nothing at the start.
 */
export class RowStore<T extends { id: number }> {
	private readonly ids: number[];
	private readonly rows = new Map<number, T>();
	private scattered: number[] | undefined;
	private nextId: number;

	constructor(
		generated: number,
		private readonly generate: (id: number) => T,
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
		const known = this.rows.get(id);
		if (known) return known;
		const row = this.generate(id);
		this.rows.set(id, row);
		return row;
	}

	/** Adds a row under the next id, which is never one that was used before. */
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
		return this.insert((id) => ({ ...this.generate(id), ...fields, id }));
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
		switch (order) {
			case 'oldest-first':
				return this.ids.slice(start, start + length);
			case 'newest-first': {
				const end = Math.max(0, this.size - start);
				return this.ids.slice(Math.max(0, end - length), end).reverse();
			}
			case 'none':
				this.scattered ??= [...this.ids].sort((a, b) => scatter(a) - scatter(b));
				return this.scattered.slice(start, start + length);
		}
	}
}

/** Orders rows that are not in a store, given oldest first. */
export function inOrder<T>(rows: readonly T[], order: ListOrder): T[] {
	switch (order) {
		case 'oldest-first':
			return [...rows];
		case 'newest-first':
			return [...rows].reverse();
		case 'none':
			return rows
				.map((row, index) => ({ row, key: scatter(index + 1) }))
				.sort((a, b) => a.key - b.key)
				.map(({ row }) => row);
	}
}

const identity = (id: number): number => id;

/** Multiplication by an odd number permutes the 32-bit integers: no two ids get one place. */
const scatter = (id: number): number => Math.imul(id, 0x9e3779b1) >>> 0;

/** Where the id stands, or would stand, in a list sorted by `key`. */
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
