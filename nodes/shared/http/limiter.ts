import { MINUTE_MS, onAbort, SECOND_MS, systemClock } from './clock';
import type { Clock } from './clock';
import { CanceledError } from './errors';
import { LONGEST_WAIT_MS } from './headers';
import type { Rate, RateReport } from './headers';
import { processMap } from './processMap';

/**
 * A request that the service rejects this many times because of the rate limit fails. n8n processes
 * that share a key can take each other's windows, so a few times in a row are common.
 */
export const MAX_REJECTIONS = 8;
/** After so many windows of rejections without an announced reset, the daily quota is used up. */
const QUOTA_WINDOWS = 2;
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
	 * a retry, fails at once. If it's 0, the request never waits for the rate limit, but for responses
	 * that may show the limit, and it's still retried. Default: none
	 */
	deadline?: number;
	/** The request doesn't count against the daily quota, so it's sent even if the quota is used up. */
	outsideQuota?: boolean;
	/**
	 * Called when the rate limit delays the request, with the end of the delay in ms since the epoch.
	 * It may be called again while nothing has changed.
	 */
	onWait?: (until: number) => void;
}

/** How an attempt ended. */
export interface Attempt {
	/** Set if the service rejected it, because of a limit in the window or of the daily quota. */
	rejectedFor?: 'window' | 'day';
	/** What the response says about the limits; undefined if there was no response. */
	report?: RateReport;
}

/** Thrown to requests that can't wait until the limit allows them. */
export class RateLimitError extends Error {
	constructor(
		/** When requests can be sent again, or when to try, in ms since the epoch. */
		readonly opensAt: number,
		/** Whether it's the daily quota that's used up, as opposed to the window's limit. */
		readonly quota: boolean,
	) {
		super("The service's rate limit has been reached");
	}
}

interface Waiter extends Wait {
	run: object;
	order: number;
	admit?: (request: SentRequest) => void;
	fail?: (error: Error) => void;
	stopListening?: () => void;
}

/** Sends the requests of one key as fast as the service allows. Runs share the limit fairly. */
export class RateLimiter {
	private readonly window = new RateWindow(this);
	/** The waiting requests of each run. The run that was served last comes last. */
	private readonly lines = new Map<object, Waiter[]>();
	/** The latest rejection. Until it ends, requests wait, or fail if the quota is used up. */
	private block: { since: number; until: number; limit: RateLimitError } | undefined;
	private leftToday = Infinity;
	private alarmAt = Infinity;

	/** @param rate the documented limits, which count until response headers say otherwise */
	constructor(
		public rate: Rate,
		private readonly clock: Clock = systemClock,
	) {}

	/** The daily quota is known to be small or nearly used up, so items should start one by one. */
	get isScarce(): boolean {
		return (this.rate.perDay ?? Infinity) < SMALL_QUOTA || this.leftToday < FEW_LEFT;
	}

	/**
	 * Makes an attempt as soon as the limit allows it, and again if the service rejects it.
	 *
	 * @returns the end of the first attempt that wasn't rejected
	 * @throws RateLimitError if the quota is used up, the deadline comes before the next attempt, or
	 * the service has rejected the request {@link MAX_REJECTIONS} times
	 * @throws CanceledError if the signal fires before an attempt
	 */
	async schedule<T extends Attempt>(attempt: () => Promise<T>, wait: Wait = {}): Promise<T> {
		const { run = {}, order = 0 } = wait;
		const waiter: Waiter = { ...wait, run, order };
		for (let rejections = 1; ; rejections++) {
			const request = await this.turn(waiter);
			let ended: T | undefined;
			try {
				ended = await attempt();
			} finally {
				this.note(request, ended ?? {});
				this.pump();
			}
			if (!ended.rejectedFor) return ended;
			if (rejections === MAX_REJECTIONS) throw this.block!.limit;
			// It does count against the quota after all.
			waiter.outsideQuota = false;
		}
	}

	/** Resolves when the request may be sent. */
	private async turn(waiter: Waiter): Promise<SentRequest> {
		const { run, signal } = waiter;
		if (signal?.aborted) throw new CanceledError();
		const line = this.lines.get(run) ?? [];
		const position = line.findLastIndex(({ order }) => order <= waiter.order) + 1;
		this.lines.set(run, line.toSpliced(position, 0, waiter));
		waiter.stopListening = signal && onAbort(signal, () => this.fail(waiter, new CanceledError()));
		return await new Promise<SentRequest>((admit, fail) => {
			Object.assign(waiter, { admit, fail });
			this.pump();
		});
	}

