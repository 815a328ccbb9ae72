import type { Failure } from 'n8n-workflow';

import { DAY_MS, MINUTE_MS, systemClock } from '../../shared/http/clock';
import { isOutOfRequests } from '../../shared/http/errors';
import { readPath } from '../../shared/http/values';
import type { Hint } from '../../shared/node/operation';
import type { ColumnRole } from './columns';
import { wasChecked } from './output';
import type { RowOutcome, RowResult } from './output';
import { CHECKED_AT } from './row';
import type { Row } from './row';

const ROLES: Record<ColumnRole, string> = {
	idno: 'IDNO',
	name: 'name',
	city: 'city or region',
	legalForm: 'legal form',
};

/** A check that ended this shortly before the run was that of another Enrich node in front. */
const JUST_BEFORE_MS = MINUTE_MS;

/** Counts a run's rows for the notices at its end. */
export class RunReport {
	private readonly startedAt = systemClock.now();
	private readonly results = new Map<RowResult, number>();
	private readonly columns = new Map<ColumnRole, Set<string>>();
	/** Fields named in "Compare With", and whether any row has them. */
	private readonly fields = new Map<string, boolean>();
	private readonly refused = { exact: 0, strong: 0, likely: 0, none: 0 };
	private rows = 0;
	private dated = 0;
	private justChecked = 0;
	private unmapped = 0;
	private rejected = 0;
	private oldestCheck = Infinity;
	private skipDays = 0;
	private findsColumns = false;
	private failure: unknown;

	/** @param continues whether the node continues on errors */
	constructor(private readonly continues: boolean) {}

	/** Called before the look-up, so failed rows count too. */
	noteRow({ input, columns, earlier, compareWith, skipDays }: Row): void {
		const { wasChecked: isDated, checkedAt = -Infinity } = earlier;
		this.rows++;
		this.skipDays = Math.max(this.skipDays, skipDays);
		if (isDated) this.dated++;
		if (Math.abs(this.startedAt - checkedAt) < JUST_BEFORE_MS) this.justChecked++;
		this.findsColumns ||= columns !== undefined;
		for (const [role, column] of Object.entries(columns ?? {})) {
			const names = this.columns.get(role as ColumnRole) ?? new Set();
			this.columns.set(role as ColumnRole, names.add(column));
		}
		for (const { rowField } of compareWith) {
			const isThere = readPath(input, rowField) !== undefined;
			this.fields.set(rowField, isThere || this.fields.get(rowField) === true);
		}
	}

	noteOutcome({ earlier }: Row, outcome: RowOutcome): void {
		const { result, refused, isUnmapped, isRejected } = outcome;
		this.results.set(result, this.count(result) + 1);
		if (refused) this.refused[refused]++;
		if (isUnmapped) this.unmapped++;
		if (isRejected) this.rejected++;
		if (wasChecked(outcome) && earlier.checkedAt !== undefined) {
			this.oldestCheck = Math.min(this.oldestCheck, earlier.checkedAt);
		}
	}

	/** Notes what keeps rows from being checked in this run. */
	noteWaiting(failure: unknown): void {
		this.failure ??= failure;
	}

	/** @throws ServiceError if the quota kept all rows from being checked, now and before */
	readonly hints = (requestsSent: number): Hint[] => {
		const isStuck = this.checked - this.unmapped === 0 && this.dated === 0;
		if (isStuck && !this.continues && isOutOfRequests(this.failure)) throw this.failure;
		return [
			{ message: this.summary(requestsSent), type: 'info' },
			...this.warnings().map((message): Hint => ({ message, type: 'warning' })),
		];
	};

