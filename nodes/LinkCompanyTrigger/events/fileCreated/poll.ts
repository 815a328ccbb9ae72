import { systemClock } from '../../../shared/http/clock';
import type { Json, Page } from '../../../shared/http/envelope';
import { countReading } from '../../forgetting';
import { isCalm, isProven, newPass, nextPass, notePage, pageAfter } from '../../listPass';
import type { ListPass } from '../../listPass';
import type { PageReader } from '../../pageReader';
import { isConvincing, noOrder, withRow } from './listOrder';
import type { ListOrder, OrderedRow } from './listOrder';
import { freshState } from './state';
import type { FileState } from './state';

/** The file list, as far as the event needs it. */
export interface FileList {
	/** @throws ServiceError */
	page(page: number): Promise<Page>;
	/** Writes to n8n's log. */
	warn(message: string): void;
}

export interface FileOutcome {
	/** Undefined when the poll ended before anything could be remembered. */
	state: FileState | undefined;
	/** New files, oldest first. */
	events: Json[];
}

/** Passes after which the first reading ends although the list never stops changing. */
const MOST_FIRST_PASSES = 40;
/** Passes of one poll over a list that changes meanwhile. */
const PASSES_PER_POLL = 2;
/** Requests to find the end of the list, before it is read from page 1. */
const TRIES_TO_FIND_END = 5;

/**
 * Finds the files that are new since the stored state.
 *
 * If the list is in the order of its ids, new files are at one end. The poll reads from
 * there until a page has only known files. Any other list is read from the first page to the last.
 * Every file that is not known is new at once; `floor` rises only over ids of which a page, or two
 * passes that agree, show that none is missing.
 */
export async function pollFiles(
	stored: FileState | undefined,
	list: FileList,
	reader: PageReader,
	{ emitExisting }: { emitExisting: boolean },
): Promise<FileOutcome> {
	const state = stored
		? {
				...stored,
				known: new Map(stored.known),
				pass: { ...stored.pass, ids: new Set(stored.pass.ids) },
				calm: stored.calm && { ...stored.calm },
			}
		: freshState(!emitExisting, systemClock.now());
	const poll = new FilePoll(state, list, reader);
	await poll.run(stored === undefined && !emitExisting);
	return { state: poll.started || stored ? state : undefined, events: poll.events };
}

class FilePoll {
	/** Whether a page was read. */
	started = false;
	private readonly found = new Map<number, Json>();

	constructor(
		private readonly state: FileState,
		private readonly list: FileList,
		private readonly reader: PageReader,
	) {}

	get events(): Json[] {
		return [...this.found].sort(([a], [b]) => a - b).map(([, record]) => record);
	}

	/** @param first whether there is no state yet, and what exists is to be remembered */
	async run(first: boolean): Promise<void> {
		if (first && (await this.beginWithOrder())) return;
		for (let passes = 0; passes < PASSES_PER_POLL || this.state.beginning; passes++) {
			if (await this.onePass()) return;
			if (this.reader.cutShort) return;
		}
	}

	/**
	 * First poll: a list that is in order at both ends needs no more than these pages.
	 *
	 * @returns false when the list must be read as a whole
	 */
	private async beginWithOrder(): Promise<boolean> {
		const { state } = this;
		const head = await this.read(1);
		if (!head) return true;
		const last = head.lastPage ?? 1;
		if (!isConvincing(orderOf(head.rows)) || last <= 1) {
			return this.usePage(head) ? this.endPass() : false;
		}
		const end = await this.read(last);
		if (!end) return true;
		const seen = new Set(head.rows.map((row) => rowOf(row).id));
		const order = orderOf([...head.rows, ...end.rows.filter((row) => !seen.has(rowOf(row).id))]);
		const ends = pageAfter(newPass(last), end) === undefined;
		if (!isConvincing(order) || !ends || end.rows.length === 0) return false;
		state.lastPage = last;
		state.total = end.total;
		if (order.direction === 'rising') {
			if (!this.beginBelow(end)) {
				const before = last - 1 > 1 ? await this.read(last - 1) : head;
				if (!before) return true;
				this.beginBelow(before);
			}
			return false;
		}
		const rows = head.rows.map(rowOf);
		state.latest = latestOf(rows);
		this.settle(
			order,
			rows.map(({ id }) => id),
		);
		return true;
	}

