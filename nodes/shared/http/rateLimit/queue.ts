/** An entry of a run, with its place among all entries. */
export interface Queued {
	run: object;
	/** In the order of arrival. */
	number: number;
}

/** Serves the runs in turn, and the entries of one run by their numbers. */
export class FairQueue<T extends Queued> implements Iterable<T> {
	/** May still have deleted entries, which are skipped: a run of thousands is deleted at once. */
	private readonly byRun = new Map<object, T[]>();
	/** The run that is served next is first. */
	private readonly turns: object[] = [];
	private readonly waiting = new Set<T>();

	get size(): number {
		return this.waiting.size;
	}

	/** An entry that was taken before goes back to the front of its run, since its number is low. */
	add(entry: T): void {
		const { run, number } = entry;
		const entries = this.byRun.get(run);
		this.waiting.add(entry);
		if (!entries) {
			this.byRun.set(run, [entry]);
			this.turns.push(run);
			return;
		}
		const behind = number > entries.at(-1)!.number;
		const at = behind ? entries.length : entries.findIndex((other) => other.number > number);
		entries.splice(at, 0, entry);
	}

	take(): T | undefined {
		for (let run = this.turns.shift(); run; run = this.turns.shift()) {
			const entries = this.byRun.get(run) ?? [];
			let entry = entries.shift();
			while (entry && !this.waiting.delete(entry)) entry = entries.shift();
			if (entries.length > 0) this.turns.push(run);
			else this.byRun.delete(run);
			if (entry) return entry;
		}
		return undefined;
	}

	delete(entry: T): void {
		this.waiting.delete(entry);
		if (this.waiting.size > 0) return;
		this.byRun.clear();
		this.turns.length = 0;
	}

	[Symbol.iterator](): Iterator<T> {
		return this.waiting.values();
	}
}
