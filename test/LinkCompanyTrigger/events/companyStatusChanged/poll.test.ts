import fc from 'fast-check';

import type {
	CompanyOptions,
	CompanyState,
	Field,
	Search,
	Shown,
	WatchList,
} from '../../../../nodes/LinkCompanyTrigger/events/companyStatusChanged/poll';
import { pollCompanies } from '../../../../nodes/LinkCompanyTrigger/events/companyStatusChanged/poll';
import {
	decodeCompanies,
	encodeCompanies,
} from '../../../../nodes/LinkCompanyTrigger/events/companyStatusChanged/state';
import {
	DailyBudget,
	type DayPlan,
	type Spent,
} from '../../../../nodes/LinkCompanyTrigger/events/companyStatusChanged/dailyBudget';
import { PageReader } from '../../../../nodes/LinkCompanyTrigger/pageReader';
import { ServiceError } from '../../../../nodes/shared/http/errors';
import { outage } from '../../hostileList';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const HOURLY: DayPlan = { partMs: HOUR, beginsAtMs: 0 };

function idnoOf(index: number): string {
	return String(1_003_600_000_000 + index * 7);
}

/** The registry, and what a trigger asked it. */
class Registry {
	readonly statuses: string[];
	/** Time of each request. */
	readonly requests: number[] = [];
	readonly checkedAt: number[][];
	readonly unreadable = new Set<number>();
	down = false;
	now = 0;

	constructor(count: number) {
		this.statuses = Array.from({ length: count }, () => 'active');
		this.checkedAt = this.statuses.map(() => []);
	}

	ask(): void {
		this.requests.push(this.now);
		if (this.down) throw outage();
	}

	shown(index: number): Shown {
		this.checkedAt[index]!.push(this.now);
		const status = this.statuses[index]!;
		const idno = idnoOf(index);
		return { idno, name: `Company ${index}`, values: { status }, details: { idno } };
	}

	perDay(day: number, beginsAt = 0): number {
		return this.requests.filter((at) => Math.floor((at - beginsAt) / DAY) === day).length;
	}
}

interface Setting {
	perDay: number;
	plan?: DayPlan;
	/** The durable scheduler keeps the state of quiet polls. */
	durable?: boolean;
	search?: boolean;
	perPage?: number;
	fields?: readonly Field[];
	emitExisting?: boolean;
}

/** A trigger's life: polls and restarts, with what each scheduler keeps. */
class Life {
	readonly events: Array<Record<string, unknown>> = [];
	readonly warnings: string[] = [];
	stored: { state?: CompanyState; spent?: Spent } = {};
	private saved: string | undefined;
	private counted: Spent | undefined;

	constructor(
		readonly registry: Registry,
		readonly setting: Setting,
	) {}

	async poll(requests = Infinity): Promise<void> {
		const { registry, setting } = this;
		const { plan = HOURLY, perDay, fields = ['status'] } = setting;
		const before = this.textOf(this.stored);
		const budget = new DailyBudget(
			perDay,
			plan,
			{
				counted: this.counted,
				stored: this.stored.spent,
				polledBefore: this.stored.state !== undefined,
			},
			() => registry.now,
		);
		const begun = registry.requests.length;
		const reading = new PageReader({
			get over() {
				return registry.requests.length - begun >= requests;
			},
		});
		const options: CompanyOptions = {
			fields,
			emitExisting: setting.emitExisting ?? false,
			unreadable: (idno) => this.warnings.push(idno),
		};
		try {
			const source = setting.search ? this.search(budget) : this.list(budget);
			const outcome = await pollCompanies(this.stored.state, source, reading, budget, options);
			const next = { state: outcome.state, spent: budget.today };
			const changed =
				JSON.stringify(encoded(next.state)) !== JSON.stringify(encoded(this.stored.state));
			if (reading.failure && outcome.events.length === 0 && !changed) throw reading.failure;
			this.events.push(...outcome.events);
			this.stored = this.read(this.textOf(next));
			if (setting.durable || outcome.events.length > 0 || before === undefined) {
				this.saved = this.textOf(this.stored);
			}
		} finally {
			this.counted = budget.today;
		}
	}

	/** n8n starts anew: the classic scheduler polls once then, and stores what that gives. */
	async restart(): Promise<void> {
		this.counted = undefined;
		this.stored = this.saved === undefined ? {} : this.read(this.saved);
		if (this.setting.durable) return;
		await this.poll();
		this.saved = this.textOf(this.stored);
	}

	private list(budget: DailyBudget): WatchList {
		const { registry } = this;
		return {
			kind: 'list',
			companies: registry.statuses.map((_, index) => idnoOf(index)),
			look: async (idno) => {
				budget.spend();
				registry.ask();
				const index = (Number(idno) - Number(idnoOf(0))) / 7;
				if (registry.unreadable.has(index)) throw new ServiceError('No such company');
				return registry.shown(index);
			},
		};
	}

