import type { Json } from '../../shared/http/json';
import type { Call } from '../../shared/node/call';
import { oneOf, readCount, readFlag } from '../../shared/node/validators';
import { idnosIn } from '../idno';
import { LEAST_SCORE } from '../names/compare';

export interface Settings {
	/** Whether the user maps the columns, or an agent fills in their fields. */
	isChosen: boolean;
	/** The score that a match needs. */
	minScore: number;
	addCredit: boolean;
	/** IDNOs of companies that have been ruled out for the row. */
	excluded: ReadonlySet<string>;
	/** Days; 0 looks up every row. */
	skipDays: number;
	/** Of the run. */
	maximumRequests: number;
}

/** @throws InputError if a setting is invalid */
export function settingsOf(call: Call): Settings {
	const options = call.parameter<Json>('options', {});
	const level = call.parameter<unknown>('minScore', 'strong');
	return {
		isChosen: oneOf(['auto', 'choose'])(call.parameter('columns', 'auto'), 'Columns') === 'choose',
		minScore: LEAST_SCORE[oneOf(['exact', 'strong', 'likely'])(level, 'Minimum Match')],
		addCredit: readFlag(call.parameter('addCredit', false), 'Add Recommendation'),
		excluded: new Set(idnosIn(options.excludedIdnos)),
		skipDays: readCount(options.skipRowsCheckedWithin, 'Skip Rows Checked Within (Days)'),
		maximumRequests: readCount(options.maximumRequests, 'Maximum Requests') || Infinity,
	};
}
