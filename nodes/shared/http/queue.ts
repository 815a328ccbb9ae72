/** An entry in the queue, which belongs to a run. */
export interface Queued {
	run: object;
	/** Within a run, lower numbers are served first, and equal ones in order of arrival. */
	order: number;
	arrival: number;
}

interface Line<T> {
	/** In the order in which they're served. */
	waiting: T[];
	/** Entries that have been taken and haven't ended yet. */
	taken: number;
}

/** A queue that takes turns between runs and limits how many entries of each are in progress. */
export class FairQueue<T extends Queued> {
	/** The run that was served last comes last. */
	private readonly lines = new Map<object, Line<T>>();
	/** How many entries are waiting. */
	size = 0;

	/** @param maxTaken how many entries of one run may be in progress at a time */
	constructor(private readonly maxTaken: number) {}

	add(entry: T): void {
		const line = this.lines.get(entry.run) ?? { waiting: [], taken: 0 };
		this.lines.set(entry.run, line);
		const { waiting } = line;
		let at = waiting.length;
		while (at > 0 && isBefore(entry, waiting[at - 1]!)) at--;
		waiting.splice(at, 0, entry);
		this.size++;
	}

	/** Takes the next entry. Undefined if every waiting run has reached its maximum. */
	take(): T | undefined {
		for (const [run, line] of this.lines) {
			if (line.waiting.length === 0 || line.taken === this.maxTaken) continue;
			this.lines.delete(run);
			this.lines.set(run, line);
			line.taken++;
			this.size--;
			return line.waiting.shift();
		}
		return undefined;
	}

	/** Frees the place of an entry that was taken. */
	end(run: object): void {
		const line = this.lines.get(run);
		if (!line) return;
		line.taken--;
		this.forget(run, line);
	}

	delete(entry: T): void {
		const line = this.lines.get(entry.run);
		const at = line?.waiting.indexOf(entry) ?? -1;
		if (!line || at < 0) return;
		line.waiting.splice(at, 1);
		this.size--;
		this.forget(entry.run, line);
	}

	*[Symbol.iterator](): Generator<T> {
		for (const { waiting } of this.lines.values()) yield* waiting;
	}

	private forget(run: object, { waiting, taken }: Line<T>): void {
		if (waiting.length === 0 && taken === 0) this.lines.delete(run);
	}
}

function isBefore(one: Queued, other: Queued): boolean {
	return one.order === other.order ? one.arrival < other.arrival : one.order < other.order;
}
