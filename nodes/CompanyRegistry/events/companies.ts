import { z } from 'zod';

import { DAY_MS } from '../../shared/http/clock';
import type { Json } from '../../shared/http/envelope';
import { ServiceError } from '../../shared/http/errors';
import type { Fields } from '../../shared/node/records';
import type { StateSchema } from '../../shared/poll/event';
import type { Session } from '../../shared/poll/session';
import { isSameValue } from '../output/changes';
import type { Checks } from './budget';
import { WATCHABLE } from './lookUp';
import type { CheckPlan, ShownCompany, Source, Value, Values } from './lookUp';

const ABSENCES = 3;

/** The stored state of one company. */
export interface Company {
	/** Fields that no response has contained yet are absent. */
	values: Values;
	/** The registry does not show it: since when in the trigger's own time, and in how many checks. */
	missing?: { since: number; checks: number };
	/** Its absence was an event, or would have been one. */
	gone?: boolean;
	/** Its first check is an event. */
	emit?: boolean;
}

/** What the trigger remembers of the companies. */
export interface CompaniesState {
	/** The source of the values. */
	source: Source;
	/** By IDNO. */
	companies: Map<string, Company>;
	/** When the registry last showed one of them, in the trigger's own time. */
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
		source: z.enum(['credit', 'dossier', 'search']),
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
	/** Further fields of the full record. */
	others: readonly string[];
	/** Whether a missing company is an event. */
	disappearance: boolean;
}

/** A poll of the companies. */
export interface CompaniesPoll {
	watched: Watched;
	plan: CheckPlan;
	state: CompaniesState;
	session: Session;
	checks: Checks;
	isFirst: boolean;
	emit(event: Json | undefined): void;
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
	watched: Watched,
): Json | undefined {
	const isBack = watched.disappearance && company.gone === true;
	const before = isBack ? {} : company.values;
	const changed = [...watched.fields, ...watched.others].filter((field) => {
		const [last, now] = [before[field], shown.values[field]];
		return (
			last !== undefined && now !== undefined && !isSameValue(inAnyOrder(last), inAnyOrder(now))
		);
	});
	const emits = changed.length > 0 || isBack || company.emit;
	const event = emits ? eventOf(shown, before, watched, changed, isBack) : undefined;
	company.values = { ...company.values, ...shown.values };
	for (const mark of ['missing', 'gone', 'emit'] as const) delete company[mark];
	return event;
}

/** A list, such as the administrators, is shown as "Ion, Ana"; the registry promises no order. */
function inAnyOrder(value: Value): Value {
	return typeof value === 'string' ? value.split(', ').sort().join(', ') : value;
}

/**
 * Notes that the registry does not show a company. It is gone after a day and three checks, since one
 * can be wrong; that is an event if the user watches it. If the registry shows none of several
 * companies in that time, it is the registry that fails.
 */
export function noteAbsence(
	{ state, session, watched, emit }: CompaniesPoll,
	idno: string,
	company: Company,
): void {
	const { clock } = session;
	const { since, checks } = company.missing ?? { since: clock, checks: 0 };
	company.missing = { since, checks: Math.min(checks + 1, ABSENCES) };
	if (clock - since < DAY_MS || checks + 1 < ABSENCES) return;
	if (state.companies.size > 1 && state.lastShown < since) return;
	// It was never there, or is gone already.
	if (company.gone || Object.keys(company.values).length === 0) return;
	company.gone = true;
	const gone = { idno, values: {}, details: null };
	if (watched.disappearance) emit(eventOf(gone, company.values, watched, [], true));
}

/** One flat record, whose columns fit on one line each; only `details` has levels. */
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

/** Values that a registry may show, for an example where none is known. */
const EXAMPLES: ReadonlyMap<string, readonly string[]> = new Map([
	['status', ['active', 'in_liquidation']],
	['rating', ['B', 'C']],
	['insolvency_risk', ['low', 'moderate']],
]);

/**
 * An example event: the company as it is now. As its previous values, it has those of another watched
 * company, where there are different ones.
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
		const isOther = (value?: Value) => value !== undefined && !isSameValue(value, now);
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

/** Fields that can be watched without the full record, so not as others. */
export function isOtherField(name: string): boolean {
	return !['idno', ...WATCHABLE].includes(name);
}
