import { InputError } from '../../shared/http/errors';
import type { OperationCall } from '../../shared/node/operation';
import { isBlank, required, ValidationFailure, wholeNumber } from '../../shared/node/validators';
import type { Validator } from '../../shared/node/validators';
import { IDNO_LENGTH } from '../idno';
import { placesIn } from './candidate';
import { STRONG_SCORE } from './compareNames';
import { parseName } from './companyName';
import type { WantedCompany } from './decide';
import { DEFAULT_PREFIX, DEFAULT_REQUESTS } from './fields';
import { formsIn } from './legalForms';
import { wordsOf } from './words';

/** What a row says about its company, and how it is looked up. */
export interface Row {
	/** As it was mapped; blank where the row has none. */
	idno: unknown;
	name: string;
	wanted: WantedCompany;
	/** Whether it is looked up by its name in the first place. */
	isNamed: boolean;
	addCredit: boolean;
	requests: number;
	prefix: string;
	includeInputFields: boolean;
	replaceInputFields: boolean;
	nameAsFallback: boolean;
	reuseIdentical: boolean;
}

/** Options of the operation; see fields.ts for what they mean. */
interface Options {
	prefix?: string;
	includeInputFields?: boolean;
	minMatchScore?: unknown;
	requestsPerRow?: unknown;
	replaceInputFields?: boolean;
	nameAsFallback?: boolean;
	reuseIdentical?: boolean;
}

/** @throws InputError when a setting cannot work, or when no column of the input is mapped */
export function rowOf(call: OperationCall): Row {
	requireMapping(call);
	const options = call.parameter<Options>('options', {});
	const text = (name: string) => String(call.parameter<unknown>(name, '') ?? '').trim();
	const idno = call.parameter<unknown>('companyIdno', '');
	const name = text('companyName');
	return {
		idno,
		name,
		wanted: {
			name: parseName(name),
			places: placesIn(text('companyCity')),
			forms: formsIn(wordsOf(text('companyLegalForm'))),
			minScore: minScoreOf(call, options),
		},
		isNamed: isBlank(idno) && name !== '' && !isNumber(name),
		addCredit: call.parameter<unknown>('addCredit', false) === true,
		requests: required<number>(
			wholeNumber(1, 10),
			options.requestsPerRow ?? DEFAULT_REQUESTS,
			'Requests per Row',
		),
		prefix: options.prefix ?? DEFAULT_PREFIX,
		includeInputFields: options.includeInputFields !== false,
		replaceInputFields: options.replaceInputFields === true,
		nameAsFallback: options.nameAsFallback === true,
		reuseIdentical: options.reuseIdentical !== false,
	};
}

/** No company has a name of thirteen digits. */
function isNumber(name: string): boolean {
	return new RegExp(`^\\d{${IDNO_LENGTH}}$`).test(name);
}

/** A row whose IDNO and name are both empty is not found; a node that has neither is not set up. */
function requireMapping({ context }: OperationCall): void {
	const { companyIdno, companyName } = context.getNode().parameters;
	if (!isBlank(companyIdno) || !isBlank(companyName)) return;
	throw new InputError(
		'The parameters "IDNO" and "Name" are both empty',
		'Map the column of the input that has the IDNO to "IDNO", or the one that has the company name to "Name".',
	);
}

const SCORES: Record<string, number> = { exact: 1, strong: STRONG_SCORE };

function minScoreOf(call: OperationCall, { minMatchScore }: Options): number {
	return minMatchScore === undefined
		? required<number>(minimum, call.parameter('minScore', 'strong'), 'Minimum Match')
		: required<number>(minimum, minMatchScore, 'Minimum Match Score');
}

const minimum: Validator = (value) => {
	const number = isBlank(value) ? NaN : (SCORES[String(value)] ?? Number(value));
	return number >= 0 && number <= 1
		? number
		: new ValidationFailure('must be exact, strong or a number from 0 to 1');
};
