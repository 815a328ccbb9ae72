import { requirePage } from '../../shared/http/envelope';
import { tidyRecord } from '../../shared/node/collection';
import type { Collection } from '../../shared/node/collection';
import { idOf } from '../../shared/poll/keys';
import type { WatchedList } from '../../shared/poll/session';

/**
 * How a trigger reads a list of the API.
 *
 * @param values for the placeholders in the path
 */
export function watchedList(
	{ path, keys, record }: Pick<Collection, 'path' | 'keys' | 'record'>,
	{ values, ...more }: Partial<WatchedList> & { values?: Record<string, string> } = {},
): WatchedList {
	return {
		key: idOf,
		async page(session, page, limit) {
			const query = { ...(limit !== undefined && { limit }), page };
			const found = requirePage(await session.send({ method: 'GET', path, values, query }), keys);
			return { ...found, rows: found.rows.map((row) => tidyRecord(record, row)) };
		},
		...more,
	};
}
