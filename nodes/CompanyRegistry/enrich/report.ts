import { HOUR_MS, systemClock } from '../../shared/http/clock';
import { isOutOfRequests, ServiceError } from '../../shared/http/errors';
import { dayOf } from '../../shared/http/moments';
import type { Call } from '../../shared/node/call';
import type { Run, RunEnd } from '../../shared/node/run';
import type { MatchQuality } from '../names/compare';
import type { ColumnRole } from './columns';
import { ROLES, sentences, unclearText, type RowOutcome, type RowResult } from './outcome';
import { EndOfRequests, waitingFor } from './requests';
import { isDue, remappedRoles, type Row } from './row';
import { STATE } from './state';

/** If the service rejects this many searches and accepts none, the rows aren't the problem. */
const FEWEST_REJECTED = 3;

/** Starting points this part of a list apart, one a day, are spread over it as evenly as possible. */
const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

interface DoneRow {
	row: Row;
	outcome: RowOutcome;
	isChanged: boolean;
}

const isDated = ({ past }: Row): boolean => past.checkedAt !== undefined;

/** All rows of a run: their order, and the run's notices. */
export class RunReport {
	/** The places of the rows in the list, in the order in which they're checked. */
	readonly order: number[];
	private readonly done: DoneRow[] = [];
	/** The place in the list that the run starts at, from 0. */
	private readonly start: number;

	/**
	 * @param rows in the input's order
	 * @param call of any of the rows
	 */
	constructor(
		private readonly rows: readonly Row[],
		private readonly call: Call,
		private readonly run: Run,
	) {
		this.start = this.firstPlace();
		const ranks = rows.map((row, place) => this.rankOf(row, place));
		this.order = [...ranks.keys()].sort((one, other) => ranks[one]! - ranks[other]!);
	}

	/**
	 * Rows that lack only the recommendation and corrected rows go first, then those that were never
	 * checked, then those that were checked longest ago. A corrected row whose check has failed takes its
	 * turn like all others.
	 */
	private rankOf(row: Row, place: number): number {
		const { checkedAt, due, unreadable } = row.past;
		if (due === 'credit' || (isDue(row) && due !== 'failed')) return Number.NEGATIVE_INFINITY;
		const { length } = this.rows;
		const turn = ((place - this.start + length) % length) - length;
		// A date that can't be read is an old one.
		return checkedAt ?? (unreadable === undefined ? turn : turn / (length + 1));
	}

	/**
	 * If the results aren't written back, each day starts at a different row. Otherwise, a list that's larger
	 * than the daily quota would have rows that are never reached.
	 */
	private firstPlace(): number {
		const perDay = this.run.limiter?.rate.perDay ?? Infinity;
		if (this.rows.length <= perDay || this.rows.some(isDated)) return 0;
		const day = dayOf(systemClock.now());
		return Math.floor(((day * GOLDEN_RATIO) % 1) * this.rows.length);
	}

	note(row: Row, outcome: RowOutcome, isChanged: boolean): void {
		this.done.push({ row, outcome, isChanged });
	}

	/**
	 * The notices of the run. It fails if no row could be checked, so that an error workflow notices.
	 *
	 * @param typed the text that all rows would have been looked up by
	 */
	end(typed?: string): RunEnd {
		const failure = this.failure();
		if (failure) return { failure };
		const summary = [this.summary(this.run.requestsSent), this.levelText(), this.writeBackText()];
		const notices = [
			{ message: linesOf(summary), type: 'info' as const },
			{ message: this.warnings(typed), type: 'warning' as const },
		];
		return { notices: notices.filter(({ message }) => message !== '') };
	}

	private with<Result extends RowResult>(wanted: Result) {
		type Wanted = DoneRow & { outcome: RowOutcome & { result: Result } };
		return this.done.filter((each): each is Wanted => each.outcome.result === wanted);
	}

	private get checked(): number {
		const results = ['found', 'ambiguous', 'notFound', 'notShown'] as const;
		return results.flatMap((result) => this.with<RowResult>(result)).length;
	}

	/** How many rows only have a company that isn't close enough. */
	private below(quality: MatchQuality): number {
		const missed = [...this.with('notFound'), ...this.with('ambiguous')];
		return missed.filter(({ outcome }) => outcome.closest === quality).length;
	}

