/** An entry in the queue, which belongs to a run. */
export interface Queued {
	run: object;
	/** Within a run, lower numbers are served first, and equal ones in order of arrival. */
	order: number;
	arrival: number;
}

/** A queue that takes turns between runs and limits how many entries of each are in progress. */
export class FairQueue<T extends Queued> {
	/** The run that was served last comes last. `taken` entries haven't ended yet. */
	private readonly lines = new Map<object, { waiting: T[]; taken: number }>();

	/** @param maxTaken how many entries of one run may be in progress at a time */
	constructor(private readonly maxTaken: number) {}

	/** The waiting entries. */
	get waiting(): T[] {
		return [...this.lines.values()].flatMap(({ waiting }) => waiting);
	}

	add(entry: T): void {
		const line = this.lines.get(entry.run) ?? { waiting: [], taken: 0 };
		this.lines.set(entry.run, line);
		let at = line.waiting.length;
		while (at > 0 && isBefore(entry, line.waiting[at - 1]!)) at--;
		line.waiting.splice(at, 0, entry);
	}

	/** Takes the next entry. Undefined if none is waiting, or every waiting run has its maximum. */
	take(): T | undefined {
		for (const [run, line] of this.lines) {
			if (line.waiting.length === 0 || line.taken === this.maxTaken) continue;
			this.lines.delete(run);
			this.lines.set(run, line);
			line.taken++;
			return line.waiting.shift();
		}
		return undefined;
	}

	/** Frees the place of an entry that was taken. */
	end(run: object): void {
		const line = this.lines.get(run);
		if (line && --line.taken === 0 && line.waiting.length === 0) this.lines.delete(run);
	}

	delete(entry: T): void {
		const line = this.lines.get(entry.run);
		const at = line?.waiting.indexOf(entry) ?? -1;
		if (at >= 0) line?.waiting.splice(at, 1);
		if (line?.taken === 0 && line.waiting.length === 0) this.lines.delete(entry.run);
	}
}

function isBefore(one: Queued, other: Queued): boolean {
	return one.order === other.order ? one.arrival < other.arrival : one.order < other.order;
}
