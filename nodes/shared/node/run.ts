import { deepCopy } from 'n8n-workflow';
import type { IExecuteFunctions, IExecuteSingleFunctions } from 'n8n-workflow';

import { MINUTE_MS, onAbort, SECOND_MS, systemClock } from '../http/clock';
import type { Account } from '../http/connection';
import { CancelledError, isBareDenial, isOutOfRequests, ServiceError } from '../http/errors';
import type { RateLimiter } from '../http/limiter';
import type { Hint } from './operation';

/** Shorter waits aren't worth a line. */
const MIN_REPORTED_WAIT_S = 5;
/** How many responses to GETs a run keeps. */
const MAX_RESPONSES = 1_000;
/** A key whose first requests are all denied without a reason is probably wrong. */
const MAX_DENIALS = 3;

/** n8n's routing, which runs agents' tools, doesn't have this function. */
export type HintContext = Partial<Pick<IExecuteFunctions, 'addExecutionHints'>>;

/** What the run knows about a key. */
interface KeyState {
	account: Account;
	/** Whether a request with the key has succeeded. */
	isAccepted: boolean;
	/** How many items have failed because a request was denied. */
	denials: number;
	/** Why no more requests are sent with the key. */
	error?: ServiceError;
}

/**
 * What all items of a run share. With "Retry On Fail", each try is a run of its own.
 */
export class Run {
	/** Requests that the run has sent. A request that items share counts once. */
	requestsSent = 0;
	/** Items that have written something. */
	itemsWritten = 0;
	itemsDone = 0;
	/** The limiter of the key that an item has used last. */
	limiter: RateLimiter | undefined;
	/** Why the run has stopped. */
	failure: Error | undefined;

	private readonly stopping = new AbortController();
	private readonly cancelling = new AbortController();
	private readonly memories = new Map<string, unknown>();
	private readonly responses = new Map<string, Promise<unknown>>();
	private readonly keys = new Map<string, KeyState>();
	private lastQueued: Promise<unknown> = Promise.resolve();
	private readonly notices = new Set<string>();
	private readonly endings = new Set<(requestsSent: number) => Hint[]>();
	private waitedMs = 0;
	private waitedUntil = 0;
	private loggedAt = -Infinity;

	/** @param items how many items the run has */
	constructor(readonly items = 1) {}

	/** Ends all waits: when the execution is cancelled, or when an item has failed and ends the run. */
	get signal(): AbortSignal {
		return this.stopping.signal;
	}

	/**
	 * Ends requests on their way, and only when the execution is cancelled: a write that's cut off may
	 * have been carried out, and "Retry On Fail" would send it again.
	 */
	get cancelSignal(): AbortSignal {
		return this.cancelling.signal;
	}

	stop(failure?: Error): void {
		this.failure ??= failure;
		this.stopping.abort();
	}

	/**
	 * Stops the run when the execution is cancelled.
	 *
	 * @returns a function that stops listening
	 */
	follow(cancel: AbortSignal | undefined): () => void {
		const end = () => {
			this.stop();
			this.cancelling.abort();
		};
		if (cancel?.aborted) end();
		return cancel ? onAbort(cancel, end) : () => {};
	}

	/**
	 * Calls `execute` for each item, up to `limit` at a time, until the run stops. While the key's daily
	 * quota is small or nearly used up, items start one after the other: then all items but one are
	 * finished when it ends, instead of half done.
	 */
	async eachAtOnce<T>(
		limit: number,
		items: readonly T[],
		execute: (item: T) => Promise<void>,
	): Promise<void> {
		let next = 0;
		const work = async (isFirst: boolean) => {
			while (next < items.length && !this.signal.aborted && (isFirst || !this.limiter?.isScarce)) {
				await execute(items[next++]!).catch((error: Error) => this.stop(error));
				this.itemsDone++;
			}
		};
		await Promise.all(Array.from({ length: limit }, async (_, index) => await work(index === 0)));
	}

	/** Returns what `make` created under a key, creating it first if necessary. */
	memo<T>(key: string, make: () => T): T {
		if (!this.memories.has(key)) this.memories.set(key, make());
		return this.memories.get(key) as T;
	}

	keyOf(account: Account): KeyState {
		const known = this.keys.get(account.identity);
		if (known) return known;
		const state = { account, isAccepted: false, denials: 0 };
		this.keys.set(account.identity, state);
		return state;
	}

	/** Hides the keys of all accounts in a text. */
	private mask(text: string): string {
		return [...this.keys.values()].reduce((masked, { account }) => account.mask(masked), text);
	}

