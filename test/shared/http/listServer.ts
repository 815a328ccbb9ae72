import { readPage } from '../../../nodes/shared/http/envelope';
import type { Json, Page } from '../../../nodes/shared/http/envelope';
import type { FetchPage } from '../../../nodes/shared/http/pagination';

/** How a list service behaves. What is absent is as the document has it. */
export interface ListBehaviour {
	/** The largest page it gives, whatever was asked. */
	largestPage?: number;
	/** Gives page 1, whatever was asked. */
	ignoresPage?: boolean;
	/** Gives the last page where a page beyond it was asked. */
	clampsPage?: boolean;
	/** Requests that come together are answered last one first. */
	outOfOrder?: boolean;
	/** Changes or removes the counters that go with page `number`. */
	counters?: (truth: Counters, number: number) => Json;
	/** Called before each request is answered, with the number of requests answered so far. */
	meanwhile?: (rows: Json[], requests: number) => void;
}

/** More than any list of the tests needs. */
const MOST_REQUESTS = 5_000;

export interface Counters {
	result: number;
	perpage: number;
	currentpage: number;
	nextpage: number | null;
	maxpage: number;
	total: number;
}

/** A paged list that remembers which pages were requested. */
export class ListServer {
	readonly askedPages: number[] = [];
	private readonly waiting: Array<() => void> = [];

	constructor(
		readonly rows: Json[],
		private readonly behaviour: ListBehaviour = {},
	) {}

	readonly fetch: FetchPage = async (number, size = 100) => {
		const { outOfOrder } = this.behaviour;
		return outOfOrder ? await this.answerLater(number, size) : this.answer(number, size);
	};

	/** Answers requests that came together last one first. */
	private async answerLater(number: number, size: number): Promise<Page> {
		return await new Promise<Page>((resolve) => {
			this.waiting.push(() => resolve(this.answer(number, size)));
			void Promise.resolve().then(() => this.waiting.pop()?.());
		});
	}

	private answer(number: number, size: number): Page {
		const { largestPage = 100, ignoresPage, clampsPage, counters, meanwhile } = this.behaviour;
		meanwhile?.(this.rows, this.askedPages.length);
		this.askedPages.push(number);
		if (this.askedPages.length > MOST_REQUESTS) throw new Error('The reading never ends');
		const perPage = Math.min(size, largestPage);
		const lastPage = Math.max(1, Math.ceil(this.rows.length / perPage));
		const page = ignoresPage ? 1 : clampsPage ? Math.min(number, lastPage) : number;
		const rows = this.rows.slice((page - 1) * perPage, page * perPage);
		const truth: Counters = {
			result: rows.length,
			perpage: perPage,
			currentpage: page,
			nextpage: page < lastPage ? page + 1 : null,
			maxpage: lastPage,
			total: this.rows.length,
		};
		const told = counters ? counters(truth, number) : { ...truth };
		const body = JSON.parse(JSON.stringify({ error: 0, data: { ...told, list: rows } })) as Json;
		return readPage(body, ['list']) as Page;
	}
}

/** Rows with ids from 1. */
export function numbered(count: number): Json[] {
	return Array.from({ length: count }, (_, index) => ({ id: index + 1, name: `Row ${index + 1}` }));
}

export function idsOf(rows: readonly Json[]): unknown[] {
	return rows.map(({ id }) => id);
}
