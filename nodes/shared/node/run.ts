import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { deepCopy } from 'n8n-workflow';

import type { FieldCache } from './inputs';
import { KeyCheck } from './keyCheck';
import type { Hint } from './operation';

const SHORTEST_TOLD_WAIT_S = 5;

/** A search returns 50 companies of about a kilobyte, so these take some 25 MB. */
export const MOST_RESPONSES = 500;

/** Absent in n8n's routing, which runs agents' tools. */
export type HintContext = Partial<Pick<IExecuteFunctions, 'addExecutionHints'>>;

/**
 * What the items of one try of a node share: what the operation has learned, the responses to
 * identical GETs, and whether the try has failed. With "Retry On Fail", each try is a run of its own.
 */
export class Run {
	/** Fires when an item failed and the node does not continue: the rest need not be sent. */
	readonly stopped = new AbortController();
	readonly fieldCache: FieldCache = {};
	private readonly joined = new Set<number>();
	private readonly responses = new Map<string, Promise<unknown>>();
	/** Keys of the responses that have arrived, the oldest first. */
	private readonly arrived = new Set<string>();
	private readonly memories = new Map<string, Map<() => unknown, unknown>>();
	private readonly turns = new Map<string, Promise<unknown>>();
	private lastQueued: Promise<unknown> = Promise.resolve();
	private readonly keyChecks = new Map<string, KeyCheck>();
	private readonly hints = new Set<string>();
	private readonly endings = new Set<(requestsSent: number) => Hint[]>();
	/** Shared requests count once. */
	requestsSent = 0;
	private longestWaitMs = 0;
	private ended: AbortSignal | undefined;

	/** Adds an item. False if the run has it already: a new try has started. */
	join(itemIndex: number): boolean {
		if (this.joined.has(itemIndex)) return false;
		this.joined.add(itemIndex);
		return true;
	}

	/**
	 * Sends a GET once for all items that need the same response.
	 *
	 * @param fresh sends it again; later items get the newer response
	 */
	async once(key: string, send: () => Promise<unknown>, fresh = false): Promise<unknown> {
		const known = fresh ? undefined : this.responses.get(key);
		if (known) return deepCopy((await known) as IDataObject);
		const response = send();
		this.responses.set(key, response);
		try {
			return await response;
		} finally {
			this.forgetOldest(key);
		}
	}

	/** Most items that need the same response wait for it together; few need it later. */
	private forgetOldest(arrived: string): void {
		this.arrived.delete(arrived);
		this.arrived.add(arrived);
		const [oldest = ''] = this.arrived;
		if (this.arrived.size <= MOST_RESPONSES) return;
		this.arrived.delete(oldest);
		this.responses.delete(oldest);
	}

	/**
	 * What an operation has learned about an account, created on first use.
	 *
	 * @param identity of the account; empty for none
	 */
	remembered<T>(identity: string, make: () => T): T {
		const known = this.memories.get(identity) ?? new Map<() => unknown, unknown>();
		this.memories.set(identity, known);
		if (!known.has(make)) known.set(make, make());
		return known.get(make) as T;
	}

	/** Runs the tasks of one key one after the other, see {@link OperationCall.inTurn}. */
	async inTurn<T>(key: Promise<string>, task: () => Promise<T>): Promise<T> {
		// Keys become known in any order: each item waits until those before it have queued.
		const before = this.lastQueued;
		const queued = (async () => {
			await before.catch(() => {});
			const name = await key;
			const previous = this.turns.get(name);
			const done = (async () => {
				await previous?.catch(() => {});
				return await task();
			})();
			this.turns.set(name, done);
			return { done };
		})();
		this.lastQueued = queued;
		return await (
			await queued
		).done;
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

	/** Notes that a request waited for the rate limit. The items wait in parallel. */
	noteWait(ms: number): void {
		this.longestWaitMs = Math.max(this.longestWaitMs, ms);
	}

	/** Shows how long the run waited for the rate limit, if users notice it. */
	hintAtWait(context: HintContext): void {
		const seconds = Math.round(this.longestWaitMs / 1000);
		if (seconds >= SHORTEST_TOLD_WAIT_S) {
			this.hint(context, `Waited ${seconds} s for the rate limit`, 'info');
		}
	}

	/** Ends the waiting of all requests when the execution is cancelled or the run has stopped. */
	signal(cancel: AbortSignal | undefined): AbortSignal {
		if (!cancel) return this.stopped.signal;
		return (this.ended ??= AbortSignal.any([this.stopped.signal, cancel]));
	}

	/** For the requests with one key. */
	keyCheck(identity: string, cancel: AbortSignal | undefined): KeyCheck {
		const check = this.keyChecks.get(identity) ?? new KeyCheck(this.signal(cancel));
		this.keyChecks.set(identity, check);
		return check;
	}
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
