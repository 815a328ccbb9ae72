import type { IDataObject } from 'n8n-workflow';

import { DAY_MS, systemClock } from '../../shared/http/clock';
import { InputError } from '../../shared/http/inputError';
import { isJson, single } from '../../shared/http/json';
import type { Json } from '../../shared/http/json';
import { readMoment } from '../../shared/http/moments';
import { isTool } from '../../shared/node/nodeError';
import type { OperationCall } from '../../shared/node/operation';
import { oneOf, readFlag, text, validateOrThrow, wholeNumber } from '../../shared/node/validators';
import { snakeCase } from '../company';
import { idnosIn } from '../idno';
import { LEAST_SCORE } from '../names/compare';
import type { MatchQuality } from '../names/compare';
import { findColumns, isCompanyPlace, isEmptyCell, readingOf } from './columns';
import type { ColumnRole, RowColumns } from './columns';

/** Begins the names of the columns with the company's data. */
export const PREFIX = 'registry_';
export const CHECKED_AT = 'registry_checked_at';

/** What a row says about its company, where empty text means nothing, and the settings for looking it up. */
export interface Row extends Record<ColumnRole, string> {
	input: IDataObject;
	/** The columns that were found; empty if the user chose them. */
	columns: RowColumns;
	/** Whether the heading says that the IDNO is one. */
	isIdnoNamed: boolean;
	/** Whether the place is the company's. If not, it only tells companies of the same name apart. */
	isOwnPlace: boolean;
	earlier: EarlierRun;
	/** The score that a match needs. */
	minScore: number;
	/** IDNOs of companies that have been ruled out for the row. */
	excluded: ReadonlySet<string>;
	addCredit: boolean;
	/** Columns of the row by the fields of the company that they're compared with. */
	compareWith: Readonly<Record<string, string>>;
	/** Days; 0 looks up every row. */
	skipDays: number;
}

/** @throws InputError if a setting is invalid, or if no column is mapped */
export function rowOf(call: OperationCall): Row {
	const item = call.context.getInputData() as { json?: IDataObject } | undefined;
	const input = item?.json ?? {};
	const earlier = earlierRun(input);
	// An agent has no columns, so it fills in the fields.
	const isChosen =
		call.parameter<unknown>('columns', 'auto') === 'choose' || isTool(call.context.getNode());
	const { companyIdno, companyName } = call.context.getNode().parameters;
	// Single rows may lack both. If neither field is mapped, the node isn't set up.
	if (isChosen && !companyIdno && !companyName) {
		throw new InputError(
			'The parameters "IDNO" and "Name" are both empty',
			'Map your IDNO column to "IDNO" or the name column to "Name".',
		);
	}
	const columns = isChosen ? {} : findColumns(input, new Set(earlier.columns.keys()));
	const value = (role: ColumnRole, parameter: string, label: string) => {
		const given = isChosen ? call.parameter<unknown>(parameter, '') : input[columns[role] ?? ''];
		return isEmptyCell(given) ? '' : validateOrThrow<string>(text, given, label);
	};
	const options = call.parameter<Json>('options', {});
	const level = call.parameter<unknown>('minScore', 'strong');
	const minimum = oneOf(['exact', 'strong', 'likely']);
	const days = options.skipRowsCheckedWithin ?? 0;
	return {
		input,
		columns,
		earlier,
		idno: value('idno', 'companyIdno', 'IDNO'),
		name: value('name', 'companyName', 'Name'),
		city: value('city', 'companyCity', 'City or Region'),
		legalForm: value('legalForm', 'companyLegalForm', 'Legal Form'),
		isIdnoNamed: columns.idno === undefined || readingOf(columns.idno).idno !== undefined,
		isOwnPlace: columns.city === undefined || isCompanyPlace(input, columns.city),
		minScore: LEAST_SCORE[validateOrThrow<MatchQuality>(minimum, level, 'Minimum Match')],
		excluded: new Set(idnosIn(options.excludedIdnos)),
		addCredit: readFlag(call.parameter('addCredit', false), 'Add Credit Recommendation'),
		compareWith: call.parameter('compareWith', {}),
		skipDays: validateOrThrow(wholeNumber(0), days, 'Skip Rows Checked in the Last (Days)'),
	};
}

/** What an earlier run wrote into a row. */
export interface EarlierRun {
	/** The node's own names by those in the row, whose spelling another program may have changed. */
	columns: ReadonlyMap<string, string>;
	/** The values by the node's own names. */
	values: ReadonlyMap<string, unknown>;
	/** When the row was checked, in ms since the epoch; 0 if the date can't be read. */
	checkedAt?: number;
}

const ADDED = /^(?:registry_.+|match_(?:status|quality|reason|alternatives))$/;

/** Where CRMs keep the columns of their users. HubSpot may wrap each value in an object. */
const CONTAINERS = ['fields', 'properties', 'custom_fields'];

/** Another spelling, such as "Registry Name", is the node's column only beside the date of a check. */
function earlierRun(input: Json): EarlierRun {
	// The row's own columns come last, so they count if a container has the same ones.
	const added = [...CONTAINERS.map((name) => input[name]).filter(isJson), input]
		.flatMap((fields) => Object.entries(fields))
		.map(([column, given]) => {
			const value: unknown = isJson(given) && 'value' in given ? given.value : given;
			return { column, name: snakeCase(column), value };
		})
		.filter(({ name }) => ADDED.test(name));
	const date = added.findLast(({ name, value }) => name === CHECKED_AT && !isEmptyCell(value));
	const own = date ? added : added.filter(({ column, name }) => column === name);
	return {
		columns: new Map(own.map(({ column, name }) => [column, name])),
		values: new Map(own.map(({ name, value }) => [name, value])),
		checkedAt: date && (readMoment(single(date.value)) ?? 0),
	};
}

/** Whether a row was checked so recently that it's skipped. */
export function isSkipped({ skipDays, earlier: { checkedAt } }: Row): boolean {
	const age = systemClock.now() - (checkedAt ?? NaN);
	// East of Greenwich, today's date can still be in the future in UTC.
	return skipDays > 0 && age > -DAY_MS && age < skipDays * DAY_MS;
}
