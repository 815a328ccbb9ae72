import { systemClock } from '../http/clock';

/** Items of a run in progress at once. More wouldn't be faster, and each takes memory. */
export const MOST_ITEMS = 20;
/** A request that takes longer does not hold up the other items. */
const SLOW_MS = 2_000;

/** An item's place among those in progress. */
export interface PoolPlace {
	/** One of the item's requests is sent now. */
	sends(): void;
	/** The item's requests have ended for now. */
	pauses(): void;
	/** The item has ended. */
	leave(): void;
}

/**
 * Starts the items of a run in order, few enough at a time that most are finished when requests run
 * out. The first item that sends requests runs alone, and each item that ends makes room for one more.
 * So a run that has finished n items has started at most n + 1 others, unless its requests are slow.
 */
export class ItemPool {
	private inProgress = 0;
	private allowed = 1;
	private readonly waiting: Array<() => void> = [];

	/** Resolves when the next item may start. */
	async enter(): Promise<PoolPlace> {
		if (this.inProgress < this.allowed) this.inProgress++;
		else await new Promise<void>((start) => this.waiting.push(start));
		const left = new AbortController();
		let hasSent = false;
		let sentAt = Infinity;
		return {
			sends: () => {
				sentAt = systemClock.now();
				if (hasSent) return;
				hasSent = true;
				if (this.allowed === MOST_ITEMS) return;
				void systemClock.sleep(SLOW_MS, left.signal).then(() => {
					const isSlow = systemClock.now() - sentAt > 0.9 * SLOW_MS;
					if (isSlow) this.allow(2 * this.allowed);
				});
			},
			pauses: () => {
				sentAt = Infinity;
			},
			leave: () => {
				sentAt = Infinity;
				left.abort();
				this.inProgress--;
				this.allow(this.allowed + (hasSent ? 1 : 0));
			},
		};
	}

	private allow(count: number): void {
		this.allowed = Math.min(count, MOST_ITEMS);
		while (this.inProgress < this.allowed) {
			const start = this.waiting.shift();
			if (!start) return;
			this.inProgress++;
			start();
		}
	}
}
