import { onAbort, systemClock } from '../clock';
import type { Clock } from '../clock';
import { CancelledError } from '../errors';
import type { Rate, RateReport } from './headers';
import { FairQueue } from './queue';
import type { Queued } from './queue';
import type { Refusal } from './refusal';
import { RateWindow } from './window';
import type { NextSlot, SentRequest } from './window';

/** Concurrent requests of a run: a service that hangs holds up no other run of the key. */
export const MAX_IN_FLIGHT = 10;
/** How often one request can be rejected, and waits as long as the service says, before it fails. */
export const MAX_REFUSALS = 8;
/** Shortest pause after a refusal. It doubles each time, so that the pauses together outlast a window. */
const FIRST_PAUSE_MS = 500;
/** How often a request checks whether a quota is still exhausted. */
const QUOTA_CHECK_MS = 60_000;

export interface Wait {
	/** Runs are served in turn. Default: a separate run. */
	run?: object;
	/** A run's requests with a lower number go first. Default: 0 */
	order?: number;
	/** Ends the wait when it fires. */
	signal?: AbortSignal;
	/**
	 * In ms since the epoch: a request that the limit delays until later fails at once. If it is not in
	 * the future, responses that may tell the limit are still awaited.
	 */
	deadline?: number;
	/** The request does not count against the daily quota. */
	outsideQuota?: boolean;
	/** Called when the limit delays the request, with the end of the wait in ms since the epoch. */
	onLimit?: (until: number) => void;
	/** Called with the ms that the request has waited, if the limit was a reason. */
	onWait?: (ms: number) => void;
}

/** How an attempt at a request ended: with a value, or rejected because of the limit. */
export type Attempt<T> = ({ value: T } | { refusal: Refusal }) & {
	/** What the response's headers say about the limit; absent when no response came. */
	report?: RateReport;
};

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
	deadline: number;
	/** When a deadline in the future ends the wait, whatever the reason to wait. */
	expiresAt: number;
	outsideQuota: boolean;
	onLimit?: (until: number) => void;
	admit: (sent: SentRequest) => void;
	reject: (error: Error) => void;
}

/** Lets the requests of one key through as fast as the service allows, fairly between runs. */
export class RateLimiter {
	private readonly window: RateWindow;
	private readonly queue = new FairQueue<Waiter>(MAX_IN_FLIGHT);
	/** Those that have a deadline. */
	private readonly impatient = new Set<Waiter>();
	private block: Block | undefined;
	private alarm: { at: number; cancel: AbortController } | undefined;
	/** How many requests in a row the service has rejected. */
	private refusalsInRow = 0;
	private arrivals = 0;
	private limitedWaits = 0;
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

	/** Nothing waits and nothing is in flight. */
	get idle(): boolean {
		return this.queue.size === 0 && this.window.inFlight === 0;
	}

	/**
	 * Makes an attempt at a request as soon as the limit allows, and again while the service rejects it
	 * because of the limit.
	 *
	 * @returns the value of the first attempt that was not rejected
	 * @throws RateLimitError when a quota is exhausted, the deadline comes before the next attempt, or
	 * the service has rejected the request {@link MAX_REFUSALS} times
	 * @throws CancelledError when the signal fires before an attempt
	 */
	async schedule<T>(attempt: () => Promise<Attempt<T>>, wait: Wait = {}): Promise<T> {
		const { run = {}, order = 0, deadline = Infinity } = wait;
		const expiresAt = deadline > this.clock.now() ? deadline : Infinity;
		// A rejected request keeps its place.
		const place = { run, order, arrival: this.arrivals++, deadline, expiresAt };
		for (let refusals = 0; ; refusals++) {
			// If the service rejected it, the quota applies to it after all.
			const outsideQuota = wait.outsideQuota === true && refusals === 0;
			const sent = await this.admission({ ...place, outsideQuota }, wait);
			const ended = await attempt().catch((error: unknown) => {
				this.end(run, sent);
				throw error;
			});
			if ('value' in ended) {
				if (ended.report) this.refusalsInRow = 0;
				this.end(run, sent, ended.report);
				return ended.value;
			}
			const limit = this.refuse(ended.refusal, refusals);
			this.end(run, sent, ended.report);
			if (refusals + 1 === MAX_REFUSALS) throw limit;
		}
	}

