import { DAY_MS } from './clock';
import type { RateReport } from './headers';
import { dayOf } from './moments';

interface SentByTrigger {
	at: number;
	trigger: string;
}

/**
 * The requests that have been sent with a key. The limiter notes each of them, whoever sends it.
 *
 * The triggers' budget is for the last 24 hours, to the moment, because a daily poll begins exactly a day
 * after the last one. Everything else goes by the day of the quota. Services don't document when it begins,
 * so it's the UTC day, unless a response says how much is left, and until when.
 */
export class Ledger {
	/** The requests of triggers in the last 24 hours, oldest first. */
	private ofTriggers: SentByTrigger[] = [];
	private today = { day: 0, sent: 0 };
	/** What the latest response said about the daily quota, minus what has been sent since. */
	private reported = { left: 0, until: 0 };

	/** @param trigger the trigger whose daily request budget pays for the request */
	note(now: number, trigger?: string): void {
		const day = dayOf(now);
		if (this.today.day !== day) this.today = { day, sent: 0 };
		this.today.sent++;
		this.reported.left--;
		if (trigger !== undefined) this.ofTriggers.push({ at: now, trigger });
	}

	noteReport({ leftToday, resetAt }: RateReport, now: number): void {
		if (leftToday === undefined) return;
		this.reported = { left: leftToday, until: resetAt ?? (dayOf(now) + 1) * DAY_MS };
	}

	leftToday(perDay: number, now: number): number {
		if (now < this.reported.until) return this.reported.left;
		return perDay - (this.today.day === dayOf(now) ? this.today.sent : 0);
	}

	/** How many requests the triggers have sent on the quota's day. */
	sentByTriggersToday(now: number): number {
		return this.sentByTriggers(now).filter(({ at }) => dayOf(at) === dayOf(now)).length;
	}

	/**
	 * How long until the last 24 hours have room for another request.
	 *
	 * @param most how many the triggers may send in that time
	 * @param trigger only counts this one's
	 */
	waitMs(most: number, now: number, trigger?: string): number {
		const all = this.sentByTriggers(now);
		if (all.length < most) return 0;
		const counted = trigger === undefined ? all : all.filter((sent) => sent.trigger === trigger);
		const oldest = counted.at(-most);
		return oldest === undefined ? 0 : oldest.at + DAY_MS - now;
	}

	/** The triggers' requests of the last 24 hours. There can be thousands, so it's only filtered if it must be. */
	private sentByTriggers(now: number) {
		const isRecent = ({ at }: SentByTrigger) => at > now - DAY_MS && at <= now;
		const ends = [this.ofTriggers[0], this.ofTriggers.at(-1)];
		const isCurrent = ends.every((sent) => sent === undefined || isRecent(sent));
		if (!isCurrent) this.ofTriggers = this.ofTriggers.filter(isRecent);
		return this.ofTriggers;
	}
}
