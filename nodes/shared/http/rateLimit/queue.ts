/** First in, first out, with removal from anywhere. Every operation takes constant time on average. */
export class Fifo<T> {
	private readonly entries = new Set<T>();
	/** Kept between calls: a new one would have to skip all entries that were taken before. */
	private position = this.entries.values();

	get size(): number {
		return this.entries.size;
	}

	add(entry: T): void {
		this.entries.add(entry);
	}

	delete(entry: T): boolean {
		return this.entries.delete(entry);
	}

	take(): T | undefined {
		if (this.size === 0) return undefined;
		let next = this.position.next();
		if (next.done) {
			// An iterator that has reached the end does not see later entries.
			this.position = this.entries.values();
			next = this.position.next();
		}
		const entry = next.value as T;
		this.entries.delete(entry);
		return entry;
	}

	[Symbol.iterator](): IterableIterator<T> {
		return this.entries.values();
	}
}

/** Serves the runs in turn, and the entries of one run in the order in which they came. */
export class FairQueue<T extends { run: object }> {
	private readonly byRun = new Map<object, Fifo<T>>();
	private readonly turns = new Fifo<object>();
	size = 0;

	add(entry: T): void {
		const { run } = entry;
		const entries = this.byRun.get(run) ?? new Fifo();
		entries.add(entry);
		this.byRun.set(run, entries);
		this.turns.add(run);
		this.size++;
	}

	delete(entry: T): void {
		const { run } = entry;
		const entries = this.byRun.get(run);
		if (!entries?.delete(entry)) return;
		this.size--;
		if (entries.size > 0) return;
		this.byRun.delete(run);
		this.turns.delete(run);
	}

	take(): T | undefined {
		const run = this.turns.take();
		const entry = run && this.byRun.get(run)?.take();
		if (!entry) return undefined;
		this.size--;
		if (this.byRun.get(run)?.size === 0) this.byRun.delete(run);
		else this.turns.add(run);
		return entry;
	}

	*[Symbol.iterator](): IterableIterator<T> {
		for (const entries of this.byRun.values()) yield* entries;
	}
}

/** Serves first what was refused most often, and that in the order in which it came. */
export class RefusedQueue<T extends { refusals: number }> {
	private readonly byRefusals: Array<Fifo<T>> = [];
	size = 0;

	add(entry: T): void {
		(this.byRefusals[entry.refusals] ??= new Fifo()).add(entry);
		this.size++;
	}

	delete(entry: T): void {
		if (this.byRefusals[entry.refusals]?.delete(entry)) this.size--;
	}

	take(): T | undefined {
		const entry = this.byRefusals.findLast((entries) => entries?.size > 0)?.take();
		if (entry) this.size--;
		return entry;
	}

	*[Symbol.iterator](): IterableIterator<T> {
		for (const entries of this.byRefusals) if (entries) yield* entries;
	}
}
