import { isJson, single, type Json } from '../../shared/http/json';
import { isBlank } from '../../shared/node/values';
import { containerOf, readingOf } from './headings';
import { decoded } from './meanings';

// Finds a row's values. Programs nest and wrap them in many ways, so this file goes by the shape of the data,
// and never by the program.

export interface Cell {
	/** The name of its column, after the names of the objects around it, joined with dots. */
	path: string;
	/** The name of its column alone, without escape sequences. */
	key: string;
	/** What the names say; undefined if an object around the cell could be about anything. */
	heading: string | undefined;
	value: unknown;
	/** How many objects are around it. */
	depth: number;
}

/** No program nests custom columns deeper. */
const MOST_DEPTH = 5;

/** All values of a row, those at the top first. */
export function cellsIn(row: Json): Cell[] {
	const cells: Cell[] = [];
	collect(Object.entries(row), { path: '', heading: '', depth: 0 }, cells);
	return cells.sort((a, b) => a.depth - b.depth);
}

type Surroundings = Pick<Cell, 'path' | 'heading' | 'depth'>;

function collect(columns: Entries, around: Surroundings, cells: Cell[]): void {
	const depth = around.depth + 1;
	for (const [written, given] of columns) {
		const key = written.includes('_x') ? decoded(written) : written;
		const value = unwrapped(given);
		const name = value === given || isNested(value) ? key : nameOfLookup(key);
		const heading = joined(around.heading, name);
		const path = around.path + written;
		cells.push({ path, key, heading, value, depth: around.depth });
		if (typeof given !== 'object' || given === null || depth > MOST_DEPTH) continue;
		const { adds, isOther, isAddress } = containerOf(name);
		const list = isNested(value) ? objectsIn(value) : undefined;
		const isRecord = list?.some((entry) => valueKeyOf(entry) !== undefined) === true;
		const alone = isNested(value) ? Object.entries(value) : placesIn(given);
		const tables = isRecord ? [list!.map(columnOf)] : (list?.map(Object.entries) ?? [alone]);
		// A list of names and values holds columns, whatever it's called.
		const isNamed = isRecord && !isOther && list!.some(ownNameOf);
		const within = joined(around.heading, adds ?? (isNamed ? '' : undefined));
		const isOne = tables.length === 1;
		for (const [index, table] of tables.entries()) {
			// Of several entries, only those of a list of addresses are about the same company.
			const inside = isOne || isAddress ? within : undefined;
			const inTable = isOne ? `${path}.` : `${path}.${index}.`;
			collect(table, { path: inTable, heading: inside, depth }, cells);
		}
	}
}

function joined(heading: string | undefined, words: string | undefined): string | undefined {
	if (heading === undefined || words === undefined) return undefined;
	return `${heading} ${words}`.trim();
}

/** An object or a list, as opposed to a date. */
function isNested(value: unknown): value is object {
	if (typeof value !== 'object' || value === null) return false;
	return !('toMillis' in value) && Object.prototype.toString.call(value) !== '[object Date]';
}

/** Where a wrapper has its value, the best first. */
const WRAPPED = ['display_value', 'displayValue', 'value', '_', '#text', '_text', 'text'];
/** The only key of an object that says its value's type or its language. */
const TYPED = /^(?:\$\w+|[a-z]+Value|S|N|rendered|[a-z]{2}(?:[-_][A-Z]{2})?)$/;

/** What a wrapper holds: `{ value }`, `{ type, [type] }`, `{ start, end }`, rich text, `[id, "name"]`, or a list of one. */
export function unwrapped(given: unknown): unknown {
	const value = single(given);
	if (!isNested(value)) return value;
	// A list of columns may have only one.
	if (value !== given && isJson(value) && valueKeyOf(value) && ownNameOf(value)) return given;
	if (Array.isArray(value)) {
		const isLookup = value.length === 2 && typeof value[0] === 'number';
		if (isLookup && typeof value[1] === 'string') return value[1];
		const texts = value.map((part) => (isJson(part) ? part.plain_text : undefined));
		const isRichText = value.length > 0 && texts.every((text) => typeof text === 'string');
		return isRichText ? texts.join('') : value;
	}
	const record = value as Json;
	const { type, name, start } = record;
	if (typeof record.plain_text === 'string') return record.plain_text;
	if (typeof type === 'string' && type in record) {
		const typed = unwrapped(record[type]);
		return isJson(typed) && typeof typed.name === 'string' ? typed.name : typed;
	}
	// A linked record, as in `{ value: 24, name: "…" }`. An IDNO is longer than a record's ID.
	if (typeof name === 'string' && /^\d{1,12}$/.test(String(record.value))) return name;
	if (typeof start === 'string' && 'end' in record) return start;
	const keys = Object.keys(record);
	const isTyped = keys.length === 1 && TYPED.test(keys[0]!);
	const key = isTyped ? keys[0] : WRAPPED.find((each) => each in record);
	return key === undefined ? value : unwrapped(record[key]);
}

/**
 * The name of a column that has a linked record's name, without the "id". The company of Odoo's
 * `company_id` is the user's own.
 */
function nameOfLookup(key: string): string {
	return /^company/i.test(key) ? key : key.replace(/(?<=[a-z])(?:_?id|I[dD]|_?[rR]ef)$/, '');
}

type Entries = Array<[name: string, value: unknown]>;

/** What a list of columns calls them, and where it has their values, the best first. */
const NAMES = [/(?:name|label|title|question)$/i, /(?:key|code|alias|column|field)$/i];
const VALUES = ['answer', 'text', 'value', 'values', 'content'];
const FURTHER_VALUE = /^\w+_?values?$/i;
/** Longer lists aren't columns. */
const MOST_ENTRIES = 100;

/** The objects of a list; undefined for another object. */
function objectsIn(value: object): Json[] | undefined {
	const entries = Object.entries(value).slice(0, MOST_ENTRIES);
	const isList = entries.length > 0 && entries.every(([key]) => /^\d+$/.test(key));
	return isList ? entries.map(([, entry]) => entry as unknown).filter(isJson) : undefined;
}

function valueKeyOf(entry: Json): string | undefined {
	const known = VALUES.filter((key) => key in entry);
	const keys = [...known, ...Object.keys(entry).filter((key) => FURTHER_VALUE.test(key))];
	return keys.find((key) => !isBlank(entry[key])) ?? keys[0];
}

function ownNameOf(entry: Json): string | undefined {
	const keys = Object.keys(entry).filter((key) => typeof entry[key] === 'string');
	const key = NAMES.map((form) => keys.find((each) => form.test(each))).find(Boolean);
	return key === undefined ? undefined : (entry[key] as string);
}

/** A column of a list such as `[{ name, value }]`. */
function columnOf(entry: Json, index: number): Entries[number] {
	const inner = Object.values(entry).filter(isJson).map(ownNameOf).find(Boolean);
	return [ownNameOf(entry) ?? inner ?? String(index), entry[valueKeyOf(entry) ?? '']];
}

/** The places of an address, or of a linked record, that has a text of its own. */
function placesIn(given: unknown): Entries {
	const value = single(given);
	const entries = isJson(value) ? Object.entries(value) : [];
	return entries.filter(([key]) => /city$|hint/i.test(readingOf(key).holds));
}
