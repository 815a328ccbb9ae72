import { requirePage } from '../../shared/http/envelope';
import type { Json } from '../../shared/http/envelope';
import { PAGE_SIZE, readFirstPage } from '../../shared/http/pages';
import type { Collection } from '../../shared/node/records';
import { idOf } from '../../shared/poll/keys';
import type { WatchedList } from '../../shared/poll/lap';

/**
 * A list of the API, as a trigger reads it. The size of its pages never varies: with another one a
 * service may order rows with equal sort keys differently.
 *
 * @param values fill the placeholders of the path
 */
export function watchedList(
	{ path, keys, record }: Pick<Collection, 'path' | 'keys' | 'record'>,
	{
		query,
		values,
		...more
	}: Partial<WatchedList> & { query?: Json; values?: Record<string, string> } = {},
): WatchedList {
	let size: number | undefined = PAGE_SIZE;
	let sizeIsKnown = false;
	return {
		key: idOf,
		async page({ send }, number) {
			const fetchPage = async (limit: number | undefined) => {
				const paging = { ...(limit ? { limit } : {}), page: number };
				const body = await send({ method: 'GET', path, values, query: { ...query, ...paging } });
				return requirePage(body, keys);
			};
			const read = sizeIsKnown
				? { page: await fetchPage(size), size }
				: await readFirstPage(fetchPage, size);
			({ size } = read);
			sizeIsKnown = true;
			const { page } = read;
			return { ...page, rows: page.rows.map((row) => record?.tidy?.(row) ?? row) };
		},
		...more,
	};
}