	/** Why no row could be checked; undefined if some were, or if the rows only wait for tomorrow's quota. */
	private failure(): ServiceError | undefined {
		// Another batch may have been checked.
		if (this.isInLoop) return undefined;
		// Rows with dates show that only today's quota is used up.
		const isNew = !this.rows.some(isDated);
		const rejections = this.with('notFound').flatMap(({ outcome }) => outcome.rejection ?? []);
		const { checked } = this;
		if (isNew && rejections.length >= FEWEST_REJECTED && rejections.length === checked) {
			return rejections[0];
		}
		const waiting = this.with('waiting')[0]?.outcome.error;
		const failed = this.with('failed')[0]?.outcome.error;
		const error = failed ?? (isNew && isOutOfRequests(waiting) ? waiting : undefined);
		return checked === 0 && error instanceof ServiceError ? error : undefined;
	}

	/** Counts the results, and says what the remaining rows are waiting for, and which columns were used. */
	private summary(requestsSent: number): string {
		const { rows, checked } = this;
		const waiting = this.with('waiting');
		const end = waiting[0]?.outcome.error;
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
			[this.with('notLookedUp').length, 'not looked up'],
			[this.with('skipped').length, 'checked recently'],
			[waiting.length - kept, 'not checked yet'],
			[kept, 'waiting with data from an earlier run'],
			[this.with('failed').length, 'failed'],
		);
		const columns = rows.flatMap((row) => Object.entries(row.columns));
		const used = columns.map(([role, column]) => `"${column}" as the ${ROLES[role as ColumnRole]}`);
		return sentences(
			`${counted(rows.length, 'row')}: ${all}.`,
			waiting.length > 0 && `Waiting for ${waitingFor(end)}.`,
			!this.isInLoop && paceText(end, waiting.length / checked),
			end instanceof EndOfRequests && end.advice,
			`${counted(requestsSent, 'request')} sent.`,
			used.length > 0 && `Columns used: ${[...new Set(used)].join('; ')}.`,
		);
	}

	private warnings(typed: string | undefined): string {
		const { rows } = this;
		const isWaiting = this.with('waiting').length > 0;
		const parties = rows.find((row) => row.parties.length > 0)?.parties;
		const incomplete = this.with('found').filter(({ outcome }) => outcome.due).length;
		const cut = rows.find(({ past }) => past.state?.state?.isCut)?.past.state;
		const unreadable = rows.find(({ past }) => past.unreadable)?.past.unreadable;
		return linesOf([
			this.columnsAsPast && NO_STATE,
			isWaiting && this.isInLoop && LOOP,
			incomplete > 0 &&
				`For ${counted(incomplete, 'row')}, the credit recommendation is missing; match_reason says why. The next run tries again.`,
			typed !== undefined &&
				`You typed "${typed}", so all ${rows.length} rows would be looked up by this text. Nothing was looked up. To use a column, drag it from the input into the field.`,
			...(typed === undefined ? this.columnTexts() : []),
			parties && `${unclearText(parties)} To map the right one, set "Columns" to Choose.`,
			this.skippedText(),
			cut &&
				`"${cut.path}" came back with only the first ${String(cut.value).length} characters of ${STATE}, so the rest is lost. Use a field that holds at least 500 characters.`,
			unreadable &&
				`"${unreadable}" looks like a column that this node adds, but some of its values can't be read. Rows with such a value count as never checked.`,
		]);
	}

	private get columnsAsPast(): boolean {
		return this.rows.some((row) => isDated(row) && !row.past.state);
	}

	/** How to accept the closest companies that *Minimum Match* doesn't. */
	private levelText(): string {
		const level = this.below('strong') > 0 ? 'strong' : 'likely';
		const count = this.below(level);
		if (count === 0) return '';
		return `${counted(count, 'row')} only had a ${level} match, listed in match_alternatives. ${ACCEPT[level]}`;
	}

	/** Recommends to write the state back, as long as no row comes with one. */
	private writeBackText(): string {
		const { rows, start } = this;
		const isStored = this.columnsAsPast || rows.some(({ past }) => past.state);
		if (isStored || rows.length < 2 || this.checked === 0) return '';
		return sentences(
			`Write ${STATE} back to your list, so that the next run knows what this run has found.`,
			start > 0 && `Until then, each day's run starts at a different row (today: ${start + 1}).`,
		);
	}

	/** Columns that have nothing, or that somebody has mapped or renamed since the last run. */
	private columnTexts(): string[] {
		const { rows } = this;
		const blank = this.with('notLookedUp').filter(({ row }) => row.parties.length === 0);
		const lost = blank.filter(({ row }) => isDated(row)).length;
		const { added, gone, same } = remappedRoles(rows);
		const kept = 'No data was cleared. Check whether the mapping has changed.';
		return [
			blank.length === rows.length ? this.nothingText() : '',
			lost > 0
				? `${counted(lost, 'row')} had an IDNO or a name at the last check, and ${lost === 1 ? 'has' : 'have'} neither now. ${kept}`
				: '',
			...gone.map(
				(role) =>
					`The ${ROLES[role]} is empty in all rows now, but those that were last checked before the mapping changed had one. ${kept}`,
			),
			...same.map(
				(role) =>
					`The ${ROLES[role]} is the same in all rows now, but it wasn't at the last check. The rows keep their companies. Check whether the mapping has changed.`,
			),
			...added.map(
				(role) =>
					`The ${ROLES[role]} is new in all rows that were last checked before the mapping changed. They keep their companies. If it contradicts one, match_reason says so.`,
			),
		];
	}

	private nothingText(): string {
		if (this.rows[0]!.settings.isChosen) {
			return '"IDNO" and "Name" are empty in every row. Check their expressions.';
		}
		const used = new Set(this.rows.flatMap(({ columns }) => Object.values(columns)));
		return used.size > 0
			? `The columns used are empty in every row: "${[...used].join('", "')}". To map other columns, set "Columns" to Choose.`
			: 'No column with an IDNO or a name was recognized. To map the columns yourself, set "Columns" to Choose.';
	}

	/** Says that rows were skipped that another node may have checked just now. */
	private skippedText(): string {
		const isNew = ({ row }: DoneRow) => systemClock.now() - (row.past.checkedAt ?? 0) < HOUR_MS;
		const skipped = this.with('skipped').filter(isNew).length;
		if (skipped === 0) return '';
		return `${counted(skipped, 'row')} ${skipped === 1 ? 'was' : 'were'} checked within the last hour, for example by another Enrich node before this one, so this node didn't look them up. To check every row, remove "Skip Rows Checked Within".`;
	}

	private get isInLoop(): boolean {
		const { context } = this.call;
		const { name } = context.getNode();
		const isLoop = ({ type }: { type: string }) => type.endsWith('.splitInBatches');
		return context.getParentNodes(name).some(isLoop) && context.getChildNodes(name).some(isLoop);
	}
}

