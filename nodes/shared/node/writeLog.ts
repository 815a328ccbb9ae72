import { ServiceError } from '../http/errors';

/** State shared by all attempts at one item. */
interface Tries {
	/** Responses to its writes, in their order. */
	responses: Map<number, Promise<unknown>>;
	notes: Map<string, unknown>;
}

/**
 * By the execution of a node, and in it by the input item. n8n passes the same objects to all tries
 * of an execution, and new ones to the next execution of the node. All tool calls of an agent share
 * the execution, but not the item. n8n's own data has no place for this.
 */
const executions = new WeakMap<object, WeakMap<object, Map<string, Tries>>>();

/**
 * The successful writes of an item, over all tries of "Retry On Fail". n8n repeats every item if one
 * failed, but a write that succeeded must not be sent again. Writes are identified by their order,
 * not by what they send, since a field may contain `$now` or `Math.random()`.
 */
export class WriteLog {
	private count = 0;

	private constructor(private readonly tries: Tries) {}

	/**
	 * @param executeData n8n's data of the node's execution
	 * @param input the `json` of the input item
	 * @param operation distinguishes this item and operation from others with the same `json`
	 */
	static of(executeData: object, input: object, operation: string): WriteLog {
		const items = entryOf(executions, executeData, () => new WeakMap<object, Map<string, Tries>>());
		const operations = entryOf(items, input, () => new Map<string, Tries>());
		const tries = entryOf(operations, operation, () => ({
			responses: new Map<number, Promise<unknown>>(),
			notes: new Map<string, unknown>(),
		}));
		return new WriteLog(tries);
	}

	/** What the operation noted in earlier tries. */
	get notes(): Map<string, unknown> {
		return this.tries.notes;
	}

	/** Sends the next write. If an earlier try has sent it, returns that response instead. */
	async once(send: () => Promise<unknown>): Promise<unknown> {
		const { responses } = this.tries;
		const number = ++this.count;
		const known = responses.get(number);
		if (known) return await known;
		const response = send();
		responses.set(number, response);
		response.catch((error: unknown) => {
			if (!(error instanceof ServiceError && error.isCarriedOut)) responses.delete(number);
		});
		return await response;
	}
}

interface Entries<K, V> {
	get(key: K): V | undefined;
	set(key: K, value: V): unknown;
}

function entryOf<K, V>(entries: Entries<K, V>, key: K, make: () => V): V {
	const known = entries.get(key);
	if (known !== undefined) return known;
	const made = make();
	entries.set(key, made);
	return made;
}
