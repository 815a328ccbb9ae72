import type { IDataObject } from 'n8n-workflow';

import { systemClock } from '../../shared/http/clock';
import type { Json } from '../../shared/http/json';
import { isoDayOf } from '../../shared/http/moments';
import type { Fields } from '../../shared/node/collection';
import { isBlank } from '../../shared/node/values';
import {
	COMPANY_FIELDS,
	companyRecord,
	fieldsOf,
	idnoOf,
	nameOf,
	readCompany,
	RECOMMENDATION_FIELDS,
	recommendationFields,
	sentFields,
} from '../company';
import { changeOf, isUnchanged } from '../output/changes';
import type { Shape } from '../output/shape';
import { cellsIn } from './cells';
import { SAID } from './known';
import type { Found, NoCompany, NotChecked, NotShown, RowOutcome } from './outcome';
import { OWN_COLUMNS, ownCellsOf, TELLING } from './ownColumns';
import { Past } from './past';
import type { Row } from './row';
import type { Settings } from './settings';
import { CHECKED_AT, creditNote, NOTES, PREFIX, STATE, writeState } from './state';

const { name, idno, status, ...furtherFields } = companyRecord.fields;

/** The columns that Enrich adds. */
export const ENRICHED_ROW: Fields = {
	match_status: 'string',
	...prefixed({ name, idno, status }),
	match_quality: 'string',
	match_reason: 'string',
	registry_changed: 'boolean',
	registry_changes: 'string',
	...prefixed({ ...furtherFields, ...recommendationFields }),
	[CHECKED_AT]: 'string',
	match_alternatives: 'string',
	match_input: 'string',
	[STATE]: 'string',
};

const NAMES = Object.keys(ENRICHED_ROW);
/** These come before and after the columns of the row that were used, and at the end. */
const [FIRST, LEADING, LAST] = [NAMES.slice(0, 1), NAMES.slice(1, 8), NAMES.slice(-4)];

/** Builds a row's item. What isn't known isn't written, and the row's own columns are never changed. */
export function outputItem(shape: Shape, row: Row, outcome: RowOutcome): IDataObject {
	switch (outcome.result) {
		case 'found':
		case 'ambiguous':
		case 'notFound':
			return checkedItem(row, outcome, foundIn(shape, row, outcome));
		case 'notShown':
			return checkedItem(row, outcome, missing(row.past, outcome));
		case 'failed':
			return failedItem(row, outcome);
		default:
			return withColumns(row, keptColumns(row, outcome));
	}
}

/** What a check has found out. */
interface Findings {
	match: Json;
	/** Of the company, by column: `null` for what was read as empty. */
	known: Json;
	/** Columns of another company, which are emptied. */
	old?: Json;
	/** What has changed, or why the row has another company now, in words. */
	changes: string[];
	/** Whether the registry shows something else about the same company. */
	isChanged: boolean;
}

function checkedItem(
	row: Row,
	outcome: Found | NoCompany | NotShown,
	found: Findings,
): IDataObject {
	const { known, old, changes, isChanged } = found;
	const now = systemClock.now();
	// A company that isn't shown can't confirm what a row without a state was looked up by.
	const isConfirmed = outcome.result !== 'notShown' || row.past.input !== undefined;
	const match_input = isConfirmed ? row.matchInput : undefined;
	const match = { ...found.match, match_reason: outcome.reason, match_input };
	const state = writeState(now, { ...known, ...match, ...notesOf(row, outcome) });
	return withColumns(row, {
		...{ ...old, ...known, ...match },
		...{ registry_changed: isChanged, registry_changes: changes.join('; ') },
		...{ [CHECKED_AT]: isoOf(now), [STATE]: state },
	});
}

const isoOf = (ms: number) => new Date(ms).toISOString();

/** The company that was found for a row, or none. */
function foundIn(shape: Shape, row: Row, outcome: Found | NoCompany): Findings {
	const { past } = row;
	const company = outcome.result === 'found' ? outcome.company : undefined;
	const match = {
		match_status: outcome.result,
		match_quality: outcome.result === 'found' ? outcome.quality : 'none',
		match_alternatives: outcome.alternatives,
	};
	const sent = company ? sentColumns(shape, row, company) : {};
	if (company && isSameCompany(past, company)) {
		const differences = Object.entries(sent).flatMap(([column, now]) => {
			const field = column.slice(PREFIX.length);
			return (field !== 'idno' && changeOf(field, past.field(field), now)) || [];
		});
		const changes = [
			...(past.status === 'notFound' ? ['back in the registry'] : []),
			...differences,
		];
		const known = { ...companyColumns(past), ...sent };
		return { match, known, changes, isChanged: changes.length > 0 };
	}
	const old = { ...(company ? {} : nullColumns(shape, row)), ...(past.hasCompany && emptied(row)) };
	return { match, known: sent, old, changes: becomeOf(row, outcome), isChanged: false };
}

