import type { IDataObject } from 'n8n-workflow';

import { systemClock } from '../../shared/http/clock';
import { isJson, without, type Json } from '../../shared/http/json';
import { isoDayOf } from '../../shared/http/moments';
import type { Fields } from '../../shared/node/collection';
import { isBlank } from '../../shared/node/values';
import {
	COMPANY_FIELDS,
	companyFields,
	ENRICHING_FIELDS,
	fieldsOf,
	idnoOf,
	nameOf,
	readCompany,
	recommendationFields,
	sentFields,
} from '../company';
import { changeOf, isUnchanged } from '../output/changes';
import type { Shape } from '../output/shape';
import { cellsIn } from './cells';
import { SAID } from './known';
import type { Found, NoCompany, NotChecked, NotShown, RowOutcome } from './outcome';
import { ownCellsOf, TELLING } from './ownColumns';
import { Past } from './past';
import type { Row } from './row';
import type { Settings } from './settings';
import { CHECKED_AT, creditNote, NOTES, PREFIX, STATE, writeState } from './state';

const { name, idno, status, ...furtherFields } = companyFields;

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
		default:
			return uncheckedItem(row, outcome);
	}
}

interface Findings {
	match: Json;
	/** Of the company, by field: `null` for what was read as empty. */
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
	{ match: found, known, old, changes, isChanged }: Findings,
): IDataObject {
	const now = systemClock.now();
	// A company that isn't shown can't confirm what a row without a state was looked up by.
	const isConfirmed = outcome.result !== 'notShown' || row.past.input !== undefined;
	const match_input = isConfirmed ? row.matchInput : undefined;
	const match = { ...found, match_reason: outcome.reason, match_input };
	const company = prefixed(known);
	return withColumns(row, {
		...old,
		...company,
		...match,
		registry_changed: isChanged,
		registry_changes: changes.join('; '),
		[CHECKED_AT]: isoOf(now),
		[STATE]: writeState(now, { ...company, ...match, ...notesOf(row, outcome) }),
	});
}

const isoOf = (ms: number) => new Date(ms).toISOString();

function foundIn(shape: Shape, row: Row, outcome: Found | NoCompany): Findings {
	const { past } = row;
	const company = outcome.result === 'found' ? outcome.company : undefined;
	const match = {
		match_status: outcome.result,
		match_quality: outcome.result === 'found' ? outcome.quality : 'none',
		match_alternatives: outcome.alternatives ?? '',
	};
	const sent = company ? sentFieldsOf(shape, row, company) : {};
	if (company && isSameCompany(past, company)) {
		const read = Object.entries(sent).filter(([field, now]) => !isUnread(now, past.field(field)));
		const changes = read.flatMap(([field, now]) => {
			const before = past.field(field);
			if (field === 'idno' || isUnread(before, now)) return [];
			return changeOf(field, before, now) ?? [];
		});
		if (past.status === 'notFound') changes.unshift('back in the registry');
		const known = { ...past.company, ...Object.fromEntries(read) };
		return { match, known, changes, isChanged: changes.length > 0 };
	}
	const names = namesFor(row.settings);
	const none = company ? {} : prefixed(shape({}, names, nulls(names)));
	const old = { ...none, ...(past.hasCompany && emptied(row)) };
	return { match, known: sent, old, changes: becomeOf(row, outcome), isChanged: false };
}

/** Whether a group of fields is `null`, for example because the plan doesn't include it. */
const isUnread = (value: unknown, other: unknown) => value === null && isJson(other);

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
		corrected.length > 0 && 'the row was corrected',
	];
	const reason = reasons.find((each) => typeof each === 'string') ?? 'searched again';
	const former = titleOf(past.company);
	return [...found, former && `was: ${former}`, reason].filter(Boolean);
}

function titleOf(company: Json): string {
	const [title, number] = [nameOf(company), idnoOf(company)];
	return title && number ? `${title} (${number})` : (title ?? number ?? '');
}

/** What the service sent, by the names of the output's fields. */
function sentFieldsOf(shape: Shape, { settings }: Row, company: Json): Json {
	const names = namesFor(settings);
	const documented: Json = sentFields(company, names);
	const all = fieldsOf(company);
	const isSent = ([field, value]: [string, unknown]) =>
		!isBlank(value) || field in documented || all.has(field) || field in company;
	const shown = Object.entries(shape(company, names, { ...company, ...documented }));
	return Object.fromEntries(shown.filter(isSent));
}

const namesFor = ({ addCredit }: Settings) => (addCredit ? ENRICHING_FIELDS : COMPANY_FIELDS);

/** The columns that the node has filled for another company. */
function emptied({ past, own }: Row): Json {
	const isOfCompany = (name: string) => name.startsWith(PREFIX) && !TELLING.includes(name);
	const there = own.map(({ name }) => name).filter(isOfCompany);
	return { ...prefixed(nulls(Object.keys(past.company))), ...nulls(there) };
}

