import { systemClock } from '../shared/http/clock';
import { processMap, processStartedAt } from './pollCache';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * A day's budget is for this time. The hour beyond a day makes up for a clock that is set forward
 * and for requests that reach the service late.
 */
const WINDOW_MS = DAY_MS + HOUR_MS;
/** Requests of this time are counted together, as if all were sent when the last one was. */
const ENTRY_MS = 5 * MINUTE_MS;
/** While the clock is behind its latest time by less than this, time stands still. */
const LONGEST_STANDSTILL_MS = 2 * HOUR_MS;

/** Requests that one trigger sent within a few minutes. */
interface Entry {
	/** When the first of them was sent, in ms since the epoch. */
	from: number;
	/** When the last of them was sent. */
	at: number;
	count: number;
}

interface Sender {
	/** Requests per day. */
	perDay: number;
	/** When it polled last, in ms since the epoch. */
	seenAt: number;
	/** Oldest first. */
	entries: Entry[];
}

/** How much of the budget polls at least every hour can use: a window is longer than a day. */
export const USED_HOURLY = 0.88;

/** Requests that may follow each other without a pause. */
function burstOf(perDay: number): number {
	return Math.max(1, 0.475 * perDay);
}

/** Requests that may be sent soon after a restart. */
function reserveOf(perDay: number): number {
	return Math.floor(Math.min(0.05 * perDay, perDay - burstOf(perDay)));
}

/** Enough for a first request and its retries, however small the budget is. */
const LEAST_AT_FIRST = 5;

/**
 * Requests that may be sent at the first publication. Less than a full bucket: if n8n stops before
 * it has stored the trigger's state, the next poll counts as a first publication again.
 */
function firstOf(perDay: number): number {
	return Math.min(burstOf(perDay), Math.max(LEAST_AT_FIRST, 0.25 * perDay));
}

/** Requests that become available in a millisecond. */
function rateOf(perDay: number): number {
	return (perDay - burstOf(perDay) - reserveOf(perDay)) / WINDOW_MS;
}

/**
 * How many requests may be sent with one key: a token bucket that holds 47.5% of the daily budget,
 * gets another 47.5% in the course of a day, and is full again when nothing was sent for a day. A
 * first publication begins with 25%. No 24 hours see more requests than the budget.
 *
 * After a restart of n8n, the bucket starts empty: what was sent before is not known, but it was at
 * most a full bucket and what had been added until then. The rest of the budget is the reserve for
 * such restarts. It is used once a day at most, so the triggers store when it was used before they
 * use it.
 */
export class RequestBudget {
	private readonly senders = new Map<string, Sender>();
	private latest = systemClock.now();
	/** Nothing was sent between the start of the process and the first poll. */
	private openedAt = Math.min(processStartedAt(), this.latest);
	/** When the reserve was used last, and whether it is what this process uses. */
	private reserve: { at: number; own: boolean; confirmed: boolean } | undefined;

	constructor(
		/** Whether nothing was sent before. */
		private unused: boolean,
	) {}

	/** A budget for another key that begins with what was sent with this one. */
	copy(): RequestBudget {
		const copy = new RequestBudget(this.unused);
		Object.assign(copy, { openedAt: this.openedAt, latest: this.latest, reserve: this.reserve });
		for (const [trigger, sender] of this.senders) {
			const entries = sender.entries.map((entry) => ({ ...entry }));
			copy.senders.set(trigger, { ...sender, entries });
		}
		return copy;
	}

	/**
	 * Gives a trigger its share. Called at the beginning of every poll.
	 *
	 * @param storedReserve what `reserveUsedAt` was when the trigger stored its state
	 */
	join(trigger: string, perDay: number, storedReserve: number | undefined): void {
		const now = this.now();
		this.senders.set(trigger, {
			entries: this.senders.get(trigger)?.entries ?? [],
			perDay,
			seenAt: now,
		});
		if (this.reserve?.own && this.reserve.at === storedReserve) this.reserve.confirmed = true;
		else if (!this.reserve?.own && storedReserve !== undefined) {
			const at = Math.max(this.reserve?.at ?? 0, Math.min(storedReserve, now));
			this.reserve = { at, own: false, confirmed: false };
		}
		const again = !this.reserve || this.reserve.at <= now - WINDOW_MS;
		if (again && this.isEmptyAfterRestart(now)) {
			this.reserve = { at: now, own: true, confirmed: false };
		}
	}

	/** When the reserve was used last, in ms since the epoch; to be stored with a trigger's state. */
	get reserveUsedAt(): number | undefined {
		return this.reserve?.at;
	}

	/**
	 * Requests that a trigger may send now. The triggers of a key share its budget evenly; what
	 * some do not use is available to the others.
	 */
	available(trigger: string): number {
		return Math.max(0, Math.floor(this.availableAt(this.now(), trigger)));
	}

