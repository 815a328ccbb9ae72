import { z } from 'zod';

import { DAY_MS, systemClock } from '../../shared/http/clock';
import type { Json } from '../../shared/http/envelope';
import { concernsKey, ServiceError } from '../../shared/http/errors';
import type { Fields } from '../../shared/node/records';
import type { Session } from '../../shared/poll/session';
import { allowanceSchema } from './allowance';
import type { Allowance } from './allowance';
import {
	cellOfValue,
	changeText,
	isUnchanged,
	needsSource,
	readWatched,
	requestsPerCheck,
	SOURCES,
} from './check';
import type { Client, ShownCompany, Values, Watched } from './check';

/** After this many failures in the first poll, the registry is assumed to be down. */
const OUTAGE = 3;
/** How many checks have to miss a company before it's gone. */
const ABSENCES = 3;

function companySchema() {
	const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
	return z.object({
		values: z.record(z.string(), z.union([scalar, z.array(z.string())])),
		/** When the registry stopped showing it, in ms since the epoch, and how many checks missed it. */
		missing: z.object({ since: z.number(), checks: z.number().int() }).optional(),
		/** Its disappearance was an event, or would have been one. */
		gone: z.boolean().optional(),
		/** Its first check is an event, because the user wants existing records. */
		emit: z.boolean().optional(),
		/** The log already has a warning about it. */
		warned: z.boolean().optional(),
	});
}

type Company = Omit<z.infer<ReturnType<typeof companySchema>>, 'values'> & { values: Values };

export function companiesSchema() {
	return z.object({
		/** By IDNO, in the order of their last checks. The first is the next to be checked. */
		companies: z
			.array(z.tuple([z.string(), companySchema()]))
			.transform((companies) => new Map<string, Company>(companies)),
		/** Where the status is read. */
		source: z.enum(SOURCES).optional(),
		/** The company that the registry showed last, and when. */
		lastShown: z.object({ idno: z.string(), at: z.number() }).optional(),
		allowance: allowanceSchema(),
	});
}

export type CompaniesState = z.infer<ReturnType<typeof companiesSchema>>;

/** What a poll of the watched companies works with. */
export interface CompaniesPoll {
	watched: Watched;
	state: Omit<CompaniesState, 'allowance'>;
	session: Session;
	allowance: Allowance;
	client: Client;
	isFirst: boolean;
}

/** A value of *Fields to Watch*, and its name in `changedFields`. */
export const DISAPPEARANCE = 'disappearance';

/**
 * Checks companies, those whose last check is longest ago first, as far as the allowance and the time go.
 *
 * A company that can't be read goes to the end like any other, so it doesn't hold up the rest. But if the
 * registry seems to be down, nobody loses a place, and nothing is spent.
 *
 * @returns the events
 * @throws ServiceError if the registry can't be read
 */
