import { ServiceError } from '../http/errors';

/** What an item keeps from try to try, when *Retry On Fail* runs the node again. */
export class Tries {
	readonly notes = new Map<string, unknown>();
	private response: Promise<unknown> | undefined;

	/**
	 * Sends the item's write, or returns its response if an earlier try has already sent it: if one item
	 * fails, n8n repeats all of them. Contents aren't compared, as they may contain `$now`.
	 *
	 * @param isOvertaken this try has sent an earlier item's update of the same record, so the write is sent again
	 */
	async write(send: () => Promise<unknown>, isOvertaken = false): Promise<unknown> {
		if (isOvertaken) this.response = undefined;
		return await (this.response ??= send()).catch((error: unknown) => {
			const isUnknown = error instanceof ServiceError && error.mayBeCarriedOut;
			if (!isUnknown) this.response = undefined;
			throw error;
		});
	}
}

/**
 * By n8n's data of a node's execution, and then by the input item. n8n passes the same objects to
 * all tries of an execution, and new ones to the node's next execution. An agent's tool calls share
 * the execution's data, but each has its own item. n8n's own data has no place to store this.
 */
const executions = new WeakMap<object, WeakMap<object, Tries[]>>();

/** @param index tells apart items with the same `json`, which is `input` */
export function triesOf(executeData: object, input: object, index: number): Tries {
	const items = executions.get(executeData) ?? new WeakMap<object, Tries[]>();
	executions.set(executeData, items);
	const sharing = items.get(input) ?? [];
	items.set(input, sharing);
	return (sharing[index] ??= new Tries());
}
