import type { Json } from '../../../shared/http/envelope';
import { InputError, ServiceError } from '../../../shared/http/errors';
import type { Companies, Value } from './state';
import type { DailyBudget } from './dailyBudget';
import type { PageReader } from '../../pageReader';

/** The fields that can be watched, in the order in which the state keeps them. */
export const WATCHABLE = [
	'status',
	'rating',
	'score',
	'insolvencyRisk',
	'recommendedLimitMdl',
] as const;

export type Field = (typeof WATCHABLE)[number];

/** A company as the registry shows it now. */
export interface Shown {
	idno: string;
	name?: string;
	/** A field that the answer does not have is absent. */
	values: Partial<Record<Field, Value>>;
	/** The record as it came. */
	details: Json;
}

/** Companies whose IDNOs are known: one request each. */
export interface WatchList {
	kind: 'list';
	companies: readonly string[];
	/**
	 * @throws ServiceError; one without a cause that concerns all requests is about this company
	 */
	look(idno: string): Promise<Shown>;
}

/** Companies that a search finds: up to 50 with one request. */
export interface Search {
	kind: 'search';
	/** @throws ServiceError */
	page(page: number): Promise<{ companies: Shown[]; last: boolean; noPages?: boolean }>;
}

export interface CompanyState {
	companies: Companies;
	/** Watch list: the place of the company whose turn it is. Search: the next page, from 1. */
	next: number;
	/** The first round or sweep is not complete. */
	beginning: boolean;
	/** The search gives no second page, although the first is full. */
	onePage?: boolean;
}

export interface CompanyOptions {
	fields: readonly Field[];
	/** Emits what every company shows at its first check. */
	emitExisting: boolean;
	/** Hears of companies that could not be read. */
	unreadable(idno: string, problem: ServiceError): void;
}

export interface CompanyOutcome {
	state: CompanyState;
	events: Json[];
}

/** Failures in a row after which it is the service that fails, not the companies. */
const FAILURES_IN_A_ROW = 3;
const FORGET_AFTER = 3;
/** About 800 KB of state. */
export const MAX_COMPANIES = 50_000;

/** Causes that concern every request with this credential. */
const FOR_ALL = new Set([
	'credential-invalid',
	'configuration-invalid',
	'rate-limited',
	'quota-exhausted',
]);

/**
 * Checks as many companies as the budget and the time allow, the least recently checked first,
 * and compares the watched fields with what is remembered. A company that is seen for the first
 * time is remembered.
 */
export async function pollCompanies(
	stored: CompanyState | undefined,
	source: WatchList | Search,
	reading: PageReader,
	budget: DailyBudget,
	options: CompanyOptions,
): Promise<CompanyOutcome> {
	const state: CompanyState = stored
		? { ...stored, companies: new Map(stored.companies) }
		: { companies: new Map(), next: source.kind === 'list' ? 0 : 1, beginning: true };
	const poll = new CompanyPoll(state, stored === undefined, reading, budget, options);
	if (source.kind === 'list') await poll.round(source);
	else await poll.sweep(source);
	return { state, events: [...poll.events.values()] };
}

class CompanyPoll {
	/** By IDNO: what is seen twice is one event. */
	readonly events = new Map<string, Json>();

	constructor(
		private readonly state: CompanyState,
		/** n8n stores what the first poll remembers, so that one may spend all of the day's budget. */
		private readonly isFirst: boolean,
		private readonly reading: PageReader,
		private readonly budget: DailyBudget,
		private readonly options: CompanyOptions,
	) {}

	private get mayAsk(): boolean {
		return this.budget.left(this.isFirst) > 0;
	}