/** Why a row has this company, or none, unlike at its last check. */
function becomeOf({ past, corrected, settings }: Row, outcome: Found | NoCompany): string[] {
	const company = outcome.result === 'found' ? outcome : undefined;
	const isFirst = past.checkedAt === undefined && !past.hasCompany;
	const found = company && !isFirst ? [`found: ${titleOf(company.company)}`] : [];
	if (!past.hasCompany) return found;
	const isExcluded = past.idno !== undefined && settings.excluded.has(past.idno);
	const reasons = [
		company?.isChosen && 'chosen by its IDNO',
		isExcluded && 'the company was excluded',
		corrected.size > 0 && 'the row was corrected',
	];
	const reason = reasons.find((each) => typeof each === 'string') ?? 'searched again';
	const former = titleOf(past.company);
	return [...found, former && `was: ${former}`, reason].filter(Boolean);
}

function titleOf(company: Json): string {
	const [title, number] = [nameOf(company), idnoOf(company)];
	return title && number ? `${title} (${number})` : (title ?? number ?? '');
}

/** The columns that the service sent. */
function sentColumns(shape: Shape, { settings }: Row, company: Json): Json {
	const names = namesFor(settings);
	const documented: Json = sentFields(company, names);
	const all = fieldsOf(company);
	const isSent = ([field, value]: [string, unknown]) =>
		!isBlank(value) || field in documented || all.has(field) || field in company;
	const shown = Object.entries(shape(company, names, { ...company, ...documented }));
	return prefixed(Object.fromEntries(shown.filter(isSent)));
}

const namesFor = ({ addCredit }: Settings) => [
	...COMPANY_FIELDS,
	...(addCredit ? RECOMMENDATION_FIELDS : []),
];

/** The columns of a row without a company. */
function nullColumns(shape: Shape, { settings }: Row): Json {
	const names = namesFor(settings);
	return prefixed(shape({}, names, Object.fromEntries(names.map((each) => [each, null]))));
}

/** The columns that the node has filled for another company. */
function emptied({ past, own }: Row): Json {
	const filled = own.filter(({ value }) => !isBlank(value)).map((cell) => cell.name);
	const names = [...Object.keys(companyColumns(past)), ...filled.filter(isOfCompany)];
	return Object.fromEntries(names.map((column) => [column, null]));
}

const isOfCompany = (column: string) => column.startsWith(PREFIX) && !TELLING.includes(column);

/** What's known of the company that the row has. */
function companyColumns({ values }: Past): Json {
	return Object.fromEntries([...values].filter(([column]) => isOfCompany(column)));
}

function isSameCompany(past: Past, company: Json): boolean {
	if (!past.hasCompany) return false;
	const [before, now] = [past.idno, idnoOf(company)];
	if (before !== undefined && now !== undefined) return before === now;
	// A list may store only some of the columns.
	const known = past.field('name');
	return isBlank(known) || isUnchanged(known, nameOf(company));
}

/** A company that the registry doesn't show keeps what is known of it. */
function missing(past: Past, { isGone }: NotShown): Findings {
	const isNews = isGone && past.status !== 'notFound';
	const match = { ...matchColumns(past), match_status: isGone ? 'notFound' : 'found' };
	const changes = isNews ? ['no longer in the registry'] : [];
	return { match, known: companyColumns(past), changes, isChanged: isNews };
}

