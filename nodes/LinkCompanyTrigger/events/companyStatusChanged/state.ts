import { z } from 'zod';
import type { ZodType, ZodTypeDef } from 'zod';

import type { Json } from '../../../shared/http/envelope';
import { deltasOf, fromDeltas, fromText, toText } from '../../numberText';
import type { StatusSource, Value } from './lookUp';

/** What is remembered of one company. */
export interface Company {
	/** By the places of `WATCHABLE`; undefined where no response showed the field yet. */
	values: Array<Value | undefined>;
	/** Where the values come from; undefined as long as the company was not looked at. */
	source?: StatusSource;
	/** When the registry first said that the company is not there, in ms since the epoch. */
	missingSince?: number;
	/** The company existed at the first poll and is an event when it is looked at. */
	emit?: boolean;
	/** Known from an earlier watch list or search; the present search has not shown it yet. */
	unconfirmed?: boolean;
}

/** By IDNO. */
export type Companies = Map<string, Company>;

export interface CompanyState {
	companies: Companies;
	/** Digest of the node's parameters and key at the last poll. */
	revision: string;
	/** The search as JSON; empty for a watch list. */
	query: string;
	/** Whether companies that the search shows for the first time existed at the first poll. */
	beginning: boolean;
	/** Companies that the search finds, as the service counts. */
	total?: number;
	/** When the reserve of the request budget was used last, in ms since the epoch. */
	reserveUsedAt?: number;
}

const MINUTE_MS = 60_000;
/** Far more than there are companies. */
const MAX_TOTAL = 100_000_000;
const IDNO_LENGTH = 13;

const WHOLE_NUMBER = '_';
const SOURCES: Record<string, StatusSource | undefined> = {
	C: 'credit',
	D: 'dossier',
	S: 'search',
	N: undefined,
};
/** IDNO, values, minute of the first absence, marks, source. */
const ROW = /([0-9a-z]+)((?:\._?[0-9a-z]*)*)(?:-([0-9a-z]+))?(!?)(\?)?([CDSN])/y;

/**
 * The companies as text: in the order of their IDNOs, the difference to the IDNO before, then the
 * values, as places in a list of words or as whole numbers. About 10 bytes for a company whose
 * status is known, 22 with all fields.
 */
export function encodeCompanies(companies: Companies): Json {
	const words = new Map<string, number>();
	const wordOf = (value: Value | undefined): string => {
		if (value === undefined) return '';
		if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) {
			return WHOLE_NUMBER + toText(value);
		}
		const text = JSON.stringify(value);
		const place = words.get(text) ?? words.size;
		words.set(text, place);
		return toText(place);
	};
	const sourceMark = (source: Company['source']) =>
		Object.keys(SOURCES).find((mark) => SOURCES[mark] === source) ?? 'N';
	const sorted = [...companies].sort(([a], [b]) => (a < b ? -1 : 1));
	const deltas = deltasOf(sorted.map(([idno]) => Number(idno)));
	const rows = sorted.map(([, { values, source, missingSince, emit, unconfirmed }], index) => {
		const texts = values.map((value) => `.${wordOf(value)}`).join('');
		const missing =
			missingSince === undefined ? '' : `-${toText(Math.ceil(missingSince / MINUTE_MS))}`;
		const marks = (emit ? '!' : '') + (unconfirmed ? '?' : '');
		return deltas[index] + texts.replace(/\.+$/, '') + missing + marks + sourceMark(source);
	});
	return { rows: rows.join(''), words: [...words.keys()].map((text) => JSON.parse(text) as Value) };
}

/** @returns undefined when the text is damaged */
export function decodeCompanies(rows: string, words: readonly Value[]): Companies | undefined {
	const deltas: string[] = [];
	const companies: Company[] = [];
	ROW.lastIndex = 0;
	while (ROW.lastIndex < rows.length) {
		const match = ROW.exec(rows);
		if (!match) return undefined;
		const [, delta = '', texts = '', missing, emit, unconfirmed, source = ''] = match;
		const values = valuesOf(texts, words);
		if (!values) return undefined;
		deltas.push(delta);
		companies.push({
			values,
			source: SOURCES[source],
			missingSince: missing === undefined ? undefined : (fromText(missing) ?? 0) * MINUTE_MS,
			emit: emit === '!' || undefined,
			unconfirmed: unconfirmed === '?' || undefined,
		});
	}
	const ids = fromDeltas(deltas);
	return ids && new Map(ids.map((id, index) => [idnoFrom(id), companies[index] as Company]));
}

function valuesOf(texts: string, words: readonly Value[]): Array<Value | undefined> | undefined {
	const [, ...tokens] = texts.split('.');
	const values: Array<Value | undefined> = [];
	for (const token of tokens) {
		const whole = token.startsWith(WHOLE_NUMBER);
		const number = fromText(whole ? token.slice(1) : token);
		const outOfRange = !whole && (number ?? 0) >= words.length;
		if (token !== '' && (number === undefined || outOfRange)) return undefined;
		values.push(number === undefined ? undefined : whole ? number : words[number]);
	}
	return values;
}

function idnoFrom(id: number): string {
	return String(id).padStart(IDNO_LENGTH, '0');
}

/** The stored form, brought to a `CompanyState`. */
export function companyStateSchema(): ZodType<CompanyState, ZodTypeDef, unknown> {
	return z
		.object({
			rows: z.string(),
			words: z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])),
			revision: z.string(),
			query: z.string(),
			beginning: z.boolean(),
			total: z.number().min(0).max(MAX_TOTAL).optional(),
			reserveUsedAt: z.number().optional(),
		})
		.transform(({ rows, words, ...rest }, context) => {
			const companies = decodeCompanies(rows, words);
			if (companies) return { ...rest, companies };
			context.addIssue({ code: 'custom', message: 'cannot be read' });
			return z.NEVER;
		});
}

export function storedState({ companies, ...rest }: CompanyState): Json {
	return { ...encodeCompanies(companies), ...rest };
}
