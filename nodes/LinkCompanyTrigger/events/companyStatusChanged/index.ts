import { companyRegistry, planOf } from '../../../CompanyRegistry/service';
import { systemClock } from '../../../shared/http/clock';
import { isJson } from '../../../shared/http/envelope';
import type { Json } from '../../../shared/http/envelope';
import { InputError, ServiceError } from '../../../shared/http/errors';
import { isBlank } from '../../../shared/node/validators';
import type { PollClient } from '../../pollClient';
import { noteSpent, spentBy } from '../../pollCache';
import { decodedBy } from '../../state';
import { searchSource, watchListSource } from './companySource';
import type { SearchQuery, StatusSource } from './companySource';
import { decodeCompanies, encodeCompanies } from './state';
import { eventOf, pollCompanies, previousName, WATCHABLE } from './poll';
import type { CompanyState, Field, Search, WatchList } from './poll';
import { DailyBudget, dayPlanOf } from './dailyBudget';
import type { PollTime, Spent } from './dailyBudget';
import type { PollSettings, PreparedEvent, TriggerEvent } from '../../event';
import { companyStatusChangedFields, companyStatusChangedOptions } from './fields';
import { watchListOf } from './watchList';

/** Of the plan's quota, what is left for everything else that uses the key. */
const RESERVED_SHARE = 0.2;
/** Companies that a test event may try until one can be read. */
const SAMPLE_TRIES = 3;

/** The companies, and what the requests of the day have cost. */
interface StoredCompanies {
	companies: CompanyState;
	/** Number of watched fields that the values were stored for. */
	fields: number;
	spent: Spent & { perMinute: number };
}

export const companyStatusChanged: TriggerEvent<StoredCompanies> = {
	value: 'companyStatusChanged',
	name: 'Company Status Changed',
	description: 'When a watched company changes its status, or its rating, score, risk or limit',
	service: companyRegistry,
	fields: companyStatusChangedFields,
	options: companyStatusChangedOptions,
	state: () => decodedBy(stateIn),
	prepare,
};

interface Settings {
	fields: readonly Field[];
	/** A watch list's IDNOs. */
	companies?: string[];
	query?: SearchQuery;
	statusSource: StatusSource;
}

function prepare(settings: PollSettings): PreparedEvent<StoredCompanies> {
	const { parameter } = settings;
	const { checkDigit } = parameter<{ checkDigit?: boolean }>('options', {});
	const watched = settingsOf(parameter, checkDigit !== false);
	const { fields } = watched;

	return {
		async poll(stored, { client, reader, emitExisting }) {
			const usable = stored?.fields === fields.length ? stored : undefined;
			const state = usable?.companies;
			const { budget, count } = openBudget(settings, usable, client);
			client.beforeAttempt = () => {
				const refusal = count();
				if (refusal) throw refusal;
			};
			const source = sourceOf(watched, client, state?.onePage ?? false);
			const unreadable = (idno: string, { message }: ServiceError) =>
				settings.warn(`the company ${idno} could not be read and is skipped: ${message}`);
			const options = { fields, emitExisting, unreadable };
			const outcome = await pollCompanies(state, source, reader, budget, options);
			const failed = reader.failure !== undefined && outcome.events.length === 0;
			if (failed && same(outcome.state, state)) return { state: undefined, events: [] };
			return {
				state: {
					...outcome.state,
					companies: encodeCompanies(outcome.state.companies),
					fields: fields.length,
					spent: { ...budget.today, perMinute: client.perMinute() },
				},
				events: outcome.events,
			};
		},
		async sample(client) {
			return await sampleOf(sourceOf(watched, client, true), fields);
		},
	};
}

function same(a: CompanyState, b: CompanyState | undefined): boolean {
	const textOf = (state: CompanyState) =>
		JSON.stringify({ ...state, companies: encodeCompanies(state.companies) });
	return b !== undefined && textOf(a) === textOf(b);
}

type Parameter = PollSettings['parameter'];

function settingsOf(parameter: Parameter, checkDigit: boolean): Settings {
	const watched = parameter<unknown>('fieldsToWatch', ['status']);
	const fields = WATCHABLE.filter((field) => Array.isArray(watched) && watched.includes(field));
	if (fields.length === 0) {
		throw new InputError('The parameter "Fields to Watch" is empty', 'Select at least one field.');
	}
	const statusSource = parameter<StatusSource>('statusSource', 'automatic');
	const watch = parameter<string>('watch', 'list');
	if (watch === 'search') return { fields, statusSource, query: queryOf(parameter) };
	const given = parameter<unknown>(watch === 'text' ? 'watchListText' : 'watchList', '');
	return { fields, statusSource, companies: watchListOf(given, checkDigit) };
}

