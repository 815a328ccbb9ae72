import { DAY_MS, systemClock } from '../../shared/http/clock';
import type { Json } from '../../shared/http/envelope';
import { InputError } from '../../shared/http/errors';
import { readMoment, readPath } from '../../shared/http/values';
import { isTool } from '../../shared/node/operation';
import type { OperationCall } from '../../shared/node/operation';
import {
	butGot,
	isBlank,
	oneOf,
	readFlag,
	validateOrThrow,
	text,
	ValidationFailure,
	wholeNumber,
} from '../../shared/node/validators';
import type { Validator } from '../../shared/node/validators';
import { RECOMMENDATION_FIELDS } from '../company';
import { idnosIn } from '../idno';
import type { ComparedField } from '../output/changes';
import { findColumns, isEmptyCell } from './columns';
import type { ColumnRole, RowColumns } from './columns';
import { LEAST_SCORE } from '../names/compare';
import { DEFAULT_PREFIX, DEFAULT_SEARCHES } from './panel';
import type { OutputSettings } from './output';

/** What a row says about its company. Empty text means nothing. */
export type RowValues = Record<ColumnRole, string>;

/** A row and the settings for looking it up. */
export interface Row extends OutputSettings, RowValues {
	/** The columns that were found; absent if the user chose them. */
	columns?: RowColumns;
	/** The score that a match needs. */
	minScore: number;
	/** How many searches a name may take. */
	searches: number;
	/** IDNOs of companies that have been rejected for the row. */
	excluded: ReadonlySet<string>;
	addCredit: boolean;
	nameAsFallback: boolean;
	compareWith: ComparedField[];
	onlyChangedRows: boolean;
	/** Days; 0 looks up every row. */
	skipWithinDays: number;
	checkedAtField: string;
	/** Whether the user entered that field. */
	choosesCheckedAt: boolean;
}

/** @throws InputError if a setting is invalid, or if no column is mapped */
export function rowOf(call: OperationCall, input: Json): Row {
	const options = call.parameter<Json>('options', {});
	const flag = (name: string, fallback: boolean, label: string) =>
		readFlag(options[name], fallback, label);
	const prefix = String(options.prefix ?? DEFAULT_PREFIX);
	const checkedAtField = String(options.checkedAtField ?? `${prefix}checkedAt`);
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
			'Add the option "Compare With" and choose the fields to compare.',
		);
	}
	return {
		...(choosesColumns(call)
			? chosenValues(call)
			: foundValues(input, addedColumns(input, prefix, checkedAtField))),
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
		excluded: new Set(idnosIn(options.excludedIdnos)),
		addCredit,
		nameAsFallback: flag('nameAsFallback', false, 'Fall Back to Name'),
		compareWith,
		onlyChangedRows,
		skipWithinDays: validateOrThrow<number>(
			days,
			options.skipRowsCheckedWithin ?? 0,
			'Skip Rows Checked Within',
		),
		checkedAtField,
		choosesCheckedAt: options.checkedAtField !== undefined,
		prefix,
		includeInputFields: flag('includeInputFields', true, 'Include Input Fields'),
		replaceInputFields: flag('replaceInputFields', false, 'Replace Input Fields'),
		matchDetails: flag('matchDetails', false, 'Match Details'),
	};
}

/** An agent has no columns, so it fills in the fields. */
function choosesColumns(call: OperationCall): boolean {
	const mode = call.parameter<unknown>('columns', 'auto');
	const columns = validateOrThrow(oneOf(['auto', 'choose']), mode, 'Columns');
	return columns === 'choose' || isTool(call.context);
}

function chosenValues(call: OperationCall): RowValues {
	const { companyIdno, companyName } = call.context.getNode().parameters;
	// Single rows may lack both. If neither field is mapped, the node isn't set up.
	if (isBlank(companyIdno) && isBlank(companyName)) {
		throw new InputError(
			'The parameters "IDNO" and "Name" are both empty',
			'Map your IDNO column to "IDNO" or the name column to "Name".',
		);
	}
	const value = (name: string, label: string) => textOf(call.parameter<unknown>(name, ''), label);
	return {
		idno: value('companyIdno', 'IDNO'),
		name: value('companyName', 'Name'),
		city: value('companyCity', 'City or Region'),
		legalForm: value('companyLegalForm', 'Legal Form'),
	};
}

function foundValues(
	input: Json,
	added: ReadonlySet<string>,
): RowValues & Required<Pick<Row, 'columns'>> {
	const columns = findColumns(input, added);
	const value = (column?: string) => (column === undefined ? '' : textOf(input[column], column));
	return {
		columns,
		idno: value(columns.idno),
		name: value(columns.name),
		city: value(columns.city),
		legalForm: value(columns.legalForm),
	};
}

function textOf(value: unknown, label: string): string {
	return isEmptyCell(value) ? '' : validateOrThrow<string>(text, value, label);
}

/** The columns that an earlier run may have added, if the row shows signs of one. */
function addedColumns(row: Json, prefix: string, checkedAtField: string): Set<string> {
	const traces = ['matchStatus', `${prefix}matchStatus`, `${prefix}checkedAt`, checkedAtField];
	if (!traces.some((trace) => readPath(row, trace) !== undefined)) return new Set();
	return new Set(['idno', 'name', 'city', 'region', 'legal_form'].map((name) => prefix + name));
}

const minimum: Validator = (value) => {
	const known = LEAST_SCORE[value as keyof typeof LEAST_SCORE];
	const number = value === 'none' || isBlank(value) ? NaN : (known ?? Number(value));
	return number >= 0 && number <= 1
		? number
		: new ValidationFailure(`must be exact, strong or likely, ${butGot(value)}`);
};

const days: Validator = (value) => {
	const number = isBlank(value) ? NaN : Number(value);
	if (number >= 0 && number < Infinity) return number;
	return new ValidationFailure(`must be a number of days, ${butGot(value)}`);
};

function comparedFields(options: Json, addCredit: boolean): ComparedField[] {
	const fields = readPath(options, 'compareWith.fields') ?? [];
	return (fields as ComparedField[]).map(({ companyField, rowField }) => {
		if (isBlank(companyField) || isBlank(rowField)) {
			throw new InputError(
				'The option "Compare With" has an empty field',
				'For each company field, enter the name of the input field to compare it with.',
			);
		}
		if (!addCredit && RECOMMENDATION_FIELDS.includes(companyField)) {
			throw new InputError(
				`The option "Compare With" uses "${companyField}", a field of the credit recommendation`,
				'Turn on "Add Credit Recommendation", or choose another field.',
			);
		}
		return { companyField, rowField };
	});
}

/** Why a row is skipped; undefined if it isn't. */
export function wasCheckedRecently(
	call: OperationCall,
	{ skipWithinDays, checkedAtField }: Row,
	input: Json,
): string | undefined {
	if (skipWithinDays === 0) return undefined;
	const given = readPath(input, checkedAtField);
	if (isBlank(given)) return undefined;
	const checkedAt = readMoment(given);
	if (checkedAt === undefined) {
		call.notice(
			`Some values in "${checkedAtField}" aren't valid dates, so these rows are looked up on every run. Use the format YYYY-MM-DD, e.g. 2030-12-31.`,
			'warning',
		);
		return undefined;
	}
	const age = systemClock.now() - checkedAt;
	// East of Greenwich, today's date can still be in the future in UTC.
	if (age < -DAY_MS || age >= skipWithinDays * DAY_MS) return undefined;
	const date = new Date(checkedAt).toISOString().slice(0, 10);
	return `Checked on ${date}. Rows checked within ${skipWithinDays} days are skipped.`;
}
