import { MAX_RESULTS } from '../../../CompanyRegistry/service';
import { systemClock } from '../../../shared/http/clock';
import type { Json } from '../../../shared/http/envelope';
import { ServiceError } from '../../../shared/http/errors';
import { readSearch, warnOfGaps } from '../../companySearch';
import type { SearchQuery } from '../../companySearch';
import type { PollRun, PollSettings } from '../../event';
import { BudgetUsedUp } from '../../registryClient';
import type { RegistryClient } from '../../registryClient';
import { lookUpIn, missingField, shownCompany, WATCHABLE } from './lookUp';
import type { Field, ShownCompany, StatusSource, Value } from './lookUp';
import { checked, dueOrder, placeAt, roundOf } from './round';
import type { Company, CompanyState } from './state';

/** What the user watches. */
export interface Watched {
	fields: readonly Field[];
	/** Whether it is an event that a company is gone for more than a day. */
	disappearance: boolean;
}

export interface CompanyPoll {
	settings: PollSettings;
	run: PollRun;
	client: RegistryClient;
	watched: Watched;
	state: CompanyState;
	/** Nothing was stored before. */
	first: boolean;
	/** The workflow was edited since the last poll. */
	edited: boolean;
	/** By IDNO: a company that is shown twice is one event. */
	events: Map<string, Json>;
}

const DAY_MS = 24 * 3_600_000;
/** Outages in a row, or refusals without any success, after which a poll tries no other company. */
const MAX_OUTAGES = 3;
const MAX_REFUSALS = 10;

/** Causes that concern every request with this credential. */
const FOR_ALL = new Set([
	'credential-invalid',
	'configuration-invalid',
	'rate-limited',
	'quota-exhausted',
]);

/**
 * Looks at the companies of a list that are due, as many as the budget and the time allow. The
 * first poll after an edit looks only at the companies that the edit added.
 *
 * @throws ServiceError when no look-up succeeded
 */
export async function pollList(
	poll: CompanyPoll,
	idnos: readonly string[],
	source: StatusSource,
): Promise<void> {
	const { client, run, settings, first, edited } = poll;
	const round = roundOf(settings.trigger);
	const listed = new Set(idnos);
	const added = updateList(poll, listed);
	const before = [...round.added, ...(first ? [] : added)].filter((idno) => listed.has(idno));
	round.added = new Set(before);
	const wasAdded = new Set(before);
	const due = first
		? idnos
		: edited
			? [...round.added]
			: dueOrder(round, idnos, () => client.steadyPerDay());

	const absent: string[] = [];
	const unclear: string[] = [];
	let failed: string[] = [];
	let read = 0;
	let problem: ServiceError | undefined;
	for (const idno of due) {
		if (client.available() < 1) break;
		const result = await run.reader.read(async () => await attempt(poll, idno, source));
		if (result === undefined || result instanceof BudgetUsedUp) break;
		if (result instanceof ServiceError) {
			problem ??= result;
			const notFound = isUnclear(result);
			const cause = result.failure?.cause ?? '';
			if (!notFound && FOR_ALL.has(cause)) break;
			if (notFound) unclear.push(idno);
			else settings.warn(`the company ${idno} could not be read: ${result.message}`);
			failed.push(idno);
			checked(round, idno);
			const outage = cause === 'temporarily-unavailable';
			const hopeless = outage
				? failed.length >= MAX_OUTAGES
				: read === 0 && failed.length >= MAX_REFUSALS;
			if (!hopeless) continue;
			// An outage concerns no single company, so only one of them loses its turn.
			const [lost = ''] = failed;
			if (outage && !wasAdded.has(lost)) round.last = lost;
			break;
		}
		failed = [];
		checked(round, idno);
		if (result === 'absent') absent.push(idno);
		else {
			compare(poll, result.shown, source, result.before);
			read++;
		}
	}
	if (read > 0) absent.push(...unclear);
	for (const idno of absent) noteAbsence(poll, idno);

	if (problem && read + absent.length === 0) throw problem;
	if (first && read === 0) throw absent.length > 0 ? noneFound(absent) : client.budgetUsedUp();
}

/** Adds and removes companies as the list says. @returns the IDNOs of those that are new */
function updateList({ state, first, run }: CompanyPoll, listed: ReadonlySet<string>): string[] {
	const { companies } = state;
	for (const [idno, company] of companies) {
		if (listed.has(idno)) company.unconfirmed = undefined;
		else companies.delete(idno);
	}
	const added = [...listed].filter((idno) => !companies.has(idno));
	const emit = (first && run.emitExisting) || undefined;
	for (const idno of added) companies.set(idno, { values: [], emit });
	return added;
}

interface Found {
	shown: ShownCompany;
	/** What the source shows now from which the company is known, where that is another one. */
	before?: ShownCompany;
}

/** @throws Error that is not about the service */
async function attempt(
	{ client, state }: CompanyPoll,
	idno: string,
	source: StatusSource,
): Promise<Found | 'absent' | ServiceError> {
	try {
		const shown = await lookUpIn(source, client)(idno);
		if (!shown) return 'absent';
		const known = state.companies.get(idno);
		const sameSource = !known?.source || known.source === source;
		if (sameSource || !differs(known, shown)) return { shown };
		// Two sources may call the same status by different names.
		const before = await lookUpIn(known.source as StatusSource, client)(idno);
		return { shown, before };
	} catch (error) {
		if (!(error instanceof ServiceError)) return await Promise.reject(error as Error);
		const notFound = error.httpCode === '404' && !isUnclear(error);
		return notFound ? 'absent' : error;
	}
}

