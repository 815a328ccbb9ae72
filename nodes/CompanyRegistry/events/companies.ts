import { z } from 'zod';
import type { ZodType, ZodTypeDef } from 'zod';

import { DAY_MS } from '../../shared/http/clock';
import type { Json } from '../../shared/http/envelope';
import { ServiceError } from '../../shared/http/errors';
import type { Fields } from '../../shared/node/records';
import { readingFields } from '../../shared/poll/lap';
import type { ListReading } from '../../shared/poll/lap';
import type { Session } from '../../shared/poll/session';
import type { Checks } from './budget';
import { isSameValue } from '../output/changes';
import { WATCHABLE } from './lookUp';
import type { Field, ShownCompany, Source, Value, Values } from './lookUp';

const READINGS = 3;

/** The stored state of one company. */
export interface Company {
	/** Fields that no response has contained yet are absent. */
	values: Values;
	/** The registry does not show it: since when in the trigger's own time, and in how many readings. */
	missing?: { since: number; readings: number };
	/** Its absence was an event, or would have been one. */
	gone?: boolean;
	/** Its first reading is an event. */
	emit?: boolean;
	/** Known from another search; the present one has not shown it yet. */
	unconfirmed?: boolean;
}

const companySchema = () => {
	const value = z.union([z.string(), z.number(), z.boolean()]).optional();
	const values = z.object(Object.fromEntries(WATCHABLE.map((field) => [field, value])));
	return z.object({
		values: values as unknown as z.ZodType<Values>,
		missing: z.object({ since: z.number(), readings: z.number().int() }).optional(),
		gone: z.boolean().optional(),
		emit: z.boolean().optional(),
		unconfirmed: z.boolean().optional(),
	});
};

/** What the trigger remembers of the companies. */
export interface CompaniesState {
	/** The source of the values. */
	source: Source;
	/** By IDNO. */
	companies: Map<string, Company>;
	/** Of a search. */
	reading?: ListReading;
}

export function companiesSchema(): ZodType<CompaniesState, ZodTypeDef, unknown> {
	return z.object({
		source: z.enum(['credit', 'dossier', 'search']),
		companies: z
			.record(companySchema())
			.transform((companies) => new Map<string, Company>(Object.entries(companies))),
		reading: z.object(readingFields()).optional(),
	});
}

/** What the user wants to watch. */
export interface Watched {
	fields: readonly Field[];
	/** Whether a missing company is an event. */
	disappearance: boolean;
}

/** A poll of the companies. */
export interface CompaniesPoll {
	watched: Watched;
	state: CompaniesState;
	session: Session;
	checks: Checks;
	isFirst: boolean;
	/** A company that is shown twice is one event. */
	emit(idno: string, event: Json | undefined): void;
}

/** Value of the field to watch, and its name in `changedFields`. */
export const DISAPPEARANCE = 'disappearance';

/**
 * Compares a company with its known values, and stores the new ones. A field that is missing in the
 * response did not change and keeps its last value.
 *
 * @returns the event, if there is one
 */
export function noteShown(
	company: Company,
	shown: ShownCompany,
	{ fields, disappearance }: Watched,
): Json | undefined {
	const isBack = disappearance && company.gone === true;
	const before = isBack ? {} : company.values;
	const changed = fields.filter((field) => {
		const [last, now] = [before[field], shown.values[field]];
		return last !== undefined && now !== undefined && !isSameValue(last, now);
	});
	const emits = changed.length > 0 || isBack || company.emit;
	const event = emits ? eventOf(shown, before, fields, changed, isBack) : undefined;
	company.values = { ...company.values, ...shown.values };
	for (const mark of ['missing', 'gone', 'emit', 'unconfirmed'] as const) delete company[mark];
	return event;
}

/**
 * Notes that the registry does not show a company. It is gone after a day and three readings, since one
 * reading can be wrong; that is an event if the user watches it.
 *
 * @returns whether it is gone
 */
export function noteAbsence(
	{ session, watched, emit }: CompaniesPoll,
	idno: string,
	company: Company,
): boolean {
	const { clock } = session;
	const { since, readings } = company.missing ?? { since: clock, readings: 0 };
	company.missing = { since, readings: Math.min(readings + 1, READINGS) };
	if (clock - since < DAY_MS || readings + 1 < READINGS) return false;
	const event = disappearanceOf(idno, company, watched);
	if (watched.disappearance) emit(idno, event);
	return true;
}

/** The event that a company is gone; undefined if it was never there, or was gone already. */
function disappearanceOf(idno: string, company: Company, { fields }: Watched) {
	if (company.gone || Object.keys(company.values).length === 0) return undefined;
	company.gone = true;
	const gone = { idno, values: {}, details: null };
	return eventOf(gone, company.values, fields, [], true);
}

function eventOf(
	{ idno, name, values, details }: Omit<ShownCompany, 'details'> & { details: Json | null },
	before: Values,
	fields: readonly Field[],
	changed: readonly Field[],
	disappearance = false,
): Json {
	const shownBefore = WATCHABLE.filter((field) => field === 'status' || fields.includes(field));
	const changes: Field[] = disappearance ? ['status'] : [...changed];
	return {
		idno,
		name: name ?? null,
		status: values.status ?? null,
		...Object.fromEntries(shownBefore.map((field) => [previousName(field), before[field] ?? null])),
		changedFields: disappearance ? [DISAPPEARANCE] : changed,
		changes: changes.map((field) => ({
			field,
			from: before[field] ?? null,
			to: values[field] ?? null,
		})),
		...values,
		details,
	};
}

/** The fields of an event, for AI builders. */
export const STATUS_EVENT = {
	idno: 'string',
	name: 'string',
	status: 'string',
	previousStatus: 'string',
	previousRating: 'string',
	previousScore: 'number',
	previousInsolvencyRisk: 'string',
	previousRecommendedLimitMdl: 'number',
	changedFields: ['string'],
	changes: [{ field: 'string', from: 'string', to: 'string' }],
	rating: 'string',
	score: 'number',
	insolvency_risk: 'string',
	recommended_limit_mdl: 'number',
} satisfies Fields;

/** E.g. `previousInsolvencyRisk`. */
function previousName(field: Field): string {
	const camelCase = field.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
	return `previous${camelCase.charAt(0).toUpperCase()}${camelCase.slice(1)}`;
}

/** An example event: the company as it is now, with invented previous values. */
export function sampleOf(shown: ShownCompany, { fields, disappearance }: Watched): Json {
	const { idno, values } = shown;
	const changed = fields.filter((field) => values[field] !== undefined);
	if (disappearance && changed.length === 0) {
		return eventOf({ idno, values: {}, details: null }, values, fields, [], true);
	}
	const madeUp = (value?: Value) => (typeof value === 'number' ? value - 1 : 'sample value');
	const before = Object.fromEntries(changed.map((field) => [field, madeUp(values[field])]));
	return eventOf(shown, { ...values, ...before }, fields, changed);
}

export function nothingToWatch({ fields }: Watched): ServiceError {
	return new ServiceError(
		`The responses of the registry do not show what is watched: ${fields.join(', ')}`,
		{
			description: 'Select another "Status Source", or change "Fields to Watch".',
			failure: { cause: 'node-defect' },
		},
	);
}
