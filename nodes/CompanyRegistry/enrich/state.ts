import type { Json } from '../../shared/http/json';
import { readMoment } from '../../shared/http/moments';
import { decodeSegment, shorten } from '../../shared/http/text';
import { normalText } from '../../shared/node/texts';
import { isBlank } from '../../shared/node/validators';
import { ENRICHING_FIELDS, recommendationFields } from '../company';

// The column `registry_state` says in one text what all other columns of the node say, so that a list
// needs only this one to be written back.

/** Begins the names of the columns with the company's data. */
export const PREFIX = 'registry_';
export const CHECKED_AT = 'registry_checked_at';
export const STATE = 'registry_state';

/** When the search last ran for the row's company. Only the state says it. */
export const SEARCHED_AT = 'registry_searched_at';

/** These tell about a check, and not about the company. */
export const TELLING = ['registry_changed', 'registry_changes', CHECKED_AT, SEARCHED_AT, STATE];

/** These come last in a state, which only names them if it's too long. */
const LONG = ['registry_caen_description', 'registry_advisory_notes', 'match_alternatives'];
const SHORT = [
	...['registry_idno', 'match_input', 'match_status', 'match_quality', 'match_reason', SEARCHED_AT],
	...ENRICHING_FIELDS.map((field) => PREFIX + field).filter((name) => !LONG.includes(name)),
];

/** All names that the node's columns can have by default. */
export const OWN_COLUMNS: ReadonlySet<string> = new Set([...SHORT, ...LONG, ...TELLING]);

/** What most rows with a company have, so the state says only what differs. */
const USUAL = new Map([
	['match_status', 'found'],
	['match_quality', 'exact'],
	['match_reason', ''],
	['match_alternatives', ''],
]);
/** Stands for the date of the check. */
const SAME_TIME = 'same';
/** Stands for what the state has no room for. */
export const LEFT_OUT = '…';

/** What the shortest text fields of several lines hold. */
const MOST_CHARACTERS = 500;
const LONGEST_REASON = 120;

/**
 * The text for the columns of a checked row: `registry_state 2026-11-26T01:07:05.123Z|idno=…|…`. What
 * identifies the row and its company comes first, because a program may cut off the end; what is long
 * comes last, and is only named if it doesn't fit.
 */
export function writeState(columns: Json): string | null {
	const checkedAt = readMoment(columns[CHECKED_AT]);
	if (checkedAt === undefined) return null;
	let state = `${STATE} ${new Date(checkedAt).toISOString()}|`;
	const hasCompany = !isBlank(columns.registry_idno);
	const further = Object.keys(columns).filter((name) => !OWN_COLUMNS.has(name));
	for (const name of new Set([...SHORT, ...further, ...LONG])) {
		if (!(name in columns)) continue;
		const isSame = name === SEARCHED_AT && readMoment(columns[name]) === checkedAt;
		const value = isSame ? SAME_TIME : textOf(columns[name]);
		if (hasCompany && USUAL.get(name) === value) continue;
		const short = name === 'match_reason' ? shorten(value, LONGEST_REASON) : value;
		// Without what ends an entry, and without line breaks, which single-line fields drop.
		const escaped = short.replace(/[%|\r\n\t]/g, (sign) => encodeURIComponent(sign));
		const entries = [escaped, LEFT_OUT].map((text) => `${name.replace(PREFIX, '')}=${text}|`);
		state += entries.find((entry) => state.length + entry.length <= MOST_CHARACTERS) ?? '';
	}
	return state;
}

function textOf(value: unknown): string {
	if (isBlank(value)) return '';
	return typeof value === 'object' ? JSON.stringify(value) : String(value as string).trim();
}

/** What an earlier run wrote. */
export interface State {
	/** As the row has it. */
	text: string;
	checkedAt: number;
	/** By the names of the columns. */
	values: Map<string, unknown>;
}

/** Tags may stand around a text that comes from a field with formatting. */
const BEGINNING = /^(?:<[^>]*>|\s)*registry_state\s/;
const FORM = /registry_state\s+([^\s|]+)\s*\|(.*)$/s;

/** Whether a cell has a state, even if it can't be read. */
export function isState(value: unknown): value is string {
	return typeof value === 'string' && value.includes(STATE) && BEGINNING.test(value);
}

/** Undefined if the text doesn't even have the date. Entries that were cut off are missing. */
export function readState(text: string): State | undefined {
	const [, date, entries = ''] = FORM.exec(normalText(text)) ?? [];
	const checkedAt = readMoment(date);
	if (checkedAt === undefined) return undefined;
	const said = new Map(entries.split('|').slice(0, -1).map(readEntry));
	if (said.get(SEARCHED_AT) === SAME_TIME) said.set(SEARCHED_AT, date);
	return { text, checkedAt, values: withUsual(said).set(CHECKED_AT, date) };
}

/** Adds what's usual for a row with a company where nothing else is said. */
export function withUsual(values: Map<string, unknown>): Map<string, unknown> {
	const missing = [...USUAL].filter(([name]) => isBlank(values.get(name)));
	return new Map([...values, ...(isBlank(values.get('registry_idno')) ? [] : missing)]);
}

function readEntry(entry: string): [name: string, value: unknown] {
	const [short = '', ...rest] = entry.trim().split('=');
	const text = decodeSegment(rest.join('=').replace(/\s+/g, ' '));
	const type = Object.entries(recommendationFields).find(([field]) => field === short)?.[1];
	const isNumber = type === 'integer' || type === 'number';
	const name = short.startsWith('match_') ? short : PREFIX + short;
	return [name, text === '' ? null : isNumber ? Number(text) : text];
}
