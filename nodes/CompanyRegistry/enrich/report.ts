import { DAY_MS, systemClock } from '../../shared/http/clock';
import { isOutOfRequests, ServiceError } from '../../shared/http/errors';
import type { Call } from '../../shared/node/call';
import type { Run, RunEnd } from '../../shared/node/run';
import { readCell } from './cells';
import type { ColumnRole } from './columns';
import { ROLES, sentences, type RowOutcome, type RowResult } from './outcome';
import { EndOfRequests, waitingFor } from './requests';
import { isDue, type Row } from './row';
import { STATE } from './state';

/** If the service rejects this many searches and accepts none, it isn't about the rows. */
const FEWEST_REJECTED = 3;

/** Multiples of this part of a list, one a day, are spread over it as evenly as possible. */
const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

/** A row and what has become of it. */
interface DoneRow extends RowOutcome {
	row: Row;
	isChanged: boolean;
}

const isDated = ({ earlier }: Row): boolean => earlier.checkedAt !== undefined;

/** All rows of a run: their order, and what the run says beside its output. */
export class RunReport<T extends { row: Row; call: Call }> {
	/** In the order in which they're checked. */
	readonly order: T[];
	/** In the input's order. */
	private readonly rows: Row[];
	private readonly call: Call;
	private readonly done: DoneRow[] = [];
	/** Columns that *Compare With* names, and whether any row has them. */
	private readonly compared = new Map<string, boolean>();
	/** The place in the list that the run starts at, from 0. */
	private readonly start: number;

