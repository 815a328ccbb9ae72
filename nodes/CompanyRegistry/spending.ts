import { DAY_MS, HOUR_MS } from '../shared/http/clock';
import type { Account } from '../shared/http/connection';
import { processMap } from '../shared/http/processMap';

// What the triggers of a key have sent and are going to need, as far as this process remembers. The
// triggers keep their budget by it, and Enrich leaves them what they need.

/** A trigger that has polled within this time shares the budget. A daily poll may be late. */
const SHARES_FOR_MS = 26 * HOUR_MS;
/** A trigger that hasn't polled for longer than a month has probably been removed. */
const REMEMBERED_MS = 32 * DAY_MS;
/** The pace of a trigger that has polled only once. */
const USUAL_PACE_MS = HOUR_MS;

/** A trigger's latest poll. */
interface TriggerPoll {
	at: number;
	/** The poll before. */
	previous: number | undefined;
	/** Its daily request budget. */
	perDay: number;
	/** The requests of a poll that reads everything the trigger watches. */
	perPoll: number;
}

export class Spending {
	private readonly triggers = new Map<string, TriggerPoll>();
	/** When the requests of the last 24 hours were sent. */
	private sent: number[] = [];

	/** @returns when the trigger polled before, and how many share the budget with it, itself included */
	notePoll(trigger: string, poll: Omit<TriggerPoll, 'previous'>) {
		const { at } = poll;
		const previous = this.triggers.get(trigger)?.at;
		this.triggers.set(trigger, { ...poll, previous });
		for (const [other, last] of this.triggers) {
			if (at - last.at > REMEMBERED_MS) this.triggers.delete(other);
		}
		// A weekly trigger shares with all that have polled since its own last poll.
		const since = Math.min(previous ?? at, at - SHARES_FOR_MS);
		const shares = [...this.triggers.values()].filter((last) => last.at >= since).length;
		return { previous, shares };
	}

	noteRequest(now: number): void {
		this.sent.push(now);
	}

	/** How long until the last 24 hours have room for another request. */
	waitMs(now: number): number {
		this.sent = this.sent.filter((at) => at > now - DAY_MS && at <= now);
		const oldest = this.sent.at(-largestBudget(this.activeAt(now)));
		return oldest === undefined ? 0 : oldest + DAY_MS - now;
	}

	/**
	 * The requests that the triggers send in a day at their pace, within their budget, and that others
	 * should leave to them. It's for a whole day, whenever the quota's day begins, so whoever uses the rest
	 * of the plan takes nothing from them.
	 */
	perDay(now: number): number {
		const active = this.activeAt(now);
		let wanted = 0;
		for (const { at, previous = at - USUAL_PACE_MS, perPoll, perDay } of active) {
			const polls = Math.max(1, DAY_MS / Math.max(1, at - previous));
			wanted += Math.min(perDay, perPoll * polls);
		}
		return Math.ceil(Math.min(wanted, largestBudget(active)));
	}

	private activeAt(now: number): TriggerPoll[] {
		return [...this.triggers.values()].filter(({ at, previous = at }) => {
			return now - at < Math.max(SHARES_FOR_MS, 2 * (at - previous));
		});
	}
}

/** With different budgets on one key, the largest counts. */
function largestBudget(triggers: readonly TriggerPoll[]): number {
	return Math.max(0, ...triggers.map(({ perDay }) => perDay));
}

const spendings = processMap<Spending>();

export function spendingOf({ identity }: Account): Spending {
	const spending = spendings.get(identity) ?? new Spending();
	spendings.set(identity, spending);
	return spending;
}