export async function pollCompanies(
	poll: CompaniesPoll,
	idnos: readonly string[],
): Promise<Json[]> {
	const { watched, state, session, allowance, client, isFirst } = poll;
	const cost = () => requestsPerCheck(client.variant, watched, state.source);
	const added = updateList(poll, idnos);
	allowance.grant(isFirst ? Infinity : added * cost());

	const events: Array<Json | undefined> = [];
	let answers = 0;
	const check = async (idno: string): Promise<ServiceError | undefined> => {
		const result = await readWatched(idno, watched, client, state.source).catch(asServiceError);
		if (result instanceof ServiceError) return result;
		answers++;
		if (result && needsSource(watched)) state.source ??= result.source;
		if (result) state.lastShown = { idno, at: systemClock.now() };
		const company = moveToEnd(poll, idno, cost());
		if (!result) warnOnce(poll, company, `the registry doesn't have the company ${idno}`);
		const event = result
			? noteShown(company, result.shown, watched)
			: noteAbsence(poll, idno, company);
		events.push(event);
		return undefined;
	};
	let failures = 0;
	/** Another company, which could be read before, tells whether it's the registry's fault. */
	const isRegistryDown = async (idno: string, error: ServiceError) => {
		const { lastShown } = state;
		// Without a cause, the registry has answered that it can't show this company.
		if (!lastShown) return error.failure !== undefined && failures >= OUTAGE;
		return lastShown.idno === idno || (await check(lastShown.idno)) !== undefined;
	};

	let problem: ServiceError | undefined;
	let isDown = false;
	let isUp = false;
	for (const idno of [...state.companies.keys()]) {
		const isStarted = answers + failures > 0;
		if (!allowance.mayAsk(cost()) || (isStarted && session.isOver())) break;
		const error = await check(idno);
		if (error) {
			problem ??= error;
			failures++;
			isDown = concernsKey(error) || (!isUp && (await isRegistryDown(idno, error)));
			if (isDown) break;
			const company = moveToEnd(poll, idno, cost());
			warnOnce(poll, company, `the company ${idno} couldn't be read: ${error.message}`);
			if (isUnsuccessful(error)) events.push(noteAbsence(poll, idno, company));
		}
		isUp = !error;
	}
	if (problem && isDown && answers > 0) session.warn(`a poll ended early: ${problem.message}`);
	if (problem && (isFirst ? !state.lastShown : isDown && answers === 0)) throw problem;
	if (isFirst) requireShown(poll, answers);
	return events.filter((event) => event !== undefined);
}

/** Adds and removes companies so that the state matches the list. @returns how many were added */
function updateList({ state, session, isFirst }: CompaniesPoll, idnos: readonly string[]): number {
	const listed = new Set(idnos);
	const emit = isFirst && session.emitExisting ? { emit: true } : {};
	const added = idnos.filter((idno) => !state.companies.has(idno));
	const kept = [...state.companies].filter(([idno]) => listed.has(idno));
	if (!listed.has(state.lastShown?.idno ?? '')) delete state.lastShown;
	const fresh = added.map((idno): [string, Company] => [idno, { values: {}, ...emit }]);
	state.companies = new Map([...fresh, ...kept]);
	return added.length;
}

/** A company that was checked is the last to be checked again. */
function moveToEnd({ state, allowance }: CompaniesPoll, idno: string, cost: number): Company {
	allowance.spend(cost);
	const company = state.companies.get(idno) as Company;
	state.companies.delete(idno);
	state.companies.set(idno, company);
	return company;
}

async function asServiceError(error: unknown): Promise<ServiceError> {
	return error instanceof ServiceError ? error : await Promise.reject(error as Error);
}

/** The registry has answered, but without success and without a cause that concerns more than this company. */
function isUnsuccessful({ hasEnvelope, failure, httpCode }: ServiceError): boolean {
	return hasEnvelope === true && !failure && httpCode !== '403';
}

function warnOnce({ session }: CompaniesPoll, company: Company, message: string): void {
	if (!company.warned) session.warn(message);
	company.warned = true;
}

/** @throws ServiceError if the first poll found nothing to watch */
function requireShown({ watched, state, allowance }: CompaniesPoll, answers: number): void {
	if (answers === 0) throw allowance.exhausted();
	if (!state.lastShown) throw noneFound([...state.companies.keys()].slice(-answers));
	const wanted = [...watched.fields, ...watched.others];
	const shows = ({ values }: Company) => wanted.some((field) => values[field] !== undefined);
	if (wanted.length === 0 || [...state.companies.values()].some(shows)) return;
	throw new ServiceError(
		`The registry's responses don't contain these fields: ${wanted.join(', ')}`,
		{
			description:
				'Change "Fields to Watch" or "Other Fields to Watch". Use the field names from the simplified output of Company: Get.',
			failure: { cause: 'node-defect' },
		},
	);
}

/**
 * Updates a company with what the registry shows. A field that's missing from the response keeps its
 * value, whereas null is a value.
 *
 * @returns the event, if there is one
 */
