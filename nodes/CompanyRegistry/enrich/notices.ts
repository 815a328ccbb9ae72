import { isOutOfRequests } from '../../shared/http/errors';
import type { ColumnRole } from './columns';
import { ROLES, sentences } from './outcome';
import type { RowOutcome, RowResult } from './outcome';
import { EndOfRequests, waitingFor } from './requests';
import type { Row } from './row';
import { STATE } from './state';

// What a run says beside its output.

/** A row and what has become of it. */
export interface DoneRow extends Pick<RowOutcome, 'result' | 'note' | 'error'> {
	row: Row;
	isChanged: boolean;
}

export interface RunFacts {
	/** In the input's order. */
	rows: readonly Row[];
	done: readonly DoneRow[];
	requestsSent: number;
	/** The place in the list that the run started at, from 0. */
	start: number;
	/** Whether the user has mapped the columns, and a text that was typed instead of a column. */
	isChosen: boolean;
	typed: string | undefined;
	/** Columns of *Compare With* that no row has. */
	missing: readonly string[];
	/** Whether the run is about a batch of the list. */
	isInLoop: boolean;
}

/** The rows with one of these results. */
export function rowsWith(done: readonly DoneRow[], ...results: RowResult[]): DoneRow[] {
	return done.filter(({ result, note }) => results.includes(result) && note !== 'unmapped');
}

export function checkedRows(done: readonly DoneRow[]): DoneRow[] {
	return rowsWith(done, 'found', 'ambiguous', 'notFound', 'notShown', 'gone');
}

export const isDated = ({ earlier }: Row): boolean => earlier.checkedAt !== undefined;

/** What came of how many rows, what the others wait for and for how long, and which columns were used. */
export function summaryOf({ rows, done, requestsSent, isInLoop }: RunFacts): string {
	const checked = checkedRows(done).length;
	const waiting = rowsWith(done, 'waiting');
	const end: unknown = waiting[0]?.error;
	const kept = waiting.filter(({ row }) => isDated(row)).length;
	const again = rows.every(isDated) ? ' again' : '';
	const results = listed(
		[rowsWith(done, 'found').length, 'found'],
		[rowsWith(done, 'ambiguous').length, 'ambiguous'],
		[rowsWith(done, 'notFound').length, 'not found'],
		[rowsWith(done, 'notShown', 'gone').length, 'missing from the registry'],
	);
	const all = listed(
		[checked, `checked${again} (${results})`],
		[done.filter(({ isChanged }) => isChanged).length, 'changed'],
		[done.filter(({ note }) => note === 'unmapped').length, 'without an IDNO or a name'],
		[rowsWith(done, 'skipped').length, 'checked recently'],
		[waiting.length - kept, 'not checked yet'],
		[kept, 'waiting with data from an earlier run'],
		[rowsWith(done, 'failed').length, 'failed'],
	);
	const columns = rows.flatMap((row) =>
		Object.entries(row.columns).map(
			([role, column]) => `"${column}" as the ${ROLES[role as ColumnRole]}`,
		),
	);
	return sentences(
		`${counted(rows.length, 'row')}: ${all}.`,
		waiting.length > 0 && `Waiting for ${waitingFor(end)}.`,
		!isInLoop && paceText(end, waiting.length / checked),
		end instanceof EndOfRequests && end.advice,
		`${counted(requestsSent, 'request')} sent.`,
		columns.length > 0 && `Columns used: ${[...new Set(columns)].join('; ')}.`,
	);
}

/** How long the rest takes if each night gets as far as this one, which what the rows wait for has ended. */
function paceText(error: unknown, nights: number): string {
	const isDay = isOutOfRequests(error) && error.kind === 'quota';
	const isLimit = error instanceof EndOfRequests && !error.isOutage;
	if (!(isDay || isLimit) || nights === Infinity) return '';
	return `At this pace, the rest takes about ${counted(Math.ceil(nights), 'more night')}.`;
}

export function warningsOf(facts: RunFacts): string[] {
	const { rows, done, start, typed, isChosen, missing, isInLoop } = facts;
	const noted = (note: DoneRow['note']) => done.filter((each) => each.note === note).length;
	const level = noted('strong') > 0 ? 'strong' : 'likely';
	const unreadable = rows.find(({ earlier }) => earlier.unreadable)?.earlier.unreadable;
	const parties = rows.find((row) => row.parties.length > 0)?.parties;
	const texts = [
		rowsWith(done, 'waiting').length > 0 &&
			!rows.some(isDated) &&
			sentences(
				`For every row, write ${STATE} or all match_ and registry_ columns back to your list. The next run then continues with the rows that are waiting.`,
				start > 0 && `Until then, each day's run starts at a different row (today: ${start + 1}).`,
			),
		isInLoop && rowsWith(done, 'waiting').length > 0 && LOOP,
		noted(level) > 0 &&
			`${counted(noted(level), 'row')} only had a ${level} match, listed in match_alternatives. ${ACCEPT[level]}`,
		noted('incomplete') > 0 &&
			`For ${counted(noted('incomplete'), 'row')}, the credit recommendation couldn't be read; match_reason says why. The next run tries again.`,
		!parties &&
			noted('unmapped') === rows.length &&
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
	return texts.filter((text) => typeof text === 'string');
}

/** How a loop keeps a list from getting as far as its quota would. */
export const LOOP =
	'The node runs once for each batch of "Loop Over Items". Without the loop, one run works through the whole list, and keeps what it has checked if the quota runs out.';

const ACCEPT = {
	strong:
		'To accept extra text, abbreviations and a different word order, set "Minimum Match" to Strong.',
	likely: 'To accept such matches, set "Minimum Match" to Likely, and review those rows.',
};

function counted(count: number, what: string): string {
	return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function listed(...counts: Array<[count: number, words: string]>): string {
	const some = counts.filter(([count]) => count > 0);
	return some.map(([count, words]) => `${count} ${words}`).join(', ') || 'none';
}
