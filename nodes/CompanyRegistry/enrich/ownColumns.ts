import { remembered } from '../../shared/node/texts';
import { ENRICHING_FIELDS } from '../company';
import type { Cell } from './cells';
import { CHECKED_AT, PREFIX, readState, STATE, type State } from './state';

/** These tell about a run, and not about the company. */
export const TELLING = ['registry_changed', 'registry_changes', CHECKED_AT, STATE];
/** These tell about the match. */
export const OWN_MATCH =
	'match_status match_quality match_reason match_alternatives match_input'.split(' ');

/** All names that the node's columns can have, apart from further fields of the service. */
const OWN_COLUMNS: ReadonlySet<string> = new Set([
	...OWN_MATCH,
	...ENRICHING_FIELDS.map((field) => PREFIX + field),
	...TELLING,
]);

export interface OwnCell extends Pick<Cell, 'path' | 'value' | 'depth'> {
	/** The node's name for its column. */
	name: string;
	/** Undefined for all but states, and for a state that can't be read. */
	state?: State;
}

/**
 * The node's cells, those at the top first: states by what they hold, columns by their names. Other programs
 * change the names, e.g. to `x_studio_registry_idno` or `Registry Idno__c`. Such names count only beside
 * a column of the date or of the state, and only with the same around them, so a `payment_match_status`
 * isn't the node's.
 */
export function ownCellsOf(cells: readonly Cell[]): OwnCell[] {
	const states = new Map<Cell, State>();
	const around = new Map<string, Around>();
	// Fields that only the service knows.
	const further = new Map<string, string>();
	for (const cell of cells) {
		const beside = isLikeOwn(cell.key) ? aroundIn(cell.key) : null;
		if (beside) around.set(beside.join(), beside);
		const state = readState(cell.value);
		if (!state) continue;
		states.set(cell, state);
		for (const name of state.values.keys()) {
			if (!OWN_COLUMNS.has(name)) further.set(lettersOf(name), name);
		}
	}
	const known = [...around.values()];
	return cells.flatMap((cell) => {
		const { path, key, value, depth } = cell;
		const state = states.get(cell);
		const name = state ? STATE : isLikeOwn(key) ? nameOf(key, known, further) : undefined;
		return name === undefined ? [] : [{ path, value, depth, name, state }];
	});
}

/** All of the node's names have one of these. */
const isLikeOwn = remembered((key) => /registry|match/i.test(key));

/** What stands before and after the node's name. */
type Around = readonly [before: string, after: string];

const aroundIn = remembered((key): Around | null => {
	const parts = key.split(/registry[\W_]*(?:checked[\W_]*at|state)/i);
	return parts.length === 2 ? [parts[0]!, parts[1]!] : null;
});

const lettersOf = remembered((name) => name.toLowerCase().replace(/[^a-z\d]/g, ''));
const OWN_LETTERS = new Map([...OWN_COLUMNS].map((name) => [lettersOf(name), name]));

function nameOf(
	key: string,
	around: readonly Around[],
	further: ReadonlyMap<string, string>,
): string | undefined {
	if (OWN_COLUMNS.has(key) || further.get(lettersOf(key)) === key) return key;
	const names = around.map(([before, after]) => {
		const lower = key.toLowerCase();
		const isThere = lower.startsWith(before.toLowerCase()) && lower.endsWith(after.toLowerCase());
		const letters = isThere ? lettersOf(key.slice(before.length, key.length - after.length)) : '';
		return OWN_LETTERS.get(letters) ?? further.get(letters);
	});
	return names.find((name) => name !== undefined);
}
