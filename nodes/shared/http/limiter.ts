import { MINUTE_MS, onAbort, SECOND_MS, systemClock, type Clock } from './clock';
import { CanceledError, type ServiceError } from './errors';
import { LONGEST_WAIT_MS, type Rate } from './headers';
import { Ledger } from './ledger';
import { processMap } from './processMap';
import { RateWindow, type Attempt, type SentRequest, type Slot } from './rateWindow';

/**
 * A request that the service rejects this many times because of the rate limit fails. n8n processes
 * that share a key can take each other's windows, so a few times in a row are common.
 */
export const MAX_REJECTIONS = 8;
/** After so many windows of rejections without an announced reset, the daily quota is used up. */
const QUOTA_WINDOWS = 2;
/**
 * Shorter waits, such as `Retry-After: 0`, are ignored. The shortest that headers can announce is a second,
 * part of which has passed when it's compared.
 */
const SHORTEST_WAIT_MS = 500;
/** How often a request is let through to check whether the quota is still used up. */
const QUOTA_CHECK_MS = MINUTE_MS;
/** Below these numbers of a day's requests, items run one at a time so that few are left half done. */
const SMALL_QUOTA = 200;
const FEW_LEFT = 20;

/** What follows the requests of a sender, and may stop them. */
export interface Traffic {
	/** Called before each attempt. If it throws, nothing is sent and the request fails with that error. */
	before?(): void;
	/** Called when an attempt has failed, before the limiter lets other requests through. */
	failed?(error: ServiceError): void;
	/**
	 * Called when the rate limit delays a request. It may be called again while nothing has changed.
	 *
	 * @param until the end of the delay in ms since the epoch
	 */
	delayed?(until: number): void;
}

export interface Wait {
	/** Identifies the run. Runs take turns. Default: a run of its own */
	run?: object;
	/** Within a run, requests with a lower number go first. Default: 0 */
	order?: number;
	signal?: AbortSignal;
	/**
	 * The latest time for a wait to end, in ms since the epoch. A longer wait fails right away. Responses that
	 * may show the limit are waited for in any case. Default: none
	 */
	deadline?: number;
	/** The request doesn't count against the daily quota, so it's sent even if the quota is used up. */
	outsideQuota?: boolean;
	/** The trigger whose daily request budget pays for the request. */
	trigger?: string;
	traffic?: Traffic;
}

/** Thrown to requests that can't wait until the limit allows them. */
export class RateLimitError extends Error {
	constructor(
		/** When requests can be sent again, or when to try, in ms since the epoch. */
		readonly opensAt: number,
		/** Whether it's the daily quota that's used up, as opposed to the window's limit. */
		readonly isQuota = false,
		/** Whether the service has announced that time. Otherwise, it's a guess. */
		readonly isAnnounced = false,
	) {
		super("The service's rate limit has been reached");
	}
}

interface Waiter extends Wait {
	run: object;
	order: number;
	admit(request: SentRequest): void;
	fail(error: Error): void;
	stopListening?(): void;
}

/** What a rejection means for all requests of the key. */
interface Block {
	/** When the first of a row of rejections came. */
	since: number;
	/** When the next request may be sent. */
	until: number;
	/** Whether requests fail right away instead of waiting. */
	failsFast: boolean;
	/** The error of those that fail. */
	limit: RateLimitError;
}

/** Sends the requests of one key as fast as the service allows. Runs share the limit fairly. */
export class RateLimiter {
	readonly ledger = new Ledger();
	private readonly window = new RateWindow();
	/** The waiting requests of each run. The run that was served last comes last. */
	private readonly lines = new Map<object, Waiter[]>();
	/** The latest rejection. Until it ends, requests wait, or fail if the quota is used up. */
	private block: Block | undefined;
	private alarmAt = Infinity;

	/** @param rate the documented limits, which count until response headers say otherwise */
	constructor(
		public rate: Rate,
		private readonly clock: Clock = systemClock,
	) {}

	/** The daily quota is known to be small or nearly used up, so items should start one by one. */
	get isScarce(): boolean {
		const { perDay = Infinity } = this.rate;
		return perDay < SMALL_QUOTA || this.ledger.leftToday(perDay, this.clock.now()) < FEW_LEFT;
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
		const { run = {}, order = 0, signal } = wait;
		let { outsideQuota } = wait;
		for (let rejections = 1; ; rejections++) {
			if (signal?.aborted) throw new CanceledError();
			const request = await new Promise<SentRequest>((admit, fail) => {
				this.enter({ ...wait, run, order, outsideQuota, admit, fail });
				this.pump();
			});
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
			outsideQuota = false;
		}
	}

