import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import type { ZodType, ZodTypeDef } from 'zod';

import type { Json } from '../../shared/http/envelope';
import { InputError, ServiceError } from '../../shared/http/errors';
import { readFlag } from '../../shared/node/validators';
import type { Outcome, Parameter, TriggerEvent, Watcher } from '../../shared/poll/event';
import { newLap, newReading, readingFields, readLap, storedReading } from '../../shared/poll/lap';
import type { Reading } from '../../shared/poll/lap';
import type { Session } from '../../shared/poll/session';
import { dailyRequestsOption, openChecks } from '../checks';
import type { Checks } from '../checks';
import { checkDigit, idno as company } from '../fields';
import { variantOf } from '../service';
import {
	compare,
	companySchema,
	DISAPPEARANCE,
	disappearanceOf,
	noteAbsence,
	sampleOf,
} from './companies';
import type { Company, Watched } from './companies';
import { lookUp, shownCompany, sourceFor, WATCHABLE } from './lookUp';
import type { Source } from './lookUp';
import { nothingFound, searchFilters, searchPages, searchQueryIn, watchedSearch } from './search';
import type { SearchQuery } from './search';
import { watchListOf } from './watchList';

const fields: INodeProperties[] = [
	{
		displayName: 'Companies to Watch',
		name: 'watch',
		type: 'options',
		default: 'list',
		options: [
			{ name: 'List of IDNOs', value: 'text', description: 'Paste any number of IDNOs' },
			{
				name: 'Search Results',
				value: 'search',
				description: 'All companies with a name, an activity or a region',
			},
			{ name: 'Selected Companies', value: 'list', description: 'Select them by name or IDNO' },
		],
		description: 'Registry data changes about once a week, so poll every hour',
	},
	{
		displayName: 'Companies',
		name: 'companies',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add company',
		// One entry to fill in, like that of Poll Times.
		default: { company: [{ idno: { __rl: true, mode: 'list', value: '' } }] },
		displayOptions: { show: { watch: ['list'] } },
		options: [
			{
				displayName: 'Company',
				name: 'company',
				values: [
					{
						displayName: 'Company',
						name: 'idno',
						type: 'resourceLocator',
						default: { mode: 'list', value: '' },
						required: true,
						description: 'Select from the list, or enter an IDNO',
						modes: company.modes?.filter(({ name }) => name === 'list' || name === 'idno'),
					},
				],
			},
		],
	},
	{
		displayName: 'IDNOs',
		name: 'watchListText',
		type: 'string',
		typeOptions: { rows: 6 },
		default: '',
		placeholder: 'e.g. 1003600015231, 1008600038413',
		description:
			'One IDNO per line, or several separated by commas. A trigger has no input, so an expression cannot read a sheet or a CRM: for that, see the example "Watch the companies of a table that a team edits".',
		displayOptions: { show: { watch: ['text'] } },
	},
	{ ...searchFilters, displayOptions: { show: { watch: ['search'] } } },
	{
		displayName: 'Fields to Watch',
		name: 'fieldsToWatch',
		type: 'multiOptions',
		default: ['status'],
		options: [
			{
				name: 'Disappearance',
				value: DISAPPEARANCE,
				description:
					'The company has been missing from the registry or the search for more than a day',
			},
			{ name: 'Insolvency Risk', value: 'insolvency_risk', description: 'V1 API only, for lists' },
			{ name: 'Rating', value: 'rating', description: 'V1 API only, for lists' },
			{
				name: 'Recommended Limit',
				value: 'recommended_limit_mdl',
				description: 'V1 API only, for lists',
			},
			{ name: 'Score', value: 'score', description: 'V1 API only, for lists' },
			{ name: 'Status', value: 'status', description: 'Both APIs, for lists and searches' },
		],
		description: 'A change of any of these is an event',
	},
];

const options: INodeProperties[] = [
	dailyRequestsOption,
	{
		displayName: 'Status Source',
		name: 'statusSource',
		type: 'options',
		default: 'automatic',
		displayOptions: { hide: { '/watch': ['search'] } },
		options: [
			{
				name: 'Automatic',
				value: 'automatic',
				description: 'Credit recommendation with the V1 API, search with the Unversioned API',
			},
			{
				name: 'Company Dossier',
				value: 'dossier',
				description: 'V1 API only. Its fields are not documented.',
			},
			{
				name: 'Credit Recommendation',
				value: 'credit',
				description: 'V1 API only. Shows rating, score, risk and limit as well.',
			},
			{ name: 'Search', value: 'search', description: 'By the IDNO. Shows only the status.' },
		],
		description: 'Which API call provides the status',
	},
	{ ...checkDigit, displayOptions: { hide: { '/watch': ['search'] } } },
];

export const companyStatusChanged: TriggerEvent = {
	value: 'companyStatusChanged',
	name: 'Company Status Changed',
	description:
		'When the status, rating, score, risk or limit of a watched company changes, or it disappears',
	fields,
	options,
	watch(parameter): Watcher<State> {
		const watched = watchedIn(parameter);
		return {
			state: stateSchema,
			poll: async (stored, session) =>
				await poll(watched, stored, session, openChecks(session, parameter)),
			sample: async (session) => await sample(watched, session),
		};
	},
};