function noteShown(company: Company, shown: ShownCompany, watched: Watched): Json | undefined {
	const isBack = watched.disappearance && company.gone === true;
	const before = isBack ? {} : company.values;
	const changed = [...watched.fields, ...watched.others].filter((field) => {
		const [last, now] = [before[field], shown.values[field]];
		return last !== undefined && now !== undefined && !isUnchanged(last, now);
	});
	const emits = changed.length > 0 || isBack || company.emit;
	const event = emits ? eventOf(shown, before, watched, changed, isBack) : undefined;
	company.values = { ...company.values, ...shown.values };
	for (const mark of ['missing', 'gone', 'emit', 'warned'] as const) delete company[mark];
	return event;
}

/**
 * Notes that the registry doesn't show a company. It's gone after a day and three checks, because a
 * single one can be wrong. If the registry shows none of several companies in that time, the registry
 * is to blame.
 *
 * @returns the event, if there is one
 */
function noteAbsence(
	{ state, watched }: CompaniesPoll,
	idno: string,
	company: Company,
): Json | undefined {
	const now = systemClock.now();
	const { since: first, checks } = company.missing ?? { since: now, checks: 0 };
	// The clock may have been set back.
	const since = Math.min(first, now);
	company.missing = { since, checks: checks + 1 };
	if (now - since < DAY_MS || checks + 1 < ABSENCES) return undefined;
	if (state.companies.size > 1 && (state.lastShown?.at ?? 0) < since) return undefined;
	// It has never been there, or it's gone already.
	if (company.gone || Object.keys(company.values).length === 0) return undefined;
	company.gone = true;
	const gone = { idno, values: {}, details: null };
	return watched.disappearance ? eventOf(gone, company.values, watched, [], true) : undefined;
}

/** A flat record, so that each column fits on one line in n8n's table. Only `details` has levels. */
function eventOf(
	{ idno, name, values, details }: Omit<ShownCompany, 'details'> & { details: Json | null },
	before: Values,
	{ fields, others }: Watched,
	changed: readonly string[],
	disappearance = false,
): Json {
	const changes = disappearance ? ['status'] : changed;
	const previous = [...new Set(['status', ...fields, ...others])].map((field) => [
		previousName(field),
		cellOfValue(before[field]),
	]);
	const current = Object.entries(values).map(([field, value]) => [field, cellOfValue(value)]);
	return {
		idno,
		name: name ?? null,
		status: cellOfValue(values.status),
		changes: changes.map((field) => changeText(field, before[field], values[field])).join('; '),
		changedFields: disappearance ? [DISAPPEARANCE] : [...changed],
		...Object.fromEntries(previous),
		...Object.fromEntries(current),
		details,
	};
}

/** The fields of an event, for AI builders. */
export const STATUS_EVENT = {
	idno: 'string',
	name: 'string',
	status: 'string',
	changes: 'string',
	changedFields: ['string'],
	previousStatus: 'string',
	previousRating: 'string',
	previousScore: 'number',
	previousInsolvencyRisk: 'string',
	previousRecommendedLimitMdl: 'number',
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

/** A sample event: the company's current values, as if it had had none before. */
export function sampleOf(shown: ShownCompany, watched: Watched): Json {
	const fields = [...watched.fields, ...watched.others];
	const changed = fields.filter((field) => shown.values[field] !== undefined);
	return eventOf(shown, {}, watched, changed, watched.disappearance && changed.length === 0);
}

/** @param idnos checked companies, none of which the registry has */
export function noneFound(idnos: readonly string[]): ServiceError {
	const [first, ...others] = idnos;
	return new ServiceError(
		others.length === 0
			? `The registry doesn't have the company ${first}`
			: `The registry doesn't have any of the ${idnos.length} companies checked so far`,
		{
			description: `Check the ${others.length > 0 ? `IDNOs, e.g. ${first},` : 'IDNO'} and the credential's API Variant.`,
		},
	);
}
