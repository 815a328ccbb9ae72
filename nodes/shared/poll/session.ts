import type { IPollFunctions } from 'n8n-workflow';

import { systemClock } from '../http/clock';
import { connect } from '../http/connection';
import type { Account, Host, Service } from '../http/connection';
import { ServiceError } from '../http/errors';
import { sendRequest } from '../http/request';
import type { ApiRequest } from '../http/request';

/** What n8n before 2.38 grants a poll without saying so. */
const USUAL_BUDGET_MS = 5 * 60_000;
/** The rest of the time is for the last response and n8n's own work. */
const USED_SHARE = 0.8;
const SHORTEST_TIMEOUT_MS = 2_000;

/** A poll's time limit. */
export class Deadline {
	/** When n8n gives up on the poll, in ms since the epoch. */
	readonly givenUpAt: number;
	/** When the poll has to end by itself, in ms since the epoch. */
	readonly endsAt: number;

	/**
	 * @param budgetMs what n8n grants (`getPollBudgetMs`)
	 * @param maxMs a shorter limit of our own
	 */
	constructor(budgetMs: number | undefined, maxMs = Infinity) {
		const start = systemClock.now();
		const granted = budgetMs !== undefined && budgetMs > 0 ? budgetMs : USUAL_BUDGET_MS;
		this.givenUpAt = start + granted;
		this.endsAt = start + Math.min(granted * USED_SHARE, maxMs);
	}

	/** How long a request may wait before it is sent. */
	get leftMs(): number {
		return Math.max(0, this.endsAt - systemClock.now());
	}

	/** How long one request may take so that the poll can still use its response. */
	get timeoutMs(): number {
		const untilGivenUp = this.givenUpAt - systemClock.now();
		return Math.max(SHORTEST_TIMEOUT_MS, Math.floor((this.leftMs + untilGivenUp) / 2));
	}
}

/** What a watcher needs from a poll. */
export interface Session {
	account: Account;
	/** Unique within the process. */
	trigger: string;
	/** The trigger's own time in ms (see `TriggerState.clock`). */
	clock: number;
	/** When the stored state was written, in ms since the epoch. */
	polledAt?: number;
	/** The option *Emit Existing Records*. */
	emitExisting: boolean;
	/** Why reading ended early, if a request failed. */
	readonly failure: ServiceError | undefined;
	/** Whether a request made by `read` has succeeded. */
	readonly hasRead: boolean;
	/** Whether the poll's time is up. */
	isOver(): boolean;
	/**
	 * @param onAttempt called before every attempt, including retries. If it throws, the attempt isn't
	 * sent.
	 * @throws ServiceError
	 */
	send(request: ApiRequest, onAttempt?: () => void): Promise<unknown>;
	/**
	 * Makes one of the poll's requests. The first is always made. Once the time is up or a request has
	 * failed, the poll ends with what it has read, and the next one continues.
	 *
	 * @returns undefined if the poll has to end
	 */
	read<T>(request: () => Promise<T>): Promise<T | undefined>;
	/** Writes to n8n's log. */
	warn(message: string): void;
}

export async function openSession(
	context: IPollFunctions,
	service: Service,
	deadline: Deadline,
	about: Pick<Session, 'trigger' | 'emitExisting' | 'warn'>,
): Promise<Session> {
	const host = context as unknown as Host;
	const connection = await connect(host, service);
	let started = false;
	let ended = false;
	let hasRead = false;
	let failure: ServiceError | undefined;
	const isOver = () => deadline.leftMs <= 0;
	return {
		...about,
		account: connection.account,
		clock: 0,
		get failure() {
			return failure;
		},
		get hasRead() {
			return hasRead;
		},
		isOver,
		send: async (request, onAttempt) =>
			await sendRequest(host, connection, request, {
				deadline: deadline.endsAt,
				engineOptions: { timeout: deadline.timeoutMs },
				onAttempt,
			}),
		async read(request) {
			ended ||= started && isOver();
			if (ended) return undefined;
			started = true;
			const response = await request().catch((error: unknown) => {
				if (!(error instanceof ServiceError)) throw error;
				failure = error;
				ended = true;
				return undefined;
			});
			hasRead ||= failure === undefined;
			return response;
		},
	};
}

/** By trigger: the poll that is running in this process. */
const running = new Map<string, PollLock>();

export interface PollLock {
	/** When it expires, in ms since the epoch. */
	until: number;
	/** False once another poll has taken over. */
	isHeld(): boolean;
	release(): void;
}

/**
 * Locks a trigger for one poll. n8n starts the next poll on schedule even if this one is still running,
 * and both would find the same events.
 *
 * @param until when a poll that hangs loses the lock and leaves its events to the next one
 * @returns undefined if another poll holds it
 */
export function lockPoll(trigger: string, until: number): PollLock | undefined {
	if ((running.get(trigger)?.until ?? 0) > systemClock.now()) return undefined;
	const isHeld = () => running.get(trigger) === lock;
	const lock: PollLock = {
		until,
		isHeld,
		release: () => {
			if (isHeld()) running.delete(trigger);
		},
	};
	running.set(trigger, lock);
	return lock;
}
