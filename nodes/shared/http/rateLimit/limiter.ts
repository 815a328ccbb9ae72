import { onAbort, systemClock } from '../clock';
import type { Clock } from '../clock';
import { CancelledError } from '../errors';
import type { Rate, RateReport } from './headers';
import { FairQueue } from './queue';
import type { Queued } from './queue';
import type { Refusal } from './refusal';
import { RateWindow } from './window';
import type { NextSlot, SentRequest } from './window';

/** Concurrent requests. More bring no speed and strain small servers. */
export const MAX_IN_FLIGHT = 20;
/** How often one request can be rejected, and waits as long as the service says, before it fails. */
export const MAX_REFUSALS = 8;
/** Shortest pause after a refusal. It doubles each time, so that the pauses together outlast a window. */
const FIRST_PAUSE_MS = 500;
/** How often a request checks whether a quota is still exhausted. */
const QUOTA_CHECK_MS = 60_000;

export interface Wait {
	/** Runs are served in turn. Default: a separate run. */
	run?: object;
	/** Ends the wait when it fires. */
	signal?: AbortSignal;
	/** The request does not count against the daily quota. */
	outsideQuota?: boolean;
}

/** The permission to send one request. */
export interface Slot {
	sent: SentRequest;
	/** How long the request waited, if the limit was a reason. */
	waitedMs: number;
	/** How often the service has rejected this request. */
	refusals: number;
	/** Its place in the queue. */
	number: number;
}

/** How a request ended, as far as the limit is concerned. */
export interface Outcome {
	/** What the response's headers say; absent when no response came. */
	report?: RateReport;
	refusal?: Refusal;
}

/** Requests have to wait for the limit, or fail because of it. */
export class RateLimitError extends Error {
	constructor(
		/** When a request can be sent again, in ms since the epoch. */
		readonly opensAt: number,
		/** A quota per day or longer is exhausted, not the short window. */
		readonly quota: boolean,
		/** The service did not say when; `opensAt` is when to try again. */
		readonly guessed: boolean,
	) {
		super('The rate limit of the service is reached');
	}
}

/** A refusal keeps requests waiting until `until`, or fails them until then if a quota is exhausted. */
interface Block {
	quota: boolean;
	since: number;
	until: number;
	limit: RateLimitError;
}

interface Waiter extends Queued {
	outsideQuota: boolean;
	admit: (sent: SentRequest) => void;
	reject: (error: Error) => void;
}

/** Lets the requests of one key through as fast as the service allows, fairly between runs. */
export class RateLimiter {
	private readonly window: RateWindow;
	private readonly queue = new FairQueue<Waiter>();
	private readonly watchers = new Set<(limit: RateLimitError) => void>();
	private block: Block | undefined;
	private alarm: { at: number; cancel: AbortController } | undefined;
	/** How often the service has rejected one request after the other. */
	private refusalsInRow = 0;
	private arrivals = 0;
	private limitedWaits = 0;

	constructor(
		rate: Rate,
		private readonly clock: Clock = systemClock,
	) {
		this.window = new RateWindow(rate);
	}

	set documentedRate(rate: Rate) {
		this.window.documented = rate;
	}

	/** Requests per minute that the service allows, as far as its responses have said. */
	get perMinute(): number {
		return this.window.perMinute;
	}

	/** Nothing waits and nothing is in flight. */
	get idle(): boolean {
		return this.queue.size === 0 && this.window.inFlight === 0;
	}

	/**
	 * Resolves when the request may be sent; `release` must follow.
	 *
	 * @param rejected slot of a rejected request, which keeps its place
	 * @throws RateLimitError when a quota is exhausted
	 * @throws CancelledError when the signal fires first
	 */
	async acquire({ run = {}, signal, outsideQuota }: Wait = {}, rejected?: Slot): Promise<Slot> {
		if (signal?.aborted) throw new CancelledError();
		const { number, refusals } = rejected ?? { number: this.arrivals++, refusals: 0 };
		const start = this.clock.now();
		const { limitedWaits } = this;
		let stopListening: (() => void) | undefined;
		const sent = await new Promise<SentRequest>((admit, reject) => {
			// If the service rejected it, the quota applies to it after all.
			const isOutside = outsideQuota === true && refusals === 0;
			const waiter = { run, number, outsideQuota: isOutside, admit, reject };
			this.queue.add(waiter);
			const cancel = () => {
				this.queue.delete(waiter);
				reject(new CancelledError());
				if (this.queue.size === 0) this.setAlarm(undefined, 0);
			};
			stopListening = signal && onAbort(signal, cancel);
			this.pump();
		}).finally(() => stopListening?.());
		const limited = this.limitedWaits > limitedWaits;
		return { sent, refusals, number, waitedMs: limited ? this.clock.now() - start : 0 };
	}

