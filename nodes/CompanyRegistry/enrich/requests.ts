import { DAY_MS, systemClock } from '../../shared/http/clock';
import type { Account } from '../../shared/http/connection';
import { processMap } from '../../shared/http/processMap';
import { planOf } from '../api';
import { requestsNeededByTriggers } from '../spending';

/** So many failures without a success between them are an outage, and not about single companies. */
const MOST_FAILURES = 3;

/** A run sends no more requests. The message is what the other rows wait for. */
export class EndOfRequests extends Error {
	constructor(
		message: string,
		/** Whether the run has sent all it may, as opposed to an outage. */
		readonly isLimit: boolean,
	) {
		super(message);
	}
}

/** What the runs of a key have sent on a day, in UTC. */
const days = processMap<{ day: number; sent: number }>();

/** What a run may send with a key. */
export class RunRequests {
	private sent = 0;
	private ended: EndOfRequests | undefined;
	private readonly checks = new InARow<Error>();
	/** Failures to read recommendations, which the plan may lack. */
	readonly recommendations = new InARow<FailedReading>();

	/** @param most the option "Maximum Requests" */
	constructor(
		private readonly account: Account,
		private readonly most: number,
	) {}

	/** Called before every attempt. @throws EndOfRequests */
	readonly spend = (): void => {
		const today = this.sentToday();
		if (this.sent >= this.most) {
			this.end(`the next run, because of "Maximum Requests" (${this.most})`, true);
		} else if (today.sent >= this.ofDay()) {
			this.end(
				"tomorrow, because the rest of the plan's day is left to the triggers with this key",
				true,
			);
		}
		if (this.ended) throw this.ended;
		this.sent++;
		today.sent++;
	};

	/** Notes that a row was checked, or why it couldn't be. */
	noteCheck(failure?: Error): void {
		this.checks.note(failure);
		if (this.checks.areMany) this.end('the service, which keeps failing', false);
	}

	private end(waitingFor: string, isLimit: boolean): void {
		this.ended ??= new EndOfRequests(waitingFor, isLimit);
	}

	/** What the triggers of the key leave of a day. Without any, the service says when it's over. */
	private ofDay(): number {
		const needed = requestsNeededByTriggers(this.account, systemClock.now());
		return needed === 0 ? Infinity : planOf(this.account.settings).perDay - needed;
	}

	private sentToday() {
		const day = Math.floor(systemClock.now() / DAY_MS);
		const last = days.get(this.account.identity);
		if (last?.day === day) return last;
		const today = { day, sent: 0 };
		days.set(this.account.identity, today);
		return today;
	}
}

/** Why a company's recommendation couldn't be read. */
export interface FailedReading {
	reason: string;
	/** It may be readable another time, unlike one that the plan lacks. */
	isTemporary: boolean;
}

/** Failures without a success between them. */
class InARow<Failure> {
	latest: Failure | undefined;
	private readonly failures = new Set<Failure>();

	get areMany(): boolean {
		return this.failures.size >= MOST_FAILURES;
	}

	/** Rows of one company share its failure, so it counts once. */
	note(failure?: Failure): void {
		this.latest = failure ?? this.latest;
		if (failure) this.failures.add(failure);
		else if (!this.areMany) this.failures.clear();
	}
}