/** A 404 without a message from the API may come from a wrong base URL. */
function isUnclear({ httpCode, failure }: ServiceError): boolean {
	return httpCode === '404' && failure?.cause === 'configuration-invalid';
}

function differs({ values }: Company, shown: ShownCompany): boolean {
	return WATCHABLE.some((field, index) => {
		const [before, now] = [values[index], shown.values[field]];
		return before !== undefined && now !== undefined && before !== now;
	});
}

function noneFound([idno]: readonly string[]): ServiceError {
	return new ServiceError(`The registry finds none of the companies, e.g. ${idno}`, {
		description: 'Check the IDNOs of the list.',
	});
}

/**
 * Reads the search and compares the companies that it shows.
 *
 * @throws ServiceError
 */
export async function pollSearch(poll: CompanyPoll, query: SearchQuery): Promise<void> {
	const { client, run, state, settings, first, edited } = poll;
	const text = JSON.stringify(query);
	const otherSearch = state.query !== text;
	if (edited && !first && !otherSearch) return;
	if (otherSearch) for (const company of state.companies.values()) company.unconfirmed = true;

	let shownCount = 0;
	let withStatus = 0;
	const pages = Math.ceil(Math.max(state.companies.size, state.total ?? 0) / MAX_RESULTS);
	const result = await readSearch(
		settings.trigger,
		query,
		{ client, reader: run.reader },
		{
			fromStart: first || otherSearch,
			known: state.companies.size,
			startPage: () => 1 + placeAt(systemClock.now(), pages, client.steadyPerDay()),
		},
		(record, idno) => {
			const shown = shownCompany(record, idno);
			shownCount++;
			if (shown.values.status !== undefined) withStatus++;
			compare(poll, shown, 'search');
		},
	);
	if (shownCount > 0 && withStatus === 0) throw missingField('a status');
	state.total = result.total ?? state.total;
	if (result.kind === 'unfinished') {
		if (first && shownCount === 0) throw run.reader.failure ?? client.budgetUsedUp();
		return;
	}
	state.beginning = false;
	warnOfGaps(result, settings);
	if (result.kind !== 'complete') return;
	for (const [idno, company] of state.companies) {
		if (result.seen.has(idno)) continue;
		const gone = company.unconfirmed ?? noteAbsence(poll, idno);
		if (gone) state.companies.delete(idno);
	}
}

/** Compares a company with what is known of it, and remembers it as it is now. */
function compare(
	{ state, watched, events, run }: CompanyPoll,
	shown: ShownCompany,
	source: StatusSource,
	before = shown,
): void {
	const { idno, values } = shown;
	const known = state.companies.get(idno);
	const previous = WATCHABLE.map((_, index) => known?.values[index]);
	// A field that is missing in this response did not change.
	const current = WATCHABLE.map((field, index) => values[field] ?? previous[index]);
	state.companies.set(idno, { values: current, source });

	const changed: string[] = watched.fields.filter((field) => {
		const last = previous[WATCHABLE.indexOf(field)];
		return last !== undefined && (before.values[field] ?? last) !== last;
	});
	if (watched.disappearance && previous[0] === null) changed.unshift(DISAPPEARANCE);
	const emitted = known ? known.emit : state.beginning && run.emitExisting;
	if (changed.length > 0 || emitted) events.set(idno, eventOf(shown, previous, watched, changed));
}

/**
 * Records that the registry has no such company.
 *
 * @returns whether it has been gone for more than a day
 */
function noteAbsence({ state, watched, events, settings }: CompanyPoll, idno: string): boolean {
	const company = state.companies.get(idno) as Company;
	const now = systemClock.now();
	if (company.missingSince === undefined) {
		company.missingSince = now;
		if (!state.query) settings.warn(`the registry does not find the company ${idno}`);
	}
	if (now - company.missingSince <= DAY_MS) return false;
	const { values } = company;
	if (watched.disappearance && (values[0] ?? null) !== null) {
		const gone = { idno, values: {}, details: null };
		events.set(idno, eventOf(gone, values, watched, [DISAPPEARANCE]));
		company.values = [null];
	}
	return true;
}

/** Value of the field to watch, and its name in `changedFields`. */
export const DISAPPEARANCE = 'disappearance';

/**
 * The fields of an event: what the company shows, what it showed before, which of it changed.
 *
 * @param previous by the places of `WATCHABLE`
 */
export function eventOf(
	{ idno, name, values, details }: Omit<ShownCompany, 'details'> & { details: Json | null },
	previous: ReadonlyArray<Value | undefined>,
	{ fields }: Watched,
	changedFields: readonly string[],
): Json {
	const shownBefore = WATCHABLE.flatMap((field, index) =>
		field === 'status' || fields.includes(field)
			? [[previousName(field), previous[index] ?? null] as const]
			: [],
	);
	return {
		idno,
		name: name ?? null,
		status: values.status ?? null,
		...Object.fromEntries(shownBefore),
		changedFields,
		...values,
		details,
	};
}

/** E.g. `previousStatus`. */
function previousName(field: Field): string {
	return `previous${field.charAt(0).toUpperCase()}${field.slice(1)}`;
}
