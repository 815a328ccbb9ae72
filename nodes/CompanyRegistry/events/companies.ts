import { z } from 'zod';

import { DAY_MS } from '../../shared/http/clock';
import type { Json } from '../../shared/http/envelope';
import { ServiceError } from '../../shared/http/errors';
import type { Fields } from '../../shared/node/records';
import type { PollOutcome, StateSchema } from '../../shared/poll/event';
import type { Session } from '../../shared/poll/session';
import { isSameValue } from '../output/changes';
import type { Checks } from './budget';
import { SOURCES, WATCHABLE } from './lookUp';
import type { CheckPlan, ShownCompany, Source, Value, Values } from './lookUp';

const ABSENCES = 3;

/** What the trigger remembers of a company. */
export interface Company {
	/** Contains only fields that have appeared in a response. */
	values: Values;
	/** When the registry stopped showing it, by the trigger's clock, and how many checks haven't found it. */
	missing?: { since: number; checks: number };
	/** Its disappearance was an event, or would have been one. */
	gone?: boolean;
	/** Its first check is an event, because the user wants existing records. */
	emit?: boolean;
}

export interface CompaniesState {
	/** Where the values come from. Another source may word the same status differently. */
	source: Source;
	/** By IDNO. */
	companies: Map<string, Company>;
	/** When the registry last showed any of them, by the trigger's clock. */
	lastShown: number;
}

export function companiesSchema(): StateSchema<CompaniesState> {
	const company = z.object({
		values: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
		missing: z.object({ since: z.number(), checks: z.number().int() }).optional(),
		gone: z.boolean().optional(),
		emit: z.boolean().optional(),
	});
	return z.object({
		source: z.enum(SOURCES),
		companies: z
			.record(z.string(), company)
			.transform((companies) => new Map<string, Company>(Object.entries(companies))),
		lastShown: z.number(),
	});
}

/** What the user wants to watch. */
export interface Watched {
	/** Of {@link WATCHABLE}. */
	fields: readonly string[];
	/** Other fields of the full record. */
	others: readonly string[];
	/** Whether a missing company is an event. */
	disappearance: boolean;
}

export interface CompaniesPoll {
	watched: Watched;
	plan: CheckPlan;
	state: CompaniesState;
	session: Session;
	checks: Checks;
	isFirst: boolean;
}

/** A value of *Fields to Watch*, and its name in `changedFields`. */
export const DISAPPEARANCE = 'disappearance';

/**
 * Updates a company with what the registry shows. Fields missing from the response keep their values.
 *
 * @returns the event, if there is one
 */
export function noteShown(
	company: Company,
	shown: ShownCompany,
	watched: Watched,
): Json | undefined {
	const isBack = watched.disappearance && company.gone === true;
	const before = isBack ? {} : company.values;
	const changed = [...watched.fields, ...watched.others].filter((field) => {
		const [last, now] = [before[field], shown.values[field]];
		return last !== undefined && now !== undefined && !isUnchanged(last, now);
	});
	const emits = changed.length > 0 || isBack || company.emit;
	const event = emits ? eventOf(shown, before, watched, changed, isBack) : undefined;
	company.values = { ...company.values, ...shown.values };
	for (const mark of ['missing', 'gone', 'emit'] as const) delete company[mark];
	return event;
}

/** The registry may return "Active" or "active", and a list, such as "Ana, Ion", in any order. */
function isUnchanged(last: Value, now: Value): boolean {
	const comparable = (value: Value) =>
		typeof value === 'string' ? value.toLowerCase().split(', ').sort().join(', ') : value;
	return isSameValue(comparable(last), comparable(now));
}

/**
 * Notes that the registry doesn't show a company. It's gone after a day and three checks, because a
 * single one can be wrong. If the registry shows none of several companies in that time, the registry
 * is to blame.
 *
 * @returns the event, if there is one
 */
export function noteAbsence(
	{ state, session, watched }: CompaniesPoll,
	idno: string,
	company: Company,
): Json | undefined {
	const { clock } = session;
	const { since, checks } = company.missing ?? { since: clock, checks: 0 };
	company.missing = { since, checks: Math.min(checks + 1, ABSENCES) };
	if (clock - since < DAY_MS || checks + 1 < ABSENCES) return undefined;
	if (state.companies.size > 1 && state.lastShown < since) return undefined;
	// It has never been there, or it's gone already.
	if (company.gone || Object.keys(company.values).length === 0) return undefined;
	company.gone = true;
	const gone = { idno, values: {}, details: null };
	return watched.disappearance ? eventOf(gone, company.values, watched, [], true) : undefined;
}