	/** In the order of the list, round after round: the next is always the least recently checked. */
	async round({ companies, look }: WatchList): Promise<void> {
		const { state, reading } = this;
		let failures = 0;
		let read = 0;
		let first: ServiceError | undefined;
		for (let checked = 0; checked < companies.length && this.mayAsk; checked++) {
			const idno = companies[state.next % companies.length] as string;
			const result = await reading.read(async () => await lookAt(idno, look));
			if (!result) break;
			if (result instanceof ServiceError) {
				first ??= result;
				const outage = result.failure?.cause === 'temporarily-unavailable';
				failures = outage ? failures + 1 : 0;
				if (failures === FAILURES_IN_A_ROW) {
					// It was not the companies: their turn is not over.
					state.next = before(state.next, failures - 1, companies.length);
					await reading.read(async () => await fail(result));
					return;
				}
				this.options.unreadable(idno, result);
			} else {
				failures = 0;
				read++;
				this.compare({ ...result, idno });
			}
			state.next++;
			if (state.next >= companies.length) {
				state.next = 0;
				state.beginning = false;
			}
		}
		// A list of which nothing can be read is a mistake that should show at once.
		if (this.isFirst && read === 0 && first) throw first;
	}

	/** Page after page; what a poll cannot finish, the next one goes on with. */
	async sweep(source: Search): Promise<void> {
		const { state, reading } = this;
		while (this.mayAsk) {
			const page = await reading.read(async () => await source.page(state.next));
			if (!page) return;
			const before = this.shownNow;
			for (const company of page.companies) this.compare(company);
			const nothingNew = this.shownNow === before;
			const again = state.next === 2 && nothingNew && page.companies.length > 0;
			if (page.noPages || again) state.onePage = true;
			state.next++;
			if (page.last || nothingNew || state.onePage) {
				this.complete();
				return;
			}
		}
	}

	private get shownNow(): number {
		let count = 0;
		for (const { shown } of this.state.companies.values()) if (shown) count++;
		return count;
	}

	private complete(): void {
		const { state } = this;
		for (const [idno, company] of state.companies) {
			const missed = company.shown ? 0 : company.missed + 1;
			if (missed >= FORGET_AFTER) state.companies.delete(idno);
			else state.companies.set(idno, { ...company, missed, shown: false });
		}
		state.next = 1;
		state.beginning = false;
	}

	private compare({ idno, name, values, details }: Shown): void {
		const { state, options } = this;
		const known = state.companies.get(idno);
		const previous = options.fields.map((_, index) => known?.values[index]);
		// A field that is missing in this answer did not change.
		const current = options.fields.map((field, index) => values[field] ?? previous[index]);
		state.companies.set(idno, { values: current, missed: 0, shown: true });
		if (state.companies.size > MAX_COMPANIES) throw tooMany();
		const changedFields = options.fields.filter(
			(_, index) => previous[index] !== undefined && previous[index] !== current[index],
		);
		const emitsFirst = !known && options.emitExisting && state.beginning;
		if (changedFields.length === 0 && !emitsFirst) return;
		const before = Object.fromEntries(
			options.fields.map((field, index) => [previousName(field), previous[index] ?? null]),
		);
		this.events.set(idno, eventOf({ idno, name, values, details }, before, changedFields));
	}
}

/** Fields of an event: what the company shows, what it showed before, which of it changed. */
export function eventOf(
	{ idno, name, values, details }: Shown,
	previous: Json,
	changedFields: readonly Field[],
): Json {
	return {
		idno,
		name: name ?? null,
		status: values.status ?? null,
		...previous,
		changedFields,
		...values,
		details,
	};
}

/** E.g. `previousStatus`. */
export function previousName(field: Field): string {
	return `previous${field.charAt(0).toUpperCase()}${field.slice(1)}`;
}

async function lookAt(idno: string, look: WatchList['look']): Promise<Shown | ServiceError> {
	return await look(idno).catch(async (error: unknown) => {
		const isAbout = error instanceof ServiceError && !FOR_ALL.has(error.failure?.cause ?? '');
		return isAbout ? error : await Promise.reject(error as Error);
	});
}

async function fail(problem: ServiceError): Promise<never> {
	throw problem;
}

function before(place: number, steps: number, length: number): number {
	return (place - steps + length) % length;
}

function tooMany(): InputError {
	return new InputError(
		`The search finds more than ${MAX_COMPANIES.toLocaleString('en')} companies`,
		'Narrow it down, e.g. by a region.',
	);
}