interface Parameters extends Watched {
	/** IDNOs of a list; absent where a search is watched. */
	idnos?: string[];
	query: SearchQuery;
	source: Source | 'automatic';
}

function watchedIn(parameter: Parameter): Parameters {
	const selected = parameter<unknown>('fieldsToWatch', ['status']);
	const isSelected = (name: string) => Array.isArray(selected) && selected.includes(name);
	const watched = {
		fields: WATCHABLE.filter(isSelected),
		disappearance: isSelected(DISAPPEARANCE),
	};
	if (watched.fields.length === 0 && !watched.disappearance) {
		throw new InputError('The parameter "Fields to Watch" is empty', 'Select at least one field.');
	}
	const watch = parameter<string>('watch', 'list');
	if (watch === 'search') {
		return { ...watched, query: searchQueryIn(parameter), source: 'search' };
	}
	const { statusSource: source = 'automatic', checkDigit } = parameter<{
		statusSource?: Parameters['source'];
		checkDigit?: unknown;
	}>('options', {});
	const given = watch === 'text' ? parameter<unknown>('watchListText', '') : selectedIn(parameter);
	const idnos = watchListOf(given, readFlag(checkDigit, true, 'Validate Check Digit'));
	return { ...watched, query: {}, source, idnos };
}

function selectedIn(parameter: Parameter): unknown[] {
	const { company: rows = [] } = parameter<{ company?: Array<{ idno?: unknown }> }>(
		'companies',
		{},
	);
	return rows.map(({ idno }) => (idno as { value?: unknown } | undefined)?.value ?? idno);
}

interface State {
	/** The source of the values. */
	source: Source;
	/** By IDNO. */
	companies: Map<string, Company>;
	/** Of a search. */
	reading?: Reading;
}

function stateSchema(): ZodType<State, ZodTypeDef, unknown> {
	return z.object({
		source: z.enum(['credit', 'dossier', 'search']),
		companies: z
			.record(companySchema())
			.transform((companies) => new Map<string, Company>(Object.entries(companies))),
		reading: z.object(readingFields()).optional(),
	});
}

async function poll(
	watched: Parameters,
	stored: State | undefined,
	session: Session,
	checks: Checks,
): Promise<Outcome> {
	const source = sourceFor(checks.variant, watched.source, watched.fields);
	// Two sources may call the same status by different names.
	const state =
		stored?.source === source ? stored : { source, companies: new Map<string, Company>() };
	const isFirst = stored === undefined;
	const events = new Map<string, Json>();
	const emit = (idno: string, event: Json | undefined) => event && events.set(idno, event);
	const run = { watched, state, session, checks, isFirst, emit };
	if (watched.idnos) await pollList(run, watched.idnos);
	else await pollSearch(run);
	return {
		state: {
			source,
			companies: Object.fromEntries(state.companies),
			reading: state.reading && storedReading(state.reading),
		},
		events: [...events.values()],
	};
}

interface Run {
	watched: Parameters;
	state: State;
	session: Session;
	checks: Checks;
	isFirst: boolean;
	/** A company that is shown twice is one event. */
	emit(idno: string, event: Json | undefined): void;
}

/** Outages in a row, or rejections without any success, after which a poll stops trying. */
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
 * Checks the companies of a list that are due.
 *
 * @throws ServiceError when no look-up succeeded
 */
async function pollList(run: Run, idnos: readonly string[]): Promise<void> {
	const { watched, state, session, checks, isFirst, emit } = run;
	const { companies, source } = state;
	state.reading = undefined;
	const due = checks.due(idnos, updateList(run, idnos), isFirst);
	const absent: string[] = [];
	const unclear: string[] = [];
	let problem: ServiceError | undefined;
	let failures = 0;
	let read = 0;
	let showsNothing = true;
	for (const [index, idno] of due.entries()) {
		if (!checks.mayAsk() || (index > 0 && session.isOver())) break;
		const result = await lookUp(idno, source, checks).catch(asServiceError);
		if (result instanceof ServiceError && !isAbsent(result)) {
			problem ??= result;
			const cause = result.failure?.cause ?? '';
			if (isUnclear(result)) unclear.push(idno);
			else if (FOR_ALL.has(cause)) break;
			else checks.warnOnce(idno, `the company ${idno} could not be read: ${result.message}`);
			const outage = cause === 'temporarily-unavailable';
			checks.checked(idno, outage);
			failures++;
			if (failures >= (outage ? MAX_OUTAGES : MAX_REFUSALS) && (outage || read === 0)) break;
			continue;
		}
		failures = 0;
		checks.checked(idno);
		if (!result || result instanceof ServiceError) absent.push(idno);
		else {
			read++;
			checks.warnOnce(idno);
			showsNothing &&= watched.fields.every((field) => result.values[field] === undefined);
			emit(idno, compare(companies.get(idno) as Company, result, watched));
		}
	}
	if (read > 0) absent.push(...unclear);
	for (const idno of absent) noteMissing(run, idno);

	if (problem && read + absent.length === 0) throw problem;
	if (!isFirst) return;
	if (read === 0) throw absent.length > 0 ? noneFound(absent) : checks.exhausted();
	if (showsNothing && watched.fields.length > 0) throw nothingToWatch(watched);
}

