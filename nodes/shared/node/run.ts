import { deepCopy } from 'n8n-workflow';
import type { IExecuteFunctions, IExecutePaginationFunctions } from 'n8n-workflow';

import { MINUTE_MS, onAbort, SECOND_MS, systemClock } from '../http/clock';
import type { Account } from '../http/connection';
import { CanceledError, isOutOfRequests, ServiceError } from '../http/errors';
import type { RateLimiter } from '../http/limiter';
import { processMap } from '../http/processMap';
import { toNodeError } from './nodeError';

/** Shorter waits aren't worth a line. */
const MIN_REPORTED_WAIT_S = 5;
/** How many responses to GETs a run keeps. */
const MAX_RESPONSES = 1_000;
/** A key whose first requests are all denied without a reason is probably wrong. */
const MAX_DENIALS = 3;

/** n8n's functions for the whole run. Its routing, which runs agents' tools, can't show notices. */
export type RunContext = Pick<
	IExecutePaginationFunctions,
	'getNode' | 'continueOnFail' | 'getExecutionCancelSignal' | 'logger'
> &
	Partial<Pick<IExecuteFunctions, 'addExecutionHints'>>;

/** A notice that n8n shows next to the output, in a color for its type. */
export interface Hint {
	message: string;
	type: 'info' | 'warning';
}

/** What a run has to say when all of its items are done. */
interface Report {
	/** Returns the notices to show. An error that it throws fails the run, unless the node continues. */
	hints(requestsSent: number): Hint[];
}

/** What the run knows about a key. */
interface KeyState {
	account: Account;
	/** Whether a request with the key has succeeded. */
	isAccepted: boolean;
	/** Items that have failed because a request was denied. */
	denials: number;
	/** Why no more requests are sent with the key. */
	error?: ServiceError;
}

/** What all items of a run share. With "Retry On Fail", each try is a run of its own. */
export class Run {
	/** Requests that the run has sent. A request that items share counts once. */
	requestsSent = 0;
	/** Items that have written something. */
	itemsWritten = 0;
	itemsDone = 0;
	/** The limiter of the key that an item has used last. */
	limiter: RateLimiter | undefined;
	/** Why the run has stopped. */
	failure: (Error & { description?: string | null }) | undefined;
	/** Whether a failed item leaves the other items running. */
	readonly continues: boolean;
	readonly stopFollowing: () => void;

	private readonly stopping = new AbortController();
	/**
	 * Ends all waits: when the execution is canceled, or when an item has failed and ends the run. Only n8n's
	 * own signal ends requests on their way: a write that's cut off may have been carried out.
	 */
	readonly signal = this.stopping.signal;
	private readonly stopped = new Promise<never>((_, reject) => {
		onAbort(this.signal, () => reject(new CanceledError()));
	});
	private readonly memories = new Map<string, unknown>();
	private readonly responses = new Map<string, Promise<unknown>>();
	private readonly keys = new Map<string, KeyState>();
	private readonly notices = new Set<string>();
	private reported: Report | undefined;
	private waitedMs = 0;
	private waitedUntil = 0;
	private loggedAt = -Infinity;

	constructor(
		private readonly context: RunContext,
		/** How many items the run has. */
		readonly items = 1,
	) {
		this.continues = context.continueOnFail();
		const cancel = context.getExecutionCancelSignal();
		const end = () => this.stop();
		if (cancel?.aborted) end();
		this.stopFollowing = cancel ? onAbort(cancel, end) : () => {};
		this.stopped.catch(() => undefined);
	}

	stop(failure?: Error): void {
		this.failure ??= failure;
		this.stopping.abort();
	}

	/** Returns what `make` created under a key, creating it first if necessary. */
	memo<T>(key: string, make: () => T): T {
		if (!this.memories.has(key)) this.memories.set(key, make());
		return this.memories.get(key) as T;
	}

	keyOf(account: Account): KeyState {
		const known = this.keys.get(account.identity);
		const state = known ?? { account, isAccepted: false, denials: 0 };
		this.keys.set(account.identity, state);
		return state;
	}

	/** Notes why an item failed. A key that was denied from the start isn't used any more. */
	noteFailure(account: Account, error: unknown): void {
		const key = this.keyOf(account);
		if (!(error instanceof ServiceError && error.isBareDenial) || key.isAccepted) return;
		if (++key.denials >= MAX_DENIALS) key.error ??= error;
	}

