import { DAY_MS, systemClock } from '../../shared/http/clock';
import type { Account } from '../../shared/http/connection';
import { isOutOfRequests } from '../../shared/http/errors';
import { processMap } from '../../shared/http/processMap';
import { planOf } from '../api';
import { requestsNeededByTriggers } from '../spending';

/** So many failures without a success between them are an outage, and not about single companies. */
export const MOST_FAILURES = 3;

/** A run sends no more requests. The message is what the other rows wait for. */
export class EndOfRequests extends Error {
	/**
	 * @param advice what to do if the rows shouldn't wait
	 * @param isOutage as opposed to having sent all that the run may send
	 */
	constructor(
		message: string,
		readonly advice = '',
		readonly isOutage = false,
	) {
		super(message);
	}
}

/** Whether nothing more can be sent, by this run or with its key. */
export function isEndOfRequests(error: unknown): boolean {
	return error instanceof EndOfRequests || isOutOfRequests(error);
}

/** What rows wait for, e.g. "the quota, which resets at 06:00 UTC". */
export function waitingFor(failure: unknown): string {
	if (failure instanceof EndOfRequests) return failure.message;
	if (!isOutOfRequests(failure)) return 'the next run, because this one was canceled';
	if (failure.kind === 'rateLimit') return 'the rate limit';
	const { resetsAt } = failure;
	if (resetsAt === undefined) return 'the quota';
	return `the quota, which resets at ${new Date(resetsAt).toISOString().slice(11, 16)} UTC`;
}

/** Why a company's recommendation couldn't be read. */
export interface FailedReading {
	reason: string;
	/** It may be readable another time, unlike one that the plan lacks. */
	isTemporary: boolean;
}

/** By key and day, in UTC. */
const sentOn = processMap<number>();

/** What a run may send with a key. */
export class RunRequests {
	/** Failures since the last recommendation that could be read. */
	readonly unread = new Set<FailedReading>();
	/** Failures since the last row that could be checked. Rows of one company share its failure. */
	private readonly failures = new Set<Error>();
	private sent = 0;

	/** @param most the option "Maximum Requests" */
	constructor(
		private readonly account: Account,
		private readonly most: number,
	) {}

	/** Called before every attempt. @throws EndOfRequests */
	readonly spend = (): void => {
		if (this.failures.size >= MOST_FAILURES) {
			throw new EndOfRequests('the service, which keeps failing', '', true);
		}
		if (this.sent >= this.most) {
			throw new EndOfRequests(`the next run, because of "Maximum Requests" (${this.most})`);
		}
		const { identity, settings } = this.account;
		const now = systemClock.now();
		const today = `${identity} ${Math.floor(now / DAY_MS)}`;
		const sentToday = sentOn.get(today) ?? 0;
		const needed = requestsNeededByTriggers(this.account, now);
		if (needed > 0 && sentToday >= planOf(settings).perDay - needed) {
			throw new EndOfRequests(
				"tomorrow's quota, because the rest of today's is reserved for triggers that use this key",
				'To reserve less, lower their "Daily Request Budget" or poll less often.',
			);
		}
		this.sent++;
		sentOn.set(today, sentToday + 1);
	};

	/** Notes that a row was checked, or why it couldn't be. After an outage, nothing is sent any more. */
	noteCheck(failure?: Error): void {
		if (failure) this.failures.add(failure);
		else if (this.failures.size < MOST_FAILURES) this.failures.clear();
	}
}
