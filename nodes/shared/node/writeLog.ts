import { ServiceError } from '../http/errors';

/** What one item keeps from try to try, when *Retry On Fail* runs the node again. */
interface Tries {
	/** The responses to the item's writes, by their position. */
	responses: Array<Promise<unknown> | undefined>;
	notes: Map<string, unknown>;
}

/**
 * By n8n's data of a node's execution, and then by the input item. n8n passes the same objects to
 * all tries of an execution, and new ones to the node's next execution. An agent's tool calls share
 * the execution's data, but each has its own item. n8n's own data has no place to store this.
 */
const executions = new WeakMap<object, WeakMap<object, Record<string, Tries>>>();

/**
 * An item's successful writes, over all tries of "Retry On Fail". If one item fails, n8n repeats
 * all of them, but a write that succeeded mustn't be sent twice. Writes are identified by their
 * position instead of their content, which may contain `$now` or `Math.random()`.
 */
export class WriteLog {
	private count = 0;

	private constructor(private readonly tries: Tries) {}

	/**
	 * @param executeData n8n's data of the node's execution
	 * @param input the `json` of the input item
	 * @param operation tells apart items and operations with the same `json`
	 */
	static of(executeData: object, input: object, operation: string): WriteLog {
		const items = executions.get(executeData) ?? new WeakMap<object, Record<string, Tries>>();
		executions.set(executeData, items);
		const operations = items.get(input) ?? {};
		items.set(input, operations);
		return new WriteLog((operations[operation] ??= { responses: [], notes: new Map() }));
	}

	/** What the operation noted in earlier tries. */
	get notes(): Map<string, unknown> {
		return this.tries.notes;
	}

	/**
	 * Sends the item's next write. If an earlier try has already sent it, returns that response
	 * instead.
	 */
	async once(send: () => Promise<unknown>): Promise<unknown> {
		const { responses } = this.tries;
		const position = this.count++;
		const response = (responses[position] ??= send());
		response.catch((error: unknown) => {
			if (!(error instanceof ServiceError && error.isCarriedOut)) responses[position] = undefined;
		});
		return await response;
	}
}
