import type { IDataObject } from 'n8n-workflow';

import { DAY_MS, systemClock } from '../../shared/http/clock';
import { isOutOfRequests, ServiceError } from '../../shared/http/errors';
import { isTool } from '../../shared/node/nodeError';
import type { OperationCall } from '../../shared/node/operation';
import type { Hint } from '../../shared/node/run';
import { LEAST_SCORE } from '../names/compare';
import { readCell } from './cells';
import type { ColumnRole } from './columns';
import { ROLES, sentences } from './item';
import type { RowOutcome, RowResult } from './item';
import { hasFailed, isDue } from './known';
import { EndOfRequests } from './requests';
import type { Row } from './row';
import { STATE } from './state';

/** If the service rejects this many searches and accepts none, it isn't about the rows. */
const FEWEST_REJECTED = 3;

/** Multiples of this part of a list, one a day, are spread over it as evenly as possible. */
const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

/** A dated row has been checked by an earlier run. If it's waiting, it keeps that run's columns. */
type Count = RowResult | NonNullable<RowOutcome['note']> | 'dated' | 'kept' | 'changed';

/** All rows of a run: their order, and the notices at its end. */
export class RunReport {
	private readonly rows: Row[] = [];
	private readonly counts: Partial<Record<Count, number>> = {};
	private readonly errors: Partial<Record<RowResult, unknown>> = {};
	private readonly columns = new Set<string>();
	/** Rows that were checked longest ago go first, so it's always one of a row that was checked again. */
	private oldestCheck = Infinity;
	private start?: number;
	private isDated = false;
	private readonly missing = new Set<string>();
	private readonly existing = new Set<string>();

	/** @param call of any of the rows */
	constructor(private readonly call: OperationCall) {}

	/** Adds a row of the list. All are added before the first one is checked. @returns its place */
	add(row: Row): number {
		for (const column of Object.values(row.compareWith)) {
			const isThere = column !== '' && readCell(row.input, column) !== undefined;
			(isThere ? this.existing : this.missing).add(column);
		}
		this.isDated ||= row.earlier.checkedAt !== undefined;
		return this.rows.push(row) - 1;
	}

	/** The row without comparisons with a column that no row has, which would differ in every row. */
	comparable(row: Row): Row {
		const pairs = Object.entries(row.compareWith);
		const compareWith = Object.fromEntries(pairs.filter(([, column]) => this.existing.has(column)));
		return { ...row, compareWith };
	}

	/**
	 * Corrected rows go first, then those that were never checked, then those that were checked longest
	 * ago. A corrected row whose check has failed takes its turn like all others.
	 */
	rankOf(place: number): number {
		const row = this.rows[place]!;
		const { earlier } = row;
		if (isDue(row) && !hasFailed(row)) return -Infinity;
		if (earlier.checkedAt !== undefined) return earlier.checkedAt;
		if (this.call.run.limiter) this.start ??= this.startOf();
		return ((place - (this.start ?? 0) + this.rows.length) % this.rows.length) - this.rows.length;
	}

	/**
	 * Where the order starts. If nobody writes back what is found, the day picks another place, so that no
	 * row of a list that's larger than the daily quota is left out for ever.
	 */
	private startOf(): number {
		const perDay = this.call.run.limiter?.rate.perDay ?? Infinity;
		if (this.isDated || this.rows.length <= perDay) return 0;
		const day = Math.floor(systemClock.now() / DAY_MS);
		return Math.floor(((day * GOLDEN_RATIO) % 1) * this.rows.length);
	}

	note(row: Row, { result, note, error }: RowOutcome, isChanged: boolean): void {
		const { columns, earlier } = row;
		const isDated = earlier.checkedAt !== undefined;
		const isKept = isDated && result === 'waiting';
		const counted = [result, note, isDated && 'dated', isKept && 'kept', isChanged && 'changed'];
		for (const what of counted as Array<Count | false | undefined>) {
			if (what) this.counts[what] = (this.counts[what] ?? 0) + 1;
		}
		this.errors[result] ??= error;
		this.oldestCheck = Math.min(this.oldestCheck, earlier.checkedAt || Infinity);
		for (const [role, what] of Object.entries(ROLES)) {
			const column = columns[role as ColumnRole];
			if (column !== undefined) this.columns.add(`"${column}" as the ${what}`);
		}
	}