function queryOf(parameter: Parameter): SearchQuery {
	const filters = parameter<Json>('searchFilters', {});
	const filled = ['q', 'caen', 'region'].filter((name) => !isBlank(filters[name]));
	if (filled.length === 0) {
		throw new InputError(
			'The search has no filter',
			'Add at least one of Class Code, Query and Region.',
		);
	}
	return Object.fromEntries(filled.map((name) => [name, String(filters[name]).trim()]));
}

function sourceOf(settings: Settings, access: PollClient, onePage: boolean): WatchList | Search {
	const { companies, query = {}, statusSource, fields } = settings;
	return companies
		? watchListSource(access, companies, statusSource, fields)
		: searchSource(access, query, fields, onePage);
}

/** @returns undefined when it cannot be read */
function stateIn(data: unknown): StoredCompanies | undefined {
	if (!isJson(data)) return undefined;
	const { next, beginning, onePage, fields } = data;
	if (!Number.isSafeInteger(fields)) return undefined;
	const companies = decodeCompanies(data.companies, fields as number);
	const spent = spentIn(data.spent);
	if (!companies || !spent || !Number.isSafeInteger(next) || typeof beginning !== 'boolean') {
		return undefined;
	}
	return {
		companies: {
			companies,
			next: next as number,
			beginning,
			onePage: onePage === true || undefined,
		},
		fields: fields as number,
		spent,
	};
}

function openBudget(
	{ parameter, trigger, utcOffsetMinutes }: PollSettings,
	usable: StoredCompanies | undefined,
	access: PollClient,
): { budget: DailyBudget; count: () => ServiceError | undefined } {
	const { item = [] } = parameter<{ item?: PollTime[] }>('pollTimes', {});
	const plan = dayPlanOf(item, utcOffsetMinutes);
	const stored = usable?.spent;
	const polledBefore = usable !== undefined;
	// A service may let more through than the plan that was chosen for the credential.
	const perMinute = Math.max(access.perMinute(), stored?.perMinute ?? 0);
	const ledger = { counted: spentBy(trigger), stored, polledBefore, perMinute };
	const perDay = perDayOf(parameter('dailyRequests', 0), access);
	const budget = new DailyBudget(perDay, plan, ledger, () => systemClock.now());
	noteSpent(trigger, budget.today);
	let sent = 0;
	const count = () => {
		// Whether the first may be sent was asked before; the others may be repetitions.
		if (sent++ > 0 && budget.left(true) === 0) return budgetUsedUp(perDay);
		budget.spend();
		noteSpent(trigger, budget.today);
		return undefined;
	};
	return { budget, count };
}

function spentIn(kept: unknown): (Spent & { perMinute: number }) | undefined {
	if (!isJson(kept)) return undefined;
	const { day, used, at, perMinute } = kept;
	const sound = [day, used, at, perMinute].every(Number.isSafeInteger);
	return sound ? ({ day, used, at, perMinute } as Spent & { perMinute: number }) : undefined;
}

function perDayOf(wanted: unknown, { settings }: PollClient): number {
	const { perDay } = planOf(settings as Parameters<typeof planOf>[0]);
	const budget = Number(wanted);
	if (!Number.isInteger(budget) || budget < 0) {
		throw new InputError(
			`The parameter "Daily Request Budget" must be a whole number, but it is "${String(wanted)}"`,
			'Enter 0 to use four fifths of what the plan allows.',
		);
	}
	if (budget > perDay) {
		throw new InputError(
			`The Daily Request Budget of ${budget} is more than the plan allows (${perDay} per day)`,
			'Lower it, or select the right Plan in the credential.',
		);
	}
	return budget > 0 ? budget : Math.max(1, Math.floor(perDay * (1 - RESERVED_SHARE)));
}

function budgetUsedUp(perDay: number): ServiceError {
	return new ServiceError(`The daily budget of ${perDay} requests is used up`, {
		description: 'The trigger goes on tomorrow.',
		failure: { cause: 'quota-exhausted' },
	});
}

/** A company as it is now; what it showed before is made up of the same values. */
async function sampleOf(source: WatchList | Search, fields: readonly Field[]): Promise<Json> {
	const [company] =
		source.kind === 'search' ? (await source.page(1)).companies : [await firstReadable(source)];
	if (!company) {
		throw new InputError(
			'The search finds no company',
			'Change the filters so that they find the companies to watch, then fetch the test event again.',
		);
	}
	const previous = fields.map((field) => [previousName(field), company.values[field] ?? null]);
	return eventOf(company, Object.fromEntries(previous) as Json, fields);
}

async function firstReadable({ companies, look }: WatchList) {
	const tries = companies.slice(0, SAMPLE_TRIES);
	let problem: unknown;
	for (const idno of tries) {
		const shown = await look(idno).catch((error: unknown) => {
			problem = error;
			return undefined;
		});
		if (shown) return shown;
	}
	return await Promise.reject(problem as Error);
}
