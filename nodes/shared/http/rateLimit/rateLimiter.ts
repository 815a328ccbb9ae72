import { onAbort } from '../abort';
import type { Clock } from '../clock';
import { systemClock } from '../clock';
import { CancelledError } from '../errors';
import { Block } from './block';
import type { RateReport } from './headers';
import { FairQueue, RefusedQueue } from './queue';
import { RateWindow } from './window';
import type { NextSlot, Rate, SentRequest } from './window';

/** Requests at the same time: beyond this a burst gains no speed and strains small servers. */
export const MAX_IN_FLIGHT = 20;
/** Refusals of one request, each waited out as the service asked, before it gives up. */
export const MAX_REFUSALS = 8;
/** The same after another request gave up, until one succeeds. */
const MAX_REFUSALS_AFTER_GIVING_UP = 2;

export interface Wait {
	/** Runs are served in turn. Default: a separate run. */
	run?: object;
	/** Ends the wait when it fires. */
	signal?: AbortSignal;
	/** Longest wait in ms; 0 does not wait for the limit, only for responses. Default: no limit. */
	patienceMs?: number;
	/** The request does not count against the daily quota. */
	outsideQuota?: boolean;
	/** How often the service has refused this request already. */
	refusals?: number;
}

/** The permission to send one request. */
export interface Slot {
	sent: SentRequest;
	refusals: number;
	/** How long the request waited, if the limit was a reason. */
	waitedMs: number;
}

/** How a request ended, as far as the limit is concerned. */
export interface Outcome {
	/** What the response's headers say; absent when no response came. */
	report?: RateReport;
	/** The service refused the request because of a limit on requests and did not carry it out. */
	refused?: { namesLongQuota: boolean };
}

/** Thrown to a request that is not sent because the limit would make it wait too long. */
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

interface Waiter {
	run: object;
	deadline: number;
	outsideQuota: boolean;
	refusals: number;
	admit: (sent: SentRequest) => void;
	reject: (error: Error) => void;
}

/** Lets the requests of one key through as fast as the service allows, fairly between runs. */
export class RateLimiter {
	private readonly window: RateWindow;
	private readonly block = new Block();
	private readonly queue = new FairQueue<Waiter>();
	/** Requests that were refused and try again. */
	private readonly refused = new RefusedQueue<Waiter>();
	/** Those in both that do not wait for the limit, and those that wait for a limited time. */
	private readonly unwilling = new Set<Waiter>();
	private readonly timed = new Set<Waiter>();
	private alarm: { at: number; cancel: AbortController } | undefined;
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

	/** The daily quota, where the last response's headers describe one instead of the rate. */
	get dailyQuota(): { limit: number; remaining: number } | undefined {
		return this.window.dailyQuota;
	}

	/** Nothing waits and nothing is in flight. */
	get idle(): boolean {
		return this.waiting === 0 && this.window.inFlight === 0;
	}

	/**
	 * Resolves when the request may be sent; `release` must follow.
	 *
	 * @throws RateLimitError when the wait exceeds the caller's maximum or the general one
	 * @throws CancelledError when the signal fires first
	 */
	async acquire(wait: Wait = {}): Promise<Slot> {
		const { run = {}, signal, patienceMs = Infinity, refusals = 0 } = wait;
		// A refused request is not outside the quota.
		const outsideQuota = wait.outsideQuota === true && refusals === 0;
		if (signal?.aborted) throw new CancelledError();
		const start = this.clock.now();
		const { limitedWaits } = this;
		let stopListening: (() => void) | undefined;
		const sent = await new Promise<SentRequest>((admit, reject) => {
			const deadline = start + patienceMs;
			const waiter = { run, deadline, outsideQuota, refusals, admit, reject };
			(refusals > 0 ? this.refused : this.queue).add(waiter);
			if (patienceMs < Infinity) (patienceMs > 0 ? this.timed : this.unwilling).add(waiter);
			const cancel = () => {
				this.remove(waiter);
				reject(new CancelledError());
				this.pump();
			};
			stopListening = signal && onAbort(signal, cancel);
			this.pump();
		}).finally(() => stopListening?.());
		const limited = this.limitedWaits > limitedWaits;
		return { sent, refusals, waitedMs: limited ? this.clock.now() - start : 0 };
	}

