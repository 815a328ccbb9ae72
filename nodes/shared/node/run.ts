import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { deepCopy } from 'n8n-workflow';

import type { RateLimiter } from '../http/rateLimit/rateLimiter';

const SHORTEST_TOLD_WAIT_S = 5;
/** Share of a daily quota below which the user is told. */
const LOW_QUOTA = 0.1;

/** Absent in n8n's routing, which runs agents' tools. */
export type HintContext = Partial<Pick<IExecuteFunctions, 'addExecutionHints'>>;

/**
 * What the items of one try of a node share: what the operation knows, the responses to
 * identical GETs, and whether the try has failed. With "Retry On Fail", each try is a run of its own.
 */
export class Run {
	/** Fires when an item failed and the node does not continue: the rest need not be sent. */
	readonly stopped = new AbortController();
	private readonly joined = new Set<number>();
	private readonly responses = new Map<string, Promise<unknown>>();
	private readonly memories = new Map<() => unknown, unknown>();
	private readonly signals = new WeakMap<AbortSignal, AbortSignal>();
	private readonly hints = new Set<string>();
	private longestWaitMs = 0;
	private readonly limiters = new Set<Pick<RateLimiter, 'dailyQuota'>>();

	/** Adds an item. False if the run has it already: a new try has started. */
	join(itemIndex: number): boolean {
		if (this.joined.has(itemIndex)) return false;
		this.joined.add(itemIndex);
		return true;
	}

	/**
	 * Sends a GET once for all items that ask for the same.
	 *
	 * @param fresh sends it again; later items get the newer response
	 */
	async once(key: string, send: () => Promise<unknown>, fresh = false): Promise<unknown> {
		const known = fresh ? undefined : this.responses.get(key);
		if (known) return deepCopy((await known) as IDataObject);
		const response = send();
		this.responses.set(key, response);
		return await response;
	}

	/** State shared by the items of an operation, created on first use. */
	shared<T>(make: () => T): T {
		if (!this.memories.has(make)) this.memories.set(make, make());
		return this.memories.get(make) as T;
	}

	/** Shows a message beside the node's output, unless the run has shown it before. */
	hint(context: HintContext, message: string, type: 'info' | 'warning'): void {
		if (this.hints.has(message)) return;
		this.hints.add(message);
		context.addExecutionHints?.({ message, type, location: 'outputPane' });
	}

	/** Notes that a request waited for the rate limit. The items wait side by side. */
	noteWait(ms: number): void {
		this.longestWaitMs = Math.max(this.longestWaitMs, ms);
	}

	/** Says how long the run waited for the rate limit, if it is noticeable. */
	hintAtWait(context: HintContext): void {
		const seconds = Math.round(this.longestWaitMs / 1000);
		if (seconds >= SHORTEST_TOLD_WAIT_S) {
			this.hint(context, `Waited ${seconds} s for the rate limit`, 'info');
		}
	}

	/** Notes the rate limiter of a key that the run uses. */
	noteLimiter(limiter: Pick<RateLimiter, 'dailyQuota'>): void {
		this.limiters.add(limiter);
	}

	/** Says how much of a key's daily quota is left, if it is little and the service says so. */
	hintAtQuota(context: HintContext): void {
		for (const { dailyQuota } of this.limiters) {
			if (!dailyQuota) continue;
			const { limit, remaining } = dailyQuota;
			if (remaining >= limit * LOW_QUOTA) continue;
			this.hint(
				context,
				`${remaining} of ${limit} requests of the daily quota are left`,
				'warning',
			);
		}
	}

	/** Fires when the execution is cancelled or the run has stopped. */
	signal(cancel: AbortSignal | undefined): AbortSignal {
		if (!cancel) return this.stopped.signal;
		let signal = this.signals.get(cancel);
		if (!signal) {
			signal = AbortSignal.any([this.stopped.signal, cancel]);
			this.signals.set(cancel, signal);
		}
		return signal;
	}
}

/** n8n passes the same object to all items of a node's execution and to all its tries. */
const runs = new WeakMap<object, Run>();

/** The run of an item that n8n's routing runs, which does not say where a try begins. */
export function joinRun(executeData: object, itemIndex: number): Run {
	const run = runs.get(executeData);
	if (run?.join(itemIndex)) return run;
	const next = new Run();
	next.join(itemIndex);
	runs.set(executeData, next);
	return next;
}
