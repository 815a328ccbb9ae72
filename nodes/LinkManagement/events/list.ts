import { readId } from '../../shared/http/json';
import { pageReader, type Collection } from '../../shared/node/collection';
import type { WatchedList } from '../../shared/poll/session';

/**
 * How a trigger reads a list of the API.
 *
 * @param values for the placeholders in the path
 */
export function watchedList(
	list: Collection,
	{ values, ...more }: Partial<WatchedList> & { values?: Record<string, string> } = {},
): WatchedList {
	return {
		key: ({ id }) => readId(id),
		page: async (sender, ...page) => await pageReader(sender, list, { values })(...page),
		...more,
	};
}
