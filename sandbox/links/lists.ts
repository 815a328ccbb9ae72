import type { Fault } from '../shared/faults';
import { inOrder, type ListOrder, type RowStore } from './rowStore';
import type { ListQuery } from './schemas';
import type { LinkSettings, ListName } from './settings';

/** The documented keys of the list arrays. */
const ARRAY_KEYS: Record<ListName, string> = {
	campaigns: 'campaigns',
	channels: 'channels',
	domains: 'domains',
	files: 'list',
	items: 'items',
	overlays: 'cta',
	pixels: 'pixels',
	qrs: 'qrs',
	splash: 'splash',
};

/** Rows of a list, ready to be cut into pages. */
export interface Rows<T> {
	size: number;
	slice(order: ListOrder, start: number, length: number): T[];
}

/** Rows that are not in a store, oldest first. */
export function rowsOf<T>(rows: readonly T[]): Rows<T> {
	return {
		size: rows.length,
		slice: (order, start, length) => inOrder(rows, order).slice(start, start + length),
	};
}

/** The rows of a store, each as the list shows it. */
export function shownRows<T extends { id: number }, V>(
	store: RowStore<T>,
	show: (row: T) => V,
): Rows<V> {
	return {
		size: store.size,
		slice: (order, start, length) => store.slice(order, start, length).map(show),
	};
}

/** The body of a list's page (Paginated list envelope), lies of the settings included. */
export function listPage<T>(
	list: ListName,
	rows: Rows<T>,
	query: ListQuery,
	settings: LinkSettings,
	fault: Fault | undefined,
): Record<string, unknown> {
	const perpage = Math.min(query.limit ?? settings.defaultPageSize, settings.maxPageSize);
	const currentpage = query.page ?? 1;
	const maxpage = Math.max(1, Math.ceil(rows.size / perpage));
	const start = (currentpage - 1) * perpage;
	const repeated = Math.min(start, fault?.repeatRows ?? 0);
	const page = rows.slice(settings.order[list], start - repeated, perpage + repeated);
	const counters = {
		result: settings.resultCounts === 'total' ? rows.size : page.length,
		perpage,
		currentpage,
		nextpage: currentpage < maxpage ? currentpage + 1 : null,
		maxpage,
		...settings.wrongCounters[list],
	};
	const content = { ...counters, [ARRAY_KEYS[list]]: page };
	const error = settings.zeroAs[list] === 'string' ? '0' : 0;
	return list === 'files' ? { error, ...content } : { error, data: content };
}
