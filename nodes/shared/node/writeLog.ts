/** Responses to the writes of one item, by a key of their own. */
type Responses = Map<string, Promise<unknown>>;

/**
 * By the execution of a node, and in it by the input item. n8n passes the same objects to all tries
 * of an execution, and new ones to the next execution of the node. All tool calls of an agent share
 * the execution, but not the item. There is no place in n8n's own data to keep this.
 */
const executions = new WeakMap<object, WeakMap<object, Responses>>();

/**
 * The writes that an item has carried out, over all tries of "Retry On Fail". n8n repeats every item
 * when one failed; a write that succeeded must not be sent again. They are told apart by their
 * order, not by what they send, since a field may hold `$now` or `Math.random()`.
 */
export class WriteLog {
	private count = 0;

	private constructor(
		private readonly responses: Responses,
		private readonly prefix: string,
	) {}

	/**
	 * @param executeData n8n's data of the node's execution
	 * @param input the `json` of the input item
	 * @param operation tells this item and operation apart from others with the same `json`
	 */
	static of(executeData: object, input: object, operation: string): WriteLog {
		const items = entryOf(executions, executeData, () => new WeakMap<object, Responses>());
		const responses = entryOf(items, input, (): Responses => new Map());
		return new WriteLog(responses, operation);
	}

	/** Sends the next write, unless an earlier try has sent it: then it returns that response. */
	async once(send: () => Promise<unknown>): Promise<unknown> {
		const key = `${this.prefix} ${++this.count}`;
		const known = this.responses.get(key);
		if (known) return await known;
		const response = send();
		this.responses.set(key, response);
		response.catch(() => this.responses.delete(key));
		return await response;
	}
}

function entryOf<V>(map: WeakMap<object, V>, key: object, make: () => V): V {
	const known = map.get(key);
	if (known !== undefined) return known;
	const made = make();
	map.set(key, made);
	return made;
}
