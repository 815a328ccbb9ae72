import type { IDataObject } from 'n8n-workflow';

import { lastPageOf, pageOf } from '../http/listServer';
import type { Answer } from './pollModel';

/** How a service may behave. Its documentation rules none of it out. */
export interface Habits {
	/** `pinned` shows the newest first, but behind the oldest one. */
	order: 'newestFirst' | 'pinned' | 'oldestFirst' | 'none';
	/** Rows per page, regardless of the request. */
	pageSize: number;
	/** How many records are created within one second. */
	perSecond: number;
	/** The step from one ID to the next. It's more than 1 if accounts share a table. */
	idStep: number;
	/** `ofPage` counts the rows of the page only, and `inflated` also counts rows that the list never shows. */
	counters: 'told' | 'silent' | 'promising' | 'ofPage' | 'inflated';
	/** The response to a page beyond the last one. */
	beyond: 'empty' | 404 | 422 | 'lastPage';
}

const USUAL: Habits = {
	order: 'newestFirst',
	pageSize: 100,
	perSecond: 1,
	idStep: 1,
	counters: 'told',
	beyond: 'empty',
};

interface HostileRow {
	id: number;
	second: number;
	count: number;
}

/** An in-memory list that may change before any request. */
export class HostileList {
	rows: HostileRow[] = [];
	requests = 0;
	readonly habits: Habits;
	/** What the service says of the key's account. */
	account: IDataObject = { id: 1 };
	/** Called before each request. It can make the answer empty or a failure. */
	before: () => 'empty' | 'fail' | undefined = () => undefined;
	private added = 0;
	private view: { rows: HostileRow[]; order: string; sorted: HostileRow[] } | undefined;

	constructor(habits: Partial<Habits> = {}) {
		this.habits = { ...USUAL, ...habits };
	}

	add(number = 1, count = 0): number[] {
		const added = Array.from({ length: number }, () => {
			const { perSecond, idStep } = this.habits;
			const second = Math.floor(++this.added / perSecond);
			return { id: this.added * idStep, second, count };
		});
		this.rows = [...this.rows, ...added];
		return added.map(({ id }) => id);
	}

	/** Deletes the row at a relative place in the list, from 0 to 1. */
	deleteAt(place: number): number | undefined {
		const row = this.sorted()[Math.floor(place * this.rows.length)];
		this.rows = this.rows.filter((other) => other !== row);
		return row?.id;
	}

	/** A response of Link Management. Rows have their counter under each name the events read. */
	answer(path: string, query: IDataObject): Answer {
		if (path.endsWith('/account')) return { body: { error: 0, data: this.account } };
		this.requests++;
		const fault = this.before();
		if (fault === 'fail') return { status: 500, body: { error: 1, message: 'broken' } };
		return this.page(Number(query.page ?? 1), path.includes('/qr') ? 'qrs' : 'list', fault);
	}

	/** The response to a request for a page. Tests replace it. */
	page(asked: number, key: string, fault?: string): Answer {
		const { pageSize, counters, beyond } = this.habits;
		const last = lastPageOf(this.rows, pageSize);
		// Only a service that counts right would call that an error.
		if (asked > last && typeof beyond === 'number' && counters !== 'inflated') {
			return { status: beyond, body: { error: 1, message: 'no such page' } };
		}
		const page = beyond === 'lastPage' ? Math.min(asked, last) : asked;
		const { rows, counters: truth } = pageOf(this.sorted(), page, pageSize);
		const maxpage = counters === 'promising' ? last + 3 : last;
		const result = { ofPage: rows.length, inflated: truth.total + 5 };
		const counted = counters in result ? result[counters as 'ofPage'] : truth.total;
		const told = counters === 'silent' ? {} : { ...truth, result: counted, maxpage };
		// Without counters, nobody could tell that rows are missing.
		const isTold = counters !== 'silent' && counters !== 'ofPage';
		const shown = fault === 'empty' && isTold ? [] : rows.map(recordOf);
		const content = { ...told, total: undefined, [key]: shown };
		return { body: key === 'list' ? { error: '0', ...content } : { error: 0, data: content } };
	}

	private sorted(): HostileRow[] {
		if (this.view?.rows === this.rows && this.view.order === this.habits.order) {
			return this.view.sorted;
		}
		const { order } = this.habits;
		const direction = { newestFirst: -1, pinned: -1, oldestFirst: 1, none: 0 }[order];
		// Without an order, and within a second, the sort key is one that doesn't change, such as a name.
		const sorted = [...this.rows].sort(
			(a, b) => direction * (a.second - b.second) || mixed(a.id) - mixed(b.id),
		);
		if (order === 'pinned') sorted.unshift(...sorted.splice(-1));
		this.view = { rows: this.rows, order, sorted };
		return sorted;
	}
}

/** A hash of a number. */
function mixed(number: number): number {
	const once = Math.imul(number ^ (number >>> 16), 0x85ebca6b);
	const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
	return (twice ^ (twice >>> 16)) >>> 0;
}

function recordOf({ id, second, count }: HostileRow) {
	const date = new Date(Date.UTC(2025, 0, 1) + second * 1000).toISOString();
	return {
		id,
		name: `record ${id}`,
		scans: count,
		downloads: count,
		date: date.slice(0, 19).replace('T', ' '),
	};
}
