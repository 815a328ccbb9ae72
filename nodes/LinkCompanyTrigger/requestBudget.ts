import { systemClock } from '../shared/http/clock';

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
	/** When it asked last, in ms since the epoch. */
	seenAt: number;
	/** Oldest first. */
	entries: Entry[];
}

/** Requests that may follow each other without a pause: half of the daily budget. */
function burstOf(perDay: number): number {
	return Math.max(1, perDay / 2);
}

/** Requests that become available in a millisecond: the other half, in the course of a day. */
function rateOf(perDay: number): number {
	return (perDay - burstOf(perDay)) / WINDOW_MS;
}

/**
 * How many requests may be sent with one key: a token bucket that holds half of the daily budget,
 * gets the other half in the course of a day, and is full again for whoever sent nothing for a
 * day. No 24 hours see more requests than the budget.
 *
 * A bucket that is opened after a restart of n8n is empty. What was sent before is not known, but
 * it was no more than a full bucket and what has come in since.
 */
export class RequestBudget {
	private readonly senders = new Map<string, Sender>();
	private openedAt = systemClock.now();
	private latest = this.openedAt;

	constructor(
		/** Whether nothing was sent before. */
		private full: boolean,
	) {}

	/** A budget for another key that begins with what was sent with this one. */
	copy(): RequestBudget {
		const copy = new RequestBudget(this.full);
		Object.assign(copy, { openedAt: this.openedAt, latest: this.latest });
		for (const [trigger, sender] of this.senders) {
			const entries = sender.entries.map((entry) => ({ ...entry }));
			copy.senders.set(trigger, { ...sender, entries });
		}
		return copy;
	}

	/**
	 * Requests that a trigger may send now. The triggers of a key share its budget evenly; what
	 * some do not use is available to the others.
	 */
	available(trigger: string, perDay: number): number {
		const now = this.now();
		const sender = this.senders.get(trigger);
		this.senders.set(trigger, { entries: sender?.entries ?? [], perDay, seenAt: now });
		return Math.max(0, Math.floor(this.availableAt(now, trigger)));
	}

	/** Requests per day that a trigger may send even if n8n restarts every day. */
	steadyPerDay(trigger: string): number {
		const active = this.active(this.now());
		const { perDay } = this.senders.get(trigger) as Sender;
		return rateOf(Math.min(perDay, shareOf(active))) * DAY_MS;
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

	/** Counts a request of a trigger that has asked what is available. */
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
			// How long ago the requests were sent cannot be told any more, as after a restart.
			this.senders.clear();
			this.full = false;
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

	/** Those that have asked within the window. */
	private active(now: number): Sender[] {
		return [...this.senders.values()].filter(({ seenAt }) => seenAt > now - WINDOW_MS);
	}

	/** What the bucket holds after what was sent within the window. */
	private level(now: number, entries: readonly Entry[], perDay: number): number {
		const burst = burstOf(perDay);
		const rate = rateOf(perDay);
		const opened = this.openedAt > now - WINDOW_MS;
		let since = opened ? this.openedAt : now - WINDOW_MS;
		let level = opened && !this.full ? 0 : burst;
		for (const { at, count } of entries) {
			if (at <= since && at < now - WINDOW_MS) continue;
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
const budgets = new Map<string, RequestBudget>();
/** The key that a trigger used last. */
const keys = new Map<string, string>();

/**
 * The budget of a key, which all triggers of this process share.
 *
 * @param key stands for base URL and key
 * @param firstPublication the trigger was never published before, so a restart cannot hide requests
 */
export function budgetOf(key: string, trigger: string, firstPublication: boolean): RequestBudget {
	const before = budgets.get(keys.get(trigger) ?? '');
	const budget = budgets.get(key) ?? before?.copy() ?? new RequestBudget(firstPublication);
	budgets.set(key, budget);
	keys.set(trigger, key);
	return budget;
}

/** What a restart of n8n does. */
export function forgetBudgets(): void {
	budgets.clear();
	keys.clear();
}
