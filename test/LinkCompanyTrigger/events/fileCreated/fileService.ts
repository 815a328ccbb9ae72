import type { Json, Page } from '../../../../nodes/shared/http/envelope';
import { ServiceError } from '../../../../nodes/shared/http/errors';

export type Order = 'newest' | 'oldest' | 'scattered' | 'scrambled';

/** How many rows a counter lies about, and which. */
export interface Service {
	order: Order;
	/** Rows per page at most. */
	largestPage: number;
	/** Pages always have the largest size, whatever is asked for. */
	ignoresLimit?: boolean;
	counters?: Partial<Record<'perPage' | 'nextPage' | 'lastPage' | 'total', 'silent' | number>>;
}

const KEYS: Record<Order, (id: number) => number> = {
	newest: (id) => -id,
	oldest: (id) => id,
	scattered: (id) => Math.imul(id, 0x9e3779b1) >>> 0,
	scrambled: (id) => Math.imul(id ^ 0x5bd1, 0x85ebca6b) >>> 0,
};

/** A list of files as the link service could keep it, in memory. */
export class FileService {
	ids: readonly number[] = [];
	nextId = 1;
	requests = 0;
	/** Called with the number of the request before it is answered. */
	before: (request: number) => void = () => {};

	constructor(
		readonly settings: Service,
		count = 0,
	) {
		this.add(count);
	}

	add(count = 1): void {
		const added = Array.from({ length: count }, (_, index) => this.nextId + index);
		this.ids = [...this.ids, ...added];
		this.nextId += count;
	}

	/** Deletes the file at a relative place of the list's order, from 0 to 1. */
	deleteAt(place: number): void {
		const sorted = this.sorted();
		const id = sorted[Math.min(sorted.length - 1, Math.floor(place * sorted.length))];
		this.ids = this.ids.filter((other) => other !== id);
	}

	async page(page: number, size: number): Promise<Page> {
		this.before(++this.requests);
		const { largestPage, ignoresLimit, counters = {} } = this.settings;
		const perPage = ignoresLimit ? largestPage : Math.min(size, largestPage);
		const sorted = this.sorted();
		const lastPage = Math.max(1, Math.ceil(sorted.length / perPage));
		const ids = sorted.slice((page - 1) * perPage, page * perPage);
		const truth = {
			perPage,
			nextPage: page < lastPage ? page + 1 : null,
			lastPage,
			total: sorted.length,
		};
		const told = Object.entries({ ...truth, ...counters }).filter(
			([, value]) => value !== 'silent',
		);
		return { rows: ids.map(record), ...Object.fromEntries(told) } as Page;
	}

	private sorted(): readonly number[] {
		const { order } = this.settings;
		if (this.view?.ids !== this.ids || this.view.order !== order) {
			const keyed = this.ids.map((id) => [KEYS[order](id), id] as const);
			const sorted = keyed.sort(([a], [b]) => a - b).map(([, id]) => id);
			this.view = { ids: this.ids, order, sorted };
		}
		return this.view.sorted;
	}

	/** The list as it was sorted last, for as long as nothing changes. */
	private view: { ids: readonly number[]; order: Order; sorted: readonly number[] } | undefined;
}

function record(id: number): Json {
	return { id, name: `file ${id}.pdf`, downloads: 0 };
}

export function outage(): ServiceError {
	return new ServiceError('Link Management is not working right now (HTTP 503)', {
		failure: { cause: 'temporarily-unavailable' },
	});
}
