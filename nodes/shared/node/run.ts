import type { IExecuteFunctions, IExecuteSingleFunctions } from 'n8n-workflow';

import { onAbort, SECOND_MS, systemClock } from '../http/clock';
import { CancelledError, ServiceError } from '../http/errors';
import type { FieldCache } from './inputs';
import { ItemPool } from './itemPool';
import type { Hint } from './operation';
import { SharedResponses } from './sharedResponses';

const SHORTEST_TOLD_WAIT_S = 5;

/** Absent in n8n's routing, which runs agents' tools. */
export type HintContext = Partial<Pick<IExecuteFunctions, 'addExecutionHints'>>;

/** Where a wait that has just begun is told. */
export type WaitContext = Pick<IExecuteSingleFunctions, 'getNode' | 'logger'> &
	Partial<Pick<IExecuteFunctions, 'sendMessageToUI'>>;

/** What the run has learned about a key. */
interface KeyState {
	/** Ends the wait of its requests. */
	rejected: AbortController;
	signal: AbortSignal;
	error?: ServiceError;
}

/**
 * State shared by all items of one attempt: what the operation has learned, the responses to identical
 * GETs, and whether the attempt has failed. With "Retry On Fail", each attempt is a run of its own.
 */
export class Run {
	/** Fires when an item failed and the node does not continue: the rest need not be sent. */
	readonly stopped = new AbortController();
	readonly fieldCache: FieldCache = {};
	readonly pool = new ItemPool();
	readonly responses = new SharedResponses();
	private readonly joined = new Set<number>();
	private readonly memories = new Map<string, Map<() => unknown, unknown>>();
	private readonly keys = new Map<string, KeyState>();
	private lastQueued: Promise<unknown> = Promise.resolve();
	private readonly hints = new Set<string>();
	private readonly endings = new Set<(requestsSent: number) => Hint[]>();
	/** Every attempt counts, and a shared request once. */
	requestsSent = 0;
	private waitedMs = 0;
	private waitedUntil = 0;
	private toldUntil = 0;
	private itemsDone = 0;
	private ended: AbortSignal | undefined;

	/** @param items how many the run has; absent for an agent's tool */
	constructor(private readonly items?: number) {}

	/** Notes that an item has ended, whichever way. */
	itemEnds(): void {
		this.itemsDone++;
	}

	/** Adds an item. False if the run has it already: a new try has started. */
	join(itemIndex: number): boolean {
		if (this.joined.has(itemIndex)) return false;
		this.joined.add(itemIndex);
		return true;
	}

	/**
	 * What an operation has learned about an account, created on first use.
	 *
	 * @param identity the account's; empty for none
	 */
	remembered<T>(identity: string, make: () => T): T {
		const known = this.memories.get(identity) ?? new Map<() => unknown, unknown>();
		this.memories.set(identity, known);
		if (!known.has(make)) known.set(make, make());
		return known.get(make) as T;
	}

	/**
	 * Runs the tasks of one key one after the other, see {@link OperationCall.inTurn}.
	 *
	 * @param signal ends the wait for earlier tasks
	 */
	async inTurn<T>(key: Promise<string>, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
		// Keys become known in any order: each item waits until those before it have queued.
		const before = this.lastQueued;
		const queued = before.then(async () => ({ done: takeTurn(await key, signal, task) }));
		this.lastQueued = queued.catch(() => undefined);
		return await (
			await queued
		).done;
	}

	/**
	 * Sends a request with a key. Once the service has rejected the key, the run's requests with it fail
	 * without being sent.
	 *
	 * @param identity the account's
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

	/** Shows a message beside the node's output, unless the run has shown it before. */
	hint(context: HintContext, message: string, type: 'info' | 'warning'): void {
		if (this.hints.has(message)) return;
		this.hints.add(message);
		context.addExecutionHints?.({ message, type, location: 'outputPane' });
	}

	/** Adds messages for the end of the run. */
	atEnd(hints: (requestsSent: number) => Hint[]): void {
		this.endings.add(hints);
	}

	/** Shows what {@link atEnd} noted. */
	hintAtEnd(context: HintContext): void {
		const hints = [...this.endings].flatMap((ending) => ending(this.requestsSent));
		for (const { message, type } of hints) this.hint(context, message, type);
	}

	/**
	 * Tells n8n's log, and in a manual run the browser's console, that the run waits for the rate limit.
	 * n8n's editor shows nothing of a node while it runs.
	 *
	 * @param until end of the wait in ms since the epoch
	 * @param host of the service
	 */
	tellWait(context: WaitContext, until: number, host: string): void {
		const seconds = Math.ceil((until - systemClock.now()) / SECOND_MS);
		// All items of the run wait for the same moment, give or take a second.
		const isTold = until - this.toldUntil < SHORTEST_TOLD_WAIT_S * SECOND_MS;
		if (seconds < SHORTEST_TOLD_WAIT_S || isTold) return;
		this.toldUntil = until;
		const left = this.items === undefined ? '' : `; ${this.items - this.itemsDone} items left`;
		const { name } = context.getNode();
		const message = `"${name}" waits ${seconds} s for the rate limit of ${host}${left}`;
		context.logger.info(message);
		context.sendMessageToUI?.(message);
	}

	/** Notes that a request has just waited for the rate limit. Time in which several wait counts once. */
	noteWait(ms: number): void {
		const now = systemClock.now();
		this.waitedMs += Math.max(0, now - Math.max(now - ms, this.waitedUntil));
		this.waitedUntil = now;
	}

	/** Shows how long the run waited for the rate limit, if users notice it. */
	hintAtWait(context: HintContext): void {
		const seconds = Math.round(this.waitedMs / 1000);
		if (seconds >= SHORTEST_TOLD_WAIT_S) {
			this.hint(context, `Waited ${seconds} s for the rate limit`, 'info');
		}
	}

	/** Ends the wait of all requests when the execution is cancelled or the run has stopped. */
	signal(cancel: AbortSignal | undefined): AbortSignal {
		if (!cancel) return this.stopped.signal;
		return (this.ended ??= AbortSignal.any([this.stopped.signal, cancel]));
	}
}

/**
 * The last task of each key, of all runs of this process: an agent can call a tool several times at
 * once, and each call is a run of its own.
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

/** n8n passes the same object to all items of a node's execution and to all its tries. */
const runs = new WeakMap<object, Run>();

/** Finds the run of a routed item: n8n's routing does not mark where a new try begins. */
export function joinRun(executeData: object, itemIndex: number): Run {
	const run = runs.get(executeData);
	if (run?.join(itemIndex)) return run;
	const next = new Run();
	next.join(itemIndex);
	runs.set(executeData, next);
	return next;
}