	private get waiting(): Waiter[] {
		return [...this.lines.values()].flat();
	}

	private leave(waiter: Waiter): void {
		const { run, stopListening } = waiter;
		stopListening?.();
		const others = this.lines.get(run)?.filter((other) => other !== waiter) ?? [];
		this.lines.delete(run);
		if (others.length > 0) this.lines.set(run, others);
	}

	private fail(waiter: Waiter, error: Error): void {
		this.leave(waiter);
		waiter.fail?.(error);
	}

	/** Learns from the end of an attempt. A rejection blocks the key. */
	private note(request: SentRequest, attempt: Attempt): void {
		const { rejectedFor, report = {} } = attempt;
		const { remaining = 0, resetAt = 0, retryAt, leftToday = this.leftToday } = report;
		const now = this.clock.now();
		const block = this.blockAt(now);
		this.leftToday = leftToday;
		this.window.ended(request, attempt, now);
		if (attempt.report && !rejectedFor && !block) this.block = undefined;
		if (!rejectedFor || block?.limit.quota) return;

		const { windowMs } = this.rate;
		const namesDay = rejectedFor === 'day';
		const announced = (retryAt ?? resetAt) - now;
		const isKnown = announced >= SHORTEST_WAIT_MS;
		// While requests are left, it's another limit that has been reached, e.g. one of uploads.
		const pause = isKnown ? Math.min(announced, remaining > 0 ? windowMs : Infinity) : windowMs;
		const isFar = announced > LONGEST_WAIT_MS && (namesDay || remaining === 0);
		const since = this.block && now < this.block.until + windowMs ? this.block.since : now;
		const longest = (isKnown ? MAX_REJECTIONS - 1 : QUOTA_WINDOWS) * windowMs;
		const isUsedUp = isFar || (namesDay && retryAt === undefined) || now - since >= longest;
		const until = Math.max(now + (isUsedUp ? QUOTA_CHECK_MS : pause), block?.until ?? 0);
		const limit = new RateLimitError(isFar ? now + announced : until, isUsedUp);
		this.block = { since, until, limit };
	}

	private blockAt(now: number) {
		return this.block && now < this.block.until ? this.block : undefined;
	}

	/** Lets through the requests that may be sent now, and looks again when the next one may. */
	private pump(now = this.clock.now()): void {
		let slot = this.nextSlot(now);
		for (; slot.at <= now; slot = this.nextSlot(now)) {
			const [[waiter] = []] = this.lines.values();
			if (!waiter) return;
			this.leave(waiter);
			waiter.admit?.(this.window.sent(now));
		}
		const { at, isLimited } = slot;
		for (const waiter of isLimited ? this.waiting : []) {
			if (at > (waiter.deadline ?? Infinity)) this.fail(waiter, new RateLimitError(at, false));
			else waiter.onWait?.(at);
		}
		if (at >= this.alarmAt || this.waiting.length === 0) return;
		this.alarmAt = at;
		void this.clock.sleep(at - now).then(() => {
			this.alarmAt = Infinity;
			// The time has come, even if the clock has been set back.
			this.pump(Math.max(at, this.clock.now()));
		});
	}

	private nextSlot(now: number): Slot {
		const block = this.blockAt(now);
		if (block && !block.limit.quota) return { at: block.until, isLimited: true };
		const affected = block ? this.waiting.filter(({ outsideQuota }) => !outsideQuota) : [];
		for (const waiter of affected) this.fail(waiter, block!.limit);
		return this.window.nextSlot(now);
	}
}

/** When the next request may be sent, in ms since the epoch. */
interface Slot {
	at: number;
	/** Whether the limit is the reason to wait, and not a response that's on its way. */
	isLimited: boolean;
}

/** A request in flight, with the time when it was sent. */
interface SentRequest {
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
class RateWindow {
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
	private ends: number[] = [];

	/** @param key has the documented rate, which may change */
	constructor(private readonly key: { rate: Rate }) {}

	/** The earliest slot, unless a response changes it in the meantime. */
	nextSlot(now: number): Slot {
		const { limit, windowMs } = this.key.rate;
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

	ended(request: SentRequest, { rejectedFor, report }: Attempt, now: number): void {
		const { limit, windowMs } = this.key.rate;
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
			// It may count in this window all the same.
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

const limiters = processMap<RateLimiter>();

/** The limiter of a key, shared by all nodes, workflows and triggers in this process. */
export function limiterFor(identity: string, rate: Rate): RateLimiter {
	const limiter = limiters.get(identity) ?? new RateLimiter(rate);
	limiter.rate = rate;
	limiters.set(identity, limiter);
	return limiter;
}
