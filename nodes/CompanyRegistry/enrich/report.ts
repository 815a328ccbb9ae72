import type { IDataObject } from 'n8n-workflow';

import { DAY_MS, systemClock } from '../../shared/http/clock';
import { isOutOfRequests, ServiceError } from '../../shared/http/errors';
import { isTool } from '../../shared/node/nodeError';
import type { OperationCall } from '../../shared/node/operation';
import type { Hint } from '../../shared/node/run';
import { readCell } from './cells';
import type { ColumnRole } from './columns';
import { ROLES, sentences } from './outcome';
import type { RowOutcome, RowResult } from './outcome';
import { hasFailed, isDue, isUnfinished } from './known';
import { EndOfRequests, waitingFor } from './requests';
import type { Row } from './row';
import { STATE } from './state';

/** If the service rejects this many searches and accepts none, it isn't about the rows. */
const FEWEST_REJECTED = 3;

/** Multiples of this part of a list, one a day, are spread over it as evenly as possible. */
const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

/** All that is counted. A dated row has been checked by an earlier run; one that waits keeps its columns. */
type Count = RowResult | NonNullable<RowOutcome['note']> | 'dated' | 'kept' | 'changed';

const NONE: Readonly<Record<Count, number>> = {
	found: 0,
	ambiguous: 0,
	notFound: 0,
	notShown: 0,
	gone: 0,
	skipped: 0,
	waiting: 0,
	failed: 0,
	unmapped: 0,
	rejected: 0,
	strong: 0,
	likely: 0,
	incomplete: 0,
	dated: 0,
	kept: 0,
	changed: 0,
};

/** All rows of a run: their order, and the notices at its end. */
export class RunReport {
	private readonly rows: Row[] = [];
	private readonly counts = { ...NONE };
	private readonly errors: Partial<Record<RowResult, unknown>> = {};
	/** Columns that *Compare With* names, and those of them that a row has. */
	private readonly compared = new Set<string>();
	private readonly existing = new Set<string>();
	private start: number | undefined;

	/** @param call of any of the rows */
	constructor(private readonly call: OperationCall) {}

	/** Adds a row of the list. All are added before the first one is checked. @returns its place */
	add(row: Row): number {
		for (const column of Object.values(row.compareWith).filter(Boolean)) {
			this.compared.add(column);
			if (readCell(row.input, column) !== undefined) this.existing.add(column);
		}
		if (row.earlier.checkedAt !== undefined) this.counts.dated++;
		return this.rows.push(row) - 1;
	}