	/**
	 * @throws ServiceError if no row could be checked, now or in an earlier batch of the execution, so that
	 * an error workflow notices
	 */
	hints(requestsSent: number): Hint[] {
		const { found = 0, ambiguous = 0, notFound = 0, notShown = 0, unmapped = 0 } = this.counts;
		const { skipped = 0, waiting = 0, failed = 0, dated = 0, kept = 0, changed = 0 } = this.counts;
		const checked = found + ambiguous + notFound + notShown - unmapped;
		const rows = checked + unmapped + skipped + waiting + failed;
		this.throwIfStuck(checked);
		const isAgain = dated === rows && this.oldestCheck < Infinity;
		const again = isAgain ? ` again (oldest check ${dayText(this.oldestCheck)}; ` : ' (';
		const results = listed(
			[found, 'found'],
			[ambiguous, 'ambiguous'],
			[notFound - unmapped, 'not found'],
			[notShown, 'not shown'],
		);
		const all = listed(
			[checked, `checked${again}${results})`],
			[changed, 'changed'],
			[unmapped, 'blank'],
			[skipped, 'checked recently'],
			[waiting - kept, 'not checked yet'],
			[kept, 'checked before'],
			[failed, 'failed'],
		);
		const used = [...this.columns].join('; ');
		const parts = [
			`${counted(rows, 'row')}: ${all}.`,
			waiting > 0 && `Waiting for ${waitingFor(this.errors.waiting)}.`,
			waiting > 0 && this.paceText(waiting, checked),
			`${counted(requestsSent, 'request')} sent.`,
			used && `Columns used: ${used}.`,
		];
		return [
			{ message: parts.filter(Boolean).join(' '), type: 'info' },
			...this.warnings().map((message): Hint => ({ message, type: 'warning' })),
		];
	}