	private enter(waiter: Waiter): void {
		const { run, signal } = waiter;
		const line = this.lines.get(run) ?? [];
		const position = line.findLastIndex(({ order }) => order <= waiter.order) + 1;
		this.lines.set(run, line.toSpliced(position, 0, waiter));
		waiter.stopListening = signal && onAbort(signal, () => this.fail(waiter, new CanceledError()));
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
		waiter.fail(error);
	}

	/** Notes what the end of an attempt says about the limits. A rejection blocks the key. */
	private note(request: SentRequest, attempt: Attempt): void {
		const { rejectedFor, report } = attempt;
		const now = this.clock.now();
		const block = this.blockAt(now);
		if (report) this.ledger.noteReport(report, now);
		this.window.ended(request, attempt, now, this.rate);
		if (rejectedFor && !block?.failsFast) this.block = this.blockAfter(attempt, now, block?.until);
		else if (report && !block) this.block = undefined;
	}

	/** @param least the end of the current block, which a rejection doesn't bring forward */
	private blockAfter({ rejectedFor, report = {} }: Attempt, now: number, least = 0): Block {
		const { remaining = 0, resetAt = 0, retryAt } = report;
		const { windowMs } = this.rate;
		const namesDay = rejectedFor === 'day';
		// If requests are left, the rejection is about another limit, e.g. one for uploads.
		const isOther = remaining > 0;
		const since = this.block && now < this.block.until + windowMs ? this.block.since : now;
		const announced = (retryAt ?? resetAt) - now;
		// A service that always names the next second as the reset would use up the attempts within seconds.
		const isRepeated = since < now && retryAt === undefined && !isOther;
		const isAnnounced = announced >= (isRepeated ? 2 * SECOND_MS : SHORTEST_WAIT_MS);
		const rejectedMs = now - since;

		const usedUp = (opensAt?: number): Block => {
			const until = Math.max(now + QUOTA_CHECK_MS, least);
			const limit = new RateLimitError(opensAt ?? until, true, opensAt !== undefined);
			return { since, until, failsFast: true, limit };
		};
		const waiting = (ms: number): Block => {
			const until = Math.max(now + ms, least);
			const limit = new RateLimitError(until, namesDay, isAnnounced);
			return { since, until, failsFast: false, limit };
		};
		// Only the end of a day is that far away.
		if (announced > LONGEST_WAIT_MS && (namesDay || !isOther)) return usedUp(now + announced);
		if (namesDay && retryAt === undefined) return usedUp();
		// The service says how long to wait. If requests are still rejected after many such waits, the quota
		// is used up.
		if (isAnnounced) {
			if (isOther) return waiting(Math.min(announced, windowMs));
			return rejectedMs >= (MAX_REJECTIONS - 1) * windowMs ? usedUp() : waiting(announced);
		}
		// It doesn't say how long, so it's the window's limit. If several windows have passed, the quota is
		// used up.
		return rejectedMs >= QUOTA_WINDOWS * windowMs ? usedUp() : waiting(windowMs);
	}

	private blockAt(now: number) {
		return this.block && now < this.block.until ? this.block : undefined;
	}

	/** Lets through the requests that may be sent now, and looks again when the next one may. */
	private pump(now = this.clock.now()): void {
		let slot = this.nextSlot(now);
		for (; slot.at <= now; slot = this.nextSlot(now)) {
			const [line = []] = this.lines.values();
			const waiter = line[0];
			if (!waiter) return;
			this.leave(waiter);
			this.admit(waiter, now);
		}
		const { at, isLimited } = slot;
		for (const waiter of isLimited ? this.waiting : []) {
			const { deadline = Infinity } = waiter;
			if (at <= deadline) waiter.traffic?.delayed?.(at);
			else this.fail(waiter, this.blockAt(now)?.limit ?? new RateLimitError(at));
		}
		if (at >= this.alarmAt || this.waiting.length === 0) return;
		this.alarmAt = at;
		void this.clock.sleep(at - now).then(() => {
			this.alarmAt = Infinity;
			// The time has come, even if the clock has been set back.
			this.pump(Math.max(at, this.clock.now()));
		});
	}

	/** Lets a request go, unless its sender stops it. */
	private admit({ traffic, outsideQuota, trigger, admit, fail }: Waiter, now: number): void {
		try {
			traffic?.before?.();
		} catch (error) {
			fail(error as Error);
			return;
		}
		if (!outsideQuota) this.ledger.note(now, trigger);
		admit(this.window.sent(now));
	}

	private nextSlot(now: number): Slot {
		const block = this.blockAt(now);
		if (block && !block.failsFast) return { at: block.until, isLimited: true };
		const affected = block ? this.waiting.filter(({ outsideQuota }) => !outsideQuota) : [];
		for (const waiter of affected) this.fail(waiter, block!.limit);
		return this.window.nextSlot(now, this.rate);
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