	/** The row without comparisons with a column that no row has, which would differ in every row. */
	comparable(row: Row): Row {
		const pairs = Object.entries(row.compareWith);
		const compareWith = Object.fromEntries(pairs.filter(([, column]) => this.existing.has(column)));
		return { ...row, compareWith };
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
	 * If nobody writes back what is found, each day starts at another row, so that no row of a list that's
	 * larger than the daily quota is left out for ever.
	 */
	private firstPlace(): number {
		const perDay = this.call.run.limiter?.rate.perDay ?? Infinity;
		if (this.counts.dated > 0 || this.rows.length <= perDay) return 0;
		const day = Math.floor(systemClock.now() / DAY_MS);
		return Math.floor(((day * GOLDEN_RATIO) % 1) * this.rows.length);
	}

	note({ earlier }: Row, { result, note, error }: RowOutcome, isChanged: boolean): void {
		this.counts[result]++;
		if (note) this.counts[note]++;
		if (isChanged) this.counts.changed++;
		if (result === 'waiting' && earlier.checkedAt !== undefined) this.counts.kept++;
		this.errors[result] ??= error;
	}

	/** Rows that have been looked up. */
	private get checked(): number {
		const { found, ambiguous, notFound, notShown, gone, unmapped } = this.counts;
		return found + ambiguous + notFound + notShown + gone - unmapped;
	}

	/**
	 * @throws ServiceError if no row could be checked, now or in an earlier batch of the execution, so that
	 * an error workflow notices
	 */
	hints(requestsSent: number): Hint[] {
		this.throwIfStuck();
		const { checked, counts } = this;
		// Rows that were checked longest ago go first, so it's the date of one that was checked again.
		const oldest = Math.min(...this.rows.map(({ earlier }) => earlier.checkedAt || Infinity));
		const isAgain = counts.dated === this.rows.length && oldest < Infinity;
		const results = listed(
			[counts.found, 'found'],
			[counts.ambiguous, 'ambiguous'],
			[counts.notFound - counts.unmapped, 'not found'],
			[counts.notShown + counts.gone, 'not shown'],
		);
		const all = listed(
			[
				checked,
				`checked${isAgain ? ` again (oldest check ${dayText(oldest)}; ` : ' ('}${results})`,
			],
			[counts.changed, 'changed'],
			[counts.unmapped, 'blank'],
			[counts.skipped, 'checked recently'],
			[counts.waiting - counts.kept, 'not checked yet'],
			[counts.kept, 'checked before'],
			[counts.failed, 'failed'],
		);
		const columns = this.rows.flatMap((row) =>
			Object.entries(row.columns).map(
				([role, column]) => `"${column}" as the ${ROLES[role as ColumnRole]}`,
			),
		);
		const summary = sentences(
			`${counted(this.rows.length, 'row')}: ${all}.`,
			counts.waiting > 0 && `Waiting for ${waitingFor(this.errors.waiting)}.`,
			this.paceText(),
			`${counted(requestsSent, 'request')} sent.`,
			columns.length > 0 && `Columns used: ${[...new Set(columns)].join('; ')}.`,
		);
		return [
			{ message: summary, type: 'info' },
			...this.warnings().map((message): Hint => ({ message, type: 'warning' })),
		];
	}

	private throwIfStuck(): void {
		const { dated, rejected } = this.counts;
		const { failed, waiting, notFound } = this.errors;
		const memory = this.memory('node');
		const wasChecked = memory.checkedRows === true;
		if (this.checked > 0) memory.checkedRows = true;
		const isRejected = rejected >= FEWEST_REJECTED && rejected === this.checked && dated === 0;
		// Rows with dates show that only today's quota is used up.
		const isUsedUp = isOutOfRequests(waiting) && dated === 0;
		const stuck = failed ?? (isUsedUp ? waiting : undefined);
		const error = isRejected ? notFound : this.checked === 0 ? stuck : undefined;
		if (wasChecked || !(error instanceof ServiceError)) return;
		const description = sentences(error.description, this.isInLoop && LOOP);
		throw Object.assign(error, { description });
	}

	/** What n8n keeps until the execution ends, for this node or for all. Batches of a loop share it. */
	private memory(type: 'node' | 'flow'): IDataObject {
		const { context } = this.call;
		return isTool(context.getNode()) ? {} : context.getContext(type);
	}

	private get isInLoop(): boolean {
		const { context } = this.call;
		const { name } = context.getNode();
		const isLoop = ({ type }: { type: string }) => type.endsWith('.splitInBatches');
		return context.getParentNodes(name).some(isLoop) && context.getChildNodes(name).some(isLoop);
	}

	/** How long the other rows take if each night gets as far as this one, which what they wait for ends. */
	private paceText(): string {
		const { waiting } = this.errors;
		const isDay = isOutOfRequests(waiting) && waiting.kind === 'quota';
		const isLimit = waiting instanceof EndOfRequests && !waiting.isOutage;
		const nights = Math.ceil(this.counts.waiting / this.checked);
		if (!(isDay || isLimit) || nights === Infinity) return '';
		return `At this pace, the rest takes about ${counted(nights, 'more night')}.`;
	}

	private warnings(): string[] {
		const { counts, start = 0 } = this;
		const { name, parameters } = this.call.context.getNode();
		const isChosen = this.call.parameter<unknown>('columns', 'auto') === 'choose';
		const flow = this.memory('flow');
		const others = ((flow.enrichedBy as string[] | undefined) ?? []).filter(
			(each) => each !== name,
		);
		if (this.checked > 0) flow.enrichedBy = [...others, name];
		const misspelled = [...this.compared].filter((column) => !this.existing.has(column));
		const unreadable = this.rows.find(({ earlier }) => earlier.unreadable)?.earlier.unreadable;
		const parties = this.rows.find((row) => row.parties.length > 0)?.parties ?? [];
		const typed = ['companyIdno', 'companyName']
			.map((each) => String(parameters[each] ?? '').trim())
			.find((text) => text !== '' && !text.startsWith('='));
		const texts: Array<[applies: boolean, text: string]> = [
			[
				counts.waiting > 0 && start > 0,
				`No row has the date of an earlier check, so this run started at row ${start + 1}. Unless you write the results back, each day starts at another row.`,
			],
			[
				counts.waiting > 0 && counts.dated === 0,
				`Write ${STATE}, or all match_ and registry_ columns, back to your list, for every row. The next run then continues with the rows that are waiting.`,
			],
			[
				counts.strong > 0,
				`${counted(counts.strong, 'row')} only had a strong match, listed in match_alternatives. To accept extra text, abbreviations and a different word order, set "Minimum Match" to Strong.`,
			],
			[
				counts.likely > 0 && counts.strong === 0,
				`${counted(counts.likely, 'row')} only had a likely match, listed in match_alternatives. To accept such matches, set "Minimum Match" to Likely, and review those rows.`,
			],
			[
				counts.incomplete > 0,
				`The credit recommendation of ${counted(counts.incomplete, 'row')} couldn't be read, for the reason in match_reason. The next run tries again.`,
			],
			[
				counts.unmapped === this.rows.length,
				isChosen
					? '"IDNO" and "Name" are empty in every row. Check their expressions.'
					: 'No column with an IDNO or a name was recognized. To map the columns yourself, set "Columns" to Choose.',
			],
			[
				parties.length > 0,
				`The columns "${parties.join('" and "')}" name different companies. To say which one you mean, set "Columns" to Choose.`,
			],
			[
				isChosen && typed !== undefined && this.rows.length > 1,
				`You typed "${typed}", so all ${this.rows.length} rows are looked up by this text. To use a column, drag it from the input into the field.`,
			],
			[
				misspelled.length > 0,
				`No row has the column "${misspelled.join('", "')}" of "Compare With", so it wasn't compared. Enter the name as it's written in your list.`,
			],
			[
				unreadable !== undefined,
				`The column "${unreadable}" looks like one of this node's, but can't be read. Its row counts as never checked.`,
			],
			[
				others.length > 0 && counts.skipped > 0 && this.checked === 0,
				'Another Enrich node of this execution has just checked these rows, so "Skip Rows Checked Within (Days)" left them out. To look them up again, set it to 0.',
			],
		];
		return texts.flatMap(([applies, text]) => (applies ? text : []));
	}
}

const LOOP =
	'The node runs once for each batch of "Loop Over Items". Without the loop, one run checks the whole list, and keeps the rows that were checked when the quota ends.';

/** For example, "20 Nov". */
function dayText(time: number): string {
	return new Date(time).toUTCString().slice(5, 11);
}

function counted(count: number, what: string): string {
	return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function listed(...counts: Array<[count: number, words: string]>): string {
	const some = counts.filter(([count]) => count > 0);
	return some.map(([count, words]) => `${count} ${words}`).join(', ') || 'none';
}