	private throwIfStuck(checked: number): void {
		const { dated = 0, rejected = 0 } = this.counts;
		const { failed, waiting, notFound } = this.errors;
		const memory = this.memory('node');
		const wasChecked = memory.checkedRows === true;
		if (checked > 0) memory.checkedRows = true;
		const isRejected = rejected >= FEWEST_REJECTED && rejected === checked && dated === 0;
		// Rows with dates show that only today's quota is used up.
		const isUsedUp = isOutOfRequests(waiting) && dated === 0;
		const stuck = failed ?? (isUsedUp ? waiting : undefined);
		const error = isRejected ? notFound : checked === 0 ? stuck : undefined;
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

	/** How long the other rows take if each night gets as far as this one. */
	private paceText(waiting: number, checked: number): string | undefined {
		if (checked === 0 || !isDayOver(this.errors.waiting)) return undefined;
		const nights = counted(Math.ceil(waiting / checked), 'more night');
		return `At this pace, the rest takes about ${nights}.`;
	}

	private warnings(): string[] {
		const { waiting = 0, dated = 0, belowMinimum = 0, skipped = 0, failed = 0 } = this.counts;
		const { incomplete = 0 } = this.counts;
		const { found = 0, ambiguous = 0, notFound = 0, unmapped = 0 } = this.counts;
		const isChosen = this.call.parameter<unknown>('columns', 'auto') === 'choose';
		const { name } = this.call.context.getNode();
		const flow = this.memory('flow');
		const nodes = (flow.enrichedBy as string[] | undefined) ?? [];
		const isFresh = nodes.some((other) => other !== name);
		if (found + ambiguous + notFound > unmapped) flow.enrichedBy = [...nodes, name];
		const misspelled = [...this.missing].filter((column) => column && !this.existing.has(column));
		const unreadable = this.rows.flatMap(({ earlier }) => earlier.unreadable ?? []);
		const [laxer, advice] = this.rows.some(({ minScore }) => minScore === LEAST_SCORE.exact)
			? ['Strong', 'which also accepts extra text, abbreviations and another word order']
			: ['Likely', 'and review those rows'];
		return [
			waiting > 0 &&
				dated === 0 &&
				sentences(
					(this.start ?? 0) > 0 &&
						`No row has the date of an earlier check, so this run started at row ${(this.start ?? 0) + 1}, and each day starts at another row.`,
					`Write ${STATE}, or all match_ and registry_ columns, back to your list, for every row. The next run then continues with the rows that are waiting.`,
				),
			belowMinimum > 0 &&
				`${counted(belowMinimum, 'row')} only had a match below "Minimum Match", listed in match_alternatives. To accept such matches, set "Minimum Match" to ${laxer}, ${advice}.`,
			incomplete > 0 &&
				`The credit recommendation of ${counted(incomplete, 'row')} couldn't be read, for the reason in match_reason. The next run tries again.`,
			unmapped > 0 && this.blankText(unmapped, isChosen),
			isChosen && this.typedText(),
			misspelled.length > 0 &&
				`No row has the column ${misspelled.map((column) => `"${column}"`).join(', ')} of "Compare With", so it wasn't compared. Enter the column's name as it stands in your list.`,
			unreadable.length > 0 &&
				`The column "${unreadable[0]}" looks like one of this node's, but can't be read. Its row counts as never checked.`,
			isFresh &&
				skipped > 0 &&
				failed + found + ambiguous + notFound === unmapped &&
				'Another Enrich node of this execution has just checked these rows, so "Skip Rows Checked in the Last (Days)" left them out. To look them up again, set it to 0.',
		].filter((message) => message !== false && message !== undefined);
	}

	/** Blank rows are only worth a warning if no row is any other. */
	private blankText(blank: number, isChosen: boolean): string | undefined {
		if (blank < this.rows.length) return undefined;
		return isChosen
			? '"IDNO" and "Name" are empty in every row. Check their expressions.'
			: 'No column with an IDNO or a name was recognized. To map the columns yourself, set "Columns" to Choose.';
	}

	/** Text that was typed instead of a column is the same in every row. */
	private typedText(): string | undefined {
		const { parameters } = this.call.context.getNode();
		const isTyped = (name: string) => {
			const given = parameters[name];
			return typeof given === 'string' && given.trim() !== '' && !given.startsWith('=');
		};
		const field = isTyped('companyIdno') ? 'IDNO' : isTyped('companyName') ? 'Name' : undefined;
		if (this.rows.length < 2 || field === undefined) return undefined;
		const given = String(parameters[`company${field === 'IDNO' ? 'Idno' : 'Name'}`]);
		const what = field === 'IDNO' ? 'IDNO' : 'name';
		return `All ${this.rows.length} rows have the same ${what}, "${given}", because it was typed. To use a column, drag it from the input into "${field}".`;
	}
}

const LOOP =
	'The node runs once for each batch of "Loop Over Items". Without the loop, one run checks the whole list, and keeps the rows that were checked when the quota ends.';

/** Whether what ended the requests comes back tomorrow. */
function isDayOver(error: unknown): boolean {
	if (error instanceof EndOfRequests) return error.isLimit;
	return isOutOfRequests(error) && error.kind === 'quota';
}

/** What rows wait for, e.g. "the quota, which resets at 06:00 UTC". */
export function waitingFor(failure: unknown): string {
	if (failure instanceof EndOfRequests) return failure.message;
	if (!isOutOfRequests(failure)) return 'the next run, because this one was canceled';
	if (failure.kind === 'rateLimit') return 'the rate limit';
	const { resetsAt } = failure;
	if (resetsAt === undefined) return 'the quota';
	return `the quota, which resets at ${new Date(resetsAt).toISOString().slice(11, 16)} UTC`;
}

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
