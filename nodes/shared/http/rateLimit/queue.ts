/** An entry of a run, with its place among all entries. */
export interface Queued {
	run: object;
	/** In the order of arrival. */
	number: number;
}

/** Serves the runs in turn, and the entries of one run by their numbers. */
export class FairQueue<T extends Queued> {
	private readonly byRun = new Map<object, T[]>();
	/** The run that is served next is first. */
	private readonly turns: object[] = [];
	size = 0;

	/** An entry that was taken before goes back to the front of its run, since its number is low. */
	add(entry: T): void {
		const { run, number } = entry;
		const entries = this.byRun.get(run);
		this.size++;
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
		const run = this.turns.shift();
		if (!run) return undefined;
		const entries = this.byRun.get(run) ?? [];
		const entry = entries.shift();
		this.size--;
		if (entries.length > 0) this.turns.push(run);
		else this.byRun.delete(run);
		return entry;
	}

	delete(entry: T): void {
		const { run } = entry;
		const entries = this.byRun.get(run);
		const at = entries?.indexOf(entry) ?? -1;
		if (!entries || at < 0) return;
		this.size--;
		entries.splice(at, 1);
		if (entries.length > 0) return;
		this.byRun.delete(run);
		this.turns.splice(this.turns.indexOf(run), 1);
	}

	*[Symbol.iterator](): IterableIterator<T> {
		for (const entries of this.byRun.values()) yield* entries;
	}
}
