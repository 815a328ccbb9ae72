import { ServiceError } from '../http/errors';

/** What an item keeps from try to try, when *Retry On Fail* runs the node again. */
export class Tries {
	/** What the operation noted. */
	readonly notes = new Map<string, unknown>();
	private readonly responses: Array<Promise<unknown> | undefined> = [];

	/**
	 * Sends a write, or returns its response if an earlier try has already sent it: if one item fails,
	 * n8n repeats all of them. Writes are identified by their position instead of their content, which
	 * may contain `$now` or `Math.random()`.
	 */
	async write(position: number, send: () => Promise<unknown>): Promise<unknown> {
		return await (this.responses[position] ??= send()).catch((error: unknown) => {
			const isCarriedOut = error instanceof ServiceError && error.isCarriedOut;
			if (!isCarriedOut) this.responses[position] = undefined;
			throw error;
		});
	}
}

/**
 * By n8n's data of a node's execution, and then by the input item. n8n passes the same objects to
 * all tries of an execution, and new ones to the node's next execution. An agent's tool calls share
 * the execution's data, but each has its own item. n8n's own data has no place to store this.
 */
const executions = new WeakMap<object, WeakMap<object, Record<string, Tries>>>();

/**
 * @param executeData n8n's data of the node's execution
 * @param input the `json` of the input item
 * @param operation tells apart items and operations with the same `json`
 */
export function triesOf(executeData: object, input: object, operation: string): Tries {
	const items = executions.get(executeData) ?? new WeakMap<object, Record<string, Tries>>();
	executions.set(executeData, items);
	const operations = items.get(input) ?? {};
	items.set(input, operations);
	return (operations[operation] ??= new Tries());
}
