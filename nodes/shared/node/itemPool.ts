import { systemClock } from '../http/clock';

/** The maximum number of a run's items in progress. More wouldn't be faster, and each takes memory. */
export const MAX_ITEMS = 20;
/** A request that takes longer than this no longer holds up other items. */
const SLOW_MS = 2_000;

/** The place of an item in progress. The item uses it to report what it's doing. */
export interface PoolPlace {
	/** One of the item's requests is being sent. */
	sends(): void;
	/** None of the item's requests is in flight. */
	pauses(): void;
	/** The item is done. */
	leave(): void;
}

/**
 * Starts a run's items in order, and no more at a time than necessary. If requests run out, most
 * items are then finished instead of half done. The first item that sends requests runs alone, and
 * each item that ends makes room for one more. So after n items have finished, at most n + 1 others
 * have been started, unless requests are slow.
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
				if (this.allowed === MAX_ITEMS) return;
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
		this.allowed = Math.min(count, MAX_ITEMS);
		while (this.inProgress < this.allowed) {
			const start = this.waiting.shift();
			if (!start) return;
			this.inProgress++;
			start();
		}
	}
}
