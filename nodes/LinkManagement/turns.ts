import type { OperationCall } from '../shared/node/operation';

const newTurns = () => new Map<string, Promise<unknown>>();

/**
 * Runs the tasks of one record one after the other, in the order of the items, which otherwise run
 * side by side. A task runs even if the one before has failed.
 *
 * @param record tells the record apart from others of the run
 */
export async function inTurn<T>(
	call: OperationCall,
	record: string,
	task: () => Promise<T>,
): Promise<T> {
	const turns = call.shared(newTurns);
	const before = turns.get(record);
	const mine = (async () => {
		await before?.catch(() => {});
		return await task();
	})();
	turns.set(record, mine);
	return await mine;
}
