/** Rows of a list, to be cut into pages. */
export interface Rows<T> {
	size: number;
	/** The rows from position `start` on, newest first. */
	newest(start: number, length: number): T[];
}

/**
 * Rows with increasing IDs. A generated row is created when it is first read, so that 100,000 rows
 * don't slow down the start.
 */
export class RowStore<T extends { id: number }> implements Rows<T> {
	private readonly ids: number[];
	private readonly rows = new Map<number, T>();
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
		return this.ids[this.position(id)] === id;
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
		return row;
	}

	/** Adds a row like the generated ones, with the given fields. */
	insertGenerated(fields: Partial<Omit<T, 'id'>>): T {
		return this.insert((id) => ({ ...this.generate(id, this.generated), ...fields, id }));
	}

	delete(id: number): boolean {
		if (!this.has(id)) return false;
		this.ids.splice(this.position(id), 1);
		this.rows.delete(id);
		return true;
	}

	newest(start: number, length: number): T[] {
		const end = Math.max(0, this.size - start);
		const ids = this.ids.slice(Math.max(0, end - length), end).reverse();
		return ids.map((id) => this.get(id) as T);
	}

	/** Every row, oldest first. */
	all(): T[] {
		return this.newest(0, this.size).reverse();
	}

	/** Where the ID is, or would be. */
	private position(id: number): number {
		let low = 0;
		let high = this.ids.length;
		while (low < high) {
			const middle = (low + high) >>> 1;
			if (this.ids[middle]! < id) low = middle + 1;
			else high = middle;
		}
		return low;
	}
}

/** Rows that are not in a store, given oldest first. */
export function rowsOf<T>(rows: readonly T[]): Rows<T> {
	const newest = [...rows].reverse();
	return { size: rows.length, newest: (start, length) => newest.slice(start, start + length) };
}
