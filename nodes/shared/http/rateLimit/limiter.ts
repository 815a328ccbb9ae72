import { onAbort, systemClock } from '../clock';
import type { Clock } from '../clock';
import { CancelledError } from '../errors';
import type { Rate, RateReport } from './headers';
import { FairQueue } from './queue';
import type { Queued } from './queue';
import type { Refusal } from './refusal';
import { RateWindow } from './window';
import type { NextSlot, SentRequest } from './window';

/**
 * The most requests that a run may have in flight. If all of them hang, other runs can still use
 * the key.
 */
export const MAX_IN_FLIGHT = 10;
/**
 * How many times a request may be rejected before it fails. Each time, it waits as long as the
 * service says.
 */
export const MAX_REFUSALS = 8;
/**
 * The shortest pause after a refusal. It doubles with each refusal, so that {@link MAX_REFUSALS}
 * pauses outlast a window.
 */
const FIRST_PAUSE_MS = 500;
/** In requests per day. */
const SMALL_QUOTA = 200;
/** How often a request is let through to check whether the quota is still used up. */
const QUOTA_CHECK_MS = 60_000;

export interface Wait {
	/** Identifies the run. Runs take turns. Default: a run of its own */
	run?: object;
	/** Within a run, requests with a lower number go first. Default: 0 */
	order?: number;
	/** Cancels the wait when it fires. */
	signal?: AbortSignal;
	/**
	 * In ms since the epoch. A request that would have to wait longer for the limit fails right away.
	 * If the deadline has already passed, the request still waits for responses in flight that may
	 * show the limit.
	 */
	deadline?: number;
	/** The request doesn't count against the daily quota, so it's sent even if the quota is used up. */
	outsideQuota?: boolean;
	/** Called when the limit delays the request, with the end of the delay in ms since the epoch. */
	onLimit?: (until: number) => void;
	/** Called with the time that the request has waited, in ms, if the limit was among the reasons. */
	onWait?: (ms: number) => void;
}

/** How an attempt ended: with a value, or with a refusal because of the limit. */
export type Attempt<T> = ({ value: T } | { refusal: Refusal }) & {
	/** The response's rate-limit headers; undefined if there was no response. */
	report?: RateReport;
};

/** Thrown to requests that can't wait until the limit allows them. */
export class RateLimitError extends Error {
	constructor(
		/** When requests can be sent again, in ms since the epoch. */
		readonly opensAt: number,
		/** Whether it's a quota per day or longer that's used up, as opposed to the window's limit. */
		readonly quota: boolean,
		/** Whether the service didn't say when, so `opensAt` is a guess. */
		readonly guessed: boolean,
	) {
		super("The service's rate limit has been reached");
	}
}

/** Blocks the key after a refusal. Until it ends, requests wait, or fail if a quota is used up. */
interface Block {
	quota: boolean;
	since: number;
	until: number;
	limit: RateLimitError;
}

interface Waiter extends Queued {
	deadline: number;
	/** When the wait ends, whatever its reason: at the deadline, or never if that had already passed. */
	expiresAt: number;
	outsideQuota: boolean;
	onLimit?: (until: number) => void;
	admit: (sent: SentRequest) => void;
	reject: (error: Error) => void;
}

/**
 * Sends the requests of one key as fast as the service allows, and shares the limit fairly between
 * runs.
 */
export class RateLimiter {
	private readonly window: RateWindow;
	private readonly queue = new FairQueue<Waiter>(MAX_IN_FLIGHT);
	/** The queued requests that have a deadline. */
	private readonly withDeadline = new Set<Waiter>();
	private block: Block | undefined;
	private alarm: { at: number; cancel: AbortController } | undefined;
	/** How many requests in a row the service has rejected. */
	private refusalsInRow = 0;
	private arrivals = 0;
	/** How many times the limit, and not just a response in flight, has kept requests waiting. */
	private limitedWaits = 0;
	/** The end of the delay that queued requests have been told, in ms since the epoch. */
	private announced: number | undefined;

	constructor(
		rate: Rate,
		private readonly clock: Clock = systemClock,
	) {
		this.window = new RateWindow(rate);
	}

	set documentedRate(rate: Rate) {
		this.window.documented = rate;
	}

