import type { RateReport } from './headers';
import { LONG_WINDOW_MS } from './window';

/** A request that the service refused because of a limit on requests. */
export interface Refusal {
	headers: RateReport;
	/** The service's words name a day or a longer period, and no shorter one. */
	namesLongQuota: boolean;
	/** The headers describe a quota per day or longer. */
	describesLongQuota: boolean;
	/** How often this request was refused before. */
	earlier: number;
	/** It was sent before another refusal was known. */
	sameBurst: boolean;
}

/** Shortest pause after a refusal; doubles each time the same request is refused. */
const FIRST_PAUSE_MS = 250;
/** How often a request finds out whether an exhausted quota still holds. */
const QUOTA_CHECK_MS = 60_000;

/** The time in which nothing is sent because the service refused a request. */
export class Block {
	/** When the next request may be sent, in ms since the epoch. */
	until = 0;
	/** When the service works again; later than `until` for a quota, whose state is checked meanwhile. */
	opensAt = 0;
	/** A quota per day or longer is exhausted, not the short window. */
	quota = false;
	/** The block takes too long to wait for. */
	failsFast = false;
	/** The service did not say when it works again. */
	guessed = false;
	/** Windows that ended with a refusal, without a success since. */
	rounds = 0;
	/** A request gave up, and none has succeeded since. */
	gaveUp = false;
	private since = 0;

	/** False also when the clock was set back behind the start of the block. */
	holds(now: number): boolean {
		return now < this.until && now >= this.since;
	}

	/** @param windowMs length of the documented window */
	refuse(refusal: Refusal, windowMs: number, now: number): void {
		const { namesLongQuota, earlier, sameBurst } = refusal;
		const announced = announcedEnd(refusal, now);
		const isFar = announced !== undefined && announced - now > LONG_WINDOW_MS;
		const held = this.holds(now);
		if (!sameBurst) this.rounds++;
		this.guessed = announced === undefined;
		this.quota = namesLongQuota || isFar || (held && this.quota);
		this.failsFast = isFar || (namesLongQuota && this.guessed) || (held && this.failsFast);
		const pause = Math.min(FIRST_PAUSE_MS * 2 ** earlier, windowMs);
		const opensAt = Math.max(
			announced ?? now + (this.failsFast ? QUOTA_CHECK_MS : windowMs),
			now + pause,
		);
		this.opensAt = held ? Math.max(this.opensAt, opensAt) : opensAt;
		this.until = this.failsFast ? Math.min(this.opensAt, now + QUOTA_CHECK_MS) : this.opensAt;
		this.since = now;
	}

	succeed(now: number): void {
		// A response to a request that was sent before the refusal says nothing about what came after.
		if (this.holds(now)) return;
		this.rounds = 0;
		this.gaveUp = false;
	}
}

/** When the service says that it works again; undefined where nothing usable is said. */
function announcedEnd(refusal: Refusal, now: number): number | undefined {
	const { retry, reset, remaining = 0 } = refusal.headers;
	if (retry) return retry.at + retry.resolutionMs;
	const end = reset && reset.at + reset.resolutionMs;
	if (end === undefined || end <= now) return undefined;
	const isFar = end - now > LONG_WINDOW_MS;
	// With requests left, the headers describe the short window and the refusal another limit.
	const isOtherLimit = remaining > 0 && refusal.namesLongQuota;
	return isOtherLimit || (isFar && !refusal.describesLongQuota) ? undefined : end;
}