/** What only the state says about a check. */
function notesOf({ past }: Row, outcome: Found | NoCompany | NotShown): Json {
	const found = outcome.result === 'found' ? outcome : undefined;
	const isLost = outcome.result !== 'notShown' && !(found && isSameCompany(past, found.company));
	const former = (isLost && past.idno) || outcome.refused || past.values.get(NOTES.former);
	const isSearched = found?.isSearched ?? outcome.result !== 'notShown';
	const said = SAID.map((field) => {
		const name = creditNote(field);
		if (!found?.recommendation) return [name, isLost ? undefined : past.values.get(name)];
		const credited = readCompany(found.recommendation)[field];
		const isOther = !isUnchanged(credited, readCompany(found.company)[field]);
		return [name, isOther ? credited : undefined];
	});
	return {
		...Object.fromEntries(said),
		[NOTES.former]: former,
		[NOTES.due]: found?.due,
		[NOTES.missingSince]: outcome.result === 'notShown' ? isoOf(outcome.since) : undefined,
		[NOTES.searchedAt]: isSearched ? undefined : isoDayOf(past.searchedAt ?? 0),
	};
}

/** A row that wasn't checked keeps what is known of it, and its state character for character. */
function keptColumns({ past, own, corrected }: Row, { result, reason }: NotChecked): Json {
	const columns = columnsOf(past);
	const isOpen = past.status === undefined || corrected.size > 0 || result === 'notLookedUp';
	const hasReason = past.state ?? own.some((cell) => cell.name === 'match_reason');
	const isTold = isOpen || result === 'failed' || !hasReason;
	return {
		...{ ...columns, match_status: isOpen ? 'notChecked' : past.status },
		...(isTold && { match_reason: reason }),
	};
}

/** All that an earlier run has written, except for what it reported as news. */
function columnsOf(past: Past): Json {
	const date = past.values.has(CHECKED_AT) && { [CHECKED_AT]: past.values.get(CHECKED_AT) };
	return {
		...{ ...matchColumns(past), ...companyColumns(past), ...date },
		...(past.state && { [STATE]: past.state.value }),
		...{ registry_changed: null, registry_changes: null },
	};
}

/** A failed check is dated as well, so that the row goes to the end of the queue and doesn't hold up others. */
function failedItem(row: Row, outcome: NotChecked): IDataObject {
	const { past } = row;
	const now = systemClock.now();
	const columns = keptColumns(row, outcome);
	const notes = Object.fromEntries([...past.values].filter(([column]) => isNote(column)));
	const known = { ...matchColumns(past), ...companyColumns(past), ...notes };
	const match = { match_status: past.status ?? 'notChecked', match_reason: outcome.reason };
	const state = writeState(now, { ...known, ...match, [NOTES.due]: 'failed' });
	return withColumns(row, { ...columns, [CHECKED_AT]: isoOf(now), [STATE]: state });
}

const isNote = (column: string) => column.startsWith('match_') && !OWN_COLUMNS.has(column);

function matchColumns({ values }: Past): Json {
	const isOfMatch = (column: string) => column.startsWith('match_') && OWN_COLUMNS.has(column);
	return Object.fromEntries([...values].filter(([column]) => isOfMatch(column)));
}

function withColumns(
	{ input, own, columns }: Pick<Row, 'input' | 'own' | 'columns'>,
	added: Json,
): IDataObject {
	const names = new Map(own.map(({ path, name: column }) => [path, column]));
	const isWritten = (column: string) => added[column] !== undefined;
	const isOwn = (path: string) => path in input && !isWritten(names.get(path) ?? path);
	const all = new Map<string, unknown>();
	const add = (column: string) => {
		if (isWritten(column)) all.set(column, added[column]);
		else if (isOwn(column)) all.set(column, input[column]);
	};
	const { name: named, idno: number, city, legalForm } = columns;
	const used = [named, number, city, legalForm].filter((column) => column !== undefined);
	// A column that's there already keeps its place.
	for (const column of [...FIRST, ...used, ...LEADING]) add(column);
	for (const column of Object.keys(input)) if (!LAST.includes(column)) add(column);
	for (const column of Object.keys(added)) if (!LAST.includes(column)) add(column);
	LAST.forEach(add);
	return Object.fromEntries(all) as IDataObject;
}

/** An item that failed before it could be read as a row. Writing it back loses nothing and reports nothing twice. */
export function unreadItem(input: IDataObject): Json {
	const own = ownCellsOf(cellsIn(input));
	const past = new Past(own, input, () => false);
	if (past.checkedAt === undefined) return input;
	return withColumns({ input, own, columns: {} }, columnsOf(past));
}

function prefixed<Value>(fields: Readonly<Record<string, Value>>): Record<string, Value> {
	return Object.fromEntries(
		Object.entries(fields).map(([field, value]) => [PREFIX + field, value]),
	);
}
