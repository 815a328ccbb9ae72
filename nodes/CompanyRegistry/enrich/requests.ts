import { systemClock } from '../../shared/http/clock';
import type { Connection } from '../../shared/http/connection';
import { isOutOfRequests, isSetupFailure } from '../../shared/http/errors';
import { planOf } from '../api';
import { triggersOf } from '../triggers';

/** This many failures without a success between them are an outage, not problems with single companies. */
const MOST_FAILURES = 3;

/** The run sends no more requests. The message says what the remaining rows are waiting for. */
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

/** Failures without a success in between. */
class Failures {
	private readonly latest = new Set<Error>();

	/** Notes a failure or a success. A success after an outage was sent before it, so it doesn't end it. */
	note(failure?: Error): void {
		if (failure) this.latest.add(failure);
		else if (!this.outage) this.latest.clear();
	}

	/** One of the failures, if no more is sent: there are too many, or it won't pass by itself. */
	get outage(): Error | undefined {
		const failures = [...this.latest];
		return failures.find(isSetupFailure) ?? failures.at(MOST_FAILURES - 1);
	}
}

export class RunRequests {
	/** Of the rows' checks. Rows of the same company share a failure. */
	readonly checks = new Failures();
	/** Of recommendations. */
	readonly credits = new Failures();
	private sent = 0;

	/** @param most the option "Maximum Requests" */
	constructor(
		private readonly connection: Pick<Connection, 'account' | 'limiter'>,
		private readonly most: number,
	) {}

	/** Called before every attempt. @throws EndOfRequests */
	readonly spend = (): void => {
		if (this.checks.outage) {
			throw new EndOfRequests('the next run, because requests are failing', '', true);
		}
		if (this.sent >= this.most) {
			throw new EndOfRequests(`the next run, because of "Maximum Requests" (${this.most})`);
		}
		const { account, limiter } = this.connection;
		const { ledger } = limiter;
		const now = systemClock.now();
		const needed = triggersOf(account).perDay(now);
		// What the triggers have sent today counts toward what they need.
		const left =
			ledger.leftToday(planOf(account.settings).perDay, now) + ledger.sentByTriggersToday(now);
		if (needed > 0 && left <= needed) {
			throw new EndOfRequests(
				"tomorrow's quota, because the rest of today's is reserved for triggers that use this key",
				'To reserve less, lower their "Daily Request Budget" or poll less often.',
			);
		}
		this.sent++;
	};
}
