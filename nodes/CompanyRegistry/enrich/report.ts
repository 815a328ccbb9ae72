import { isOutOfRequests } from '../../shared/http/errors';
import type { Hint } from '../../shared/node/run';
import type { ColumnRole } from './columns';
import type { RowOutcome, RowResult } from './item';
import type { Row } from './row';
import { CHECKED_AT } from './state';

const ROLES = { idno: 'IDNO', name: 'name', city: 'city', legalForm: 'legal form' };

/** If the service rejects this many searches and accepts none, it isn't about the rows. */
const FEWEST_REJECTED = 3;

/** A dated row has been checked by an earlier run. If it's waiting, it keeps that run's columns. */
type Count = RowResult | NonNullable<RowOutcome['note']> | 'dated' | 'kept';

/** Counts a run's rows for the notices at its end. */
export class RunReport {
	private readonly counts: Partial<Record<Count, number>> = {};
	private readonly errors: Partial<Record<RowResult, unknown>> = {};
	private readonly columns = new Set<string>();
	/** Rows that were checked longest ago go first, so it's always one of a row that was checked again. */
	private oldestCheck = Infinity;

	note({ columns, earlier: { checkedAt } }: Row, { result, note, error }: RowOutcome): void {
		const isDated = checkedAt !== undefined;
		const isKept = isDated && result === 'waiting';
		for (const what of [result, note, isDated && 'dated', isKept && 'kept'] as const) {
			if (what) this.counts[what] = (this.counts[what] ?? 0) + 1;
		}
		this.errors[result] ??= error;
		this.oldestCheck = Math.min(this.oldestCheck, checkedAt || Infinity);
		for (const [role, what] of Object.entries(ROLES)) {
			const column = columns[role as ColumnRole];
			if (column !== undefined) this.columns.add(`"${column}" as the ${what}`);
		}
	}

	/**
	 * @throws ServiceError if the quota kept all rows from being checked, now and before, or if the
	 * service rejected every search
	 */
	hints(requestsSent: number): Hint[] {
		const { found = 0, ambiguous = 0, notFound = 0, skipped = 0, ...others } = this.counts;
		const { waiting = 0, failed = 0, dated = 0, kept = 0 } = others;
		const { unmapped = 0, rejected = 0, belowMinimum = 0 } = others;
		const checked = found + ambiguous + notFound;
		const rows = checked + skipped + waiting + failed;
		const searched = checked - unmapped;
		const isStuck = isOutOfRequests(this.errors.waiting) && searched + dated === 0;
		const isRejected = rejected >= FEWEST_REJECTED && rejected === searched;
		if (isStuck) throw this.errors.waiting;
		if (isRejected) throw this.errors.notFound;
		const isAgain = dated === rows && this.oldestCheck < Infinity;
		const again = isAgain ? ` again (oldest check ${dayText(this.oldestCheck)}; ` : ' (';
		const results = listed([found, 'found'], [ambiguous, 'ambiguous'], [notFound, 'not found']);
		const all = listed(
			[checked, `checked${again}${results})`],
			[skipped, 'checked recently'],
			[waiting - kept, 'not checked yet'],
			[kept, 'checked before'],
			[failed, 'failed'],
		);
		const wait = waiting > 0 ? ` Waiting for ${waitingFor(this.errors.waiting)}.` : '';
		const used = [...this.columns].join('; ');
		const columns = used && ` Columns used: ${used}.`;
		const sent = counted(requestsSent, 'request');
		const warnings = [
			waiting > 0 &&
				dated === 0 &&
				`Write all match_ and registry_ columns back to your list, for every row. The next run reads "${CHECKED_AT}" and continues with the rows that are waiting.`,
			belowMinimum > 0 &&
				`${counted(belowMinimum, 'row')} only had a match below "Minimum Match", listed in match_alternatives. To accept such matches, set "Minimum Match" to Likely.`,
			unmapped > 0 &&
				`${counted(unmapped, 'row')} had neither an IDNO nor a name. To map the columns yourself, set "Columns" to Choose.`,
		].filter((message) => message !== false);
		return [
			{ message: `${counted(rows, 'row')}: ${all}.${wait} ${sent} sent.${columns}`, type: 'info' },
			...warnings.map((message): Hint => ({ message, type: 'warning' })),
		];
	}
}

/** What rows wait for, e.g. "the quota, which resets at 06:00 UTC". */
export function waitingFor(failure: unknown): string {
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
