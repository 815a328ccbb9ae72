import { MINUTE_MS, onAbort, SECOND_MS, systemClock } from './clock';
import type { Clock } from './clock';
import { CancelledError } from './errors';
import { LONGEST_WAIT_MS } from './headers';
import type { Rate, RateReport } from './headers';
import { FairQueue } from './queue';
import type { Queued } from './queue';

/** The most requests that a run may have in flight. */
export const MAX_IN_FLIGHT = 10;
/**
 * A request that the service rejects this many times because of the rate limit fails. n8n processes
 * that share a key can take each other's windows, so a few times in a row are common.
 */
export const MAX_REJECTIONS = 8;
/**
 * If this many windows in a row begin with a rejection that doesn't say when the limit resets, it's
 * the daily quota that's used up.
 */
const REJECTED_WINDOWS = 3;
/** A wait that's shorter by now says nothing, such as `Retry-After: 0`. A second is one in any case. */
const SHORTEST_WAIT_MS = 500;
/** How often a request is let through to check whether the quota is still used up. */
const QUOTA_CHECK_MS = MINUTE_MS;
/** A daily quota, or what is left of one, at which half-finished items would be a waste. */
const SMALL_QUOTA = 200;
const FEW_LEFT = 20;

export interface Wait {
	/** Identifies the run. Runs take turns. Default: a run of its own */
	run?: object;
	/** Within a run, requests with a lower number go first. Default: 0 */
	order?: number;
	/** Cancels the request when it fires. */
	signal?: AbortSignal;
	/**
	 * In ms since the epoch. A request that would have to wait beyond it, for the rate limit or before
	 * a retry, fails at once. If it's in the past, the request never waits for the rate limit, but for
	 * responses that may show the limit, and it's still retried. Default: none
	 */
	deadline?: number;
	/** The request doesn't count against the daily quota, so it's sent even if the quota is used up. */
	outsideQuota?: boolean;
	/** Called when the rate limit delays the request, with the end of the delay in ms since the epoch. */
	onWait?: (until: number) => void;
	/** Called after each delay by the rate limit, with its length in ms. */
	onWaited?: (ms: number) => void;
}

/** How an attempt ended: with a value, or rejected because of a limit on requests. */
export type Attempt<T> = ({ value: T } | { rejectedFor: 'window' | 'day' }) & {
	/** What the response says about the limits; undefined if there was no response. */
	report?: RateReport;
};

/** Thrown to requests that can't wait until the limit allows them. */
export class RateLimitError extends Error {
	constructor(
		/** When requests can be sent again, in ms since the epoch. */
		readonly opensAt: number,
		/** Whether it's the daily quota that's used up, as opposed to the window's limit. */
		readonly quota: boolean,
		/** Whether the service didn't say when, so `opensAt` is a guess. */
		readonly guessed: boolean,
	) {
		super("The service's rate limit has been reached");
	}
}

interface Waiter extends Wait, Queued {
	run: object;
	order: number;
	/** The end of the delay that the waiter has been told. */
	until?: number;
	admit?: (request: SentRequest) => void;
	fail?: (error: Error) => void;
}

/**
 * Sends the requests of one key as fast as the service allows, and shares the limit fairly between
 * runs.
 */
export class RateLimiter {
	private window: RateWindow;
	private readonly queue = new FairQueue<Waiter>(MAX_IN_FLIGHT);
	/** Until it ends, requests wait, or fail if the quota is used up. */
	private block: { until: number; limit: RateLimitError } | undefined;
	/** How many windows in a row began with a rejection. */
	private rejectedWindows = 0;
	private leftToday = Infinity;
	private arrivals = 0;
	private alarmAt = Infinity;
	/** The next slot, as the waiting requests know it. */
	private slot: Slot | undefined;

	/** @param rate the documented limits, which count until response headers say otherwise */
	constructor(
		rate: Rate,
		private readonly clock: Clock = systemClock,
	) {
		this.window = new RateWindow(rate);
	}

	set rate(rate: Rate) {
		this.window.rate = rate;
	}

	/** The daily quota is known to be small or nearly used up, so items should start one by one. */
	get isScarce(): boolean {
		return (this.window.rate.perDay ?? Infinity) < SMALL_QUOTA || this.leftToday < FEW_LEFT;
	}

