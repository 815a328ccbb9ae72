import { onAbort } from '../abort';
import type { Clock } from '../clock';
import { systemClock } from '../clock';
import { CancelledError } from '../errors';
import type { Announced, RateReport } from './headers';

/** Requests that a key may make in any window of this length. */
export interface Rate {
	/** At least 1. */
	limit: number;
	windowMs: number;
}

export interface Admission {
	/** Ends the wait at once when it fires. */
	signal?: AbortSignal;
	/** Longest time in ms that the caller is ready to wait. Default: no end. */
	patienceMs?: number;
}

/** How a request ended, as far as the rate limit is concerned. */
export interface Outcome {
	/** Whose outcome it is. */
	turn: Turn;
	/** What the response's headers said; absent when no response came. */
	report?: RateReport;
	/**
	 * The service refused the request because of its limit and did not carry it out: `rate` for
	 * the short window, `quota` where it speaks of a day or a month.
	 */
	refused?: 'rate' | 'quota';
}

/** Thrown to a request that will not be sent because its turn is too far away. */
export class RateLimitError extends Error {
	constructor(
		/** When a request can be sent again, in ms since the epoch. */
		readonly opensAt: number,
		/** It is not the short window but a longer quota that is used up. */
		readonly quota: boolean,
		/** The service did not say when; `opensAt` is only when it is worth another try. */
		readonly guessed: boolean,
	) {
		super('The rate limit of the service is reached');
	}
}

const MINUTE_MS = 60_000;

/** Connections side by side: beyond this a burst gains no speed and strains small servers. */
export const MAX_IN_FLIGHT = 20;
/** A window that ends later than this is a quota (per day, per month), not a rate to wait out. */
export const QUOTA_HORIZON_MS = 10 * 60_000;
/** After a quota was refused without a time, nothing is sent for so long. */
const QUOTA_RECHECK_MS = 15 * 60_000;
/** A first request that takes longer (a large upload) no longer holds up the others. */
const FIRST_ANSWER_PATIENCE_MS = 2_000;
/** Shortest pause after a refusal; doubles while refusals go on. */
const REFUSAL_PAUSE_MS = 250;
/** Doubling must end, or a service that refuses for an hour is left alone for days. */
const LONGEST_REFUSAL_PAUSE_MS = 60_000;

interface Ticket {
	order: number;
	deadline: number;
	admit: () => void;
	reject: (error: Error) => void;
}

/** What was known when a request was sent. */
interface SentRequest {
	window: number;
	/** Counts all requests. */
	number: number;
	/** Others that were under way already. */
	inFlight: number;
}

/** The next moment at which somebody may go. */
interface Opening {
	at: number;
	/** The service's limit is the reason to wait, so that a caller without patience must leave. */
	limited: boolean;
}

/** Place of a request in the queue. Kept across refusals, so that a refused request goes first. */
export type Turn = number;

/**
 * Lets requests of one key through as fast as the service allows, first come first served.
 *
 * It starts from the documented rate and then believes the response headers. A window is opened
 * with a single request; its answer tells how many more may follow, and these go at once. That
 * one round trip per window buys three things: another process on the same key is seen before it
 * hurts, fixed and sliding windows need no telling apart, and a reset that was announced too
 * early costs at most one refusal. Services without such headers are paced by the requests that
 * were made in the last window.
 */
export class RateLimiter {
	private queue: Ticket[] = [];
	private nextOrder = 0;
	private pumping = false;
	private alarm: AbortController | undefined;