	/** Resolves when the request may be sent. */
	private async admission(
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
			if (entry.deadline < Infinity) this.impatient.add(waiter);
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
		this.impatient.delete(waiter);
		waiter.reject(error);
	}

	private end(run: object, sent: SentRequest, report?: RateReport): void {
		this.window.answered(sent, report, this.clock.now());
		this.queue.end(run);
		this.pump();
	}

	private refuse({ blocks, opensAt: announced }: Refusal, refusalsBefore: number): RateLimitError {
		const now = this.clock.now();
		const { windowMs } = this.window.documented;
		const before = this.holds(now) ? this.block : undefined;
		const follows = this.block !== undefined && now - this.block.until < windowMs;
		if (!before) this.refusalsInRow = follows ? this.refusalsInRow + 1 : 1;
		// One request has given up already, and the next would wait just as long: an unexplained quota.
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

	/** Also false if the clock was set back to before the block started. */
	private holds(now: number): boolean {
		return this.block !== undefined && now < this.block.until && now >= this.block.since;
	}

	/**
	 * Admits the requests that may be sent now, and sets the alarm for the next.
	 *
	 * @param arriving has just joined the queue
	 */
	private pump(arriving?: Waiter): void {
		let next: NextSlot | undefined;
		while (this.queue.size > 0) {
			const now = this.clock.now();
			next = this.nextSlot(now);
			if (!next || next.at > now) break;
			const waiter = this.queue.take();
			next = undefined;
			// Every waiting run has as many requests in flight as it may.
			if (!waiter) break;
			this.impatient.delete(waiter);
			waiter.admit(this.window.sent(now));
		}
		const now = this.clock.now();
		if (next?.limited && this.queue.size > 0) this.limitedWaits++;
		this.rejectImpatient(next, now);
		if (next?.limited) this.announce(next.at, arriving);
		let at = next && this.queue.size > 0 ? next.at : Infinity;
		for (const { expiresAt } of this.impatient) at = Math.min(at, expiresAt);
		this.setAlarm(at === Infinity ? undefined : at, now);
	}

	/** Undefined while it depends on a pending response. */
	private nextSlot(now: number): NextSlot | undefined {
		const { block, window } = this;
		if (block && this.holds(now)) {
			if (!block.quota) return { at: block.until, limited: true };
			for (const waiter of [...this.queue]) {
				if (!waiter.outsideQuota) this.reject(waiter, block.limit);
			}
		}
		return window.nextSlot(now);
	}

	/** Rejects the requests whose deadline has come, or comes before the limit ends. */
	private rejectImpatient(next: NextSlot | undefined, now: number): void {
		const block = this.holds(now) && !this.block?.quota ? this.block : undefined;
		const limit = next?.limited
			? (block?.limit ?? new RateLimitError(next.at, false, false))
			: undefined;
		for (const waiter of [...this.impatient]) {
			const { deadline, expiresAt } = waiter;
			if (expiresAt > now && !(limit && limit.opensAt > deadline)) continue;
			this.reject(waiter, limit ?? new RateLimitError(deadline, false, true));
		}
	}

	/** Tells the waiting requests until when; those that know it already are not told again. */
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

/** Once there are this many limiters, those that were not used for the longest time are dropped. */
const KEPT_LIMITERS = 1_000;
/** The least recently used first. */
const limiters = new Map<string, RateLimiter>();

/**
 * The limiter of a key, shared by all nodes, workflows and triggers of this process.
 *
 * @param identity a digest of base URL and key
 * @param rate the documented rate; the latest call's rate wins
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
