import { DAY_MS, HOUR_MS, MINUTE_MS, systemClock } from '../../shared/http/clock';
import { isJson, type Json } from '../../shared/http/json';
import type { Parameter } from '../../shared/poll/event';
import type { Session } from '../../shared/poll/session';
import { planOf } from '../api';
import { triggersOf } from '../triggers';
import { budgetIn } from './allowance';

/** A list that takes longer is worth a notice. */
const MOST_DAYS = 3;

/** The modes of n8n's parameter *Poll Times* that have no value of their own. */
const EVERY_MS: Record<string, number> = {
	everyMinute: MINUTE_MS,
	everyHour: HOUR_MS,
	everyDay: DAY_MS,
	everyWeek: 7 * DAY_MS,
	everyMonth: 30 * DAY_MS,
};

/** @returns Infinity if it isn't known, e.g. because of a cron expression */
function pollsPerDay({ item }: Json): number {
	const times = Array.isArray(item) ? item.filter(isJson) : [];
	if (times.length === 0) return Infinity;
	return times.reduce((polls, { mode, value, unit }) => {
		const everyX = Number(value) * (unit === 'hours' ? HOUR_MS : MINUTE_MS);
		const everyMs = mode === 'everyX' ? everyX : EVERY_MS[String(mode)];
		return polls + (everyMs ? DAY_MS / everyMs : Infinity);
	}, 0);
}

/**
 * What to tell a user whose list takes several polls and more than three days, because of the daily request
 * budget or of *Poll Times*. A poll can only use the rate-limit windows that begin while it runs. With n8n's
 * durable scheduler, that's one.
 *
 * @param requests what checking the whole list takes
 * @returns undefined if the list takes less time
 */
export function slowness(
	session: Session,
	parameter: Parameter,
	companies: number,
	requests: number,
): string | undefined {
	const { account, limiter } = session.connection;
	const { limit, windowMs } = limiter.rate;
	const own = budgetIn(parameter, planOf(account.settings).perDay);
	const { share } = triggersOf(account).budgetOf(session.trigger, own, systemClock.now());
	const perPoll = Math.min(share, limit * Math.max(1, Math.ceil(session.msLeft() / windowMs)));
	const inPolls = perPoll * pollsPerDay(parameter<Json>('pollTimes', {}));
	const days = Math.ceil(requests / Math.min(share, inPolls));
	if (days <= MOST_DAYS || requests <= perPoll) return undefined;
	const advice =
		inPolls < share
			? 'Poll more often, such as every 15 minutes. The daily request budget still applies.'
			: 'Watch fewer companies, or raise "Daily Request Budget" if your plan allows it.';
	return `Checking all ${companies} companies takes about ${days} days. ${advice}`;
}
