import { MINUTE_MS, onAbort, SECOND_MS, systemClock } from './clock';
import type { Clock } from './clock';
import { CancelledError } from './errors';
import { LONGEST_WAIT_MS } from './headers';
import type { Rate, RateReport } from './headers';
import { FairQueue } from './queue';
import type { Queued } from './queue';

/** The most requests that a run may have in flight. The next run's don't have to wait for them. */
export const MAX_IN_FLIGHT = 10;
/** A request that the service rejects this many times because of the rate limit fails. */
export const MAX_REJECTIONS = 3;
/** If this many windows in a row begin with a rejection, it's the daily quota that's used up. */
const REJECTED_WINDOWS = 3;
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

/** How an attempt ended: with a value, or with a rejection because of a limit on requests. */
export type Attempt<T> = ({ value: T } | { rejection: Rejection }) & {
	/** What the response says about the limits; undefined if there was no response. */
	report?: RateReport;
};

/** The service rejected the request because of a limit on requests, and didn't carry it out. */
export interface Rejection {
	/** The service's message names a day or a longer period. */
	namesDay: boolean;
}

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

interface Waiter extends Queued, Pick<Wait, 'outsideQuota' | 'onWait'> {
	deadline: number;
	/** The deadline had passed from the start. */
	neverWaits: boolean;
	/** The end of the delay that the waiter has been told. */
	until?: number;
	admit: (request: SentRequest) => void;
	fail: (error: Error) => void;
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
	private alarm: { at: number; cancel: AbortController } | undefined;
	/** How many windows in a row began with a rejection. */
	private rejectedWindows = 0;
	private leftToday = Infinity;
	private arrivals = 0;
	/** The next slot, as the waiting requests know it. */
	private slot: Slot | undefined;
	private lookedAt = 0;

	constructor(
		rate: Rate,
		private readonly clock: Clock = systemClock,
	) {
		this.window = new RateWindow(rate);
	}

	/** The documented limits. The limiter starts from them and then follows the response headers. */
	set rate(rate: Rate) {
		this.window.rate = rate;
	}

	/**
	 * Whether the daily quota is known to be small or nearly used up, so that items should be started
	 * one after the other: most are then finished when it ends.
	 */
	get isScarce(): boolean {
		const { perDay = Infinity } = this.window.rate;
		return perDay < SMALL_QUOTA || this.leftToday < FEW_LEFT;
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
		const { run = {}, order = 0, deadline = Infinity } = wait;
		const neverWaits = deadline <= this.clock.now();
		// A rejected request keeps its place in the queue.
		const place = { run, order, arrival: this.arrivals++, deadline, neverWaits };
		for (let rejections = 1; ; rejections++) {
			// If the service rejects it, it does count against the quota after all.
			const outsideQuota = wait.outsideQuota === true && rejections === 1;
			const request = await this.turn({ ...place, outsideQuota }, wait);
			const ended = await attempt().catch((error: unknown) => {
				this.answered(request, undefined);
				this.end(run);
				throw error;
			});
			if ('value' in ended) {
				this.answered(request, ended.report);
				this.end(run);
				return ended.value;
			}
			const limit = this.rejected(request, ended, rejections);
			this.end(run);
			if (rejections === MAX_REJECTIONS) throw limit;
		}
	}

	/** Resolves when the request may be sent. */
	private async turn(
		entry: Omit<Waiter, 'admit' | 'fail'>,
		{ signal, onWait, onWaited }: Wait,
	): Promise<SentRequest> {
		if (signal?.aborted) throw new CancelledError();
		const start = this.clock.now();
		const waiter = { ...entry, onWait } as Waiter;
		const admitted = new Promise<SentRequest>((admit, fail) =>
			Object.assign(waiter, { admit, fail }),
		);
		this.queue.add(waiter);
		const stopListening = signal && onAbort(signal, () => this.fail(waiter, new CancelledError()));
		this.pump(waiter);
		const request = await admitted.finally(() => stopListening?.());
		if (waiter.until !== undefined) onWaited?.(this.clock.now() - start);
		return request;
	}

	private fail(waiter: Waiter, error: Error): void {
		this.queue.delete(waiter);
		waiter.fail(error);
		if (this.queue.size === 0) this.setAlarm(Infinity);
	}

	private answered(request: SentRequest, report: RateReport | undefined): void {
		this.window.answered(request, report, this.clock.now());
		if (!report) return;
		this.rejectedWindows = 0;
		this.leftToday = report.leftToday ?? this.leftToday;
	}

	/** Blocks the key, and returns the error for requests that can't wait for the end of the block. */
	private rejected(
		request: SentRequest,
		{ rejection, report = {} }: { rejection: Rejection; report?: RateReport },
		rejections: number,
	): RateLimitError {
		const now = this.clock.now();
		const { windowMs } = this.window.rate;
		const { remaining = 0, resetAt = 0, retryAt } = report;
		const announced = retryAt ?? (resetAt > now ? resetAt : undefined);
		const isFar = announced !== undefined && announced - now > LONGEST_WAIT_MS;
		// A time that has come proves nothing if the request is then rejected again.
		const isUseless = announced === undefined || (announced - now < SECOND_MS && rejections > 1);
		let pause = isUseless ? windowMs : Math.max(announced - now, SECOND_MS);
		// While requests are left, it's another limit that has been reached, e.g. one of uploads.
		if (remaining > 0) pause = Math.min(pause, windowMs);
		const hasBegun = this.window.rejected(request, now);
		if (hasBegun && pause >= windowMs / 2) this.rejectedWindows++;

		const before = this.blockAt(now);
		const quota =
			before?.limit.quota === true ||
			(rejection.namesDay && (retryAt === undefined || isFar)) ||
			(isFar && remaining === 0) ||
			this.rejectedWindows === REJECTED_WINDOWS;
		const opensAt = quota ? now + QUOTA_CHECK_MS : now + pause;
		const limit = new RateLimitError(
			Math.max(quota && isFar ? announced : opensAt, before?.limit.opensAt ?? 0),
			quota,
			quota ? !isFar && !before : announced === undefined,
		);
		this.block = { until: Math.max(opensAt, before?.until ?? 0), limit };
		return limit;
	}

