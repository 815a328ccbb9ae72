import { DAY_MS, systemClock } from '../../shared/http/clock';
import { isOutOfRequests, ServiceError } from '../../shared/http/errors';
import type { Call } from '../../shared/node/call';
import { isTool } from '../../shared/node/nodeError';
import type { Hint } from '../../shared/node/run';
import { readCell } from './cells';
import { hasFailed, isDue, isUnfinished } from './known';
import { checkedRows, isDated, LOOP, rowsWith, summaryOf, warningsOf } from './notices';
import type { DoneRow } from './notices';
import { sentences } from './outcome';
import type { RowOutcome, RowResult } from './outcome';
import type { Row } from './row';

/** If the service rejects this many searches and accepts none, it isn't about the rows. */
const FEWEST_REJECTED = 3;

/** Multiples of this part of a list, one a day, are spread over it as evenly as possible. */
const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

/** All rows of a run: their order, and what the run says at its end. */
export class RunReport {
	private readonly rows: Row[] = [];
	private readonly done: DoneRow[] = [];
	/** Columns that *Compare With* names, and whether any row has them. */
	private readonly compared = new Map<string, boolean>();
	private start: number | undefined;

	/** @param call of any of the rows */
	constructor(private readonly call: Call) {}

	/** Adds a row of the list. All are added before the first one is checked. @returns its place */
	add(row: Row): number {
		for (const column of Object.values(row.compareWith).filter(Boolean)) {
			const isThere = this.compared.get(column) || readCell(row.input, column) !== undefined;
			this.compared.set(column, isThere);
		}
		return this.rows.push(row) - 1;
	}

	/** The row without comparisons with a column that no row has, which would differ in every row. */
	comparable(row: Row): Row {
		const pairs = Object.entries(row.compareWith);
		const compareWith = pairs.filter(([, column]) => this.compared.get(column));
		return { ...row, compareWith: Object.fromEntries(compareWith) };
	}

	/**
	 * Rows that lack only the recommendation and corrected rows go first, then those that were never
	 * checked, then those that were checked longest ago. A corrected row whose check has failed takes its
	 * turn like all others.
	 */
	rankOf(place: number): number {
		const row = this.rows[place]!;
		if (isUnfinished(row) || (isDue(row) && !hasFailed(row))) return -Infinity;
		const { length } = this.rows;
		if (this.call.run.limiter) this.start ??= this.firstPlace();
		return row.earlier.checkedAt ?? ((place - (this.start ?? 0) + length) % length) - length;
	}

	/**
	 * If nobody writes back what is found, each day starts at a different row, so that no row of a list
	 * that's larger than the daily quota is left out for ever.
	 */
	private firstPlace(): number {
		const perDay = this.call.run.limiter?.rate.perDay ?? Infinity;
		if (this.rows.length <= perDay || this.rows.some(isDated)) return 0;
		const day = Math.floor(systemClock.now() / DAY_MS);
		return Math.floor(((day * GOLDEN_RATIO) % 1) * this.rows.length);
	}

	note(row: Row, { result, note, error }: RowOutcome, isChanged: boolean): void {
		this.done.push({ row, result, note, error, isChanged });
	}

	/**
	 * @throws ServiceError if no row could be checked, now or in an earlier batch of the execution, so that
	 * an error workflow notices
	 */
	hints(requestsSent: number): Hint[] {
		const { call, compared, done, rows, start = 0 } = this;
		const { context } = call;
		// Batches of a loop share it.
		const memory = isTool(context.getNode()) ? {} : context.getContext('node');
		const failure = memory.checkedRows === true ? undefined : this.failure();
		if (checkedRows(done).length > 0) memory.checkedRows = true;
		if (failure) throw failure;
		const { parameters } = context.getNode();
		const facts = {
			rows,
			done,
			requestsSent,
			start,
			isChosen: call.parameter<unknown>('columns', 'auto') === 'choose',
			typed: ['companyIdno', 'companyName']
				.map((field) => String(parameters[field] ?? '').trim())
				.find((text) => text !== '' && !text.startsWith('=')),
			missing: [...compared.keys()].filter((column) => !compared.get(column)),
			isInLoop: this.isInLoop,
		};
		return [
			{ message: summaryOf(facts), type: 'info' },
			...warningsOf(facts).map((message): Hint => ({ message, type: 'warning' })),
		];
	}

	/** Why no row could be checked, unless another run may well check them. */
	private failure(): ServiceError | undefined {
		const { done, rows } = this;
		const errorOf = (result: RowResult) => rowsWith(done, result).find(({ error }) => error)?.error;
		const checked = checkedRows(done).length;
		// Rows with dates show that only today's quota is used up.
		const isNew = !rows.some(isDated);
		const rejected = done.filter(({ note }) => note === 'rejected').length;
		const isRejected = isNew && rejected >= FEWEST_REJECTED && rejected === checked;
		const waiting = errorOf('waiting');
		const stuck = errorOf('failed') ?? (isNew && isOutOfRequests(waiting) ? waiting : undefined);
		const error = isRejected ? errorOf('notFound') : checked === 0 ? stuck : undefined;
		if (!(error instanceof ServiceError)) return undefined;
		const description = sentences(error.description, this.isInLoop && LOOP);
		return Object.assign(error, { description });
	}

	private get isInLoop(): boolean {
		const { context } = this.call;
		const { name } = context.getNode();
		const isLoop = ({ type }: { type: string }) => type.endsWith('.splitInBatches');
		return context.getParentNodes(name).some(isLoop) && context.getChildNodes(name).some(isLoop);
	}
}
