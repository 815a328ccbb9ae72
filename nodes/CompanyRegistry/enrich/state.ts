import { parseJson, type Json } from '../../shared/http/json';
import { readMoment } from '../../shared/http/moments';
import { decodeSegment } from '../../shared/http/text';
import { normalText } from '../../shared/node/texts';
import { isBlank } from '../../shared/node/values';
import { COMPANY_FIELDS, RECOMMENDATION_FIELDS } from '../company';

// The column `registry_state`: what a check has found out about a row, as one text that the next run reads.
// `registry_state 2026-11-26T01:07:05.123Z|idno=1003600015231|match_input=Name: Agro Nord|score:62|end`

/** Begins the names of the columns with the company's data. */
export const PREFIX = 'registry_';
export const CHECKED_AT = 'registry_checked_at';
export const STATE = 'registry_state';

/** What only the state says, by the names of its entries. */
export const NOTES = {
	/** The IDNO of the company that the row had before. */
	former: 'match_former',
	/** Why the row is due again: its check has `failed`, or its `credit` recommendation waits. */
	due: 'match_due',
	/** Since when the registry hasn't shown the company. */
	missingSince: 'match_missing_since',
	/** When the search last ran, unless that was this check. */
	searchedAt: 'match_searched_at',
} as const;

/** The entry with a field of the company as the recommendation has it, if the search has it otherwise. */
export const creditNote = (field: 'name' | 'status') => `match_credit_${field}`;

/** Long texts, which come last. */
const LONG =
	'match_reason registry_caen_description registry_advisory_notes match_alternatives'.split(' ');
const isShort = (name: string) => !LONG.includes(name);
/** What identifies the row, which comes first, because a program may cut off the end. */
const FIRST = `registry_idno registry_status ${NOTES.former} match_input match_status match_quality`;
const SHORT = [
	...FIRST.split(' '),
	...Object.values(NOTES),
	// What alerts are about comes before what rarely changes.
	...['name', ...RECOMMENDATION_FIELDS, ...COMPANY_FIELDS]
		.map((field) => PREFIX + field)
		.filter(isShort),
	...[creditNote('name'), creditNote('status')],
];

/** What most rows with a company have, so the state leaves it out. */
const USUAL = new Map([
	['match_status', 'found'],
	['match_quality', 'exact'],
	['match_reason', ''],
	['match_alternatives', ''],
]);

/** The limit of the smallest multi-line text fields. */
const MOST_CHARACTERS = 500;
/** A whole state ends with `end`, or with `more` if there was no room for some names. */
const [END, MORE] = ['end', 'more'];

/**
 * Writes a state. Of a value that there's no room for, it has the name alone.
 *
 * @param values by the names of the columns; `null` for what was read as empty
 */
export function writeState(checkedAt: number, values: Json): string {
	let state = `${STATE} ${new Date(checkedAt).toISOString()}|`;
	let end = END;
	const hasCompany = !isBlank(values.registry_idno);
	for (const name of new Set([...SHORT, ...Object.keys(values).filter(isShort), ...LONG])) {
		const value = values[name];
		const isUsual = hasCompany && USUAL.get(name) === value;
		if (value === undefined || isUsual || (name.startsWith('match_') && isBlank(value))) continue;
		const short = escaped(name.replace(PREFIX, '').replace(/[=:]/g, ' '));
		const isText = typeof value === 'string' || value === null;
		const text = isText ? `=${(value ?? '').trim()}` : `:${JSON.stringify(value)}`;
		const entries = [`${short}${escaped(text)}|`, `${short}|`];
		const fits = (entry: string) => state.length + entry.length + MORE.length <= MOST_CHARACTERS;
		const entry = entries.find(fits);
		if (entry === undefined) end = MORE;
		else state += entry;
	}
	return state + end;
}

/** Encodes what ends an entry, what single-line fields drop, and what HTML, Markdown and typographers change. */
const escaped = (text: string) =>
	text.replace(/[%|\\<>&"'`\r\n\t]/g, (sign) => {
		return `%${sign.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`;
	});

export interface State {
	checkedAt: number;
	/** By the names of the columns; undefined for what there was no room for. */
	values: Map<string, unknown>;
	/** Whether the end is missing. */
	isCut: boolean;
	/** Whether there are values that it doesn't even name. */
	hasMore: boolean;
}

const FORM = /^registry_state (\S+?) ?\|(.*)$/;
/** Quotation marks, brackets and Markdown. A cut-off state may end with the sign between two entries. */
const AROUND = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}|]+$/gu;

/** Reads a cell that's a state and nothing else, whatever programs have done to the text. */
export function readState(cell: unknown): State | undefined {
	if (typeof cell !== 'string' || !cell.includes('registry')) return undefined;
	const text = normalText(cell)
		.replace(/<[^>]*>/g, ' ')
		.replace(/[\\\p{Cf}]/gu, '')
		.replace(/\s+/g, ' ')
		.replace(AROUND, '');
	const [, date, rest = ''] = FORM.exec(text) ?? [];
	const checkedAt = readMoment(date);
	if (checkedAt === undefined) return undefined;
	const entries = rest.split('|').map((entry) => entry.trim());
	const last = entries.pop()!;
	// A note that begins with a state.
	if (entries.includes(END) || /^(?:end|more)\W+\S/.test(last)) return undefined;
	const values = new Map(entries.map(readEntry));
	const isCut = ![END, MORE].includes(last);
	const usual = isCut || isBlank(values.get('registry_idno')) ? [] : USUAL;
	return { checkedAt, values: new Map([...usual, ...values]), isCut, hasMore: last !== END };
}

function readEntry(entry: string): [name: string, value: unknown] {
	const [, short = '', kind, text = ''] = /^([^=:]*)([=:]?)(.*)$/.exec(entry)!;
	const name = decodeSegment(short).trim();
	const column = name.startsWith('match_') ? name : PREFIX + name;
	const value = decodeSegment(text).trim();
	return [column, kind === '' ? undefined : kind === ':' ? parseJson(value)?.value : value || null];
}