/** How many companies the registry has answered for, and whether that's all of them. */
export function recordedIn(companies: ReadonlyMap<string, Company>): PollOutcome['recorded'] {
	const isRecorded = ({ values, missing }: Company) => missing ?? Object.keys(values).length > 0;
	const count = [...companies.values()].filter(isRecorded).length;
	return { count, isComplete: count === companies.size };
}

/** A flat record, so that each column fits on one line in n8n's table. Only `details` has levels. */
function eventOf(
	{ idno, name, values, details }: Omit<ShownCompany, 'details'> & { details: Json | null },
	before: Values,
	{ fields, others }: Watched,
	changed: readonly string[],
	disappearance = false,
): Json {
	const shownBefore = new Set(['status', ...fields, ...others]);
	const changes = disappearance ? ['status'] : changed;
	const inWords = (value: Value | undefined) => String(value ?? 'none');
	const lines = changes.map((field) => {
		return `${field}: ${inWords(before[field])} → ${inWords(values[field])}`;
	});
	return {
		idno,
		name: name ?? null,
		status: values.status ?? null,
		...Object.fromEntries(
			[...shownBefore].map((field) => [previousName(field), before[field] ?? null]),
		),
		changes: lines.join('; '),
		changedFields: disappearance ? [DISAPPEARANCE] : [...changed],
		...Object.fromEntries(Object.entries(values).filter(([field]) => field !== 'name')),
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
	changes: 'string',
	changedFields: ['string'],
	rating: 'string',
	score: 'number',
	insolvency_risk: 'string',
	recommended_limit_mdl: 'number',
} satisfies Fields;

/** E.g. `previousInsolvencyRisk`. */
function previousName(field: string): string {
	const camelCase = field.replace(/_+(\w)/g, (_, letter: string) => letter.toUpperCase());
	return `previous${camelCase.charAt(0).toUpperCase()}${camelCase.slice(1)}`;
}

/** Plausible values, for examples that need a different one than the company has. */
const EXAMPLES: ReadonlyMap<string, readonly string[]> = new Map([
	['status', ['active', 'in_liquidation']],
	['rating', ['B', 'C']],
	['insolvency_risk', ['low', 'moderate']],
]);

/**
 * An example event with the company's current values. Its previous values come from other watched
 * companies, if they have different ones.
 */
export function exampleOf(
	shown: ShownCompany,
	watched: Watched,
	known: Iterable<Company> = [],
): Json {
	const { values } = shown;
	const changed = [...watched.fields, ...watched.others].filter((field) => field in values);
	if (watched.disappearance && changed.length === 0) {
		const gone = { idno: shown.idno, name: shown.name, values: {}, details: null };
		return eventOf(gone, values, watched, [], true);
	}
	const companies = [...known];
	const before = changed.map((field) => {
		const now = values[field] as Value;
		const others = companies.map((company) => company.values[field]);
		const isOther = (value?: Value) => value !== undefined && !isUnchanged(value, now);
		return [field, others.find(isOther) ?? exampleBefore(field, now)] as const;
	});
	return eventOf(shown, { ...values, ...Object.fromEntries(before) }, watched, changed);
}

function exampleBefore(field: string, now: Value): Value {
	if (typeof now === 'boolean') return !now;
	if (typeof now === 'number') return now > 10 ? Math.round(now * 0.9) : now + 1;
	const examples = EXAMPLES.get(field) ?? [`previous ${field.replaceAll('_', ' ')}`];
	return examples.find((example) => example !== now) ?? now;
}

export function nothingToWatch({ fields, others }: Watched): ServiceError {
	return new ServiceError(
		`The registry's responses don't contain these fields: ${[...fields, ...others].join(', ')}`,
		{
			description:
				'Select another "Status Source", or change "Fields to Watch" or "Other Fields to Watch". Use the field names from the simplified output of Company: Get.',
			failure: { cause: 'node-defect' },
		},
	);
}

/** Whether a field can only be watched in the full record. */
export function isOtherField(name: string): boolean {
	return !['idno', ...WATCHABLE].includes(name);
}
