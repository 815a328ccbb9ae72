import type { Rate, RateReport } from './headers';

/** When the next request may be sent. */
export interface NextSlot {
	/** Ms since the epoch. If it isn't in the future, the request may be sent now. */
	at: number;
	/** Whether the rate limit is the reason to wait, and not a pending response. */
	limited: boolean;
}

/** A request in flight, with what was known when it was sent. */
export interface SentRequest {
	/** Ms since the epoch. */
	readonly at: number;
	readonly window: number;
	readonly number: number;
	/** How many other requests were in flight. */
	readonly alongside: number;
}

/** How long a window's first request holds up the rest. It may be a large upload. */
const FIRST_RESPONSE_MS = 2_000;
/** The window may end while the response is on its way. A reset further in the past is a mistake. */
const PAST_RESET_MS = 5_000;
/** A reset in whole seconds can be this much later than the actual end of the window. */
const ROUNDING_MS = 1_000;

/**
 * Predicts when a key may send its next request, based only on the times and headers it's given.
 *
 * A single request opens a window. Its response says how many more may follow. During the window,
 * that number can only go down, so there are no special cases for fixed windows, sliding windows or
 * other programs that use the key. A window never lasts longer than the documented one, even if a
 * response says so. After that, another single request opens the next window. Without usable
 * headers, no more requests than documented are sent within the length of a window.
 */
export class RateWindow {
	/** Requests in flight, oldest first. */
	private readonly pending = new Set<SentRequest>();
	/** Where the current window's limit comes from. Undefined until its first request has been answered. */
	private source: 'headers' | 'documentation' | undefined;
	/** When the window's first request was sent. Undefined while it isn't in flight. */
	private firstSentAt: number | undefined;
	private window = 0;
	private sentCount = 0;
	/** How many more requests may be sent before `endsAt`. Only used if the limit comes from headers. */
	private room = 0;
	private endsAt = 0;
	private statedLimit: number | undefined;
	/** When recent requests ended, oldest first. */
	private ended: number[] = [];
	private tidyAt = 100;

	constructor(public documented: Rate) {}

	get inFlight(): number {
		return this.pending.size;
	}

	/** The earliest slot, unless a response changes it in the meantime. */
	nextSlot(now: number): NextSlot {
		const { windowMs } = this.documented;
		// The end can only be more than a window away if the clock has been set back.
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
		// A request that has been in flight for a whole window was counted in an earlier one.
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

	/** @param report the response's rate-limit headers; undefined if there was no response */
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
			// Responses arrive out of order and other programs may use the key, so the lowest number counts.
			this.room = Math.min(this.room, remaining);
			this.endsAt = Math.max(this.endsAt, endsAt);
		} else {
			// The service may not have counted the requests that were in flight at the same time.
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

	/** Records when a request ended. Old records are dropped rarely enough to cost almost nothing. */
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