	private inFlight = 0;
	/** The present window has been confirmed by an answer; until then one request goes first. */
	private confirmed = false;
	/** When that first request was sent; undefined when none is under way. */
	private firstSentAt: number | undefined;
	/** Number of the present window. */
	private windowNumber = 0;
	private sentRequests = 0;
	private readonly sent = new Map<Turn, SentRequest>();
	/** The present window was described by headers. */
	private described = false;
	/** Requests that may still be sent before `windowEndsAt`. */
	private budget = 0;
	private windowEndsAt = 0;
	/** The least that any answer said is left, since there was last no request under way. */
	private leastTold = Infinity;
	/** The latest end of the window that any of these answers announced. */
	private latestEnd = 0;
	private blockedUntil = 0;
	private quotaBlocked = false;
	private blockGuessed = false;
	/** Rounds of refusals without a success in between, over all requests of the key. */
	private refusedRounds = 0;
	/** When the newest requests ended, oldest first; at most one window's worth. */
	private recent: number[] = [];
	/** Last sign of life, in ms since the epoch: idle limiters are forgotten. */
	lastUsed: number;

	constructor(
		private rate: Rate,
		private readonly clock: Clock = systemClock,
	) {
		this.lastUsed = clock.now();
	}

	/** Takes a place at the end of the queue. */
	turn(): Turn {
		return this.nextOrder++;
	}

	/**
	 * Resolves when the request may be sent; `settle` must follow.
	 *
	 * @throws RateLimitError when the turn is further away than the caller's patience, or than
	 * `QUOTA_HORIZON_MS` for anybody
	 * @throws CancelledError when the signal fires first
	 */
	async admit(turn: Turn, { signal, patienceMs = Infinity }: Admission = {}): Promise<void> {
		if (signal?.aborted) throw new CancelledError();
		this.lastUsed = this.clock.now();
		let callOff: (() => void) | undefined;
		try {
			await new Promise<void>((resolve, reject) => {
				const ticket: Ticket = {
					order: turn,
					deadline: this.clock.now() + patienceMs,
					admit: resolve,
					reject,
				};
				this.enqueue(ticket);
				const cancel = () => {
					this.queue = this.queue.filter((waiting) => waiting !== ticket);
					reject(new CancelledError());
					this.alarm?.abort();
				};
				callOff = signal && onAbort(signal, cancel);
				// A new ticket may be less patient than those that sleep already.
				this.alarm?.abort();
				this.pump();
			});
		} finally {
			callOff?.();
		}
	}

	/** Tells how an admitted request ended. */
	settle({ turn, report = {}, refused }: Outcome): void {
		const now = this.clock.now();
		this.lastUsed = now;
		this.inFlight--;
		const { window, number, inFlight } = this.sent.get(turn)!;
		this.sent.delete(turn);
		this.adoptRate(report, now);
		this.remember(now);
		if (window === this.windowNumber) {
			this.firstSentAt = undefined;
			this.believe(report, inFlight + this.sentRequests - number, now);
		}
		// A request without such an answer may have been counted last.
		const told = isQuota(report.reset, now) ? undefined : report.remaining;
		this.leastTold = Math.min(this.leastTold, told ?? -Infinity);
		this.latestEnd = Math.max(this.latestEnd, this.endOfWindow(report.reset, now));
		if (this.inFlight === 0) this.settleUp();
		if (refused) this.block(report, refused, now);
		else if (now >= this.blockedUntil) this.refusedRounds = 0;
		this.alarm?.abort();
		this.pump();
	}

	/** How many times in a row the service refused after having been waited for. */
	get refusals(): number {
		return this.refusedRounds;
	}

	/**
	 * The error for a request that was refused too often. Whoever waits gets it, too: one after the
	 * other they would find out at the price of a window each.
	 */
	giveUp(): RateLimitError {
		const error = new RateLimitError(this.blockedUntil, this.quotaBlocked, this.blockGuessed);
		for (const { reject } of this.queue.splice(0)) reject(error);
		return error;
	}

	/** Requests per minute that the service lets through, as far as its answers have told. */
	get perMinute(): number {
		const { limit, windowMs } = this.rate;
		return Math.ceil((limit * MINUTE_MS) / windowMs);
	}

	/** The daily quota, where the last response's headers described a window of more than ten minutes. */
	dailyQuota: { limit: number; remaining: number } | undefined;

	/** Nothing waits and nothing is under way. */
	get idle(): boolean {
		return this.queue.length === 0 && this.inFlight === 0;
	}

