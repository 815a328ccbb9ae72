import { systemClock } from '../http/clock';

/** The maximum number of a run's items in progress. More wouldn't be faster, and each takes memory. */
export const MAX_ITEMS = 20;
/** While an attempt takes longer than this, the number of items doubles, each time this has passed. */
const SLOW_MS = 2_000;

/** The place of an item in progress. The item uses it to report what it's doing. */
export interface PoolPlace {
	/** The item makes an attempt. Returns a function to call when the attempt has ended. */
	sends(): () => void;
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
		let hasSent = false;
		return {
			sends: () => {
				hasSent = true;
				const ended = new AbortController();
				void this.watch(ended.signal);
				return () => ended.abort();
			},
			leave: () => {
				this.inProgress--;
				this.allow(this.allowed + (hasSent ? 1 : 0));
			},
		};
	}

	/** Lets more items start for as long as an attempt is slow. */
	private async watch(ended: AbortSignal): Promise<void> {
		while (this.allowed < MAX_ITEMS) {
			await systemClock.sleep(SLOW_MS, ended);
			if (ended.aborted) return;
			this.allow(2 * this.allowed);
		}
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