	/** Notes why an item failed. A key that was denied from the start isn't used any more. */
	noteFailure(account: Account, error: unknown): void {
		const key = this.keyOf(account);
		if (!isBareDenial(error) || key.isAccepted) return;
		if (++key.denials >= MAX_DENIALS) key.error ??= error;
	}

	/**
	 * Sends a GET. If the run has already sent the same one, returns a copy of its response instead.
	 *
	 * @param key identifies the request, including its account
	 * @param fresh sends the request anyway; later items get the new response
	 */
	async get(key: string, send: () => Promise<unknown>, fresh = false): Promise<unknown> {
		const known = fresh ? undefined : this.responses.get(key);
		if (known) return deepCopy((await known) as object);
		const response = send();
		// Set at the end of the map, which drops its oldest entry.
		this.responses.delete(key);
		this.responses.set(key, response);
		const [oldest] = this.responses.keys();
		if (oldest !== undefined && this.responses.size > MAX_RESPONSES) this.responses.delete(oldest);
		return await response.catch((error: unknown) => {
			// It may succeed for a later item.
			if (isOutOfRequests(error)) this.responses.delete(key);
			throw error;
		});
	}

	/**
	 * Runs the tasks with the same key one at a time; see {@link OperationCall.inTurn}. Keys can become
	 * known in any order, so each task waits until the ones before it have queued.
	 */
	async inTurn<T>(key: Promise<string>, task: () => Promise<T>): Promise<T> {
		const queued = this.lastQueued.then(async () => ({
			done: takeTurn(await key, this.signal, task),
		}));
		this.lastQueued = queued.catch(() => undefined);
		const { done } = await queued;
		return await done;
	}

	/** Shows a notice next to the node's output, once per run. */
	notice(context: HintContext, message: string, type: Hint['type']): void {
		if (this.notices.has(message)) return;
		this.notices.add(message);
		context.addExecutionHints?.({ message: this.mask(message), type, location: 'outputPane' });
	}

	/** Registers notices for the end of the run. */
	noticeAtEnd(hints: (requestsSent: number) => Hint[]): void {
		this.endings.add(hints);
	}

	/** Shows the notices for the end of the run. Throws what one of their functions throws. */
	end(context: HintContext): void {
		const seconds = Math.round(this.waitedMs / SECOND_MS);
		if (seconds >= MIN_REPORTED_WAIT_S) {
			this.notice(context, `Waited ${seconds} s for the rate limit`, 'info');
		}
		for (const { message, type } of [...this.endings].flatMap((hints) =>
			hints(this.requestsSent),
		)) {
			this.notice(context, message, type);
		}
	}

	/**
	 * Writes to n8n's log that the run is waiting for the rate limit, once a minute. n8n's editor can't
	 * show anything about a node while it runs.
	 *
	 * @param until the end of the wait in ms since the epoch
	 */
	logWait(
		context: Pick<IExecuteSingleFunctions, 'getNode' | 'logger'>,
		until: number,
		{ baseUrl }: Account,
	): void {
		const now = systemClock.now();
		const seconds = Math.ceil((until - now) / SECOND_MS);
		if (seconds < MIN_REPORTED_WAIT_S || now - this.loggedAt < MINUTE_MS) return;
		this.loggedAt = now;
		const { host } = new URL(baseUrl);
		const left = this.items - this.itemsDone;
		context.logger.info(
			`"${context.getNode().name}" is waiting ${seconds} s for the rate limit of ${host}; items left: ${left}`,
		);
	}

	/** Notes that a request has just waited for the rate limit. Overlapping waits count once. */
	noteWait(ms: number): void {
		const now = systemClock.now();
		this.waitedMs += Math.max(0, now - Math.max(now - ms, this.waitedUntil));
		this.waitedUntil = now;
	}
}

/**
 * The last task for each key, across all runs in this process. An agent can call a tool several
 * times in parallel, and each call is a run of its own.
 */
const turns = new Map<string, Promise<unknown>>();

async function takeTurn<T>(key: string, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
	const previous = turns.get(key) ?? Promise.resolve();
	const done = previous.then(async () => {
		if (signal.aborted) throw new CancelledError();
		return await task();
	});
	const ended = done.catch(() => undefined);
	turns.set(key, ended);
	void ended.then(() => {
		if (turns.get(key) === ended) turns.delete(key);
	});
	// A cancelled run doesn't wait for the tasks of other runs.
	return await new Promise<T>((resolve, reject) => {
		const stopListening = onAbort(signal, () => reject(new CancelledError()));
		if (signal.aborted) reject(new CancelledError());
		void done.then(resolve, reject).finally(stopListening);
	});
}