/** Each notice takes a row's height from the table, so there are two at most. n8n shows them as HTML. */
const linesOf = (texts: unknown[]) => texts.filter(Boolean).join('<br>');

/** For rows that only have the node's other columns. */
const NO_STATE = `Rows came back without ${STATE}, so they're compared with their other columns, which other programs may have changed. To be safe from false changes, write ${STATE} back as well.`;

/** For rows that are waiting: in a loop, only the rows of a batch are put in order. */
const LOOP =
	'The node runs once for each batch of "Loop Over Items". Without the loop, one run works through the whole list, and keeps what it has checked if the quota runs out.';

const ACCEPT = {
	strong: 'To accept such matches, set "Minimum Match" to Strong.',
	likely: 'To accept such matches, set "Minimum Match" to Likely, and review those rows.',
};

/** How many runs the remaining rows take. Empty unless a limit ended this run. */
function paceText(error: unknown, runs: number): string {
	const isDay = isOutOfRequests(error) && error.kind === 'quota';
	const isLimit = error instanceof EndOfRequests && !error.isOutage;
	if (!(isDay || isLimit) || runs === Infinity) return '';
	return `At this pace, the rest takes about ${counted(Math.ceil(runs), 'more run')} like this one.`;
}

function counted(count: number, what: string): string {
	return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function listed(...counts: Array<[count: number, words: string]>): string {
	const some = counts.filter(([count]) => count > 0);
	return some.map(([count, words]) => `${count} ${words}`).join(', ') || 'none';
}