	private enqueue(ticket: Ticket): void {
		const after = this.queue.findIndex((waiting) => waiting.order > ticket.order);
		this.queue.splice(after === -1 ? this.queue.length : after, 0, ticket);
	}

	/** Admits whoever may go, then waits for the next moment at which somebody may. */
	private pump(): void {
		if (this.pumping) return;
		this.pumping = true;
		void this.run();
	}

	private async run(): Promise<void> {
		try {
			while (this.queue.length > 0) {
				const now = this.clock.now();
				const opening = this.opening(now);
				if (opening === undefined) return; // an answer under way will pump again
				if (opening.at <= now) {
					this.send(now);
					continue;
				}
				if (opening.limited) this.turnAway(opening.at, now);
				if (this.queue.length === 0) return;
				this.alarm = new AbortController();
				await this.clock.sleep(opening.at - now, this.alarm.signal);
			}
		} finally {
			this.alarm = undefined;
			this.pumping = false;
		}
	}

	private send(now: number): void {
		const ticket = this.queue.shift();
		if (!ticket) return;
		if (!this.confirmed) this.firstSentAt = now;
		this.sent.set(ticket.order, {
			window: this.windowNumber,
			number: ++this.sentRequests,
			inFlight: this.inFlight++,
		});
		this.budget--;
		ticket.admit();
	}

	private closeWindow(): void {
		this.confirmed = false;
		this.firstSentAt = undefined;
		this.windowNumber++;
	}

	/** Undefined when only an answer that is under way can tell. */
	private opening(now: number): Opening | undefined {
		if (now < this.blockedUntil) return { at: this.blockedUntil, limited: true };
		this.quotaBlocked = false;
		if (this.inFlight >= MAX_IN_FLIGHT) return undefined;
		if (this.confirmed && this.described && now >= this.windowEndsAt) this.closeWindow();
		if (!this.confirmed) {
			const at = this.firstSentAt === undefined ? now : this.firstSentAt + FIRST_ANSWER_PATIENCE_MS;
			return { at, limited: false };
		}
		if (!this.described) return this.openingByOwnRecord(now);
		return { at: this.budget > 0 ? now : this.windowEndsAt, limited: true };
	}

	/** For services without headers: never more than `limit` requests in any window. */
	private openingByOwnRecord(now: number): Opening | undefined {
		const { limit, windowMs } = this.rate;
		const inWindow = this.recent.filter((ended) => ended > now - windowMs);
		if (inWindow.length + this.inFlight < limit) return { at: now, limited: true };
		const oldest = inWindow[0];
		return oldest === undefined ? undefined : { at: oldest + windowMs, limited: true };
	}

	private adoptRate({ limit, remaining, windowMs, reset }: RateReport, now: number): void {
		if (isQuota(reset, now)) {
			if (limit !== undefined && remaining !== undefined) this.dailyQuota = { limit, remaining };
			return;
		}
		if (limit) this.rate = { ...this.rate, limit };
		if (windowMs) this.rate = { ...this.rate, windowMs };
	}

	private remember(now: number): void {
		this.recent.push(now);
		const surplus = this.recent.length - this.rate.limit;
		if (surplus > 0) this.recent.splice(0, surplus);
	}

	/**
	 * @param alongside number of other requests that were under way at some time together with the
	 * one that is answered: the service may have counted them after it
	 */
	private believe({ remaining, reset }: RateReport, alongside: number, now: number): void {
		const known = this.confirmed && this.described;
		if (remaining === undefined || (reset && isQuota(reset, now))) {
			if (remaining === 0 && reset) this.closeQuota(reset.at + reset.resolutionMs);
			if (known) return;
			this.confirmed = true;
			this.described = false;
			return;
		}
		const endsAt = this.endOfWindow(reset, now);
		const certain = remaining - alongside;
		if (!known || certain > this.budget) {
			this.budget = certain;
			// A sliding window gives free what it holds bit by bit, and ends later each time.
			this.windowEndsAt = known ? Math.max(this.windowEndsAt, endsAt) : endsAt;
		} else {
			// Others may use the key, and answers overtake each other: only the smallest counts.
			this.budget = Math.min(this.budget, remaining);
			if (remaining === 0) this.windowEndsAt = Math.max(this.windowEndsAt, endsAt);
		}
		this.confirmed = true;
		this.described = true;
	}