	/** Requests per day that a trigger may send even if n8n restarts every day. */
	steadyPerDay(trigger: string): number {
		const active = this.active(this.now());
		const { perDay } = this.senders.get(trigger) as Sender;
		const share = Math.min(perDay, shareOf(active));
		return rateOf(share) * DAY_MS + (reserveOf(share) * DAY_MS) / WINDOW_MS;
	}

	/** When a trigger that may send nothing now may send a request, in ms from now. */
	msUntilAvailable(trigger: string): number {
		const now = this.now();
		let [early, late] = [0, WINDOW_MS];
		while (late - early > MINUTE_MS) {
			const middle = (early + late) / 2;
			if (this.availableAt(now + middle, trigger) >= 1) late = middle;
			else early = middle;
		}
		return late;
	}

	/** Counts a request. */
	spend(trigger: string): void {
		const now = this.now();
		const { entries } = this.senders.get(trigger) as Sender;
		while (entries[0] && entries[0].at <= now - WINDOW_MS) entries.shift();
		const last = entries.at(-1);
		if (last && now - last.from < ENTRY_MS) {
			last.at = now;
			last.count++;
		} else {
			entries.push({ from: now, at: now, count: 1 });
		}
	}

	/** Milliseconds since the epoch, as a clock that is never set back has it. */
	private now(): number {
		const now = systemClock.now();
		if (now < this.latest - LONGEST_STANDSTILL_MS) {
			// It is unknown how long ago the requests were sent, as after a restart.
			this.senders.clear();
			this.unused = false;
			this.reserve = { at: now, own: false, confirmed: false };
			this.openedAt = now;
			this.latest = now;
		}
		this.latest = Math.max(this.latest, now);
		return this.latest;
	}

	private availableAt(now: number, trigger: string): number {
		const sender = this.senders.get(trigger) as Sender;
		const own = this.level(now, sender.entries, sender.perDay);
		const active = this.active(now);
		if (active.length === 1) return own;

		const entries = [...this.senders.values()].flatMap((each) => each.entries);
		entries.sort((a, b) => a.at - b.at);
		const total = this.level(now, entries, Math.max(...active.map(({ perDay }) => perDay)));
		const share = shareOf(active);
		const levels = active.map((each) =>
			this.level(now, each.entries, Math.min(each.perDay, share)),
		);
		const reserved = levels.filter((level, index) => level > 0 && active[index] !== sender);
		const mine = levels[active.indexOf(sender)] as number;
		return Math.min(own, total, Math.max(mine, total - reserved.reduce((a, b) => a + b, 0)));
	}

	/** Those that polled within the window. */
	private active(now: number): Sender[] {
		return [...this.senders.values()].filter(({ seenAt }) => seenAt > now - WINDOW_MS);
	}

	private isEmptyAfterRestart(now: number): boolean {
		return !this.unused && this.isOpenedRecently(now);
	}

	private isOpenedRecently(now: number): boolean {
		return this.openedAt > now - WINDOW_MS;
	}

	private levelAtOpening(perDay: number): number {
		return this.unused ? firstOf(perDay) : this.reserveIn(perDay);
	}

	private reserveIn(perDay: number): number {
		return this.reserve?.own && this.reserve.confirmed ? reserveOf(perDay) : 0;
	}

	/** What the bucket holds after what was sent within the window. */
	private level(now: number, entries: readonly Entry[], perDay: number): number {
		const burst = burstOf(perDay);
		const rate = rateOf(perDay);
		let since = Math.max(this.openedAt, now - WINDOW_MS);
		let level = this.isOpenedRecently(now) ? this.levelAtOpening(perDay) : burst;
		for (const { at, count } of entries) {
			if (at <= now - WINDOW_MS) continue;
			level = Math.min(burst, level + rate * (at - since)) - count;
			since = at;
		}
		return Math.min(burst, level + rate * (now - since));
	}
}

/** An even part of the largest of their budgets. */
function shareOf(senders: readonly Sender[]): number {
	return Math.max(...senders.map(({ perDay }) => perDay)) / senders.length;
}

/** By key. */
const budgets = processMap<RequestBudget>();
/** The key that a trigger used last. */
const keys = processMap<string>();

/**
 * The budget of a key, which all triggers of this process share.
 *
 * @param key base URL and API key
 * @param firstPublication the trigger was never published before, so a restart cannot hide requests
 */
export function budgetOf(key: string, trigger: string, firstPublication: boolean): RequestBudget {
	const before = budgets.get(keys.get(trigger) ?? '');
	const budget = budgets.get(key) ?? before?.copy() ?? new RequestBudget(firstPublication);
	budgets.set(key, budget);
	keys.set(trigger, key);
	return budget;
}
