import { DAY_MS, systemClock } from '../../shared/http/clock';
import { InputError } from '../../shared/http/errors';
import type { Json } from '../../shared/http/envelope';
import type { OperationCall } from '../../shared/node/operation';
import {
	butGot,
	isBlank,
	readFlag,
	validateOrThrow,
	text,
	ValidationFailure,
	wholeNumber,
} from '../../shared/node/validators';
import type { Validator } from '../../shared/node/validators';
import { valueAt } from '../api';
import type { ComparedField } from '../output/changes';
import { LEAST_SCORE } from './match/compare';
import { DEFAULT_PREFIX, DEFAULT_SEARCHES } from './panel';
import type { OutputSettings } from './output';
import { RECOMMENDATION_FIELDS } from '../companyFields';

/** The information in a row, and how to look it up; see fields.ts. */
export interface Row extends OutputSettings {
	/** As mapped; empty if the row has none, like the three that follow. */
	idno: string;
	name: string;
	city: string;
	legalForm: string;
	/** The minimum score of a match. */
	minScore: number;
	/** The maximum number of searches for a name. */
	searches: number;
	addCredit: boolean;
	nameAsFallback: boolean;
	compareWith: ComparedField[];
	onlyChangedRows: boolean;
	/** Days; 0 looks up every row. */
	skipWithinDays: number;
	checkedAtField: string;
}

/** @throws InputError when a setting cannot work, or when no column of the input is mapped */
export function rowOf(call: OperationCall): Row {
	requireMapping(call);
	const options = call.parameter<Json>('options', {});
	const flag = (name: string, fallback: boolean, label: string) =>
		readFlag(options[name], fallback, label);
	const column = (name: string, label: string) => {
		const value = call.parameter<unknown>(name, '');
		return isBlank(value) ? '' : validateOrThrow<string>(text, value, label);
	};
	const prefix = String(options.prefix ?? DEFAULT_PREFIX);
	const addCredit = readFlag(
		call.parameter('addCredit', false),
		false,
		'Add Credit Recommendation',
	);
	const compareWith = comparedFields(options, addCredit);
	const onlyChangedRows = flag('onlyChangedRows', false, 'Only Changed Rows');
	if (onlyChangedRows && compareWith.length === 0) {
		throw new InputError(
			'The option "Only Changed Rows" needs the option "Compare With"',
			'Add "Compare With" and choose the fields to compare.',
		);
	}
	return {
		idno: column('companyIdno', 'IDNO'),
		name: column('companyName', 'Name'),
		city: column('companyCity', 'City or Region'),
		legalForm: column('companyLegalForm', 'Legal Form'),
		minScore: validateOrThrow<number>(
			minimum,
			call.parameter('minScore', 'strong'),
			'Minimum Match',
		),
		searches: validateOrThrow<number>(
			wholeNumber(1, 10),
			options.requestsPerRow ?? DEFAULT_SEARCHES,
			'Max Searches per Name',
		),
		addCredit,
		nameAsFallback: flag('nameAsFallback', false, 'Fall Back to Name'),
		compareWith,
		onlyChangedRows,
		skipWithinDays: validateOrThrow<number>(
			days,
			options.skipRowsCheckedWithin ?? 0,
			'Skip Rows Checked Within',
		),
		checkedAtField: String(options.checkedAtField ?? `${prefix}checkedAt`),
		prefix,
		includeInputFields: flag('includeInputFields', true, 'Include Input Fields'),
		replaceInputFields: flag('replaceInputFields', false, 'Replace Input Fields'),
	};
}

/** A row whose IDNO and name are both empty is not found; a node that has neither is not set up. */
function requireMapping({ context }: OperationCall): void {
	const { companyIdno, companyName } = context.getNode().parameters;
	if (!isBlank(companyIdno) || !isBlank(companyName)) return;
	throw new InputError(
		'The parameters "IDNO" and "Name" are both empty',
		'Map your IDNO column to "IDNO" or the name column to "Name".',
	);
}

const minimum: Validator = (value) => {
	const known = LEAST_SCORE[value as keyof typeof LEAST_SCORE];
	const number = value === 'none' || isBlank(value) ? NaN : (known ?? Number(value));
	return number >= 0 && number <= 1
		? number
		: new ValidationFailure('must be exact, strong, likely or a number from 0 to 1');
};

const days: Validator = (value) => {
	const number = isBlank(value) ? NaN : Number(value);
	if (number >= 0 && number < Infinity) return number;
	return new ValidationFailure(`must be a number of days, ${butGot(value)}`);
};

function comparedFields(options: Json, addCredit: boolean): ComparedField[] {
	const fields = valueAt(options, 'compareWith.fields') ?? [];
	return (fields as ComparedField[]).map(({ companyField, rowField }) => {
		if (isBlank(companyField) || isBlank(rowField)) {
			throw new InputError(
				'A field of the option "Compare With" is empty',
				'Enter the name of the input field for each company field.',
			);
		}
		if (!addCredit && RECOMMENDATION_FIELDS.includes(companyField)) {
			throw new InputError(
				`The field "${companyField}" of the option "Compare With" belongs to the credit recommendation`,
				'Turn on "Add Credit Recommendation", or choose another field.',
			);
		}
		return { companyField, rowField };
	});
}

/** Why a row is not looked up again; undefined where it is. */
export function wasCheckedRecently(
	call: OperationCall,
	{ skipWithinDays, checkedAtField }: Row,
	input: Json,
): string | undefined {
	if (skipWithinDays === 0) return undefined;
	const given = valueAt(input, checkedAtField);
	const checkedAt = dateOf(given);
	if (Number.isNaN(checkedAt) && !isBlank(given)) {
		call.hint(
			`Some values in "${checkedAtField}" are not valid dates, so these rows are looked up on every run. Use the format YYYY-MM-DD, e.g. 2030-12-31.`,
			'warning',
		);
	}
	const age = systemClock.now() - checkedAt;
	if (!(age >= 0 && age < skipWithinDays * DAY_MS)) return undefined;
	const date = new Date(checkedAt).toISOString().slice(0, 10);
	return `Checked on ${date}. Rows checked within ${skipWithinDays} days are skipped.`;
}

/** NaN for what is not a date. A spreadsheet may write the day first; in Moldova, it does. */
function dateOf(value: unknown): number {
	if (value instanceof Date || typeof value === 'number') return Number(value);
	const [, day, month, year] =
		/^\s*(\d{1,2})[./](0?\d|1[0-2])[./](\d{4})/.exec(String(value ?? '')) ?? [];
	if (day && month && year) return Date.UTC(Number(year), Number(month) - 1, Number(day));
	return isBlank(value) ? NaN : Date.parse(String(value));
}
