import type { IDataObject } from 'n8n-workflow';

import { DAY_MS, systemClock } from '../../shared/http/clock';
import { InputError } from '../../shared/http/inputError';
import type { Json } from '../../shared/http/json';
import type { Call } from '../../shared/node/call';
import { normalText } from '../../shared/node/texts';
import { oneOf, readCount, readFlag, text } from '../../shared/node/validators';
import { idnosIn, readIdno } from '../idno';
import { LEAST_SCORE } from '../names/compare';
import { fold } from '../names/words';
import { isEmptyCell } from './blanks';
import { cellsIn, isBlankCell, unwrapped } from './cells';
import { columnsAmong, pathsOf, type ColumnRole, type RowColumns } from './columns';
import { EarlierRun, ownCellsOf } from './earlier';

/** What a row says about its company, where empty text means nothing, and the settings for looking it up. */
export interface Row extends Record<ColumnRole, string> {
	input: IDataObject;
	/** The columns that were found; empty if the user chose them. */
	columns: RowColumns;
	/** Columns of two companies, if it's open which one is meant. */
	parties: readonly string[];
	/** Whether the heading says that the IDNO is one. */
	isIdnoNamed: boolean;
	/** Whether the place is the company's. If not, it only tells companies of the same name apart. */
	isOwnPlace: boolean;
	earlier: EarlierRun;
	/** What of the row is looked up, for the column `match_input`. */
	matchInput: string;
	/** Its own cells that differ from what was looked up, with what they said then: nothing, if that's not stored. */
	corrected: ReadonlyMap<ColumnRole, string>;
	/** The score that a match needs. */
	minScore: number;
	/** IDNOs of companies that have been ruled out for the row. */
	excluded: ReadonlySet<string>;
	addCredit: boolean;
	/** Columns of the row by the fields of the company that they're compared with. */
	compareWith: Readonly<Record<string, string>>;
	/** Days; 0 looks up every row. */
	skipDays: number;
}

/** @throws InputError if a setting is invalid, or if no column is mapped */
export function rowOf(call: Call): Row {
	const item = call.context.getInputData() as { json?: IDataObject } | undefined;
	const input = item?.json ?? {};
	const cells = cellsIn(input);
	// An agent has no columns, so it fills in the fields.
	const isAgent = call.run.isTool;
	const own = ownCellsOf(cells);
	const isChosen = call.parameter<unknown>('columns', 'auto') === 'choose' || isAgent;
	const { companyIdno, companyName } = call.context.getNode().parameters;
	// Single rows may lack both. If neither field is mapped, the node isn't set up.
	if (isChosen && !companyIdno && !companyName) {
		throw new InputError(
			'The parameters "IDNO" and "Name" are both empty',
			'Map your IDNO column to "IDNO" or the name column to "Name".',
		);
	}
	const found = isChosen ? {} : columnsAmong(cells, new Set(own.map(({ path }) => path)));
	const value = (role: ColumnRole, parameter: string, label: string) => {
		const cell = role === 'city' ? (found.address ?? found.city) : found[role];
		const given = isChosen ? unwrapped(call.parameter(parameter, '')) : cell?.value;
		const said = isEmptyCell(given) ? '' : text(given, label);
		// Words, or only zeros, in the IDNO's column say that there's none.
		return role === 'idno' && !/[1-9]/.test(said.normalize('NFKC')) ? '' : said;
	};
	const says = {
		idno: value('idno', 'companyIdno', 'IDNO'),
		name: value('name', 'companyName', 'Name'),
		city: value('city', 'companyCity', 'City or Region'),
		legalForm: value('legalForm', 'companyLegalForm', 'Legal Form'),
	};
	const earlier = new EarlierRun(own, (input) => correctionsOf(says, input).size === 0);
	// If the row has nothing but the node's columns, it can't be corrected.
	const isOwn = earlier.columns.has((found.name ?? found.idno)?.path ?? '');
	const before = earlier.checkedAt === undefined ? null : earlier.values.get('match_input');
	const options = call.parameter<Json>('options', {});
	const level = call.parameter<unknown>('minScore', 'strong');
	const minimum = oneOf(['exact', 'strong', 'likely']);
	return {
		...says,
		input,
		columns: pathsOf(found),
		parties: found.parties?.map(({ path }) => path) ?? [],
		earlier,
		corrected: isOwn ? new Map() : correctionsOf(says, before, earlier.idno),
		matchInput: inputText(says),
		isIdnoNamed: found.idno === undefined || found.idno.says.holds === 'idno',
		isOwnPlace: found.address === undefined,
		minScore: LEAST_SCORE[minimum(level, 'Minimum Match')],
		excluded: new Set(idnosIn(options.excludedIdnos)),
		addCredit: readFlag(call.parameter('addCredit', false), 'Add Credit Recommendation'),
		compareWith: call.parameter('compareWith', {}),
		skipDays: readCount(options.skipRowsCheckedWithin, 'Skip Rows Checked Within (Days)'),
	};
}

/** What of a row is looked up. */
type RowText = Readonly<Record<ColumnRole, string>>;

const LABELS: Record<ColumnRole, string> = {
	name: 'Name',
	idno: 'IDNO',
	city: 'Place',
	legalForm: 'Form',
};

/** Longer texts are compared, and stored, by their beginning. */
const MOST_LETTERS = 100;

/** For `match_input`: "Name: Agro Nord; Place: Orhei". */
function inputText(says: RowText): string {
	const parts = Object.entries(LABELS).map(([role, label]) => {
		const value = says[role as ColumnRole].replace(/\s+/gu, ' ').slice(0, MOST_LETTERS).trim();
		return value && `${label}: ${value}`;
	});
	return parts.filter(Boolean).join('; ');
}

/** The own cells of a row that differ from what was looked up, with what they said then. */
function correctionsOf(says: RowText, input: unknown, known?: string): Map<ColumnRole, string> {
	if (isBlankCell(input)) return new Map();
	const [before, now] = [normalText(input), inputText(says)];
	const corrected = Object.entries(LABELS).flatMap(([role, label]) => {
		const part = new RegExp(`(?:^|; )${label}: (.*?)(?=; (?:IDNO|Place|Form): |$)`);
		const [from = '', to = ''] = [before, now].map((each) => part.exec(each)?.[1]);
		// The company's own IDNO may stand in a column of the node whose name can't be read.
		const isKnown = role === 'idno' && known !== undefined && readIdno(to) === known;
		const isSame = isKnown || comparable(from) === comparable(to);
		return isSame ? [] : [[role as ColumnRole, from] as const];
	});
	return new Map(corrected);
}

const comparable = (text: string) => readIdno(text) ?? fold(text).replace(/\s+/gu, ' ').trim();

/** Whether the row means another company than the one that was checked, so its columns can't stay. */
export function isDue({ corrected, excluded, earlier }: Row): boolean {
	return corrected.size > 0 || excluded.has(earlier.idno ?? '');
}

/** Whether a row was checked so recently, and so completely, that it's skipped. */
export function isSkipped(row: Row): boolean {
	const { checkedAt = NaN, hasFailed, lacksCredit } = row.earlier;
	if (isDue(row) || hasFailed || lacksCredit) return false;
	const age = systemClock.now() - checkedAt;
	// East of Greenwich, today's date can still be in the future in UTC.
	return row.skipDays > 0 && age > -DAY_MS && age < row.skipDays * DAY_MS;
}
