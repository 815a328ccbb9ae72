import type { Failure } from 'n8n-workflow';

import { DAY_MS, MINUTE_MS, systemClock } from '../../shared/http/clock';
import { isOutOfRequests } from '../../shared/http/errors';
import type { ServiceError } from '../../shared/http/errors';
import type { Hint } from '../../shared/node/operation';
import type { ColumnRole } from './columns';
import { wasChecked } from './output';
import type { RowOutcome, RowResult } from './output';
import { CHECKED_AT } from './row';
import type { Row } from './row';

const ROLES = { idno: 'IDNO', name: 'name', city: 'city', legalForm: 'legal form' };

/** A check that ended this shortly before the run was that of another Enrich node in front. */
const JUST_BEFORE_MS = MINUTE_MS;

/** What is counted besides the results. A dated row has been checked by an earlier run. */
type Note = 'row' | 'checked' | 'dated' | 'just checked' | 'refused' | 'unmapped' | 'rejected';

/** If the service rejects this many searches and accepts none, it isn't about the rows. */
const FEWEST_REJECTED = 3;

/** Counts a run's rows for the notices at its end. */
export class RunReport {
	private readonly startedAt = systemClock.now();
	private readonly counts = new Map<RowResult | Note, number>();
	private readonly columns = new Map<ColumnRole, Set<string>>();
	private oldestCheck = Infinity;
	private skipDays = 0;
	private failure: unknown;
	private rejection: ServiceError | undefined;

	/** @param continues whether the node continues on errors */
	constructor(private readonly continues: boolean) {}

	/** Called before the look-up, so failed rows count too. */
	noteRow({ columns = {}, earlier, skipDays }: Row): void {
		this.add('row');
		if (earlier.wasChecked) this.add('dated');
		const age = this.startedAt - (earlier.checkedAt ?? -Infinity);
		if (Math.abs(age) < JUST_BEFORE_MS) this.add('just checked');
		this.skipDays = Math.max(this.skipDays, skipDays);
		for (const [role, column] of Object.entries(columns) as Array<[ColumnRole, string]>) {
			this.columns.set(role, (this.columns.get(role) ?? new Set()).add(column));
		}
	}

	noteOutcome({ earlier }: Row, outcome: RowOutcome): void {
		this.add(outcome.result);
		if (outcome.isRefused) this.add('refused');
		if (outcome.isUnmapped) this.add('unmapped');
		if (outcome.rejection) this.add('rejected');
		this.rejection ??= outcome.rejection;
		this.failure ??= outcome.failure;
		if (!wasChecked(outcome)) return;
		this.add('checked');
		this.oldestCheck = Math.min(this.oldestCheck, earlier.checkedAt ?? Infinity);
	}

	/**
	 * @throws ServiceError if the quota kept all rows from being checked, now and before, or if the
	 * service rejected every search
	 */
	readonly hints = (requestsSent: number): Hint[] => {
		const searched = this.count('checked') - this.count('unmapped');
		const isStuck = searched === 0 && this.count('dated') === 0;
		if (isStuck && !this.continues && isOutOfRequests(this.failure)) throw this.failure;
		const rejected = this.count('rejected');
		const isRejected = rejected >= FEWEST_REJECTED && rejected === searched;
		if (isRejected && !this.continues) throw this.rejection as ServiceError;
		const warnings = this.warnings().map((message): Hint => ({ message, type: 'warning' }));
		return [{ message: this.summary(requestsSent), type: 'info' }, ...warnings];
	};

	private summary(requestsSent: number): string {
		const [rows, checked] = [this.count('row'), this.count('checked')];
		const [skipped, waiting] = [this.count('skipped'), this.count('waiting')];
		const results = listed([
			[this.count('found'), 'found'],
			[this.count('ambiguous'), 'ambiguous'],
			[this.count('notFound'), 'not found'],
		]);
		const isAgain = this.count('dated') === rows && this.oldestCheck < Infinity;
		const oldest = isAgain ? `oldest check ${dayText(this.oldestCheck)}; ` : '';
		const all = listed([
			[checked, `checked${isAgain ? ' again' : ''} (${oldest}${results})`],
			[skipped, `checked in the last ${this.skipDays} days`],
			[waiting, `waiting for ${waitingFor(this.failure)}`],
			[rows - checked - skipped - waiting, 'failed'],
		]);
		const used = [...this.columns].map(([role, names]) => {
			return `${[...names].map((name) => `"${name}"`).join(', ')} as the ${ROLES[role]}`;
		});
		const sent = `${counted(requestsSent, 'request')} sent.`;
		const columns = used.length > 0 ? ` Columns used: ${used.join('; ')}.` : '';
		return `${counted(rows, 'row')}: ${all}. ${sent}${columns}`;
	}

	private warnings(): string[] {
		const isFirst = this.count('waiting') > 0 && this.count('dated') === 0;
		const [unmapped, refused] = [this.count('unmapped'), this.count('refused')];
		const another = this.count('just checked');
		return [
			isFirst &&
				`Write all match_ and registry_ columns back to your list, for every row. The next run reads "${CHECKED_AT}" and continues with the rows that are waiting.`,
			refused > 0 &&
				`${counted(refused, 'row')} only had a match below "Minimum Match". The companies are in match_alternatives. To accept such matches, set "Minimum Match" to Likely.`,
			unmapped > 0 &&
				`${counted(unmapped, 'row')} had neither an IDNO nor a name. To map the columns yourself, set "Columns" to Choose.`,
			another > 0 &&
				`Another Enrich node has just added its columns to ${counted(another, 'row')}, and this node replaced them. To keep both, rename the first node's columns in between.`,
		].filter((message) => message !== false);
	}

	private add(note: RowResult | Note): void {
		this.counts.set(note, this.count(note) + 1);
	}

	private count(note: RowResult | Note): number {
		return this.counts.get(note) ?? 0;
	}
}

/** A reset that is closer is only the time of the next try, because the service didn't announce one. */
const LEAST_RESET_MS = 2 * MINUTE_MS;

/** What rows wait for, e.g. "the quota, which resets at 06:00 UTC". */
export function waitingFor(failure: unknown): string {
	if (!isOutOfRequests(failure)) return 'the next run, because this one was canceled';
	type RequestsFailure = Extract<Failure, { resetsAtEpochMs?: number }>;
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