	private summary(requestsSent: number): string {
		const { rows, checked, skipDays } = this;
		const results = listed([
			[this.count('found'), 'found'],
			[this.count('ambiguous'), 'ambiguous'],
			[this.count('notFound'), 'not found'],
		]);
		const isAgain = this.dated === rows && this.oldestCheck < Infinity;
		const oldest = isAgain ? `oldest check ${dayText(this.oldestCheck)}; ` : '';
		const skipped = this.count('skipped');
		const waiting = this.count('waiting');
		const done = listed([
			[checked, `checked${isAgain ? ' again' : ''} (${oldest}${results})`],
			[skipped, `checked in the last ${skipDays} days`],
			[waiting, `waiting for ${waitingFor(this.failure)}`],
			[rows - checked - skipped - waiting, 'failed'],
		]);
		const columns = [...this.columns].map(
			([role, names]) =>
				`${[...names].map((name) => `"${name}"`).join(', ')} as the ${ROLES[role]}`,
		);
		const sentences = [
			`${counted(rows, 'row')}: ${checked === rows && !isAgain ? results : done}.`,
			skipped === rows ? 'Nothing was left to do.' : `${counted(requestsSent, 'request')} sent.`,
			columns.length > 0 && `Columns used: ${columns.join('; ')}.`,
		];
		return sentences.filter(Boolean).join(' ');
	}

	private warnings(): string[] {
		const { rows, unmapped, rejected, refused, findsColumns } = this;
		const absent = [...this.fields]
			.filter(([, isThere]) => !isThere)
			.map(([field]) => `"${field}"`);
		const level = refused.strong > 0 ? 'strong' : 'likely';
		const setUp = findsColumns
			? 'Set "Columns" to Choose and map your IDNO or name column.'
			: 'Map your IDNO column to "IDNO" or the name column to "Name".';
		return [
			this.count('waiting') > 0 &&
				this.dated === 0 &&
				`Write all match_ and registry_ columns back to your list, for every row. The next run reads "${CHECKED_AT}" and continues with the rows that are waiting.`,
			refused[level] > 0 &&
				`${refused[level]} of ${counted(this.count('notFound'), 'row')} that ${this.count('notFound') === 1 ? "wasn't" : "weren't"} found ${refused[level] === 1 ? 'has' : 'have'} a ${level} match, which is in match_alternatives. To accept such matches, set "Minimum Match" to ${level === 'strong' ? 'Strong' : 'Likely'}.`,
			unmapped > 0 &&
				`${unmapped} of ${counted(rows, 'row')} had neither an IDNO nor a name.${unmapped === rows ? ` ${setUp}` : ''}`,
			rejected > 0 &&
				`The service rejected the search for ${counted(rejected, 'row')}. match_reason says why.`,
			this.justChecked > 0 &&
				`Another Enrich node has just added its columns to ${counted(this.justChecked, 'row')}, and this node replaced them. To keep both, rename the first node's columns in between.`,
			absent.length > 0 &&
				`No row has the field ${absent.join(' or ')} (option "Compare With"). Check the field's name.`,
		].filter((message) => message !== false);
	}

	private get checked(): number {
		return this.count('found') + this.count('ambiguous') + this.count('notFound');
	}

	private count(result: RowResult): number {
		return this.results.get(result) ?? 0;
	}
}

/** Why a key is out of requests. */
type RequestsFailure = Extract<Failure, { resetsAtEpochMs?: number }>;

/** A reset that is closer is only the time of the next try, because the service didn't announce one. */
const LEAST_RESET_MS = 2 * MINUTE_MS;

/** What rows wait for, e.g. "the quota, which resets at 06:00 UTC". */
export function waitingFor(failure: unknown): string {
	if (!isOutOfRequests(failure)) return 'the next run, because this one was canceled';
	const { cause, resetsAtEpochMs = 0 } = failure.failure as RequestsFailure;
	if (cause === 'rate-limited') return 'the rate limit';
	const wait = resetsAtEpochMs - systemClock.now();
	if (wait < LEAST_RESET_MS) return 'the quota';
	const [day = '', time = ''] = new Date(resetsAtEpochMs).toISOString().split('T');
	return `the quota, which resets ${wait > DAY_MS ? `on ${day} ` : ''}at ${time.slice(0, 5)} UTC`;
}

/** For example, "20 Nov". */
function dayText(time: number): string {
	const date = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const;
	return new Intl.DateTimeFormat('en-GB', date).format(time);
}

function counted(count: number, what: string): string {
	return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function listed(counts: Array<[count: number, words: string]>): string {
	const some = counts.filter(([count]) => count > 0);
	return some.map(([count, words]) => `${count} ${words}`).join(', ') || 'none';
}