	/** Releases a slot; every `acquire` needs one call. */
	release(slot: Slot, { report, refusal }: Outcome = {}): void {
		this.window.answered(slot.sent, report, this.clock.now());
		if (refusal) this.refuse(slot, refusal);
		else if (report) this.refusalsInRow = 0;
		this.pump();
	}

	/** The limit, if the service has rejected the request too often for another attempt. */
	giveUp({ refusals }: Slot): RateLimitError | undefined {
		return refusals < MAX_REFUSALS ? undefined : this.block?.limit;
	}

	/**
	 * Calls back whenever requests have to wait for the limit.
	 *
	 * @returns a function that ends this
	 */
	watch(callback: (limit: RateLimitError) => void): () => void {
		this.watchers.add(callback);
		return () => this.watchers.delete(callback);
	}

	private refuse(slot: Slot, { blocks, opensAt: announced }: Refusal): void {
		const now = this.clock.now();
		const { windowMs } = this.window.documented;
		const before = this.holds(now) ? this.block : undefined;
		const follows = this.block !== undefined && now - this.block.until < windowMs;
		if (!before) this.refusalsInRow = follows ? this.refusalsInRow + 1 : 1;
		// One request has given up, and the next would wait for a window, too: an unexplained quota.
		const isWindow = announced === undefined || announced - now > windowMs / 2;
		const isEndless = isWindow && this.refusalsInRow > MAX_REFUSALS;
		const quota = blocks === 'quota' || before?.quota === true || isEndless;
		const pause = Math.min(FIRST_PAUSE_MS * 2 ** slot.refusals++, windowMs);
		const opensAt = Math.max(
			announced ?? now + (quota ? QUOTA_CHECK_MS : windowMs),
			now + pause,
			before?.limit.opensAt ?? 0,
		);
		const until = quota ? Math.min(opensAt, now + QUOTA_CHECK_MS) : opensAt;
		const limit = new RateLimitError(opensAt, quota, announced === undefined);
		this.block = { quota, since: now, until, limit };
		this.window.close();
	}

	/** False also when the clock was set back behind the start of the block. */
	private holds(now: number): boolean {
		return this.block !== undefined && now < this.block.until && now >= this.block.since;
	}

	/** Admits the requests that may be sent now, and sets the alarm for the next. */
	private pump(): void {
		while (this.queue.size > 0) {
			const now = this.clock.now();
			const next = this.nextSlot(now);
			if (!next || next.at > now) {
				if (next?.limited) this.tellWatchers(next.at, now);
				this.setAlarm(next?.at, now);
				return;
			}
			this.queue.take()?.admit(this.window.sent(now));
		}
		this.setAlarm(undefined, 0);
	}

	/** Undefined while it depends on a pending response. */
	private nextSlot(now: number): NextSlot | undefined {
		const { block, window } = this;
		if (block && this.holds(now)) {
			if (!block.quota) return { at: block.until, limited: true };
			for (const waiter of [...this.queue]) {
				if (waiter.outsideQuota) continue;
				this.queue.delete(waiter);
				waiter.reject(block.limit);
			}
		}
		return window.inFlight < MAX_IN_FLIGHT ? window.nextSlot(now) : undefined;
	}

	private tellWatchers(at: number, now: number): void {
		this.limitedWaits++;
		const limit = this.holds(now) ? this.block?.limit : undefined;
		for (const tell of [...this.watchers]) tell(limit ?? new RateLimitError(at, false, false));
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

/** Once there are this many limiters, those that were not used for the longest time are dropped. */
const KEPT_LIMITERS = 1_000;
/** The least recently used first. */
const limiters = new Map<string, RateLimiter>();

/**
 * The limiter of a key, shared by all nodes, workflows and triggers of this process.
 *
 * @param identity a digest of base URL and key
 * @param rate the documented rate; that of the latest call holds
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