	/**
	 * Sends a GET, or returns a copy of the response if the run has already sent the same one.
	 *
	 * @param fresh sends it anyway; later items get the new response
	 */
	async get(key: string, send: () => Promise<unknown>, fresh = false): Promise<unknown> {
		const known = fresh ? undefined : this.responses.get(key);
		if (known) return deepCopy((await known) as object);
		const response = send();
		// Set at the end of the map, which drops its oldest entry.
		this.responses.delete(key);
		this.responses.set(key, response);
		const [oldest = ''] = this.responses.keys();
		if (this.responses.size > MAX_RESPONSES) this.responses.delete(oldest);
		return await response.catch((error: unknown) => {
			// It may succeed for a later item.
			if (isOutOfRequests(error)) this.responses.delete(key);
			throw error;
		});
	}

	/**
	 * Runs tasks for the same record one at a time, in the order of these calls, even after a failure. The
	 * account doesn't matter, because an item rarely waits for the same name in another one.
	 */
	async inTurn<T>(record: string, task: () => Promise<T>): Promise<T> {
		const previous = turns.get(record);
		// A run that stops doesn't wait for the tasks of other runs.
		const turn = Promise.race([previous, this.stopped]).then(task);
		const ended = Promise.allSettled([previous, turn]);
		turns.set(record, ended);
		void ended.then(() => {
			if (turns.get(record) === ended) turns.delete(record);
		});
		return await turn;
	}

	/** Returns the run's only report, which the first item that asks for it creates. */
	report<T extends Report>(make: () => T): T {
		return (this.reported ??= make()) as T;
	}

	/**
	 * Shows a notice next to the output, once per run, whatever numbers it has. An agent's tool has no
	 * place for notices.
	 */
	notice(message: string, type: Hint['type'] = 'info'): void {
		let text = message;
		for (const { account } of this.keys.values()) text = account.mask(text);
		const words = text.replace(/\d+/g, '');
		if (this.notices.has(words)) return;
		this.notices.add(words);
		this.context.addExecutionHints?.({ message: text, type, location: 'outputPane' });
	}

	/**
	 * Shows the notices for the end of the run. Throws what has ended it.
	 *
	 * @param howToGoOn what to do after an error if some items have been written
	 */
	end(howToGoOn: string): void {
		const unwaited = Math.max(0, this.waitedUntil - systemClock.now());
		const seconds = Math.round((this.waitedMs - unwaited) / SECOND_MS);
		if (seconds >= MIN_REPORTED_WAIT_S) this.notice(`Waited ${seconds} s for the rate limit`);
		try {
			const hints = this.reported?.hints(this.requestsSent) ?? [];
			for (const { message, type } of hints) this.notice(message, type);
		} catch (error) {
			if (!this.continues) this.stop(toNodeError(this.context.getNode(), error));
		}
		if (!this.failure) return;
		if (this.itemsWritten > 0) {
			// Only now, because requests that were under way have been carried out after the error.
			const items = this.itemsWritten === 1 ? '1 item was' : `${this.itemsWritten} items were`;
			const parts = [this.failure.description, `${items} written in this run.`, howToGoOn];
			this.failure.description = parts.filter(Boolean).join(' ');
		}
		throw this.failure;
	}

	/**
	 * Notes that a request is waiting for the rate limit. Overlapping waits count once. Writes a line to
	 * n8n's log once a minute, because n8n's editor can't show anything about a node while it runs.
	 *
	 * @param until the end of the wait in ms since the epoch
	 */
	noteWait(until: number, { baseUrl }: Account): void {
		const now = systemClock.now();
		this.waitedMs += Math.max(0, until - Math.max(now, this.waitedUntil));
		this.waitedUntil = Math.max(until, this.waitedUntil);
		const seconds = Math.ceil((until - now) / SECOND_MS);
		if (seconds < MIN_REPORTED_WAIT_S || now - this.loggedAt < MINUTE_MS) return;
		this.loggedAt = now;
		const { host } = new URL(baseUrl);
		const left = this.items - this.itemsDone;
		this.context.logger.info(
			`"${this.context.getNode().name}" is waiting ${seconds} s for the rate limit of ${host}; items left: ${left}`,
		);
	}
}

/** The last task for each record in this process: each of an agent's parallel calls is a run. */
const turns = processMap<Promise<unknown>>();