	/**
	 * Makes an attempt as soon as the limit allows it, and repeats it while the service rejects it
	 * because of the limit.
	 *
	 * @returns the value of the first attempt that wasn't rejected
	 * @throws RateLimitError if the quota is used up, the deadline comes before the next attempt, or
	 * the service has rejected the request {@link MAX_REJECTIONS} times
	 * @throws CancelledError if the signal fires before an attempt
	 */
	async schedule<T>(attempt: () => Promise<Attempt<T>>, wait: Wait = {}): Promise<T> {
		const { run = {}, order = 0 } = wait;
		const waiter: Waiter = { ...wait, run, order, arrival: this.arrivals++ };
		for (let rejections = 1; ; rejections++) {
			const request = await this.turn(waiter);
			let ended: Attempt<T> | undefined;
			let limit: RateLimitError | undefined;
			try {
				ended = await attempt();
			} finally {
				limit = this.note(request, ended);
				this.queue.end(run);
				this.pump();
			}
			if ('value' in ended) return ended.value;
			if (limit && rejections === MAX_REJECTIONS) throw limit;
			// It does count against the quota after all.
			waiter.outsideQuota = false;
		}
	}

	/** Resolves when the request may be sent. A rejected request keeps its place in the queue. */
	private async turn(waiter: Waiter): Promise<SentRequest> {
		const { signal, onWaited } = waiter;
		if (signal?.aborted) throw new CancelledError();
		const start = this.clock.now();
		waiter.until = undefined;
		const admitted = new Promise<SentRequest>((admit, fail) => {
			Object.assign(waiter, { admit, fail });
		});
		this.queue.add(waiter);
		const stopListening = signal && onAbort(signal, () => this.fail(waiter, new CancelledError()));
		this.pump(start, waiter);
		try {
			return await admitted;
		} finally {
			stopListening?.();
			if (waiter.until !== undefined) onWaited?.(this.clock.now() - start);
		}
	}

	private fail(waiter: Waiter, error: Error): void {
		this.queue.delete(waiter);
		waiter.fail?.(error);
	}

	/**
	 * Learns from the end of an attempt. A rejection blocks the key.
	 *
	 * @returns the error for requests that can't wait for the end of the block
	 */
	private note(request: SentRequest, attempt?: Attempt<unknown>): RateLimitError | undefined {
		const {
			remaining = 0,
			resetAt = 0,
			retryAt,
			leftToday = this.leftToday,
		} = attempt?.report ?? {};
		const now = this.clock.now();
		const { windowMs } = this.window.rate;
		this.leftToday = leftToday;
		if (!attempt || !('rejectedFor' in attempt)) {
			this.window.answered(request, attempt?.report, now);
			if (attempt?.report) this.rejectedWindows = 0;
			return undefined;
		}
		const announced = (retryAt ?? resetAt) - now;
		const isKnown = announced >= SHORTEST_WAIT_MS;
		const isFar = announced > LONGEST_WAIT_MS;
		// While requests are left, it's another limit that has been reached, e.g. one of uploads.
		const longest = remaining > 0 ? windowMs : announced;
		const pause = isKnown ? Math.min(announced, longest) : windowMs;
		const hasBegun = this.window.rejected(request, now);
		if (hasBegun && pause >= windowMs / 2) this.rejectedWindows++;

		const before = this.blockAt(now);
		const quota =
			before?.limit.quota === true ||
			(attempt.rejectedFor === 'day' && (retryAt === undefined || isFar)) ||
			(isFar && remaining === 0) ||
			this.rejectedWindows >= (isKnown ? MAX_REJECTIONS : REJECTED_WINDOWS);
		const until = Math.max(now + (quota ? QUOTA_CHECK_MS : pause), before?.until ?? 0);
		const opensAt = Math.max(quota && isFar ? now + announced : until, before?.limit.opensAt ?? 0);
		const limit = new RateLimitError(opensAt, quota, quota ? !isFar && !before : !isKnown);
		this.block = { until, limit };
		return limit;
	}

	private blockAt(now: number) {
		return this.block && now < this.block.until ? this.block : undefined;
	}

	/**
	 * Lets through the requests that may be sent now, and looks again when the next one may.
	 *
	 * @param now at least the time that was waited for, even if the clock has been set back
	 * @param arriving the request that has just joined the queue
	 */
	private pump(now = this.clock.now(), arriving?: Waiter): void {
		let slot = this.nextSlot(now);
		for (; slot.at <= now; slot = this.nextSlot(now)) {
			const waiter = this.queue.take();
			if (!waiter) return;
			waiter.admit?.(this.window.sent(now));
		}
		const isKnown = slot.at === this.slot?.at && slot.isLimited === this.slot.isLimited;
		this.slot = slot;
		const waiting = arriving && isKnown ? [arriving] : this.queue.waiting;
		for (const waiter of waiting) this.delay(waiter, slot, now);
		if (waiting.length === 0 || slot.at >= this.alarmAt) return;
		this.alarmAt = slot.at;
		void this.clock.sleep(slot.at - now).then(() => {
			this.alarmAt = Infinity;
			this.pump(Math.max(slot.at, this.clock.now()));
		});
	}

	private nextSlot(now: number): Slot {
		const block = this.blockAt(now);
		if (block && !block.limit.quota) return { at: block.until, isLimited: true };
		for (const waiter of block ? this.queue.waiting : []) {
			if (block && !waiter.outsideQuota) this.fail(waiter, block.limit);
		}
		return this.window.nextSlot(now);
	}

