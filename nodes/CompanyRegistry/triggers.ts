import { DAY_MS, HOUR_MS } from '../shared/http/clock';
import type { Account } from '../shared/http/connection';
import { processMap } from '../shared/http/processMap';

// The triggers that this process has seen poll with a key. They share their budget by it, and Enrich leaves
// them what they need. What has been sent is in the key's ledger.

/** A trigger that has polled within this time shares the budget. A daily poll may be late. */
const SHARES_FOR_MS = 26 * HOUR_MS;
/** The pace of a trigger that has polled only once. */
const USUAL_PACE_MS = HOUR_MS;

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
interface Budget {
	/** When the trigger polled before. */
	previous: number | undefined;
	/** The largest budget of the triggers, which they share equally. */
	all: number;
	/** The trigger's part of it, which is no more than its own budget. */
	share: number;
}

export class KeyTriggers {
	private readonly polls = new Map<string, TriggerPoll>();

	/**
	 * @param perDay the trigger's own budget
	 * @param at when it polls
	 */
	budgetOf(trigger: string, perDay: number, at: number): Budget {
		const previous = this.polls.get(trigger)?.at;
		// A weekly trigger shares with all that have polled since its own last poll.
		const since = Math.min(previous ?? at, at - SHARES_FOR_MS);
		const others = [...this.polls]
			.filter(([other, last]) => other !== trigger && last.at >= since)
			.map(([, last]) => last);
		const all = Math.max(perDay, largestBudget(others));
		return { previous, all, share: Math.min(perDay, all / (others.length + 1)) };
	}

	/** Notes that a trigger polls. */
	notePoll(trigger: string, poll: Omit<TriggerPoll, 'previous'>): Budget {
		const budget = this.budgetOf(trigger, poll.perDay, poll.at);
		this.polls.set(trigger, { ...poll, previous: budget.previous });
		return budget;
	}

	/** The requests that the triggers send in a day at their pace, within their shares of the budget. */
	perDay(now: number): number {
		const active = [...this.polls].filter(([, { at, previous = at }]) => {
			return now - at < Math.max(SHARES_FOR_MS, 2 * (at - previous));
		});
		const wanted = active.map(([trigger, poll]) => {
			const { at, previous = at - USUAL_PACE_MS, perPoll, perDay } = poll;
			const polls = Math.max(1, DAY_MS / Math.max(1, at - previous));
			return Math.min(this.budgetOf(trigger, perDay, now).share, perPoll * polls);
		});
		const sum = wanted.reduce((one, other) => one + other, 0);
		return Math.ceil(Math.min(sum, largestBudget(active.map(([, poll]) => poll))));
	}
}

function largestBudget(triggers: readonly TriggerPoll[]): number {
	return Math.max(0, ...triggers.map(({ perDay }) => perDay));
}

const byKey = processMap<KeyTriggers>();

export function triggersOf({ identity }: Account): KeyTriggers {
	const triggers = byKey.get(identity) ?? new KeyTriggers();
	byKey.set(identity, triggers);
	return triggers;
}
