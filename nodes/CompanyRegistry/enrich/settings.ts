import { DAY_MS, HOUR_MS } from '../../shared/http/clock';
import type { Json } from '../../shared/http/json';
import type { Call } from '../../shared/node/call';
import { oneOf, readCount, readFlag } from '../../shared/node/validators';
import { idnosIn } from '../idno';
import { LEAST_SCORE } from '../names/compare';

/** How a row is looked up. */
export interface Settings {
	/** Whether the user maps the columns. An agent has none, so it fills in the fields. */
	isChosen: boolean;
	/** The score that a match needs. */
	minScore: number;
	addCredit: boolean;
	/** IDNOs of companies that have been ruled out for the row. */
	excluded: ReadonlySet<string>;
	/** Days; 0 looks up every row. */
	skipDays: number;
	/** The age in ms from which a row isn't skipped. */
	skipsUntil: number;
}

/** A schedule doesn't start at the same second each day. */
const GRACE = 1 / 12;
const MOST_GRACE_MS = 12 * HOUR_MS;

/** @throws InputError if a setting is invalid */
export function settingsOf(call: Call): Settings {
	const options = call.parameter<Json>('options', {});
	const level = call.parameter<unknown>('minScore', 'strong');
	const skipDays = readCount(options.skipRowsCheckedWithin, 'Skip Rows Checked Within (Days)');
	const skipMs = skipDays * DAY_MS;
	return {
		isChosen: call.parameter<unknown>('columns', 'auto') === 'choose' || call.run.isTool,
		minScore: LEAST_SCORE[oneOf(['exact', 'strong', 'likely'])(level, 'Minimum Match')],
		addCredit: readFlag(call.parameter('addCredit', false), 'Add Recommendation'),
		excluded: new Set(idnosIn(options.excludedIdnos)),
		skipDays,
		skipsUntil: skipMs - Math.min(skipMs * GRACE, MOST_GRACE_MS),
	};
}