	/**
	 * Whether the key's daily quota is known to be small or nearly used up. Items then start one after
	 * the other, so that the quota's end leaves no half-finished ones.
	 */
	get isScarce(): boolean {
		const { perDay = Infinity } = this.window.documented;
		return perDay < SMALL_QUOTA;
	}

	/** Whether nothing is waiting or in flight. */
	get idle(): boolean {
		return this.queue.size === 0 && this.window.inFlight === 0;
	}

	/**
	 * Makes an attempt as soon as the limit allows it, and repeats it while the service rejects it
	 * because of the limit.
	 *
	 * @returns the value of the first attempt that wasn't rejected
	 * @throws RateLimitError if a quota is used up, the deadline comes before the next attempt, or
	 * the service has rejected the request {@link MAX_REFUSALS} times
	 * @throws CancelledError if the signal fires before an attempt
	 */
	async schedule<T>(attempt: () => Promise<Attempt<T>>, wait: Wait = {}): Promise<T> {
		const { run = {}, order = 0, deadline = Infinity } = wait;
		const expiresAt = deadline > this.clock.now() ? deadline : Infinity;
		// A rejected request keeps its place in the queue.
		const place = { run, order, arrival: this.arrivals++, deadline, expiresAt };
		for (let refusals = 0; ; refusals++) {
			// If the service rejects it, it does count against the quota after all.
			const outsideQuota = wait.outsideQuota === true && refusals === 0;
			const sent = await this.waitForSlot({ ...place, outsideQuota }, wait);
			const ended = await attempt().catch((error: unknown) => {
				this.end(run, sent);
				throw error;
			});
			if ('value' in ended) {
				if (ended.report) this.refusalsInRow = 0;
				this.end(run, sent, ended.report);
				return ended.value;
			}
			const limit = this.handleRefusal(ended.refusal, refusals);
			this.end(run, sent, ended.report);
			if (refusals + 1 === MAX_REFUSALS) throw limit;
		}
	}

	/** Resolves when the request may be sent. */
	private async waitForSlot(
		entry: Omit<Waiter, 'onLimit' | 'admit' | 'reject'>,
		{ signal, onLimit, onWait }: Wait,
	): Promise<SentRequest> {
		if (signal?.aborted) throw new CancelledError();
		const start = this.clock.now();
		const { limitedWaits } = this;
		let stopListening: (() => void) | undefined;
		const sent = await new Promise<SentRequest>((admit, reject) => {
			const waiter = { ...entry, onLimit, admit, reject };
			this.queue.add(waiter);
			if (entry.deadline < Infinity) this.withDeadline.add(waiter);
			const cancel = () => {
				this.reject(waiter, new CancelledError());
				if (this.queue.size === 0) this.setAlarm(undefined, 0);
			};
			stopListening = signal && onAbort(signal, cancel);
			this.pump(waiter);
		}).finally(() => stopListening?.());
		if (this.limitedWaits > limitedWaits) onWait?.(this.clock.now() - start);
		return sent;
	}

	private reject(waiter: Waiter, error: Error): void {
		this.queue.delete(waiter);
		this.withDeadline.delete(waiter);
		waiter.reject(error);
	}

	private end(run: object, sent: SentRequest, report?: RateReport): void {
		this.window.answered(sent, report, this.clock.now());
		this.queue.end(run);
		this.pump();
	}

	private handleRefusal(
		{ blocks, opensAt: announced }: Refusal,
		refusalsBefore: number,
	): RateLimitError {
		const now = this.clock.now();
		const { windowMs } = this.window.documented;
		const before = this.holds(now) ? this.block : undefined;
		const follows = this.block !== undefined && now - this.block.until < windowMs;
		if (!before) this.refusalsInRow = follows ? this.refusalsInRow + 1 : 1;
		// A request has already given up and the next one would wait just as long, so treat it as a
		// used-up quota.
		const isWindow = announced === undefined || announced - now > windowMs / 2;
		const isEndless = isWindow && this.refusalsInRow > MAX_REFUSALS;
		const quota = blocks === 'quota' || before?.quota === true || isEndless;
		const pause = Math.min(FIRST_PAUSE_MS * 2 ** refusalsBefore, windowMs);
		const opensAt = Math.max(
			announced ?? now + (quota ? QUOTA_CHECK_MS : windowMs),
			now + pause,
			before?.limit.opensAt ?? 0,
		);
		const until = quota ? Math.min(opensAt, now + QUOTA_CHECK_MS) : opensAt;
		const limit = new RateLimitError(opensAt, quota, announced === undefined);
		this.block = { quota, since: now, until, limit };
		this.window.close();
		return limit;
	}

