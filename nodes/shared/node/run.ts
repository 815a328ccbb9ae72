import type { IExecuteFunctions, IExecuteSingleFunctions } from 'n8n-workflow';

import { onAbort, SECOND_MS, systemClock } from '../http/clock';
import { CancelledError, ServiceError } from '../http/errors';
import type { FieldCache } from './inputs';
import { ItemPool } from './itemPool';
import type { Hint } from './operation';
import { SharedResponses } from './sharedResponses';

const MIN_REPORTED_WAIT_S = 5;

/** n8n's routing, which runs agents' tools, doesn't have this function. */
export type HintContext = Partial<Pick<IExecuteFunctions, 'addExecutionHints'>>;

/** Where to report that a wait has begun. */
export type WaitContext = Pick<IExecuteSingleFunctions, 'getNode' | 'logger'> &
	Partial<Pick<IExecuteFunctions, 'sendMessageToUI'>>;

/** What the run knows about a key. */
interface KeyState {
	/** Cancels the key's requests. */
	rejected: AbortController;
	signal: AbortSignal;
	error?: ServiceError;
}

/**
 * State that all items of a run share: what the operation has learned, the responses to identical
 * GETs, and whether the run has failed. With "Retry On Fail", each try is a run of its own.
 */
export class Run {
	/**
	 * Fires when an item has failed and the node doesn't continue on errors, so the rest needn't be
	 * sent.
	 */
	readonly stopped = new AbortController();
	readonly fieldCache: FieldCache = {};
	readonly pool = new ItemPool();
	readonly responses = new SharedResponses();
	private readonly joined = new Set<number>();
	private readonly memories = new Map<string, Map<string, unknown>>();
	private readonly keys = new Map<string, KeyState>();
	private lastQueued: Promise<unknown> = Promise.resolve();
	private readonly hints = new Set<string>();
	private readonly endings = new Set<(requestsSent: number) => Hint[]>();
	/** Counts every attempt. A request that items share counts once. */
	requestsSent = 0;
	private waitedMs = 0;
	private waitedUntil = 0;
	private loggedUntil = 0;
	private itemsDone = 0;
	private ended: AbortSignal | undefined;

	/** @param items the number of items; undefined for an agent's tool */
	constructor(private readonly items?: number) {}

	/** Notes that an item is done, whether or not it failed. */
	itemEnds(): void {
		this.itemsDone++;
	}

	/**
	 * Adds an item. Returns false if the run already has it, which means that n8n has started a new
	 * try.
	 */
	join(itemIndex: number): boolean {
		if (this.joined.has(itemIndex)) return false;
		this.joined.add(itemIndex);
		return true;
	}

	/**
	 * Returns what `make` created under a key for an account, creating it first if necessary.
	 *
	 * @param identity the account's; empty if the object is independent of accounts
	 */
	memo<T>(identity: string, key: string, make: () => T): T {
		const known = this.memories.get(identity) ?? new Map<string, unknown>();
		this.memories.set(identity, known);
		if (!known.has(key)) known.set(key, make());
		return known.get(key) as T;
	}

	/**
	 * Runs the tasks with the same key one at a time; see {@link OperationCall.inTurn}.
	 *
	 * @param signal cancels the wait for earlier tasks
	 */
	async inTurn<T>(key: Promise<string>, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
		// Keys can become known in any order, so each task waits until the ones before it have queued.
		const before = this.lastQueued;
		const queued = before.then(async () => ({ done: takeTurn(await key, signal, task) }));
		this.lastQueued = queued.catch(() => undefined);
		return await (
			await queued
		).done;
	}

	/**
	 * Sends a request with an account's key. After the service has rejected the key, all other
	 * requests with it fail without being sent.
	 */
	async withKey<T>(
		identity: string,
		cancel: AbortSignal | undefined,
		send: (signal: AbortSignal) => Promise<T>,
	): Promise<T> {
		const key = this.keys.get(identity) ?? this.newKey(cancel);
		this.keys.set(identity, key);
		if (key.error) throw key.error;
		return await send(key.signal).catch((error: unknown) => {
			if (error instanceof CancelledError) throw key.error ?? error;
			if (error instanceof ServiceError && error.failure?.cause === 'credential-invalid') {
				key.error ??= error;
				key.rejected.abort();
			}
			throw error;
		});
	}

