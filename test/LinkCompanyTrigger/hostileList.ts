import type { Json, Page } from '../../nodes/shared/http/envelope';
import { ServiceError } from '../../nodes/shared/http/errors';

/** How a service may legally answer; none of it is ruled out by its documentation. */
export interface Habits {
	order: 'newestFirst' | 'oldestFirst' | 'none';
	/** Rows with equal sort keys are ordered differently in every request, not only per page size. */
	shuffles: boolean;
	/** Rows per page, regardless of the request. */
	pageSize: number;
	/** Records that are created within one second. */
	perSecond: number;
	counters: 'told' | 'silent' | 'promising';
}

export interface HostileRow {
	id: number;
	second: number;
	scans: number;
}

/** A list in memory that may change before any request. */
export class HostileList {
	rows: HostileRow[] = [];
	requests = 0;
	/** Called before every request is answered; it may return an empty or failing answer. */
	before: () => 'empty' | 'fail' | undefined = () => undefined;
	private nextId = 1;
	private view: { rows: HostileRow[]; version: string } | undefined;

	constructor(readonly habits: Habits) {}

	add(count = 1): number[] {
		const added = Array.from({ length: count }, () => {
			const id = this.nextId++;
			return { id, second: Math.floor(id / this.habits.perSecond), scans: 0 };
		});
		this.rows = [...this.rows, ...added];
		return added.map(({ id }) => id);
	}

	/** Deletes the row at a place from 0 to 1 of the list. */
	deleteAt(place: number): number | undefined {
		const row = this.sorted()[Math.floor(place * this.rows.length)];
		this.rows = this.rows.filter((other) => other !== row);
		return row?.id;
	}

	async page(number: number): Promise<Page> {
		this.requests++;
		const fault = this.before();
		if (fault === 'fail') throw outage();
		const { pageSize, counters } = this.habits;
		const sorted = this.sorted();
		const lastPage = Math.max(1, Math.ceil(sorted.length / pageSize));
		const rows = fault === 'empty' ? [] : sorted.slice((number - 1) * pageSize, number * pageSize);
		const page: Page = { rows: rows.map(recordOf) };
		if (counters === 'silent') return page;
		return {
			...page,
			perPage: pageSize,
			nextPage: number < lastPage ? number + 1 : null,
			lastPage: counters === 'promising' ? lastPage + 3 : lastPage,
			total: sorted.length,
		};
	}

	private sorted(): HostileRow[] {
		const { order, shuffles } = this.habits;
		const version = shuffles ? String(this.requests) : '';
		if (this.view?.rows === this.rows && this.view.version === version) return this.sortedView;
		const salt = shuffles ? this.requests : 1;
		const key = ({ id }: HostileRow) => Math.imul(id + salt * 7919, 0x9e3779b1) >>> 0;
		const direction = { newestFirst: -1, oldestFirst: 1, none: 0 }[order];
		// Without an order the sort key is one that does not change, such as a name.
		const fixed = ({ id }: HostileRow) => Math.imul(id, 0x85ebca6b) >>> 0;
		this.sortedView = [...this.rows].sort((a, b) =>
			direction === 0 ? fixed(a) - fixed(b) : direction * (a.second - b.second) || key(a) - key(b),
		);
		this.view = { rows: this.rows, version };
		return this.sortedView;
	}

	private sortedView: HostileRow[] = [];
}

function recordOf({ id, second, scans }: HostileRow): Json {
	const date = new Date(Date.UTC(2025, 0, 1) + second * 1000).toISOString();
	return { id, name: `record ${id}`, scans, date: date.slice(0, 19).replace('T', ' ') };
}

export function outage(): ServiceError {
	return new ServiceError('Link Management is not working right now (HTTP 503)', {
		failure: { cause: 'temporarily-unavailable' },
	});
}
