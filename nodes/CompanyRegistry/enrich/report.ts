import type { Hint } from '../../shared/node/operation';
import type { ColumnRole, RowColumns } from './columns';
import type { MatchStatus, RowOutcome } from './output';

const ROLES: Record<ColumnRole, string> = {
	idno: 'IDNO',
	name: 'name',
	city: 'city or region',
	legalForm: 'legal form',
};

const STATUSES: Record<MatchStatus, string> = {
	found: 'found',
	ambiguous: 'ambiguous',
	notFound: 'not found',
	notChecked: 'not checked',
};

/** Counts a run's rows for the notices at its end. */
export class RunReport {
	private rows = 0;
	private unmapped = 0;
	private unread = 0;
	private readonly statuses = new Map<MatchStatus, number>();
	private readonly companies = new Set<unknown>();
	private readonly leftOut = new Map<string, number>();
	private readonly columns = new Map<ColumnRole, Set<string>>();
	/** Fields named in options, and whether any row has them. */
	private readonly fields = new Map<string, boolean>();
	private findsColumns = false;

	/** Called before the look-up, so failed rows count too. */
	noteRow(columns: RowColumns | undefined): void {
		this.rows++;
		this.findsColumns ||= columns !== undefined;
		for (const [role, column] of Object.entries(columns ?? {})) {
			const names = this.columns.get(role as ColumnRole) ?? new Set();
			this.columns.set(role as ColumnRole, names.add(column));
		}
	}

	noteField(option: string, field: string, isThere: boolean): void {
		const key = `"${field}" (option "${option}")`;
		this.fields.set(key, isThere || this.fields.get(key) === true);
	}

	noteOutcome({ matchStatus, cause, company }: RowOutcome, idno: unknown): void {
		add(this.statuses, matchStatus);
		if (matchStatus === 'found') this.companies.add(idno ?? company);
		if (cause === 'unmapped') this.unmapped++;
		if (cause === 'outOfRequests') this.unread++;
	}

	/** Counts a row that "Only Changed Rows" leaves out. */
	noteLeftOut({ matchStatus }: RowOutcome): void {
		add(this.leftOut, matchStatus === 'found' ? 'unchanged' : STATUSES[matchStatus]);
	}

	readonly hints = (requestsSent: number): Hint[] => {
		return [
			this.summary(requestsSent),
			...this.warnings().map((message): Hint => ({ message, type: 'warning' })),
		];
	};

	private summary(requestsSent: number): Hint {
		const counts = Object.entries(STATUSES).map(([status, words]): [string, number] => [
			words,
			this.count(status as MatchStatus),
		]);
		const done = counts.reduce((sum, [, count]) => sum + count, 0);
		const results = listed([...counts, ['failed', this.rows - done]]);
		const companies = counted(this.companies.size, 'company', 'companies');
		const columns = [...this.columns].map(
			([role, names]) =>
				`${[...names].map((name) => `"${name}"`).join(', ')} as the ${ROLES[role]}`,
		);
		const left = [...this.leftOut.values()].reduce((sum, count) => sum + count, 0);
		const sentences = [
			`${counted(this.rows, 'row', 'rows')}: ${results}. ${companies}, ${counted(requestsSent, 'request', 'requests')} sent.`,
			columns.length > 0 && `Columns used: ${columns.join('; ')}.`,
			left > 0 && `${counted(left, 'row', 'rows')} left out: ${listed([...this.leftOut])}.`,
		];
		return { message: sentences.filter(Boolean).join(' '), type: 'info' };
	}

	private warnings(): string[] {
		const { rows, unmapped, unread, findsColumns } = this;
		const absent = [...this.fields].filter(([, isThere]) => !isThere).map(([field]) => field);
		const of = (count: number) => `${count} of ${counted(rows, 'row', 'rows')}`;
		const setUp = findsColumns
			? 'Set "Columns" to Choose and map your IDNO or name column.'
			: 'Map your IDNO column to "IDNO" or the name column to "Name".';
		return [
			unmapped > 0 &&
				`${of(unmapped)} had neither an IDNO nor a name.${unmapped === rows ? ` ${setUp}` : ''}`,
			unread > 0 &&
				`${of(unread)} weren't fully checked because the API key reached its quota or rate limit. Run the workflow again later to continue.`,
			absent.length > 0 && `No row has the field ${absent.join(' or ')}. Check the field's name.`,
		].filter((message) => message !== false);
	}

	private count(status: MatchStatus): number {
		return this.statuses.get(status) ?? 0;
	}
}

function add<Key>(counts: Map<Key, number>, key: Key): void {
	counts.set(key, (counts.get(key) ?? 0) + 1);
}

function counted(count: number, one: string, many: string): string {
	return `${count} ${count === 1 ? one : many}`;
}

function listed(counts: Array<[words: string, count: number]>): string {
	const some = counts.filter(([, count]) => count > 0);
	return some.map(([words, count]) => `${count} ${words}`).join(', ') || 'none';
}