	private end(run: object): void {
		this.queue.end(run);
		this.pump();
	}

	private blockAt(now: number) {
		return this.block && now < this.block.until ? this.block : undefined;
	}

	/**
	 * Lets through the requests that may be sent now, and sets the alarm for the next one.
	 *
	 * @param arriving the request that has just joined the queue
	 */
	private pump(arriving?: Waiter): void {
		const now = this.clock.now();
		// After the clock has been set back, all times are wrong.
		if (now < this.lookedAt) this.window = new RateWindow(this.window.rate);
		if (now < this.lookedAt) this.block = undefined;
		this.lookedAt = now;
		let slot = this.nextSlot(now);
		while (this.queue.size > 0 && slot.at <= now) {
			const waiter = this.queue.take();
			// Every waiting run has the maximum number of requests in flight.
			if (!waiter) break;
			waiter.admit(this.window.sent(now));
			slot = this.nextSlot(now);
		}
		const isOpen = slot.at <= now;
		const isKnown = slot.at === this.slot?.at && slot.isLimited === this.slot.isLimited;
		this.slot = slot;
		for (const waiter of isOpen ? [] : isKnown ? [arriving] : [...this.queue]) {
			if (waiter) this.delay(waiter, slot);
		}
		this.setAlarm(this.queue.size > 0 && !isOpen ? slot.at : Infinity);
	}

	private delay(waiter: Waiter, { at, isLimited }: Slot): void {
		const { deadline, neverWaits } = waiter;
		if (at > deadline && (isLimited || !neverWaits)) {
			const limit = this.blockAt(this.lookedAt)?.limit;
			this.fail(waiter, limit ?? new RateLimitError(at, false, false));
		} else if (isLimited && waiter.until !== at) {
			waiter.until = at;
			waiter.onWait?.(at);
		}
	}

	private nextSlot(now: number): Slot {
		const block = this.blockAt(now);
		if (block && !block.limit.quota) return { at: block.until, isLimited: true };
		for (const waiter of block ? [...this.queue] : []) {
			if (!waiter.outsideQuota) this.fail(waiter, block!.limit);
		}
		this.window.roll(now);
		return this.window.nextSlot(now);
	}

	/** @param at when to look for requests that may be sent; Infinity for never */
	private setAlarm(at: number): void {
		if (this.alarm && at < Infinity && this.alarm.at <= at) return;
		this.alarm?.cancel.abort();
		this.alarm = undefined;
		if (at === Infinity) return;
		const alarm = { at, cancel: new AbortController() };
		this.alarm = alarm;
		void this.clock.sleep(at - this.clock.now(), alarm.cancel.signal).then(() => {
			if (this.alarm !== alarm) return;
			this.alarm = undefined;
			this.pump();
		});
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
	/** The window that it was sent in. */
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
 * A single request opens a window. Its response says how many more may follow. That number only goes
 * down until the window ends, so it's the same for fixed windows, sliding windows and keys that other
 * programs use as well. A window never lasts longer than the documented one. If responses don't say
 * how many requests are left, no more than documented are sent in the length of a window.
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
	/** From headers. Before the first response, it's below 0 by what came back in the meantime. */
	private left = 0;
	private endsAt = 0;
	/** When recent requests ended, oldest first. */
	private ended: number[] = [];

	/** @param rate the documented one */
	constructor(public rate: Rate) {}

	/** Closes the window if it's over, so that the next request opens another one. */
	roll(now: number): void {
		if (this.source === 'headers' && now >= this.endsAt) this.close();
	}

	/** The earliest slot, unless a response changes it in the meantime. */
	nextSlot(now: number): Slot {
		const { limit, windowMs } = this.rate;
		const opening = [...this.pending].findLast(({ window }) => window === this.current);
		if (this.source === undefined) {
			return { at: opening ? opening.at + FIRST_RESPONSE_MS : now, isLimited: false };
		}
		const pending = [...this.pending].filter(({ at }) => at > now - windowMs);
		if (this.source === 'headers') {
			return { at: this.left > pending.length ? now : this.endsAt, isLimited: this.left <= 0 };
		}
		const spare = limit - pending.length;
		if (spare <= 0) return { at: pending[-spare]!.at + windowMs, isLimited: false };
		return { at: (this.ended.at(-spare) ?? -Infinity) + windowMs, isLimited: true };
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
		const isKnown = this.source === 'headers';
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
		this.left = isKnown ? Math.min(this.left, remaining) : remaining + Math.min(this.left, 0);
		this.endsAt = isKnown ? Math.max(this.endsAt, endsAt) : endsAt;
		this.source = 'headers';
	}

	/** @returns whether the window began with this rejection */
	rejected(request: SentRequest, now: number): boolean {
		this.ends(request, now);
		const isFirst = request.window === this.current && this.source === undefined;
		if (request.window === this.current) this.close();
		return isFirst;
	}

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
 * @param identity the account's; see {@link Account}
 * @param rate the documented rate; if calls differ, the latest one counts
 */
export function limiterFor(identity: string, rate: Rate): RateLimiter {
	const limiter = limiters.get(identity) ?? new RateLimiter(rate);
	limiter.rate = rate;
	limiters.set(identity, limiter);
	return limiter;
}
