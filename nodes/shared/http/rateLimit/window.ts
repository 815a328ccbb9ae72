import type { Rate, RateReport } from './headers';

/** When the next request may be sent. */
export interface NextSlot {
	/** Ms since the epoch; not in the future when it may be sent now. */
	at: number;
	/** The rate limit is the reason to wait, not a pending response. */
	limited: boolean;
}

/** What was known when a request was sent. */
export interface SentRequest {
	/** Ms since the epoch. */
	readonly at: number;
	readonly window: number;
	readonly number: number;
	/** Other requests that were already in flight. */
	readonly alongside: number;
}

/** After this time, a window's slow first request (a large upload) no longer delays other requests. */
const FIRST_RESPONSE_MS = 2_000;
/** The window may end while the response travels; a reset further in the past is a mistake. */
const PAST_RESET_MS = 5_000;
/** A reset in whole seconds may seem this much later than the end of the window. */
const ROUNDING_MS = 1_000;

/**
 * Estimates when a key may send its next request. Pure: it knows no clock and sends nothing.
 *
 * A single request opens a window. Its response says how many may follow, and that number only
 * falls until the window ends; so other programs on the key, fixed windows and sliding windows need
 * no special cases. A window never lasts longer than the documented one, even if a response says so:
 * after that, another single request opens the next. Without usable headers, no more requests than
 * documented are sent in any window.
 */
export class RateWindow {
	/** Requests that were sent and have not ended, the oldest first. */
	private readonly pending = new Set<SentRequest>();
	/** What the present window follows; undefined until its first request has been answered. */
	private source: 'headers' | 'documentation' | undefined;
	/** When that first request was sent; undefined while none is in flight. */
	private firstSentAt: number | undefined;
	private window = 0;
	private sentCount = 0;
	/** With headers: requests that may still be sent before `endsAt`. */
	private room = 0;
	private endsAt = 0;
	private statedLimit: number | undefined;
	/** When the last requests ended, oldest first. */
	private ended: number[] = [];
	private tidyAt = 100;

	constructor(public documented: Rate) {}

	/** Requests that were sent and have not ended. */
	get inFlight(): number {
		return this.pending.size;
	}

	/** The earliest slot, if no response changes it. */
	nextSlot(now: number): NextSlot {
		const { windowMs } = this.documented;
		// An end beyond the longest window means that the clock was set back.
		const isOver = now >= this.endsAt || this.endsAt > now + windowMs + ROUNDING_MS;
		if (this.source === 'headers' && isOver) this.close();
		if (this.source === 'headers') {
			return { at: this.room > 0 ? now : this.endsAt, limited: true };
		}
		if (this.source === undefined) {
			const { firstSentAt = -Infinity } = this;
			const at = firstSentAt > now ? now : firstSentAt + FIRST_RESPONSE_MS;
			return { at, limited: false };
		}
		// What has been in flight for a window was counted in an earlier one.
		const pending = [...this.pending].filter(({ at }) => at > now - windowMs);
		const spare = this.limit - pending.length;
		const oldest = pending[-spare]?.at ?? now;
		if (spare <= 0) return { at: Math.min(oldest, now) + windowMs, limited: false };
		const decisive = this.ended.at(-spare) ?? -Infinity;
		return { at: decisive > now ? now : decisive + windowMs, limited: true };
	}

	sent(now: number): SentRequest {
		if (this.source === undefined) this.firstSentAt = now;
		this.room--;
		const { window, inFlight: alongside } = this;
		const request = { at: now, window, number: ++this.sentCount, alongside };
		this.pending.add(request);
		return request;
	}

	/** @param report what the response's headers say; absent when no response came */
	answered(request: SentRequest, report: RateReport | undefined, now: number): void {
		this.pending.delete(request);
		this.remember(now);
		this.statedLimit = report?.limit ?? this.statedLimit;
		if (request.window !== this.window) return;
		this.firstSentAt = undefined;
		if (!report) return;
		const { remaining } = report;
		if (remaining === undefined) {
			this.source ??= 'documentation';
			return;
		}
		const endsAt = this.endOfWindow(report, now);
		if (this.source === 'headers') {
			// Responses overtake each other and others may use the key: only the smallest number counts.
			this.room = Math.min(this.room, remaining);
			this.endsAt = Math.max(this.endsAt, endsAt);
		} else {
			// The service may have counted the requests that overlapped with this one after it.
			this.room = remaining - request.alongside - (this.sentCount - request.number);
			this.endsAt = endsAt;
			this.source = 'headers';
		}
	}

	/** Makes the next request open a new window. */
	close(): void {
		this.source = undefined;
		this.firstSentAt = undefined;
		this.window++;
	}

	private get limit(): number {
		return this.statedLimit ?? this.documented.limit;
	}

	/** Keeps what the last window needs, and cleans up rarely enough to cost almost nothing. */
	private remember(now: number): void {
		if (this.ended.push(now) < this.tidyAt) return;
		const { windowMs } = this.documented;
		this.ended = this.ended.filter((at) => at > now - windowMs).slice(-this.limit);
		this.tidyAt = 2 * this.ended.length + 100;
	}

	private endOfWindow({ resetAt }: RateReport, now: number): number {
		const latest = now + this.documented.windowMs;
		const isUsable =
			resetAt !== undefined && resetAt >= now - PAST_RESET_MS && resetAt <= latest + ROUNDING_MS;
		return isUsable ? resetAt : latest;
	}
}
