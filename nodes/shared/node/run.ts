import type { IExecuteFunctions, IExecutePaginationFunctions, INode } from 'n8n-workflow';

import { onAbort } from '../http/clock';
import { shown } from '../http/credential';
import { CanceledError } from '../http/errors';
import type { RateLimiter } from '../http/limiter';
import { processMap } from '../http/processMap';
import { Keys } from './keys';
import { isTool, toNodeError } from './nodeError';
import { Responses, responsesOf } from './responses';
import { Waits } from './waits';

/** n8n's functions for the whole run. Its routing, which runs agents' tools, can't show notices. */
type RunContext = Pick<
	IExecutePaginationFunctions,
	'getNode' | 'continueOnFail' | 'getExecuteData' | 'getExecutionCancelSignal'
> &
	Partial<Pick<IExecuteFunctions, 'addExecutionHints'>>;

/** A notice that n8n shows next to the output, in a color for its type. */
export interface Hint {
	message: string;
	type: 'info' | 'warning';
}

/** What a run's operation has to say when all items are done. */
export interface RunEnd {
	notices?: Hint[];
	/** Why the run has failed as a whole. It doesn't if the node continues. */
	failure?: Error;
}

/** What all items of a run share. With "Retry On Fail", each try is a run of its own. */
export class Run {
	/** Requests that the run has sent. A request that items share counts once. */
	requestsSent = 0;
	itemsWritten = 0;
	/** The limiter of the key that an item has used last. */
	limiter: RateLimiter | undefined;
	failure: (Error & { description?: string | null }) | undefined;
	/** Whether a failed item leaves the other items running. */
	readonly continues: boolean;
	readonly node: INode;
	readonly isTool: boolean;
	readonly keys = new Keys();
	readonly waits = new Waits();
	readonly responses: Responses;
	/**
	 * Ends all waits: when the execution is canceled, or when an item has failed and ends the run. Only n8n's
	 * own signal ends requests on their way: a write that's cut off may have been carried out.
	 */
	readonly signal: AbortSignal;

	private readonly stopping = new AbortController();
	private readonly stopped: Promise<never>;
	private readonly memories = new Map<string, unknown>();
	private readonly notices = new Set<string>();

	constructor(private readonly context: RunContext) {
		this.continues = context.continueOnFail();
		this.node = context.getNode();
		this.isTool = isTool(this.node);
		// Each of an agent's calls is a run of its own, but n8n gives all of them the same data.
		const isRetried = this.node.retryOnFail === true && !this.isTool;
		this.responses = isRetried ? responsesOf(context.getExecuteData()) : new Responses();
		const cancel = context.getExecutionCancelSignal();
		this.signal = AbortSignal.any(
			[this.stopping.signal, cancel].filter((each) => each !== undefined),
		);
		this.stopped = new Promise((_, reject) => {
			onAbort(this.signal, () => reject(new CanceledError()));
		});
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

	/**
	 * Shows a notice next to the output, once per run, whatever numbers it has. An agent's tool has no
	 * place for notices.
	 */
	notice(message: string, type: Hint['type'] = 'info'): void {
		const text = shown(message, this.keys.mask);
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
	end({ notices = [], failure }: RunEnd, howToGoOn: string): void {
		for (const { message, type } of notices) this.notice(message, type);
		if (failure && !this.continues) {
			this.stop(toNodeError(this.node, failure, undefined, this.keys.mask));
		}
		// Last, because what the run has done is more interesting.
		const waited = this.waits.notice();
		if (waited) this.notice(waited);
		if (!this.failure) return;
		if (this.itemsWritten > 0) {
			// Only now, because requests that were under way have been carried out after the error.
			const items = this.itemsWritten === 1 ? '1 item was' : `${this.itemsWritten} items were`;
			const parts = [this.failure.description, `${items} written in this run.`, howToGoOn];
			this.failure.description = parts.filter(Boolean).join(' ');
		}
		throw this.failure;
	}
}

/** The last task for each record in this process: each of an agent's parallel calls is a run. */
const turns = processMap<Promise<unknown>>();
