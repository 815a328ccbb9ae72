/** An entry of a run, with its place among the run's entries. */
export interface Queued {
	run: object;
	/** Lower numbers are served first; entries with equal ones by their arrival. */
	order: number;
	arrival: number;
}

/** The entries of a run. */
interface Line<T> {
	/** Those that wait. Deleted ones are skipped later, since thousands can be deleted at once. */
	entries: T[];
	/** Entries that were taken and have not ended. */
	taken: number;
	hasTurn: boolean;
}

/** Serves the runs in turn, up to a number of entries at a time, and those of one run in order. */
export class FairQueue<T extends Queued> implements Iterable<T> {
	private readonly lines = new Map<object, Line<T>>();
	/** The runs that can be served; the next one is first. */
	private turns: object[] = [];
	private readonly waiting = new Set<T>();

	/** @param mostTaken entries of one run that can be taken before one of them has ended */
	constructor(private readonly mostTaken: number) {}

	get size(): number {
		return this.waiting.size;
	}

	/** An entry that was taken before gets its old place. */
	add(entry: T): void {
		this.waiting.add(entry);
		const line = this.lines.get(entry.run) ?? { entries: [], taken: 0, hasTurn: false };
		this.lines.set(entry.run, line);
		line.entries.splice(placeOf(entry, line.entries), 0, entry);
		this.giveTurn(entry.run, line);
	}

	/** Takes the next entry; undefined if every waiting run has as many as it may. */
	take(): T | undefined {
		for (let run = this.turns.shift(); run; run = this.turns.shift()) {
			const line = this.lines.get(run);
			if (!line) continue;
			line.hasTurn = false;
			let entry = line.entries.shift();
			while (entry && !this.waiting.delete(entry)) entry = line.entries.shift();
			if (entry) line.taken++;
			this.giveTurn(run, line);
			if (entry) return entry;
		}
		return undefined;
	}

	/** An entry that was taken has ended. */
	end(run: object): void {
		const line = this.lines.get(run);
		if (!line) return;
		line.taken--;
		this.giveTurn(run, line);
	}

	delete(entry: T): void {
		this.waiting.delete(entry);
		if (this.waiting.size > 0) return;
		this.turns = [];
		for (const [run, line] of this.lines) {
			Object.assign(line, { entries: [], hasTurn: false });
			this.giveTurn(run, line);
		}
	}

	[Symbol.iterator](): Iterator<T> {
		return this.waiting.values();
	}

	/** Lets a run be served if it can, and forgets one that has nothing left. */
	private giveTurn(run: object, line: Line<T>): void {
		if (line.entries.length === 0) {
			if (line.taken === 0) this.lines.delete(run);
		} else if (!line.hasTurn && line.taken < this.mostTaken) {
			line.hasTurn = true;
			this.turns.push(run);
		}
	}
}

function placeOf(entry: Queued, entries: readonly Queued[]): number {
	let [low, high] = [0, entries.length];
	while (low < high) {
		const middle = (low + high) >> 1;
		if (isBefore(entry, entries[middle]!)) high = middle;
		else low = middle + 1;
	}
	return low;
}

function isBefore(one: Queued, other: Queued): boolean {
	return one.order === other.order ? one.arrival < other.arrival : one.order < other.order;
}
