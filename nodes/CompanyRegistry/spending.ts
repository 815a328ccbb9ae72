import { DAY_MS, HOUR_MS } from '../shared/http/clock';
import type { Account } from '../shared/http/connection';
import { processMap } from '../shared/http/processMap';

// How often the triggers of a key poll and what they need, as far as this process remembers. They share their
// budget by it, and Enrich leaves them what they need. What has been sent is in the key's ledger.

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

/** What a trigger may send in a day, and all triggers of the key together. */
export interface Budget {
	/** When the trigger polled before. */
	previous: number | undefined;
	/** The largest budget of the triggers, which they share equally. */
	all: number;
	/** The trigger's part of it, which is no more than its own budget. */
	share: number;
}

export class Spending {
	private readonly triggers = new Map<string, TriggerPoll>();

	/**
	 * @param perDay the trigger's own budget
	 * @param at when it polls
	 */
	budgetOf(trigger: string, perDay: number, at: number): Budget {
		const previous = this.triggers.get(trigger)?.at;
		// A weekly trigger shares with all that have polled since its own last poll.
		const since = Math.min(previous ?? at, at - SHARES_FOR_MS);
		const others = [...this.triggers]
			.filter(([other, last]) => other !== trigger && last.at >= since)
			.map(([, last]) => last);
		const all = Math.max(perDay, largestBudget(others));
		return { previous, all, share: Math.min(perDay, all / (others.length + 1)) };
	}

	/** Notes that a trigger polls. */
	notePoll(trigger: string, poll: Omit<TriggerPoll, 'previous'>): Budget {
		const { at, perDay } = poll;
		const budget = this.budgetOf(trigger, perDay, at);
		this.triggers.set(trigger, { ...poll, previous: budget.previous });
		for (const [other, last] of this.triggers) {
			if (at - last.at > REMEMBERED_MS) this.triggers.delete(other);
		}
		return budget;
	}

	/**
	 * The requests that the triggers send in a day at their pace, within their budget, and that others
	 * should leave to them.
	 */
	perDay(now: number): number {
		const active = [...this.triggers.values()].filter(({ at, previous = at }) => {
			return now - at < Math.max(SHARES_FOR_MS, 2 * (at - previous));
		});
		let wanted = 0;
		for (const { at, previous = at - USUAL_PACE_MS, perPoll, perDay } of active) {
			const polls = Math.max(1, DAY_MS / Math.max(1, at - previous));
			wanted += Math.min(perDay, perPoll * polls);
		}
		return Math.ceil(Math.min(wanted, largestBudget(active)));
	}
}

function largestBudget(triggers: readonly TriggerPoll[]): number {
	return Math.max(0, ...triggers.map(({ perDay }) => perDay));
}

const spendings = processMap<Spending>();

export function spendingOf({ identity }: Account): Spending {
	const spending = spendings.get(identity) ?? new Spending();
	spendings.set(identity, spending);
	return spending;
}