const nulls = (names: readonly string[]): Json =>
	Object.fromEntries(names.map((each) => [each, null]));

function isSameCompany(past: Past, company: Json): boolean {
	if (!past.hasCompany) return false;
	const [before, now] = [past.idno, idnoOf(company)];
	if (before !== undefined && now !== undefined) return before === now;
	// A list may store only some of the columns.
	const known = past.company.name;
	return isBlank(known) || isUnchanged(known, nameOf(company));
}

/** A company that the registry doesn't show keeps what is known of it. */
function missing(past: Past, { isGone }: NotShown): Findings {
	const isNews = isGone && past.status !== 'notFound';
	const match = { ...past.match, match_status: isGone ? 'notFound' : 'found' };
	const changes = isNews ? ['no longer in the registry'] : [];
	return { match, known: past.company, changes, isChanged: isNews };
}

/** What only the state says about a check. */
function notesOf({ past }: Row, outcome: Found | NoCompany | NotShown): Json {
	const found = outcome.result === 'found' ? outcome : undefined;
	const isLost = outcome.result !== 'notShown' && !(found && isSameCompany(past, found.company));
	const isSearched = found ? !found.isUnsearched : outcome.result !== 'notShown';
	const said = SAID.map((field) => {
		const name = creditNote(field);
		if (!found?.recommendation) return [name, isLost ? undefined : past.notes[name]];
		const credited = readCompany(found.recommendation)[field];
		const isOther = !isUnchanged(credited, readCompany(found.company)[field]);
		return [name, isOther ? credited : undefined];
	});
	return {
		...Object.fromEntries(said),
		[NOTES.former]: (isLost && past.idno) || outcome.refused || past.notes[NOTES.former],
		[NOTES.due]: found?.due,
		[NOTES.missingSince]: outcome.result === 'notShown' ? isoOf(outcome.since) : undefined,
		[NOTES.searchedAt]: isSearched ? undefined : searchDayOf(past),
	};
}

const searchDayOf = ({ searchedAt }: Past) =>
	searchedAt === undefined ? undefined : isoDayOf(searchedAt);

/** A row that wasn't checked keeps what is known of it, and its state character for character. */
function uncheckedItem(row: Row, { result, reason }: NotChecked): IDataObject {
	const { past, own, corrected } = row;
	const hasFailed = result === 'failed';
	const isOpen = past.status === undefined || corrected.length > 0 || result === 'notLookedUp';
	const hasReason = past.state ?? own.some(({ name }) => name === 'match_reason');
	const columns = {
		...columnsOf(past),
		match_status: isOpen ? 'notChecked' : past.status,
		...((isOpen || hasFailed || !hasReason) && { match_reason: reason }),
	};
	if (!hasFailed) return withColumns(row, columns);
	// A failed check is dated as well, so that the row goes to the end of the queue and doesn't hold up others.
	const now = systemClock.now();
	const state = writeState(now, {
		...prefixed(past.company),
		...{ ...past.match, match_status: past.status ?? 'notChecked', match_reason: reason },
		// The failed check hasn't searched.
		...{ ...past.notes, [NOTES.due]: 'failed', [NOTES.searchedAt]: searchDayOf(past) },
	});
	return withColumns(row, { ...columns, [CHECKED_AT]: isoOf(now), [STATE]: state });
}

/** All that an earlier run has written, except for what it reported as news. A person's choice stays until it's looked up. */
function columnsOf(past: Past): Json {
	const company = past.chosen === undefined ? past.company : without(past.company, 'idno');
	return {
		...past.match,
		...prefixed(company),
		[CHECKED_AT]: past.date,
		[STATE]: past.state?.value,
		registry_changed: null,
		registry_changes: null,
	};
}

/** Adds columns to a row, instead of the node's own that other programs have renamed. A column that's there keeps its place. */
function withColumns(
	{ input, own, columns }: Pick<Row, 'input' | 'own' | 'columns'>,
	added: Json,
): IDataObject {
	const names = new Map(own.map(({ path, name: column }) => [path, column]));
	const isAdded = (column: string) => added[column] !== undefined;
	const isKept = (path: string) => path in input && !isAdded(names.get(path) ?? path);
	const { name: named, idno: number, city, legalForm } = columns;
	const used = [named, number, city, legalForm].filter((column) => column !== undefined);
	const all = [...FIRST, ...used, ...LEADING, ...Object.keys(input), ...Object.keys(added)];
	const inOrder = [...all.filter((column) => !LAST.includes(column)), ...LAST];
	const there = inOrder.filter((column) => isAdded(column) || isKept(column));
	const cells = there.map((column) => [column, isAdded(column) ? added[column] : input[column]]);
	return Object.fromEntries(cells) as IDataObject;
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
