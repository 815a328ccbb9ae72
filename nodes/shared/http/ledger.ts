import { DAY_MS } from './clock';
import type { RateReport } from './headers';

const dayOf = (at: number) => Math.floor(at / DAY_MS);

/**
 * What has been sent with a key. The limiter notes a request when it lets it go, whoever sends it.
 *
 * The triggers' budget asks for the last 24 hours, to the moment, because a daily poll begins exactly a day after
 * the last one. All others ask for the quota's day. That's the one in UTC, because services don't document when
 * theirs begins, unless a response says what is left, and until when.
 */
export class Ledger {
	/** The requests of triggers in the last 24 hours, oldest first. */
	private ofTriggers: Array<{ at: number; trigger: string }> = [];
	private today = { day: 0, sent: 0 };
	/** What the latest response has said of the daily quota, less what was sent since. */
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

	/** How many requests the daily quota still allows. */
	leftToday(perDay: number, now: number): number {
		if (now < this.reported.until) return this.reported.left;
		return perDay - (this.today.day === dayOf(now) ? this.today.sent : 0);
	}

	/** How many requests the triggers have sent on the quota's day. */
	sentByTriggersToday(now: number): number {
		return this.ofTriggers.filter(({ at }) => dayOf(at) === dayOf(now)).length;
	}

	/**
	 * How long until the last 24 hours have room for another request.
	 *
	 * @param most how many the triggers may send in that time
	 * @param trigger only counts this one's
	 */
	waitMs(most: number, now: number, trigger?: string): number {
		this.ofTriggers = this.ofTriggers.filter(({ at }) => at > now - DAY_MS && at <= now);
		const counted = this.ofTriggers.filter((sent) => (trigger ?? sent.trigger) === sent.trigger);
		const oldest = counted.at(-most);
		return oldest === undefined ? 0 : oldest.at + DAY_MS - now;
	}
}
