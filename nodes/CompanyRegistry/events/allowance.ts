import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import { DAY_MS, duration, systemClock } from '../../shared/http/clock';
import { ServiceError } from '../../shared/http/errors';
import type { Traffic } from '../../shared/http/limiter';
import type { ApiRequest } from '../../shared/http/request';
import { readCount } from '../../shared/node/validators';
import type { Parameter } from '../../shared/poll/event';
import type { Session } from '../../shared/poll/session';
import { planOf } from '../api';
import { triggersOf } from '../triggers';

/** The share of the plan's quota that triggers use. The rest is for other workflows. */
const DEFAULT_SHARE = 0.8;
/** The share of a day's requests that can be spent right away, on new companies or after a restart. */
const AT_ONCE = 0.25;
/** A daily poll can start moments before yesterday's requests are a day old. */
const LONGEST_WAIT_MS = 10_000;

export const dailyRequestsOption: INodeProperties = {
	displayName: 'Daily Request Budget',
	name: 'dailyRequests',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 0,
	description:
		'Maximum requests of this trigger in 24 hours. Together, triggers with the same key send no more than the largest of their budgets, which they share equally.',
	// n8n can't show what applies to the selected credential.
	hint: "0 uses 80% of your plan's daily quota, e.g. 80 of 100 requests",
};

/** The stored allowance: requests left, and when the poll began. The time that a poll takes counts as well. */
type StoredAllowance = z.infer<ReturnType<typeof allowanceSchema>>;

export const allowanceSchema = () => z.object({ left: z.number().min(0), at: z.number() });

/** Nothing was sent, because the trigger keeps to its daily request budget. */
export class BudgetError extends ServiceError {}

export type Allowance = ReturnType<typeof openAllowance>;

/**
 * The requests that a trigger may send. They grow with time, up to a day's worth, at the trigger's share of
 * the largest budget on the key. After a restart, what is stored may be old, so it has grown to a quarter of
 * that at most.
 *
 * Whatever they have been allowed, no trigger sends more than its own budget within 24 hours, and those of a key
 * together no more than the largest, as far as this process remembers.
 *
 * @param perPoll the requests of a poll that reads everything
 * @param least what a check or a page takes, so that no allowance is limited to less
 */
export function openAllowance(
	session: Session,
	parameter: Parameter,
	stored: StoredAllowance | undefined,
	perPoll: number,
	least = 1,
) {
	const { connection, trigger } = session;
	const { ledger } = connection.limiter;
	const own = Math.max(least, budgetIn(parameter, planOf(connection.account.settings).perDay));
	const now = systemClock.now();
	const poll = { at: now, perDay: own, perPoll };
	const { previous, all, share } = triggersOf(connection.account).notePoll(trigger, poll);
	const atOnce = Math.max(least, share * AT_ONCE);
	const most = previous === undefined ? atOnce : Math.max(least, share);
	const earned = stored ? (Math.max(0, now - stored.at) / DAY_MS) * share : 0;
	let left = Math.min((stored?.left ?? 0) + earned, most);

	/** How long until the budget has room for this many requests, or for as many as it ever has. */
	const waitMs = (requests = 1) => {
		const at = systemClock.now();
		const allowed = (budget: number) => Math.max(1, budget - (requests - 1));
		return Math.max(ledger.waitMs(allowed(all), at), ledger.waitMs(allowed(own), at, trigger));
	};
	const exhausted = () =>
		new BudgetError(`The daily request budget of ${own} is used up`, {
			description: `Try again in ${duration(waitMs())}, or raise "Daily Request Budget". The budget applies to any 24-hour period, and all triggers that use this key share the largest one.`,
			kind: 'quota',
		});
	return {
		/** Makes sure that something new can be read right away, even if nothing is left. */
		grant(requests = Infinity) {
			left = Math.max(left, Math.min(requests, atOnce));
		},
		/** @param spare requests that may be needed in addition, which the budget must have room for */
		mayAsk: (requests = 1, spare = 0) =>
			left >= requests && waitMs(requests + spare) <= LONGEST_WAIT_MS,
		/** @throws ServiceError, including when the budget is used up */
		async send(request: ApiRequest) {
			left = Math.max(0, left - 1);
			await systemClock.sleep(Math.min(waitMs(), LONGEST_WAIT_MS));
			let failure: ServiceError | undefined;
			const traffic: Traffic = {
				before() {
					// If there's no room for a retry, what counts is why the request failed.
					if (waitMs() > 0) throw failure ?? exhausted();
				},
				failed: (error) => void (failure = error),
			};
			return await session.send(request, { trigger, traffic });
		},
		exhausted,
		stored: (): StoredAllowance => ({ left, at: now }),
	};
}

/** @throws InputError */
export function budgetIn(parameter: Parameter, planPerDay: number): number {
	const { dailyRequests } = parameter<{ dailyRequests?: unknown }>('options', {});
	const wanted = readCount(dailyRequests, 'Daily Request Budget');
	return Math.min(planPerDay, wanted || Math.max(1, Math.floor(planPerDay * DEFAULT_SHARE)));
}