	private search(budget: DailyBudget): Search {
		const { registry, setting } = this;
		const perPage = setting.perPage ?? 50;
		return {
			kind: 'search',
			page: async (page) => {
				budget.spend();
				registry.ask();
				const start = (page - 1) * perPage;
				const indexes = registry.statuses.map((_, index) => index).slice(start, start + perPage);
				return {
					companies: indexes.map((index) => registry.shown(index)),
					last: start + perPage >= registry.statuses.length,
				};
			},
		};
	}

	private textOf({ state, spent }: Life['stored']): string | undefined {
		return state && JSON.stringify({ state: encoded(state), spent });
	}

	private read(text: string | undefined): Life['stored'] {
		const { state, spent } = JSON.parse(text!);
		const fields = this.setting.fields?.length ?? 1;
		return { state: { ...state, companies: decodeCompanies(state.companies, fields)! }, spent };
	}
}

function encoded(state: CompanyState | undefined) {
	return state && { ...state, companies: encodeCompanies(state.companies) };
}

describe('companyStatusChanged', () => {
	it('emits a change once, with the status before and after', async () => {
		const registry = new Registry(3);
		const life = new Life(registry, { perDay: 1000 });
		await life.poll();
		expect(life.events).toEqual([]);
		registry.statuses[1] = 'suspended';
		await life.poll();
		await life.poll();
		expect(life.events).toEqual([
			{
				idno: idnoOf(1),
				name: 'Company 1',
				status: 'suspended',
				previousStatus: 'active',
				changedFields: ['status'],
				details: { idno: idnoOf(1) },
			},
		]);
	});

	it('checks the least recently checked first, and goes on where it stopped', async () => {
		const registry = new Registry(10);
		const life = new Life(registry, { perDay: 72 });
		await life.poll(10);
		for (let hour = 1; hour < 24; hour++) {
			registry.now = hour * HOUR;
			await life.poll();
		}
		const counts = registry.checkedAt.map(({ length }) => length);
		expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
		expect(registry.requests.length).toBe(72);
	});

	it('spends the whole budget of a day at once where there is one poll a day', async () => {
		const registry = new Registry(500);
		const life = new Life(registry, {
			perDay: 80,
			plan: { partMs: DAY, beginsAtMs: 0 },
		});
		for (let day = 0; day < 5; day++) {
			registry.now = day * DAY + 8 * HOUR;
			await life.poll();
			expect(registry.perDay(day)).toBe(80);
		}
	});

	it('is not stopped by a company that cannot be read', async () => {
		const registry = new Registry(5);
		registry.unreadable.add(0).add(3);
		const life = new Life(registry, { perDay: 1000 });
		await life.poll();
		registry.statuses[4] = 'suspended';
		await life.poll();
		expect(life.events).toMatchObject([{ idno: idnoOf(4) }]);
		expect(new Set(life.warnings)).toEqual(new Set([idnoOf(0), idnoOf(3)]));
	});

	it('fails at once when no company of a new list can be read', async () => {
		const registry = new Registry(2);
		registry.unreadable.add(0).add(1);
		await expect(new Life(registry, { perDay: 1000 }).poll()).rejects.toThrow('No such company');
	});

	it('takes three failures in a row for an outage, after which nobody has lost a turn', async () => {
		const registry = new Registry(9);
		const life = new Life(registry, { perDay: 1000 });
		await life.poll();
		registry.down = true;
		await expect(life.poll()).rejects.toThrow('not working right now');
		expect(registry.requests.length).toBe(9 + 3);
		registry.down = false;
		registry.statuses[0] = 'suspended';
		await life.poll();
		expect(life.events).toMatchObject([{ idno: idnoOf(0) }]);
	});

	it('costs one request for 50 companies of a search', async () => {
		const registry = new Registry(120);
		const life = new Life(registry, { perDay: 240, search: true });
		await life.poll();
		registry.now = HOUR;
		registry.statuses[119] = 'suspended';
		await life.poll();
		expect(registry.requests.length).toBe(6);
		expect(life.events).toMatchObject([{ idno: idnoOf(119) }]);
	});

	it('does not call a company that a search shows for the first time changed', async () => {
		const registry = new Registry(3);
		const life = new Life(registry, { perDay: 240, search: true, emitExisting: true });
		await life.poll();
		expect(life.events).toHaveLength(3);
		registry.statuses.push('suspended');
		registry.checkedAt.push([]);
		await life.poll();
		expect(life.events).toHaveLength(3);
	});

	it('emits changes of the other watched fields, and none of fields that were not shown', async () => {
		const fields: Field[] = ['status', 'rating', 'score'];
		const registry = new Registry(1);
		const shown = (values: Shown['values']): Shown => ({ idno: idnoOf(0), values, details: {} });
		const answers = [
			shown({ status: 'active', rating: 'B' }),
			shown({ status: 'active', score: 50 }),
			shown({ status: 'active', rating: 'C', score: 50 }),
		];
		registry.shown = () => answers.shift()!;
		const life = new Life(registry, { perDay: 240, fields });
		for (let i = 0; i < 3; i++) await life.poll();
		expect(life.events).toMatchObject([
			{ changedFields: ['rating'], rating: 'C', previousRating: 'B', previousScore: 50 },
		]);
	});
});

