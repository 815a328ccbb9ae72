import { readPage, type Page } from '../../../nodes/shared/http/envelope';
import type { Json } from '../../../nodes/shared/http/json';
import type { FetchPage } from '../../../nodes/shared/http/pages';

export type Counters = ReturnType<typeof pageOf>['counters'];

/** A page of a list with correct counters. Pages beyond the last one are empty. */
export function pageOf<Row>(rows: readonly Row[], page: number, size: number) {
	const maxpage = lastPageOf(rows, size);
	const shown = rows.slice((page - 1) * size, page * size);
	const nextpage = page < maxpage ? page + 1 : null;
	const counts = { result: shown.length, perpage: size, total: rows.length };
	return { rows: shown, counters: { ...counts, currentpage: page, nextpage, maxpage } };
}

export function lastPageOf(rows: readonly unknown[], size: number): number {
	return Math.max(1, Math.ceil(rows.length / size));
}

/** How a list service behaves. By default, it behaves as documented. */
export interface ListBehaviour {
	/** The maximum page size, whatever was requested. */
	largestPage?: number;
	/** Returns page 1, whatever was requested. */
	ignoresPage?: boolean;
	/** Returns the last page instead of a page beyond it. */
	clampsPage?: boolean;
	/** Pages that are empty by a fault. */
	empty?: readonly number[];
	/** Changes or removes the counters of page `number`. */
	counters?: (truth: Counters, number: number) => Json;
	/** Called before each request is answered, with the number of requests answered so far. */
	meanwhile?: (rows: Json[], requests: number) => void;
}

/** More requests than any test needs. */
const MAX_REQUESTS = 5_000;

/** A paged list that remembers which pages were requested. */
export class ListServer {
	readonly askedPages: number[] = [];

	constructor(
		readonly rows: Json[],
		private readonly behaviour: ListBehaviour = {},
	) {}

	readonly fetch: FetchPage = async (number, size = 100): Promise<Page> => {
		const { largestPage = 100, ignoresPage, clampsPage, meanwhile } = this.behaviour;
		const { counters, empty = [] } = this.behaviour;
		meanwhile?.(this.rows, this.askedPages.length);
		this.askedPages.push(number);
		if (this.askedPages.length > MAX_REQUESTS) throw new Error('Reading the list never ends');
		const perPage = Math.min(size, largestPage);
		const last = clampsPage ? lastPageOf(this.rows, perPage) : Infinity;
		const { rows, counters: truth } = pageOf(
			this.rows,
			ignoresPage ? 1 : Math.min(number, last),
			perPage,
		);
		const told = counters ? counters(truth, number) : truth;
		const list = empty.includes(number) ? [] : rows;
		const body = JSON.parse(JSON.stringify({ error: 0, data: { ...told, list } })) as Json;
		return readPage(body, ['list']) as Page;
	};
}

/** Rows with IDs from 1. */
export function numbered(count: number): Json[] {
	return Array.from({ length: count }, (_, index) => ({ id: index + 1, name: `Row ${index + 1}` }));
}

export function idsOf(rows: readonly Json[]): unknown[] {
	return rows.map(({ id }) => id);
}