	/** Ends what `acquire` began. */
	release({ sent, refusals }: Slot, { report, refused }: Outcome = {}): void {
		const now = this.clock.now();
		const { window, block } = this;
		const sameBurst = !window.isCurrent(sent);
		window.answered(sent, report, now);
		if (refused) {
			const headers = report ?? {};
			const describesLongQuota = window.isLongQuota(headers, now);
			const refusal = { ...refused, headers, describesLongQuota, earlier: refusals, sameBurst };
			block.refuse(refusal, window.documented.windowMs, now);
			window.close();
		} else if (report) {
			block.succeed(now);
		}
		this.pump();
	}

	/**
	 * The error for a request that was refused too often; undefined while another attempt may
	 * succeed.
	 */
	giveUp(refusals: number): RateLimitError | undefined {
		if (refusals < (this.block.gaveUp ? MAX_REFUSALS_AFTER_GIVING_UP : MAX_REFUSALS))
			return undefined;
		this.block.gaveUp = true;
		return this.errorFor(this.block.opensAt);
	}

	private get waiting(): number {
		return this.queue.size + this.refused.size;
	}

	/** Admits the requests that may be sent now, and sets the alarm for the next. */
	private pump(): void {
		while (this.waiting > 0) {
			const now = this.clock.now();
			const next = this.nextSlot(now);
			if (next && next.at <= now) {
				this.takeNext()?.admit(this.window.sent(now));
			} else {
				this.rejectImpatient(next, now);
				const deadlines = [...this.timed].map(({ deadline }) => deadline);
				return this.setAlarm(Math.min(next?.at ?? Infinity, ...deadlines), now);
			}
		}
		this.setAlarm(Infinity, 0);
	}

	/** Undefined when only the response to a request in flight can tell. */
	private nextSlot(now: number): NextSlot | undefined {
		const { block, window } = this;
		if (block.holds(now)) {
			if (!block.failsFast) return { at: block.until, limited: true };
			for (const waiter of [...this.refused, ...this.queue]) {
				if (!waiter.outsideQuota) this.reject(waiter, block.opensAt);
			}
		}
		return window.inFlight < MAX_IN_FLIGHT ? window.nextSlot(now) : undefined;
	}

	/** After a refusal, another request goes first; after the next refusal, a refused one again. */
	private takeNext(): Waiter | undefined {
		const refusedLast = this.block.rounds % 2 === 1;
		const [first, second] = refusedLast ? [this.queue, this.refused] : [this.refused, this.queue];
		const next = first.take() ?? second.take();
		if (next) this.remove(next);
		return next;
	}

	/** Rejects those who do not wait until `next`. */
	private rejectImpatient(next: NextSlot | undefined, now: number): void {
		const opensAt = next?.limited ? next.at : now;
		if (next?.limited) {
			this.limitedWaits++;
			for (const waiter of this.unwilling) this.reject(waiter, opensAt);
		}
		for (const waiter of this.timed) {
			if (waiter.deadline < opensAt || waiter.deadline <= now) this.reject(waiter, opensAt);
		}
	}

	private reject(waiter: Waiter, opensAt: number): void {
		this.remove(waiter);
		waiter.reject(this.errorFor(opensAt));
	}

	private remove(waiter: Waiter): void {
		for (const holder of [this.refused, this.queue, this.unwilling, this.timed]) {
			holder.delete(waiter);
		}
	}

	private errorFor(opensAt: number): RateLimitError {
		const { quota, guessed } = this.block;
		const blocked = this.block.holds(this.clock.now());
		return new RateLimitError(opensAt, blocked && quota, blocked && guessed);
	}

	private setAlarm(at: number, now: number): void {
		if (this.alarm && this.alarm.at <= at && at < Infinity) return;
		this.alarm?.cancel.abort();
		this.alarm = undefined;
		if (at === Infinity) return;
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
