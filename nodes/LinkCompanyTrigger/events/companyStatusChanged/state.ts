import { isJson } from '../../../shared/http/envelope';
import type { Json } from '../../../shared/http/envelope';
import { deltasOf, fromDeltas, fromText, toText } from '../../numberText';

export type Value = string | number | boolean | null;

/** What is remembered of one company. */
export interface Company {
	/** Values of the watched fields, in their order; undefined where none was ever shown. */
	values: Array<Value | undefined>;
	/** Complete sweeps of the search in a row that did not show it. */
	missed: number;
	/** The sweep under way has shown it. */
	shown: boolean;
}

/** By IDNO. */
export type Companies = Map<string, Company>;

/** What ends a company in the text: `shown` in the sweep under way, or how many missed it. */
const ENDS = [',', '!', '?'];
const SHOWN = ';';

const IDNO = /^[1-9]\d{12}$/;
const WHOLE_NUMBER = '_';

/**
 * The companies in few bytes: in the order of their IDNOs, the difference to the one before, then
 * the values, as their places in a list of words or as whole numbers. About 8 bytes for a company
 * whose status is watched, 20 with all fields.
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
	const textOf = ({ values, missed, shown }: Company) =>
		values.map((value) => `.${wordOf(value)}`).join('') + (shown ? SHOWN : ENDS[missed]);

	const numbered = [...companies]
		.filter(([idno]) => IDNO.test(idno))
		.map(([idno, company]) => [Number(idno), company] as const)
		.sort(([a], [b]) => a - b);
	const deltas = deltasOf(numbered.map(([idno]) => idno));
	const rows = numbered.map(([, company], index) => deltas[index] + textOf(company)).join('');
	const others = [...companies]
		.filter(([idno]) => !IDNO.test(idno))
		.map(([idno, company]) => [idno, textOf(company)]);
	return {
		rows,
		words: [...words.keys()].map((text) => JSON.parse(text) as Value),
		...(others.length > 0 ? { others: Object.fromEntries(others) as Json } : {}),
	};
}

/** @returns undefined when the data is broken */
export function decodeCompanies(data: unknown, fields: number): Companies | undefined {
	if (!isJson(data) || typeof data.rows !== 'string' || !Array.isArray(data.words))
		return undefined;
	const words = data.words as Value[];
	const others = Object.entries(isJson(data.others) ? data.others : {}).map(
		([idno, text]) => [idno, String(text)] as const,
	);
	const texts = data.rows.match(/[^,;!?]+[,;!?]/g) ?? [];
	if (texts.join('') !== data.rows) return undefined;
	const ids = fromDeltas(texts.map((text) => text.slice(0, text.indexOf('.'))));
	if (!ids) return undefined;
	const entries = [
		...texts.map((text, index) => [String(ids[index]), text.slice(text.indexOf('.'))] as const),
		...others,
	].map(([idno, text]) => [idno, companyOf(text, words, fields)] as const);
	return entries.some(([, company]) => company === undefined)
		? undefined
		: (new Map(entries) as Companies);
}

function companyOf(text: string, words: Value[], fields: number): Company | undefined {
	const end = text.slice(-1);
	const [, ...tokens] = text.slice(0, -1).split('.');
	if (tokens.length !== fields || !(end === SHOWN || ENDS.includes(end))) return undefined;
	const values: Array<Value | undefined> = [];
	for (const token of tokens) {
		const whole = token.startsWith(WHOLE_NUMBER);
		const number = token === '' ? undefined : fromText(whole ? token.slice(1) : token);
		if (token !== '' && (number === undefined || (!whole && number >= words.length))) {
			return undefined;
		}
		values.push(number === undefined ? undefined : whole ? number : words[number]);
	}
	return { values, missed: Math.max(0, ENDS.indexOf(end)), shown: end === SHOWN };
}
