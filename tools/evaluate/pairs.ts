import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/** A row of a CRM, and a company of the registry. All companies are invented. */
export interface Pair {
	/** What kind of difference the pair is about. */
	kind: string;
	row: string;
	/** What the row has in other columns; empty where it has none. */
	rowCity: string;
	rowForm: string;
	company: string;
	/** The city that the registry has for the company; by default one of a list. */
	city?: string;
	/** Whether the row means the company. Otherwise it is a near miss. */
	same: boolean;
}

/** `row {city; legal form} = company @city`; `!` stands between a row and another company. */
const LINE =
	/^(?<row>.+?)(?: \{(?<rowCity>[^;}]*)(?:; ?(?<rowForm>[^}]*))?\})? (?<sign>[=!]) (?<company>.+?)(?: @(?<city>.+))?$/;

function pairsIn(file: string): Pair[] {
	return pairsOf(readFileSync(join(__dirname, 'pairs', file), 'utf8'));
}

function pairsOf(text: string): Pair[] {
	let kind = '';
	return text.split('\n').flatMap((line) => {
		if (line.startsWith('# ')) kind = line.slice(2);
		const { groups } = LINE.exec(line) ?? {};
		if (!groups) return [];
		const { row = '', rowCity = '', rowForm = '', sign, company = '', city } = groups;
		return [{ kind, row, rowCity, rowForm, company, city, same: sign === '=' }];
	});
}

/** Pairs of a list that isn't part of the project, and the names in its registry if the file has them. */
export interface PairList {
	pairs: Pair[];
	registry: string[];
}

/**
 * Reads a file of pairs: lines as in the folder `pairs`, or JSON such as
 * `{ "P": [["kind", "row", "registered name"]], "registry": ["registered name"] }`.
 */
export function readPairs(file: string): PairList {
	const text = readFileSync(file, 'utf8');
	if (extname(file) !== '.json') return { pairs: pairsOf(text), registry: [] };
	const { P, registry = [] } = JSON.parse(text) as { P: string[][]; registry?: string[] };
	const pairs = P.map(([kind = '', row = '', company = '']): Pair => ({
		...{ kind, row, rowCity: '', rowForm: '', company, same: true },
	}));
	return { pairs, registry };
}

const hashOf = (text: string) => createHash('sha256').update(text).digest().readUInt32BE(0);

/** Names of the kinds that Moldovan companies have. */
const names = pairsIn('names.txt');

/** A hash of the row's text decides between tuning and measured, so a pair never changes sides. */
export const SETS = {
	tuning: names.filter(({ row }) => hashOf(row) % 2 === 0),
	measured: names.filter(({ row }) => hashOf(row) % 2 === 1),
	/** Written after the first rules. */
	later: pairsIn('later.txt'),
	/** Rows as in CRM exports, with text around the name. Written before the rules, then used to mend some. */
	heldOut: pairsIn('heldOut.txt'),
	/**
	 * All kinds of differences, with near misses. Written before the rules for numbers, encodings, foreign
	 * letters, initials and organizations. Don't look at its pairs to mend a rule; its counts are enough.
	 */
	unseen: pairsIn('unseen.txt'),
	/**
	 * All kinds of differences, with near misses, written without knowledge of the matching code and what it
	 * can do. Apart from ,,…" as quotation marks, no rule has been made for its pairs, so only its counts
	 * should be looked at.
	 */
	blind: pairsIn('blind.txt'),
} as const satisfies Record<string, readonly Pair[]>;

export type SetName = keyof typeof SETS;
