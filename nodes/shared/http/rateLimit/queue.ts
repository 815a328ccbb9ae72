/** An entry in the queue, which belongs to a run. */
export interface Queued {
	run: object;
	/**
	 * Within a run, lower numbers are served first, and entries with the same number in order of
	 * arrival.
	 */
	order: number;
	arrival: number;
}

interface Line<T> {
	/**
	 * Waiting entries. Deleted ones are skipped when their turn comes, because a whole run of
	 * thousands may be deleted at once.
	 */
	entries: T[];
	/** Entries that have been taken and haven't ended yet. */
	taken: number;
	hasTurn: boolean;
}

/**
 * A queue that takes turns between runs, limits how many entries of each can be taken at a time,
 * and serves each run's entries in order.
 */
export class FairQueue<T extends Queued> implements Iterable<T> {
	private readonly lines = new Map<object, Line<T>>();
	/** The runs that can be served, in the order of their turns. */
	private turns: object[] = [];
	private readonly waiting = new Set<T>();

	/** @param maxTaken how many entries of one run may be in progress at a time */
	constructor(private readonly maxTaken: number) {}

	get size(): number {
		return this.waiting.size;
	}

	/** Adds an entry. One that's added again gets its old place. */
	add(entry: T): void {
		this.waiting.add(entry);
		const line = this.lines.get(entry.run) ?? { entries: [], taken: 0, hasTurn: false };
		this.lines.set(entry.run, line);
		line.entries.splice(insertionIndex(entry, line.entries), 0, entry);
		this.giveTurn(entry.run, line);
	}

	/** Takes the next entry. Undefined if every waiting run has reached its maximum. */
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

	/** Frees the place of an entry that was taken. */
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

	/** Gives a run its next turn if it can be served, and forgets a run that has no entries left. */
	private giveTurn(run: object, line: Line<T>): void {
		if (line.entries.length === 0) {
			if (line.taken === 0) this.lines.delete(run);
		} else if (!line.hasTurn && line.taken < this.maxTaken) {
			line.hasTurn = true;
			this.turns.push(run);
		}
	}
}

function insertionIndex(entry: Queued, entries: readonly Queued[]): number {
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