interface Simulation {
	setting: Setting & { perDay: number };
	companies: number;
	/** Minutes from one poll to the next. */
	every: number;
	isDueKnown: boolean;
	days: number;
	restarts: number[];
	outages: number[];
	changes: Array<{ poll: number; place: number; status: string }>;
}

const simulation: fc.Arbitrary<Simulation> = fc.record({
	setting: fc.record({
		perDay: fc.integer({ min: 1, max: 200 }),
		plan: fc.constantFrom<DayPlan>(
			HOURLY,
			{ partMs: 6 * HOUR, beginsAtMs: 0 },
			{ partMs: DAY, beginsAtMs: 5 * HOUR },
		),
		durable: fc.boolean(),
		search: fc.boolean(),
		perPage: fc.integer({ min: 2, max: 9 }),
	}),
	companies: fc.integer({ min: 1, max: 40 }),
	every: fc.constantFrom(7, 60, 60 * 6, 60 * 24),
	isDueKnown: fc.boolean(),
	days: fc.integer({ min: 1, max: 4 }),
	restarts: fc.array(fc.integer({ min: 1, max: 100 }), { maxLength: 8 }),
	outages: fc.array(fc.integer({ min: 1, max: 100 }), { maxLength: 3 }),
	changes: fc.array(
		fc.record({
			poll: fc.integer({ min: 0, max: 100 }),
			place: fc.nat(),
			status: fc.constantFrom('active', 'suspended', 'deregistered'),
		}),
		{ maxLength: 6 },
	),
});

/** Printed with VERBOSE=1. */
const simulated = { runs: 0, days: 0, requests: 0, budget: 0, restarts: 0 };

afterAll(() => {
	if (process.env.VERBOSE) console.table(simulated);
});

async function simulate(spec: Simulation): Promise<void> {
	const { setting, companies, every, days } = spec;
	const registry = new Registry(companies);
	const start = 3 * HOUR;
	const due = { everyMs: every * 60_000, dueAtMs: start % (every * 60_000) };
	const plan = { ...setting.plan!, due: spec.isDueKnown ? due : undefined };
	const life = new Life(registry, { ...setting, plan });
	const polls = Math.ceil((days * DAY) / (every * 60_000));
	for (let poll = 0; poll < polls; poll++) {
		registry.now = start + poll * every * 60_000;
		for (const change of spec.changes) {
			if (change.poll === poll) registry.statuses[change.place % companies] = change.status;
		}
		registry.down = spec.outages.includes(poll);
		if (spec.restarts.includes(poll)) {
			// Some time before the poll, as a restart is no part of the schedule.
			registry.now -= Math.floor(every * 60_000 * 0.3);
			await life.restart().catch(() => {});
			registry.now = start + poll * every * 60_000;
		}
		await life.poll().catch(() => {});
	}
	const { beginsAtMs } = setting.plan!;
	for (let day = -1; day <= days; day++) {
		expect(registry.perDay(day, beginsAtMs)).toBeLessThanOrEqual(setting.perDay);
	}
	simulated.days += days;
	simulated.requests += registry.requests.length;
	simulated.budget += setting.perDay * days;
	simulated.runs++;
	simulated.restarts += spec.restarts.filter((poll) => poll < polls).length;

	// What is shown from now on until every company was checked is known in the end.
	registry.down = false;
	for (let poll = polls; poll < polls + 2; poll++) {
		registry.now += DAY;
		await life.poll().catch(() => {});
	}
	const last = new Map(life.events.map(({ idno, status }) => [idno, status]));
	for (const [idno, { values }] of life.stored.state?.companies ?? []) {
		if (last.has(idno)) expect(last.get(idno)).toBe(values[0]);
	}
	// No event without a change: each begins where the one before it ended.
	const chain = new Map<unknown, unknown>();
	for (const { idno, status, previousStatus } of life.events) {
		expect(status).not.toBe(previousStatus);
		if (setting.durable && chain.has(idno)) expect(previousStatus).toBe(chain.get(idno));
		chain.set(idno, status);
	}
}

describe('companyStatusChanged over simulated days', () => {
	it('never spends more than the budget of a day, whatever fails and restarts', async () => {
		await fc.assert(fc.asyncProperty(simulation, simulate), {
			numRuns: Number(process.env.RUNS ?? 200),
		});
	});
});
