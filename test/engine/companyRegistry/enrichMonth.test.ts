import type { IDataObject } from 'n8n-workflow';

import { spendingOf } from '../../../nodes/CompanyRegistry/spending';
import { systemClock } from '../../../nodes/shared/http/clock';
import { forgetEverything } from '../../../nodes/shared/http/processMap';
import { accountOf, companyOf, ModelRegistry, resetClock, runNight, setNight } from './nightModel';
import type { Company } from './nightModel';

afterEach(resetClock);

// Like 500 rows on a plan of 100 requests a day, beside a trigger of 20 companies, at a tenth of the size.
const NIGHTS = 30;
const ROWS = 50;
const PER_DAY = 10;
const TRIGGER = { perPoll: 2, perDay: 2 };

interface Scenario {
	/** What a row says of its company. */
	says: (company: Company) => IDataObject;
	addCredit?: boolean;
	/** The plan has no recommendations. */
	isDenied?: boolean;
	/** Each has a part of the rows, and all run at the same time. */
	workflows?: number;
	/** What a row costs before its company is known. */
	perRow: number;
	/** What a night costs beside the rows. */
	perNight?: number;
}

const byIdno = ({ idno }: Company) => ({ IDNO: idno });
const byNote = ({ name }: Company) => ({ Firma: `${name} - client vechi` });

/** A list that a person works on, and what the test knows of its rows. */
class List {
	rows: IDataObject[];

	constructor(
		private readonly registry: ModelRegistry,
		private readonly says: Scenario['says'],
		/** Each is a row's at some time. */
		private readonly companies: Company[],
		size: number,
	) {
		this.rows = companies.splice(0, size).map((company) => this.rowFor(company, 0));
	}

	private readonly meant = new Map<unknown, Company>();
	private readonly turns = new Map<unknown, number>();
	/** The company that the last check has found. */
	private readonly found = new Map<unknown, unknown>();
	/** Rows whose company has been suspended since. */
	private readonly due = new Set<unknown>();

	private rowFor(company: Company, night: number): IDataObject {
		const id = company.idno;
		this.meant.set(id, company);
		this.turns.set(id, night - 1);
		return { id, ...this.says(company), registry_state: null };
	}

	/** What happens to the list, and to a company in it, before a night. */
	change(night: number): void {
		const { companies, due, found, meant, registry, rows, says } = this;
		if (night % 3 === 1) rows.reverse();
		if (night % 4 === 2) rows.splice(night, 1);
		if (night % 4 === 3) rows.unshift(this.rowFor(companies.pop()!, night));
		const [row, other] = [3, 7].map((step) => rows[(step * night) % rows.length]!) as [
			IDataObject,
			IDataObject,
		];
		const company = registry.companies.get(meant.get(row.id)!.idno)!;
		if (company.status === 'active' && found.get(row.id) === company.idno) due.add(row.id);
		registry.companies.set(company.idno, { ...company, status: 'suspended' });
		if (night % 5 !== 4) return;
		meant.set(other.id, companies.pop()!);
		Object.assign(other, says(meant.get(other.id)!));
		due.delete(other.id);
	}

	/** Takes what a night has found, and writes nothing but the state back. */
	take(results: IDataObject[], night: number, mostNights: number): void {
		const { due, found, meant, says, turns } = this;
		const today = new Date(systemClock.now()).toISOString().slice(0, 10);
		for (const row of results) {
			const { id, registry_idno: idno, registry_changes: changes } = row;
			const isChecked = String(row.registry_checked_at).startsWith(today);
			if (isChecked) {
				expect([row, idno]).toEqual([row, meant.get(id)!.idno]);
				// A change is told by the first check after it, and by no other.
				const isTold = found.get(id) === idno && String(changes).includes('→ suspended');
				expect([row, isTold]).toEqual([row, due.delete(id)]);
				found.set(id, idno);
				turns.set(id, night);
			} else expect(changes).toBeNull();
			expect([row, night - turns.get(id)! <= mostNights]).toEqual([row, true]);
		}
		this.rows = results.map(({ id, registry_state }) => {
			return { id, ...says(meant.get(id)!), registry_state };
		});
	}
}

const LEFT = PER_DAY - TRIGGER.perPoll;

describe('Enrich for a month, beside a trigger, with a restart a day', () => {
	it.each<[string, Scenario]>([
		['by IDNO, in two workflows at once', { says: byIdno, workflows: 2, perRow: 1 }],
		['with a note after every name', { says: byNote, perRow: 1 }],
		['with the recommendation', { says: byIdno, addCredit: true, perRow: 2 }],
		[
			'on a plan without recommendations',
			{ says: byIdno, addCredit: true, isDenied: true, perRow: 1, perNight: 3 },
		],
	])(
		'gives each row of a list that people work on its turn, and tells each change once: %s',
		async (_, { says, addCredit = false, isDenied, workflows = 1, perRow, perNight = 0 }) => {
			const registry = new ModelRegistry();
			const companies = Array.from({ length: 2 * ROWS }, (_company, number) => companyOf(number));
			for (const company of companies) registry.companies.set(company.idno, company);
			const lists = Array.from({ length: workflows }, () => {
				return new List(registry, says, companies, ROWS / workflows);
			});
			// Corrected rows go first, and a few rows come.
			const mostNights = Math.ceil((ROWS * perRow) / (LEFT - perNight)) + 2;
			for (let night = 0; night < NIGHTS; night++) {
				setNight(night);
				for (const list of lists) list.change(night);
				forgetEverything();
				registry.begin({ quota: PER_DAY, isDenied });
				// A restarted trigger polls at once.
				spendingOf(accountOf(PER_DAY)).notePoll('trigger', { at: systemClock.now(), ...TRIGGER });
				const results = await Promise.all(
					lists.map(async ({ rows }) => {
						return await runNight(registry, rows, { addCredit }, { perDay: PER_DAY });
					}),
				);
				expect(registry.requests).toHaveLength(LEFT);
				for (const [at, { rows, error }] of results.entries()) {
					expect(error).toBeUndefined();
					lists[at]!.take(rows, night, mostNights);
				}
			}
		},
		60_000,
	);
});