	private delay(waiter: Waiter, { at, isLimited }: Slot, now: number): void {
		const { deadline = Infinity, until, onWait } = waiter;
		// After the deadline, the request still waits for responses, but not for the limit.
		if (at > deadline && (isLimited || deadline > now)) {
			this.fail(waiter, this.blockAt(now)?.limit ?? new RateLimitError(at, false, false));
		} else if (isLimited && until !== at) {
			waiter.until = at;
			onWait?.(at);
		}
	}
}

/** When the next request may be sent. */
interface Slot {
	/** Ms since the epoch. If it isn't in the future, the request may be sent now. */
	at: number;
	/** Whether the limit is the reason to wait, and not a response that's on its way. */
	isLimited: boolean;
}

/** A request in flight. */
interface SentRequest {
	/** Ms since the epoch. */
	readonly at: number;
	readonly window: object;
}

/** How long the first request of a window holds up the next one. It may be a large upload. */
const FIRST_RESPONSE_MS = 2_000;
/** The window may end while the response is on its way. A reset further in the past is a mistake. */
const PAST_RESET_MS = 5_000;

/**
 * Predicts when a key may send its next request, from the times of requests and the headers of
 * responses.
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
	/** Identifies the window. */
	private current: object = {};
	/** From headers. Before the first response, it's below 0 by what came back in the meantime. */
	private left = 0;
	private endsAt = 0;
	/** When recent requests ended, oldest first. */
	private ended: number[] = [];

	/** @param rate the documented one */
	constructor(public rate: Rate) {}

	/** The earliest slot, unless a response changes it in the meantime. */
	nextSlot(now: number): Slot {
		const { limit, windowMs } = this.rate;
		if (this.source === 'headers' && now >= this.endsAt) this.close();
		if (this.source === undefined) {
			const opening = [...this.pending].findLast(({ window }) => window === this.current);
			return { at: opening ? opening.at + FIRST_RESPONSE_MS : now, isLimited: false };
		}
		const pending = [...this.pending].map(({ at }) => at).filter((at) => at > now - windowMs);
		if (this.source === 'headers') {
			return { at: this.left > pending.length ? now : this.endsAt, isLimited: this.left <= 0 };
		}
		const recent = [...this.ended, ...pending].sort((one, other) => one - other);
		return { at: (recent.at(-limit) ?? -Infinity) + windowMs, isLimited: true };
	}

	sent(now: number): SentRequest {
		const request = { at: now, window: this.current };
		this.pending.add(request);
		return request;
	}

	/** @param report undefined if there was no response */
	answered(request: SentRequest, report: RateReport | undefined, now: number): void {
		this.ends(request, now);
		const isCurrent = request.window === this.current;
		if (!isCurrent || report?.remaining === undefined) {
			// It may count in this window all the same.
			if (this.source !== 'documentation') this.left--;
			if (isCurrent && report) this.source ??= 'documentation';
			return;
		}
		const { remaining, resetAt = 0 } = report;
		const latest = now + this.rate.windowMs;
		const isUsable = resetAt >= now - PAST_RESET_MS && resetAt <= latest + SECOND_MS;
		const endsAt = isUsable ? resetAt : latest;
		// Responses arrive out of order, and other programs may use the key, so the lowest number counts.
		const isKnown = this.source === 'headers';
		this.left = isKnown ? Math.min(this.left, remaining) : remaining + Math.min(this.left, 0);
		this.endsAt = isKnown ? Math.max(this.endsAt, endsAt) : endsAt;
		this.source = 'headers';
	}

	/** @returns whether the window began with this rejection */
	rejected(request: SentRequest, now: number): boolean {
		this.ends(request, now);
		const isCurrent = request.window === this.current;
		const hasBegun = isCurrent && this.source === undefined;
		if (isCurrent) this.close();
		return hasBegun;
	}

	/** Makes the next request open a new window. */
	private close(): void {
		this.source = undefined;
		this.left = 0;
		this.current = {};
	}

	private ends(request: SentRequest, now: number): void {
		const { limit } = this.rate;
		this.pending.delete(request);
		// Dropped rarely enough to cost almost nothing.
		if (this.ended.push(now) > 2 * limit) this.ended = this.ended.slice(-limit);
	}
}

const limiters = new Map<string, RateLimiter>();

/**
 * The limiter of a key, shared by all nodes, workflows and triggers in this process.
 *
 * @param identity the account's
 * @param rate the documented rate; if calls differ, the latest one counts
 */
export function limiterFor(identity: string, rate: Rate): RateLimiter {
	const limiter = limiters.get(identity) ?? new RateLimiter(rate);
	limiter.rate = rate;
	limiters.set(identity, limiter);
	return limiter;
}