	/**
	 * Newest last: everything below the page's last group of one date is known. The group itself
	 * may continue on another page, so a pass from the end has to show the rest.
	 */
	private beginBelow(page: Page): boolean {
		const { state } = this;
		const rows = page.rows.map(rowOf);
		if (rows.reduce(withRow, noOrder()).direction !== 'rising') return false;
		const { date: last } = rows.at(-1)!;
		const below = rows.filter(({ date }, index) =>
			last === undefined ? index < rows.length - 1 : date !== last,
		);
		state.newest = 'last';
		state.floor = highest(
			below.map(({ id }) => id),
			-1,
		);
		state.floorDate = latestOf(below);
		return true;
	}

	/** @returns whether this poll has read enough */
	private async onePass(): Promise<boolean> {
		const { state } = this;
		if (state.newest === 'last' && state.pass.pages === 0 && !(await this.findEnd())) {
			if (this.reader.cutShort) return true;
			this.readAll('its end is not where it was');
		}
		for (;;) {
			const page = this.atEnd ?? (await this.read(state.pass.page));
			this.atEnd = undefined;
			if (!page) return true;
			if (this.usePage(page)) return this.endPass();
		}
	}

	/** The last page, where it was read already. */
	private atEnd: Page | undefined;

	/** Newest last: looks for the last page, from where it was. */
	private async findEnd(): Promise<boolean> {
		const { state } = this;
		let number = state.lastPage;
		for (let tries = 0; tries < TRIES_TO_FIND_END; tries++) {
			const page = await this.read(number);
			if (!page) return false;
			const next = pageAfter(newPass(number), page);
			if (page.rows.length > 0 && next === undefined) {
				state.lastPage = number;
				state.pass = newPass(number, state.pass);
				this.atEnd = page;
				return true;
			}
			const told = page.lastPage ?? number + 1;
			if (page.rows.length === 0 && told >= number) return false;
			number = page.rows.length === 0 ? told : Math.max(told, number + 1);
		}
		return false;
	}

	private async read(number: number): Promise<Page | undefined> {
		const page = await this.reader.read(async () => await this.list.page(number));
		if (page) this.started = true;
		return page;
	}

	/**
	 * Adds a page to the pass, with its new files.
	 *
	 * @returns whether the pass is complete
	 */
	private usePage(page: Page): boolean {
		const { state } = this;
		const { pass } = state;
		const rows = page.rows.map((record) => ({ ...rowOf(record), record }));
		if (state.newest === 'last') rows.reverse();
		const unread = rows.filter(({ id }) => !pass.ids.has(id));
		const idOrder = orderOfIds(rows);
		for (const row of unread) {
			state.order = withRow(state.order, row);
			state.idOrder = withRow(state.idOrder, { id: row.id });
		}
		const above = rows.filter(({ id }) => id > state.floor);
		state.latest = latestOf(rows, state.latest);
		notePage(pass, page);
		for (const { id, record } of above) this.take(id, record);
		if (state.newest !== 'anywhere') {
			const isUpsideDown = isConvincing(idOrder) && idOrder.direction === 'rising';
			if (isUpsideDown || !['unknown', 'falling'].includes(state.order.direction)) {
				this.readAll('a page is in another order');
				return false;
			}
			if (rows.some((row) => this.isBelowNew(row, isConvincing(idOrder))))
				return this.isExplained(page);
		}
		const next = state.newest === 'last' ? pass.page - 1 : pageAfter(pass, page);
		if (state.total !== null) state.total = page.total ?? state.total;
		if (!next) {
			if (state.newest !== 'last')
				state.lastPage = Math.max(1, page.rows.length > 0 ? pass.page : pass.page - 1);
			return true;
		}
		pass.page = next;
		return false;
	}

	/** In an ordered list, no new file follows such a row. */
	private isBelowNew({ id, date }: OrderedRow, inOrderOfIds: boolean): boolean {
		const { floor, floorDate } = this.state;
		if (id > floor) return false;
		return inOrderOfIds || date === undefined || floorDate === undefined || date < floorDate;
	}

	/** Whether the files that were found account for the growth that the service reports. */
	private isExplained({ total }: Page): boolean {
		const { state } = this;
		const { total: before } = state;
		const single = state.pass.pages <= 1;
		if (before === null || total === undefined) return true;
		state.total = total;
		if (before === undefined || !single || total - before <= this.found.size) return true;
		state.total = null;
		this.readAll('it has more files than its end shows');
		return false;
	}