	private endOfWindow(reset: Announced | undefined, now: number): number {
		// A reset that is long past tells nothing; the documented window does.
		const usable = reset && reset.at > now - this.rate.windowMs ? reset : undefined;
		return usable ? usable.at + usable.resolutionMs : now + this.rate.windowMs;
	}

	/**
	 * Every answer is in, that of the request counted last among them, so at least the smallest
	 * number is left. In a sliding window that is more than was known while answers were missing.
	 */
	private settleUp(): void {
		if (this.described && this.leastTold > this.budget) {
			this.budget = this.leastTold;
			// Among it is what came free at the end that was known so far.
			this.windowEndsAt = Math.max(this.windowEndsAt, this.latestEnd);
		}
		this.leastTold = Infinity;
		this.latestEnd = 0;
	}

	private closeQuota(until: number): void {
		this.blockedUntil = Math.max(this.blockedUntil, until);
		this.quotaBlocked = true;
		this.blockGuessed = false;
	}

	private block({ retry, reset }: RateReport, refused: 'rate' | 'quota', now: number): void {
		// Refusals of one burst arrive together and mean one and the same closed window.
		if (now >= this.blockedUntil) this.refusedRounds++;
		const pause = Math.min(
			REFUSAL_PAUSE_MS * 2 ** (this.refusedRounds - 1),
			LONGEST_REFUSAL_PAUSE_MS,
		);
		// Beside a used-up quota, a reset within the short window speaks of that window alone.
		const tooSoon = refused === 'quota' ? this.rate.windowMs : 0;
		const useful = reset && reset.at + reset.resolutionMs > now + tooSoon ? reset : undefined;
		const announced = retry ?? useful;
		const silence = refused === 'quota' ? QUOTA_RECHECK_MS : this.rate.windowMs;
		const until = announced ? announced.at + announced.resolutionMs : now + silence;
		this.blockedUntil = Math.max(this.blockedUntil, until, now + pause);
		this.quotaBlocked ||= refused === 'quota';
		this.blockGuessed = announced === undefined;
		this.closeWindow();
	}

	/** Rejects those for whom `opensAt` is too late. */
	private turnAway(opensAt: number, now: number): void {
		const tooLong = opensAt - now > QUOTA_HORIZON_MS;
		const leaving = this.queue.filter((ticket) => tooLong || ticket.deadline < opensAt);
		if (leaving.length === 0) return;
		this.queue = this.queue.filter((ticket) => !leaving.includes(ticket));
		for (const ticket of leaving) {
			const guessed = this.blockGuessed && now < this.blockedUntil;
			ticket.reject(new RateLimitError(opensAt, tooLong || this.quotaBlocked, guessed));
		}
	}
}

function isQuota(reset: Announced | undefined, now: number): boolean {
	return reset !== undefined && reset.at - now > QUOTA_HORIZON_MS;
}

/** Limiters of this process: forgotten after an hour of silence, once there are this many. */
const KEPT_LIMITERS = 1_000;
const FORGET_AFTER_MS = 60 * 60_000;
const limiters = new Map<string, RateLimiter>();

/**
 * The limiter of a key, shared by all nodes, workflows and triggers of this process.
 *
 * @param identity stands for service and key without being the key (a digest)
 * @param rate the documented rate; used when the limiter is new
 */
export function limiterFor(identity: string, rate: Rate): RateLimiter {
	const known = limiters.get(identity);
	if (known) return known;
	if (limiters.size >= KEPT_LIMITERS) {
		const cutOff = systemClock.now() - FORGET_AFTER_MS;
		for (const [key, limiter] of limiters) {
			if (limiter.idle && limiter.lastUsed < cutOff) limiters.delete(key);
		}
	}
	const limiter = new RateLimiter(rate);
	limiters.set(identity, limiter);
	return limiter;
}