	constructor(
		items: readonly T[],
		private readonly run: Run,
	) {
		this.rows = items.map(({ row }) => row);
		this.call = items[0]!.call;
		this.start = this.firstPlace();
		for (const { compareWith, input } of this.rows) {
			for (const column of Object.values(compareWith).filter(Boolean)) {
				const isThere = this.compared.get(column) || readCell(input, column) !== undefined;
				this.compared.set(column, isThere);
			}
		}
		const ranked = items.map((item, place) => ({ item, rank: this.rankOf(item.row, place) }));
		this.order = ranked.toSorted((one, other) => one.rank - other.rank).map(({ item }) => item);
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
	private rankOf(row: Row, place: number): number {
		const { checkedAt, hasFailed, lacksCredit } = row.earlier;
		if (lacksCredit || (isDue(row) && !hasFailed)) return -Infinity;
		const { length } = this.rows;
		return checkedAt ?? ((place - this.start + length) % length) - length;
	}

	/**
	 * If nobody writes back what is found, each day starts at a different row, so that no row of a list
	 * that's larger than the daily quota is left out for ever.
	 */
	private firstPlace(): number {
		const perDay = this.run.limiter?.rate.perDay ?? Infinity;
		if (this.rows.length <= perDay || this.rows.some(isDated)) return 0;
		const day = Math.floor(systemClock.now() / DAY_MS);
		return Math.floor(((day * GOLDEN_RATIO) % 1) * this.rows.length);
	}

	note(row: Row, outcome: RowOutcome, isChanged: boolean): void {
		this.done.push({ ...outcome, row, isChanged });
	}

	/** The notices of the run. It fails if no row could be checked, so that an error workflow notices. */
	end(): RunEnd {
		const failure = this.failure();
		if (failure) return { failure };
		const warnings = this.warnings().filter((text) => typeof text === 'string');
		const notices = [
			{ message: this.summary(this.run.requestsSent), type: 'info' as const },
			...warnings.map((message) => ({ message, type: 'warning' as const })),
		];
		return { notices };
	}

	/** The rows with a result. */
	private with(wanted: RowResult): DoneRow[] {
		return this.done.filter(({ result, note }) => result === wanted && note !== 'unmapped');
	}

	private noted(wanted: RowOutcome['note']): number {
		return this.done.filter(({ note }) => note === wanted).length;
	}

	private get checked(): number {
		const results = ['found', 'ambiguous', 'notFound', 'notShown'] as const;
		return results.flatMap((result) => this.with(result)).length;
	}

	/** Why no row could be checked, unless another run may well check them. */
	private failure(): ServiceError | undefined {
		const errorOf = (result: RowResult) => this.with(result).find(({ error }) => error)?.error;
		// Rows with dates show that only today's quota is used up.
		const isNew = !this.rows.some(isDated);
		const rejected = this.noted('rejected');
		const isRejected = isNew && rejected >= FEWEST_REJECTED && rejected === this.checked;
		const waiting = errorOf('waiting');
		const stuck = errorOf('failed') ?? (isNew && isOutOfRequests(waiting) ? waiting : undefined);
		const error = isRejected ? errorOf('notFound') : this.checked === 0 ? stuck : undefined;
		if (!(error instanceof ServiceError)) return undefined;
		const description = sentences(error.description, this.isInLoop && LOOP);
		return new ServiceError(error.message, { ...error, description });
	}

	/** What came of how many rows, what the others wait for and for how long, and which columns were used. */
	private summary(requestsSent: number): string {
		const { rows, checked } = this;
		const waiting = this.with('waiting');
		const end = waiting[0]?.error;
		const kept = waiting.filter(({ row }) => isDated(row)).length;
		const again = rows.every(isDated) ? ' again' : '';
		const results = listed(
			[this.with('found').length, 'found'],
			[this.with('ambiguous').length, 'ambiguous'],
			[this.with('notFound').length, 'not found'],
			[this.with('notShown').length, 'missing from the registry'],
		);
		const all = listed(
			[checked, `checked${again} (${results})`],
			[this.done.filter(({ isChanged }) => isChanged).length, 'changed'],
			[this.noted('unmapped'), 'without an IDNO or a name'],
			[this.with('skipped').length, 'checked recently'],
			[waiting.length - kept, 'not checked yet'],
			[kept, 'waiting with data from an earlier run'],
			[this.with('failed').length, 'failed'],
		);
		const columns = rows.flatMap((row) =>
			Object.entries(row.columns).map(
				([role, column]) => `"${column}" as the ${ROLES[role as ColumnRole]}`,
			),
		);
		return sentences(
			`${counted(rows.length, 'row')}: ${all}.`,
			waiting.length > 0 && `Waiting for ${waitingFor(end)}.`,
			!this.isInLoop && paceText(end, waiting.length / checked),
			end instanceof EndOfRequests && end.advice,
			`${counted(requestsSent, 'request')} sent.`,
			columns.length > 0 && `Columns used: ${[...new Set(columns)].join('; ')}.`,
		);
	}

	private warnings(): Array<string | false | undefined> {
		const { rows, start } = this;
		const isWaiting = this.with('waiting').length > 0;
		const level = this.noted('strong') > 0 ? 'strong' : 'likely';
		const unreadable = rows.find(({ earlier }) => earlier.unreadable)?.earlier.unreadable;
		const parties = rows.find((row) => row.parties.length > 0)?.parties;
		const missing = [...this.compared.keys()].filter((column) => !this.compared.get(column));
		const isChosen = this.call.parameter<unknown>('columns', 'auto') === 'choose';
		const { companyIdno, companyName } = this.call.context.getNode().parameters;
		const typed = [companyIdno, companyName]
			.map((text) => String(text ?? '').trim())
			.find((text) => text !== '' && !text.startsWith('='));
		return [
			isWaiting &&
				!rows.some(isDated) &&
				sentences(
					`For every row, write ${STATE} or all match_ and registry_ columns back to your list. The next run then continues with the rows that are waiting.`,
					start > 0 &&
						`Until then, each day's run starts at a different row (today: ${start + 1}).`,
				),
			isWaiting && this.isInLoop && LOOP,
			this.noted(level) > 0 &&
				`${counted(this.noted(level), 'row')} only had a ${level} match, listed in match_alternatives. ${ACCEPT[level]}`,
			this.noted('incomplete') > 0 &&
				`For ${counted(this.noted('incomplete'), 'row')}, the credit recommendation is missing; match_reason says why. The next run tries again.`,
			!parties &&
				this.noted('unmapped') === rows.length &&
				(isChosen
					? '"IDNO" and "Name" are empty in every row. Check their expressions.'
					: 'No column with an IDNO or a name was recognized. To map the columns yourself, set "Columns" to Choose.'),
			parties &&
				`The columns "${parties.join('" and "')}" name different companies. To say which one you mean, set "Columns" to Choose.`,
			isChosen &&
				typed !== undefined &&
				rows.length > 1 &&
				`You typed "${typed}", so all ${rows.length} rows are looked up by this text. To use a column, drag it from the input into the field.`,
			missing.length > 0 &&
				`Not compared, because no row has it: "${missing.join('", "')}". In "Compare With", enter the name as it's written in your list.`,
			unreadable !== undefined &&
				`"${unreadable}" looks like a column that this node adds, but can't be read, so its rows count as never checked.`,
		];
	}

	private get isInLoop(): boolean {
		const { context } = this.call;
		const { name } = context.getNode();
		const isLoop = ({ type }: { type: string }) => type.endsWith('.splitInBatches');
		return context.getParentNodes(name).some(isLoop) && context.getChildNodes(name).some(isLoop);
	}
}

/** How a loop keeps a list from getting as far as its quota would. */
const LOOP =
	'The node runs once for each batch of "Loop Over Items". Without the loop, one run works through the whole list, and keeps what it has checked if the quota runs out.';

const ACCEPT = {
	strong:
		'To accept extra text, abbreviations and a different word order, set "Minimum Match" to Strong.',
	likely: 'To accept such matches, set "Minimum Match" to Likely, and review those rows.',
};

/** How long the rest takes if each night gets as far as this one, which what the rows wait for has ended. */
function paceText(error: unknown, nights: number): string {
	const isDay = isOutOfRequests(error) && error.kind === 'quota';
	const isLimit = error instanceof EndOfRequests && !error.isOutage;
	if (!(isDay || isLimit) || nights === Infinity) return '';
	return `At this pace, the rest takes about ${counted(Math.ceil(nights), 'more night')}.`;
}

function counted(count: number, what: string): string {
	return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function listed(...counts: Array<[count: number, words: string]>): string {
	const some = counts.filter(([count]) => count > 0);
	return some.map(([count, words]) => `${count} ${words}`).join(', ') || 'none';
}