	private take(id: number, record: Json): void {
		const { state } = this;
		const isNew = !state.known.has(id);
		state.known.set(id, true);
		if (!isNew) return;
		if (state.calm && (state.beginning || id <= state.calm.top)) state.calm = undefined;
		if (!state.beginning) this.found.set(id, record);
	}

	/** An assumption failed: from now on the list is read from the first page to the last. */
	private readAll(reason: string): void {
		const { state } = this;
		this.list.warn(`the file list is read from the first page to the last, since ${reason}`);
		state.newest = 'anywhere';
		this.startPass(newPass(1));
		state.period = { since: systemClock.now(), passes: 0 };
	}

	private startPass(pass: ListPass): void {
		this.state.pass = pass;
		this.state.order = noOrder();
		this.state.idOrder = noOrder();
		this.state.latest = undefined;
	}

	/** @returns whether the poll need not read the list again */
	private endPass(): boolean {
		const { state } = this;
		const { pass } = state;
		const proven = isProven(pass);
		if (state.newest === 'anywhere') this.endFullPass(proven);
		else this.endOrderedPass(proven);
		const again = state.beginning || (state.newest !== 'anywhere' && !proven && pass.pages > 1);
		this.startPass(nextPass(pass, 1));
		return !again;
	}

	private endFullPass(proven: boolean): void {
		const { state } = this;
		if (state.beginning) state.firstPasses++;
		const enough = isCalm(state.calm?.passes ?? 0) || state.firstPasses >= MOST_FIRST_PASSES;
		if (proven || enough) state.beginning = false;
		if (state.beginning) return this.countCalm();
		this.forgetMissing();
		const order = isConvincing(state.idOrder) ? state.idOrder : state.order;
		if (proven && isConvincing(order)) this.settle(order, state.pass.ids);
	}

	private forgetMissing(): void {
		const { state } = this;
		const { over, period } = countReading(state.period, state.pass.ids.size, systemClock.now());
		state.period = period;
		if (!over) return;
		for (const [id, seen] of state.known) {
			if (seen) state.known.set(id, false);
			else state.known.delete(id);
		}
	}

	private endOrderedPass(proven: boolean): void {
		const { state } = this;
		const { calm } = state;
		if (proven) this.raise(highest(state.known.keys(), state.floor), state.latest);
		else if (calm && isCalm(calm.passes)) this.raise(calm.top, calm.date);
		else return this.countCalm();
		state.beginning = false;
	}

	private countCalm(): void {
		const { state } = this;
		if (state.calm) state.calm.passes++;
		else {
			const top = highest(state.known.keys(), state.floor);
			state.calm = { top, date: state.latest, passes: 0 };
		}
	}

	/** The list is in order, and everything in it is known. */
	private settle(order: ListOrder, ids: Iterable<number>): void {
		const { state } = this;
		state.newest = order.direction === 'falling' ? 'first' : 'last';
		state.beginning = false;
		this.raise(highest(ids, state.floor), state.latest);
	}

	/** No file with this id or a lower one can be new any more. */
	private raise(floor: number, date: string | undefined): void {
		const { state } = this;
		state.calm = undefined;
		if (floor <= state.floor) return;
		state.floor = floor;
		state.floorDate = date;
		for (const id of state.known.keys()) if (id <= floor) state.known.delete(id);
	}
}

/** docs/services.md, "Link Management: records": IDs are integers, a date-time sorts as text. */
function rowOf(record: Json): OrderedRow {
	const { date } = record;
	const isDateTime = typeof date === 'string' && /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(date);
	return { id: Number(record.id), date: isDateTime ? date : undefined };
}

/** Rows in the order of their ids are in order whatever their dates, which may all be the same. */
function orderOf(rows: readonly Json[]): ListOrder {
	const idOrder = orderOfIds(rows.map(rowOf));
	return isConvincing(idOrder) ? idOrder : rows.map(rowOf).reduce(withRow, noOrder());
}

function orderOfIds(rows: readonly OrderedRow[]): ListOrder {
	return rows.reduce((order, { id }) => withRow(order, { id }), noOrder());
}

function latestOf(rows: readonly OrderedRow[], before?: string): string | undefined {
	return rows.reduce<string | undefined>(
		(latest, { date }) =>
			date !== undefined && (latest === undefined || date > latest) ? date : latest,
		before,
	);
}

function highest(ids: Iterable<number>, floor: number): number {
	let top = floor;
	for (const id of ids) top = Math.max(top, id);
	return top;
}