	private newKey(cancel: AbortSignal | undefined): KeyState {
		const rejected = new AbortController();
		return { rejected, signal: AbortSignal.any([this.signal(cancel), rejected.signal]) };
	}

	/** Shows a notice next to the node's output, once per run. */
	hint(context: HintContext, message: string, type: 'info' | 'warning'): void {
		if (this.hints.has(message)) return;
		this.hints.add(message);
		context.addExecutionHints?.({ message, type, location: 'outputPane' });
	}

	/** Registers notices for the end of the run. */
	atEnd(hints: (requestsSent: number) => Hint[]): void {
		this.endings.add(hints);
	}

	/** Shows the notices that were registered with {@link atEnd}. */
	noticeAtEnd(context: HintContext): void {
		const hints = [...this.endings].flatMap((ending) => ending(this.requestsSent));
		for (const { message, type } of hints) this.hint(context, message, type);
	}

	/**
	 * Writes to n8n's log that the run is waiting for the rate limit, and in a manual run to the
	 * browser's console as well. n8n's editor can't show anything about a node while it runs.
	 *
	 * @param until the end of the wait in ms since the epoch
	 * @param host the hostname of the service
	 */
	logWait(context: WaitContext, until: number, host: string): void {
		const seconds = Math.ceil((until - systemClock.now()) / SECOND_MS);
		// All items wait for the same time, give or take a second, so log it once.
		const isLogged = until - this.loggedUntil < MIN_REPORTED_WAIT_S * SECOND_MS;
		if (seconds < MIN_REPORTED_WAIT_S || isLogged) return;
		this.loggedUntil = until;
		const left = this.items === undefined ? '' : `; ${this.items - this.itemsDone} items left`;
		const { name } = context.getNode();
		const message = `"${name}" is waiting ${seconds} s for the rate limit of ${host}${left}`;
		context.logger.info(message);
		context.sendMessageToUI?.(message);
	}

	/** Notes that a request has just waited for the rate limit. Overlapping waits count once. */
	noteWait(ms: number): void {
		const now = systemClock.now();
		this.waitedMs += Math.max(0, now - Math.max(now - ms, this.waitedUntil));
		this.waitedUntil = now;
	}

	/** Shows a notice that says how long the run waited for the rate limit, if that was noticeable. */
	hintAtWait(context: HintContext): void {
		const seconds = Math.round(this.waitedMs / 1000);
		if (seconds >= MIN_REPORTED_WAIT_S) {
			this.hint(context, `Waited ${seconds} s for the rate limit`, 'info');
		}
	}

	/** A signal that fires when the execution is cancelled or the run has stopped. */
	signal(cancel: AbortSignal | undefined): AbortSignal {
		if (!cancel) return this.stopped.signal;
		return (this.ended ??= AbortSignal.any([this.stopped.signal, cancel]));
	}
}

/**
 * The last task for each key, across all runs in this process. An agent can call a tool several
 * times in parallel, and each call is a run of its own.
 */
const turns = new Map<string, Promise<unknown>>();

async function takeTurn<T>(key: string, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
	if (signal.aborted) throw new CancelledError();
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
	let stopListening = () => {};
	const cancelled = new Promise<void>((resolve) => {
		stopListening = onAbort(signal, resolve);
	});
	await Promise.race([previous, cancelled]);
	stopListening();
	if (signal.aborted) throw new CancelledError();
	return await done;
}

/** By n8n's data of a node's execution, which is the same object for all items and tries. */
const runs = new WeakMap<object, Run>();

/**
 * Finds the run that a routed item belongs to. n8n's routing doesn't say when a new try begins, but
 * an item that comes again does.
 */
export function joinRun(executeData: object, itemIndex: number): Run {
	const run = runs.get(executeData);
	if (run?.join(itemIndex)) return run;
	const next = new Run();
	next.join(itemIndex);
	runs.set(executeData, next);
	return next;
}
