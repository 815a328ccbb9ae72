import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A row of a CRM, and a company of the registry. All companies are invented. */
export interface Pair {
	/** What kind of difference the pair is about. */
	kind: string;
	row: string;
	/** The row's other columns; empty if it doesn't have them. */
	rowCity: string;
	rowForm: string;
	company: string;
	/** The company's city in the registry. Default: one from a list. */
	city?: string;
	/** Whether the row means the company. Otherwise it is a near miss. */
	same: boolean;
}

/** `row {city; legal form} = company @city`, with `!` instead of `=` if the row means another one. */
const LINE =
	/^(?<row>.+?)(?: \{(?<rowCity>[^;}]*)(?:; ?(?<rowForm>[^}]*))?\})? (?<sign>[=!]) (?<company>.+?)(?: @(?<city>.+))?$/;

function pairsIn(file: string): Pair[] {
	let kind = '';
	const lines = readFileSync(join(__dirname, 'pairs', file), 'utf8').split('\n');
	return lines.flatMap((line) => {
		if (line.startsWith('# ')) kind = line.slice(2);
		const { groups } = LINE.exec(line) ?? {};
		if (!groups) return [];
		const { row = '', rowCity = '', rowForm = '', sign, company = '', city } = groups;
		return [{ kind, row, rowCity, rowForm, company, city, same: sign === '=' }];
	});
}

const hashOf = (text: string) => createHash('sha256').update(text).digest().readUInt32BE(0);

/** The kinds of names that occur in Moldova. */
const names = pairsIn('names.txt');

/** The halves are split by the row's text, so that a pair never moves from one to the other. */
export const SETS = {
	tuning: names.filter(({ row }) => hashOf(row) % 2 === 0),
	measured: names.filter(({ row }) => hashOf(row) % 2 === 1),
	/** Written after the comparison. Only a few search rules were corrected because of them. */
	later: pairsIn('later.txt'),
	/**
	 * Rows like those in CRM exports, with text around the name. Written before the rules that they
	 * measure, but some rules have been corrected with them since.
	 */
	heldOut: pairsIn('heldOut.txt'),
	/**
	 * Every way in which rows and registers differ, including near misses. Written before the rules for
	 * numbers, encodings, folded letters, initials and kinds of organizations. A few details of those
	 * rules have been corrected with it since, so new rules need a new set.
	 */
	unseen: pairsIn('unseen.txt'),
} as const satisfies Record<string, readonly Pair[]>;

export type SetName = keyof typeof SETS;