/** Adds and removes companies as the list says. @returns the IDNOs of those that are new */
function updateList({ state, session, isFirst }: Run, idnos: readonly string[]): string[] {
	const { companies } = state;
	const listed = new Set(idnos);
	for (const [idno, known] of companies) {
		if (!listed.has(idno)) companies.delete(idno);
		delete known.unconfirmed;
	}
	const added = idnos.filter((idno) => !companies.has(idno));
	const emit = isFirst && session.emitExisting ? { emit: true } : {};
	for (const idno of added) companies.set(idno, { values: {}, ...emit });
	return added;
}

function noteMissing({ state, session, checks, watched, emit }: Run, idno: string): void {
	const known = state.companies.get(idno) as Company;
	checks.warnOnce(idno, `the registry does not find the company ${idno}`);
	if (noteAbsence(known, session.clock) === 'missing') return;
	const event = disappearanceOf(idno, known, watched);
	if (watched.disappearance) emit(idno, event);
}

async function asServiceError(error: unknown): Promise<ServiceError> {
	return error instanceof ServiceError ? error : await Promise.reject(error as Error);
}

function isAbsent(error: ServiceError): boolean {
	return error.httpCode === '404' && !isUnclear(error);
}

/** A 404 without a message from the API may come from a wrong base URL. */
function isUnclear({ httpCode, failure }: ServiceError): boolean {
	return httpCode === '404' && failure?.cause === 'configuration-invalid';
}

/**
 * Compares the companies that a search shows, as many pages as the poll may read.
 *
 * @throws ServiceError, InputError
 */
async function pollSearch({ watched, state, session, checks, isFirst, emit }: Run): Promise<void> {
	const { companies } = state;
	const list = watchedSearch(checks, watched.query, state.reading?.scope);
	const isSame = state.reading?.scope === list.scope;
	if (!isSame) for (const known of companies.values()) known.unconfirmed = true;
	const reading = (isSame && state.reading) || newReading(session, list.scope);
	reading.emitting &&= isFirst || isSame;
	state.reading = reading;
	let showsStatus = false;
	const note = (row: Json, idno: string) => {
		const shown = shownCompany(row, idno);
		showsStatus ||= shown.values.status !== undefined;
		const known = companies.get(idno);
		const one = known ?? { values: {}, ...(reading.emitting ? { emit: true } : {}) };
		companies.set(idno, one);
		emit(idno, compare(one, shown, watched));
		return known === undefined;
	};
	const end = await readLap(reading.lap, list, session, note);
	if (isFirst && !session.failure) {
		if (!session.hasRead) throw checks.exhausted();
		if (companies.size > 0 && !showsStatus) throw nothingToWatch(watched);
	}
	if (!end) return;
	list.check?.(reading.lap, end, false);
	const { keys } = reading.lap;
	Object.assign(reading, { lap: newLap(), emitting: false });
	// An empty page is more often a fault than the end of all companies.
	if (end !== 'counted' || keys.size === 0) return;
	for (const [idno, one] of companies) {
		if (keys.has(idno)) continue;
		if (!one.unconfirmed) {
			if (noteAbsence(one, session.clock) === 'missing') continue;
			const event = disappearanceOf(idno, one, watched);
			if (watched.disappearance) emit(idno, event);
		}
		companies.delete(idno);
	}
}

function noneFound([idno]: readonly string[]): ServiceError {
	return new ServiceError(`The registry finds none of the companies, e.g. ${idno}`, {
		description: 'Check the IDNOs of the list.',
	});
}

function nothingToWatch({ fields: watched }: Watched): ServiceError {
	return new ServiceError(
		`The responses of the registry do not show what is watched: ${watched.join(', ')}`,
		{
			description: 'Select another Status Source, or watch other fields.',
			failure: { cause: 'node-defect' },
		},
	);
}

/** Companies that a test event may try until one can be read. */
const SAMPLE_TRIES = 3;

async function sample(watched: Parameters, session: Session): Promise<Json> {
	const { account, send } = session;
	const client = { variant: variantOf({ ...account.settings } as never), send };
	const source = sourceFor(client.variant, watched.source, watched.fields);
	if (!watched.idnos) {
		const list = searchPages(client, watched.query);
		const { rows } = await list.page(session, 1, new Set());
		const row = rows.find((one) => list.key(one) !== undefined);
		if (!row) throw nothingFound();
		return sampleOf(shownCompany(row, list.key(row) as string), watched);
	}
	let problem: unknown = new InputError(
		`The registry does not find the company ${watched.idnos[0]}`,
		'Check the IDNOs of the list, then fetch the test event again.',
	);
	for (const idno of watched.idnos.slice(0, SAMPLE_TRIES)) {
		try {
			const shown = await lookUp(idno, source, client);
			if (shown) return sampleOf(shown, watched);
		} catch (error) {
			problem = error;
		}
	}
	return await Promise.reject(problem as Error);
}