	/** Whether the block is in force. It isn't if the clock has been set back to before it started. */
	private holds(now: number): boolean {
		return this.block !== undefined && now < this.block.until && now >= this.block.since;
	}

	/**
	 * Lets through the requests that may be sent now, and sets the alarm for the next one.
	 *
	 * @param arriving the request that has just joined the queue
	 */
	private pump(arriving?: Waiter): void {
		let next: NextSlot | undefined;
		while (this.queue.size > 0) {
			const now = this.clock.now();
			next = this.nextSlot(now);
			if (next.at > now) break;
			const waiter = this.queue.take();
			next = undefined;
			// Every run in the queue already has the maximum number of requests in flight.
			if (!waiter) break;
			this.withDeadline.delete(waiter);
			waiter.admit(this.window.sent(now));
		}
		const now = this.clock.now();
		if (next?.limited && this.queue.size > 0) this.limitedWaits++;
		this.rejectExpired(next, now);
		if (next?.limited) this.announce(next.at, arriving);
		let at = next && this.queue.size > 0 ? next.at : Infinity;
		for (const { expiresAt } of this.withDeadline) at = Math.min(at, expiresAt);
		this.setAlarm(at === Infinity ? undefined : at, now);
	}

	private nextSlot(now: number): NextSlot {
		const { block, window } = this;
		if (block && this.holds(now)) {
			if (!block.quota) return { at: block.until, limited: true };
			for (const waiter of [...this.queue]) {
				if (!waiter.outsideQuota) this.reject(waiter, block.limit);
			}
		}
		return window.nextSlot(now);
	}

	/** Rejects the requests whose deadline has passed, or will pass before the limit allows them. */
	private rejectExpired(next: NextSlot | undefined, now: number): void {
		const block = this.holds(now) && !this.block?.quota ? this.block : undefined;
		const limit = next?.limited
			? (block?.limit ?? new RateLimitError(next.at, false, false))
			: undefined;
		for (const waiter of [...this.withDeadline]) {
			const { deadline, expiresAt } = waiter;
			if (expiresAt > now && !(limit && limit.opensAt > deadline)) continue;
			this.reject(waiter, limit ?? new RateLimitError(deadline, false, true));
		}
	}

	/**
	 * Tells the queued requests how long the limit delays them. If that hasn't changed, only the new
	 * one needs to know.
	 */
	private announce(until: number, arriving: Waiter | undefined): void {
		const uninformed = until === this.announced ? [arriving] : this.queue;
		this.announced = until;
		for (const waiter of uninformed) waiter?.onLimit?.(until);
	}

	private setAlarm(at: number | undefined, now: number): void {
		if (this.alarm && at !== undefined && this.alarm.at <= at) return;
		this.alarm?.cancel.abort();
		this.alarm = undefined;
		if (at === undefined) return;
		const alarm = { at, cancel: new AbortController() };
		this.alarm = alarm;
		void this.clock.sleep(at - now, alarm.cancel.signal).then(() => {
			if (this.alarm !== alarm) return;
			this.alarm = undefined;
			this.pump();
		});
	}
}

/** The maximum number of limiters. Beyond it, the least recently used ones are dropped. */
const KEPT_LIMITERS = 1_000;
/** Least recently used first. */
const limiters = new Map<string, RateLimiter>();

/**
 * The limiter of a key, shared by all nodes, workflows and triggers in this process.
 *
 * @param identity the account's; see {@link Account}
 * @param rate the documented rate; if calls differ, the latest one counts
 */
export function limiterFor(identity: string, rate: Rate): RateLimiter {
	const limiter = limiters.get(identity) ?? new RateLimiter(rate);
	limiter.documentedRate = rate;
	limiters.delete(identity);
	for (const [key, { idle }] of limiters) {
		if (limiters.size < KEPT_LIMITERS) break;
		if (idle) limiters.delete(key);
	}
	limiters.set(identity, limiter);
	return limiter;
}
