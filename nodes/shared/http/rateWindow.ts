import { SECOND_MS } from './clock';
import type { Rate, RateReport } from './headers';

export interface Attempt {
	/** Set if the service rejected it, because of a limit in the window or of the daily quota. */
	rejectedFor?: 'window' | 'day';
	/** What the response says about the limits; undefined if there was no response. */
	report?: RateReport;
}

/** When the next request may be sent, in ms since the epoch. */
export interface Slot {
	at: number;
	/** Whether the limit is the reason to wait, and not a response that's on its way. */
	isLimited: boolean;
}

export interface SentRequest {
	readonly at: number;
	readonly window: object;
}

/** How long the first request of a window holds up the next one. It may be a large upload. */
const FIRST_RESPONSE_MS = 2_000;
/** The window may end while the response is on its way. A reset further in the past is a mistake. */
const PAST_RESET_MS = 5_000;

/**
 * Predicts when a key may send its next request.
 *
 * A single request opens a window. Its response says how many more may follow. Until the window ends,
 * at the latest after the documented time, that number only goes down, so sliding windows and other
 * programs that use the key make no difference. Without such headers, no more requests than documented
 * are sent in the length of a window.
 *
 * The service may count a request at any time while it's in flight. So what's in flight is subtracted,
 * unless it was sent more than a window ago: a request that hangs only holds back its own window.
 */
export class RateWindow {
	/** Requests in flight, oldest first. */
	private readonly pending = new Set<SentRequest>();
	/** Where the number of requests left comes from. Undefined until the first response says. */
	private source: 'headers' | 'documentation' | undefined;
	private current: object = {};
	/**
	 * From headers. Until a window's first response, it goes below 0, by one for each request that ends in
	 * the meantime.
	 */
	private left = 0;
	private endsAt = 0;
	/** When recent requests ended, oldest first. */
	private ends: number[] = [];

	/**
	 * The earliest slot, unless a response changes it in the meantime.
	 *
	 * @param rate the documented rate of the key, which may change
	 */
	nextSlot(now: number, { limit, windowMs }: Rate): Slot {
		if (this.source === 'headers' && now >= this.endsAt) this.close();
		if (this.source === undefined) {
			const opening = [...this.pending].findLast(({ window }) => window === this.current);
			return { at: opening ? opening.at + FIRST_RESPONSE_MS : now, isLimited: false };
		}
		const pending = [...this.pending].map(({ at }) => at).filter((at) => at > now - windowMs);
		if (this.source === 'headers') {
			return { at: this.left > pending.length ? now : this.endsAt, isLimited: this.left <= 0 };
		}
		const recent = [...this.ends, ...pending].sort((one, other) => one - other);
		return { at: (recent.at(-limit) ?? -Infinity) + windowMs, isLimited: true };
	}

	sent(now: number): SentRequest {
		const request = { at: now, window: this.current };
		this.pending.add(request);
		return request;
	}

	ended(request: SentRequest, { rejectedFor, report }: Attempt, now: number, rate: Rate): void {
		const { limit, windowMs } = rate;
		this.pending.delete(request);
		// Dropped rarely enough to cost almost nothing.
		if (this.ends.push(now) > 2 * limit) this.ends = this.ends.slice(-limit);

		const isCurrent = request.window === this.current;
		const { remaining, resetAt = 0 } = report ?? {};
		if (rejectedFor) {
			if (isCurrent) this.close();
		} else if (isCurrent && remaining !== undefined) {
			const latest = now + windowMs;
			const isUsable = resetAt >= now - PAST_RESET_MS && resetAt <= latest + SECOND_MS;
			const endsAt = isUsable ? resetAt : latest;
			// Responses arrive out of order, and other programs may use the key, so the lowest number counts.
			const isKnown = this.source === 'headers';
			this.left = isKnown ? Math.min(this.left, remaining) : remaining + Math.min(this.left, 0);
			this.endsAt = isKnown ? Math.max(this.endsAt, endsAt) : endsAt;
			this.source = 'headers';
		} else {
			if (isCurrent && report) this.source ??= 'documentation';
			// It may still count in this window.
			if (this.source !== 'documentation') this.left--;
		}
	}

	/** Makes the next request open a new window. */
	private close(): void {
		this.source = undefined;
		this.left = 0;
		this.current = {};
	}
}
