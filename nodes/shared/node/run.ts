import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { deepCopy } from 'n8n-workflow';

import type { ShownField } from './inputs';

/** Absent in n8n's routing, which runs agents' tools. */
export type HintContext = Partial<Pick<IExecuteFunctions, 'addExecutionHints'>>;

/**
 * What the items of one run of a node share: the fields to evaluate, the answers to identical GETs, and
 * the fact that the run has failed already.
 */
export class Run {
	fields: ShownField[] | undefined;
	/** Fires when an item failed and the node does not continue: the rest need not be sent. */
	readonly stopped = new AbortController();
	private readonly joined = new Set<number>();
	private readonly answers = new Map<string, Promise<unknown>>();
	private readonly written = new Map<string, IDataObject[]>();
	private readonly memories = new Map<() => unknown, unknown>();
	private readonly signals = new WeakMap<AbortSignal, AbortSignal>();
	private readonly hints = new Set<string>();
	private failed = false;

	/** Takes part as item `itemIndex`. False when this item was here before: a new try began. */
	join(itemIndex: number): boolean {
		if (this.joined.has(itemIndex)) return false;
		this.joined.add(itemIndex);
		return true;
	}

	/** Sends a GET once for all items that ask for the same. */
	async once(key: string, send: () => Promise<unknown>): Promise<unknown> {
		const known = this.answers.get(key);
		if (known) return deepCopy((await known) as IDataObject);
		const answer = send();
		this.answers.set(key, answer);
		return await answer;
	}

	/** What the items of an operation know together; made by the first that asks. */
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

	fail(stop: boolean): void {
		this.failed = true;
		if (stop) this.stopped.abort();
	}

	/** What the write of this item gave in an earlier try of the same run. */
	alreadyWritten(key: string): IDataObject[] | undefined {
		return this.written.get(key);
	}

	noteWritten(key: string, rows: IDataObject[]): void {
		this.written.set(key, rows);
	}

	/** The next try of this run ("Retry On Fail"): it keeps what was written, and asks anew. */
	nextTry(): Run {
		const next = new Run();
		if (this.failed) for (const [key, rows] of this.written) next.written.set(key, rows);
		return next;
	}
}

/** n8n passes the same object to all items of a run and to all its tries. */
const runs = new WeakMap<object, Run>();

export function joinRun(executeData: object, itemIndex: number): Run {
	let run = runs.get(executeData);
	if (!run?.join(itemIndex)) {
		run = run ? run.nextTry() : new Run();
		run.join(itemIndex);
		runs.set(executeData, run);
	}
	return run;
}
